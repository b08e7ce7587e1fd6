"""Floor 6: the doors. Parse, call a service, render; no decisions."""
