"""Floor 1: the rules of the party, as pure functions on numbers. No network, disk, clock or randomness here."""
