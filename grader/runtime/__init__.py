"""The grader's own processes: a pool of them, how they start, and which code they run."""
