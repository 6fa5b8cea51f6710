"""Mutants: the reference of a task with one fault put in."""

from grader.plugins.validate.mutants.mutants import mutants_of

__all__ = ["mutants_of"]
