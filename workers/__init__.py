"""Floor 6: background work. Jobs are ten lines and call one service."""
