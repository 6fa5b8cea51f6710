"""Stores the findings of a run: `results.json`, and files that appear whole or not at all."""
