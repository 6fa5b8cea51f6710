"""Runs hostile code: the walls that this host can build, and the grader's end of every box."""
