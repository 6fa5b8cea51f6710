"""Whose a work is, where download and roster say it in different ways."""
