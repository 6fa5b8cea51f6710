"""The page of one submission."""
