"""Running hostile code: which walls this host can build, and the grader's end of every box."""
