"""Floor 2: what can happen, one frozen dataclass per event, and the folds that read a standing out of them."""
