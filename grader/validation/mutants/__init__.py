"""Mutants: the reference of a task with one fault put in."""

from grader.validation.mutants.library import is_installed as library_is_installed
from grader.validation.mutants.mutants import mutants_of

__all__ = ["library_is_installed", "mutants_of"]
