"""The file in which people mark criteria, override marks and write comments."""
