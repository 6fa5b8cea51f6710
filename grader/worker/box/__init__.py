"""The inside of a box: loads the student's modules, makes the calls, captures their output."""
