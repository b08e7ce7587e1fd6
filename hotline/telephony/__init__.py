"""Floor 4: the phone company: signatures, requests, TwiML."""
