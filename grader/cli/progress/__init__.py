"""Tells on stderr what a command does, and how far it has come."""
