"""Starts a task from a reference or from examples: its spec, a handout and a wrong program."""
