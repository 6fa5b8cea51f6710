"""Searches for an input that tells a mutant from the reference."""

from grader.model.validation import Distinction
from grader.validation.search.result import NotFound
from grader.validation.search.search import Search

__all__ = ["Distinction", "NotFound", "Search"]
