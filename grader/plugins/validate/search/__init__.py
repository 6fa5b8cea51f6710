"""Searches for an input that tells a mutant from the reference."""

from grader.model.validation import Distinction
from grader.plugins.validate.search.result import NotFound
from grader.plugins.validate.search.search import Search

__all__ = ["Distinction", "NotFound", "Search"]
