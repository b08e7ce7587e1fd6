"""Floor 6: a phone in the terminal that runs TwiML as the carrier would."""
