"""The arithmetic of a mark."""
