"""Compares values, finds where they differ, and shows them."""
