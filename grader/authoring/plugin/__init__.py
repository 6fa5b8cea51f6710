"""Starts a plugin: a package of its own with a kind of case that works, and its tests."""
