"""For a language in which programs are handed in.

Its entry point names the object.  A build and a run are commands of the host, which the grader starts behind
its walls.
"""

from grader.languages.artefact import Artefact
from grader.languages.language import PROGRAM, Language, Trace
from grader.languages.toolchain import MEMORY, SOURCE, WORK

__all__ = [
    "MEMORY",
    "PROGRAM",
    "SOURCE",
    "WORK",
    "Artefact",
    "Language",
    "Trace",
]
