"""From the paths of a command to submissions in memory: found, read, mended, never run.

Whatever a student handed in is hostile here: names, bytes, archives, links.  What is wrong
with it becomes a problem of that submission; only a user's own mistake is raised.
"""

from grader.intake.candidate import Candidate, Kind
from grader.intake.discovery import discover
from grader.intake.reading import digest, read

__all__ = ["Candidate", "Kind", "digest", "discover", "read"]
