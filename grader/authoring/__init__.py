"""Writing a task: starts one from a reference or from examples, and tries it against its own programs."""
