"""Inside a box: loads the student's modules, makes the calls, captures what they print."""
