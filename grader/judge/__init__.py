"""Judges a case: turns its evidence into a verdict.  It uses no process, no file and no clock."""
