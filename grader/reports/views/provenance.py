"""What the record of a run knows of a submission beyond its results."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.model.limits import Limits
from grader.model.submission import Submission
from grader.model.task import Rounding


@dataclass(frozen=True, slots=True)
class Provenance:
    """The part of an explanation that the record has and the results lack.

    gap: why some of it is missing; empty if nothing is.
    spec: path of the spec, and of the files that it names.
    work: the submission as it was read.
    marked: id and time of the earlier run that marked it; empty if the run itself did.
    limits: by case.  rounding: that of the task.
    packages: releases that submissions could import.
    """

    gap: str = ""
    spec: tuple[str, ...] = ()
    work: Submission | None = None
    marked: tuple[str, str] = ("", "")
    limits: Mapping[str, Limits] = field(default_factory=dict)
    rounding: Rounding | None = None
    packages: tuple[str, ...] = ()
