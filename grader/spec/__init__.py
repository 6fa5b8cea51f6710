"""From a spec file to a `Task`: every mistake found at once, each with its place.

Reads files, runs nothing: calls and answers are parsed with `ast` and computed here within
bounds, and the reference and the checkers are only looked at.
"""

from grader.spec.load import load_task

__all__ = ["load_task"]
