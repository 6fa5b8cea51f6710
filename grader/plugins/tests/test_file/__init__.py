"""Cases that are test functions of a test file of the instructor's."""
