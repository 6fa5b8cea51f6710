"""The differences between two runs, and the reasons for them."""
