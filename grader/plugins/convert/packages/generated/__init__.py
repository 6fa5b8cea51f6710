"""Data that a package does not hold, but describes: its own programs make it, if the user says so."""
