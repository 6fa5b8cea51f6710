"""Cases that run a module as a program: arguments, input or a dialogue, output, files and an exit code."""
