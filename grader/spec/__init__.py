"""Reads a spec file into a `Task`, and reports every mistake at once, each with its place.

Nothing is run.  Calls and answers are parsed with `ast` and computed here within bounds; the reference
and the checkers are parsed only.
"""

from grader.spec.load import load_spec, load_task

__all__ = ["load_spec", "load_task"]
