"""For a rule on source: a word of specs for what our own rules look for."""

from grader.model.rule import NamedRule

__all__ = [
    "NamedRule",
]
