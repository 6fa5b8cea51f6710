"""Test files for pytest: the instructor's, and students' own, which are tried on programs."""
