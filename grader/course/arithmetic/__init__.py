"""The arithmetic of a term for one student: exact, and with a line for each step."""
