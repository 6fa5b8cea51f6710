"""What Python itself says of a file of tests: its lines, the names that it binds, and what its top does."""
