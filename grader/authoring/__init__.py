"""Helps to write a task: starts one, tries it against its own programs, and converts other tools' tests."""
