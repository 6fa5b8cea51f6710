"""Tests that start the student's program by `subprocess`, as cases with `program`."""
