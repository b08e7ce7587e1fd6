"""Floor 3: the conversation with a caller, as a pure function of what was known and what was keyed."""
