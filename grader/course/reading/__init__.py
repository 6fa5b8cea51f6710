"""Reads a course file, with every mistake at its line and column."""
