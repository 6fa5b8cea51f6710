"""`grader course`: its commands, a module each."""
