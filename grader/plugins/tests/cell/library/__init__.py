"""What the tests and the program both have from the standard library: its values, and its exceptions."""
