"""Cases that try a student's own test file on right and wrong programs of the instructor's."""
