"""Turns a task and submissions into results: one submission, a batch, and the run around them."""
