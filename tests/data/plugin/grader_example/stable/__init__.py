"""Cases that ask whether a function answers the same each time."""
