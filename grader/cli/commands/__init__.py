"""One module for each command, which has the name of the command."""
