"""Serves the pages of a run while it goes on, from a process of its own."""
