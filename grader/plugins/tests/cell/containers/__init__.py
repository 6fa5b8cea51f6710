"""The containers that the tests and the program have in common, and how both come to hold the same."""
