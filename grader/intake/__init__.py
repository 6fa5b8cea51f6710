"""Reads submissions from the paths of a command into memory: finds, reads and repairs them, never runs them.

All that a student handed in is hostile here: names, bytes, archives, links.  A fault in it becomes a
problem of that submission.  Only a user's own mistake is raised.
"""

from grader.intake.candidate import Candidate, SourceKind
from grader.intake.discovery import are_named_singly, discover
from grader.intake.reading import digest, read, read_for

__all__ = ["Candidate", "SourceKind", "are_named_singly", "digest", "discover", "read", "read_for"]
