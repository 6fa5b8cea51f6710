"""The time of right answers: its ratio to the reference, and its growth with the input."""
