"""Floor 7: the commands of `hotline`, one module per group."""
