"""Floor 4: everything that is kept, in SQL and in Redis."""
