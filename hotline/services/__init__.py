"""Floor 5: the jobs people do; the only place that knows the order of things."""
