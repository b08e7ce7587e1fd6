"""Simulated nights in memory: a labelled crowd calls, and the real screening judges every ring."""
