"""Floor 3: who gets through, as pure counts and a policy."""
