"""Reads a case that makes calls from its mapping in the spec."""
