"""A student, as an export or a roster names them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

OF_LMS = ("moodle", "canvas", "gradescope", "brightspace", "blackboard")
"""The kinds of ids that an LMS of this name gives."""
KINDS = ("login", "sis", *OF_LMS, "github")
"""The kinds of ids that a `Person` can have elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One student, as far as is known; all text may be hostile.

    id: the id in the batch, as in `Submission`; empty where it isn't known.
    name: for people; empty where an export hides it or doesn't have it.
    mail: an address; empty where it isn't known.
    ids: ids elsewhere, by kind: moodle, canvas, gradescope, brightspace, blackboard, sis, login, github.
        `moodle` is the number of the participant, as in a worksheet's `Participant 123`.
    group: the name of the group that they hand in with; empty for none.
    by_download: the group is the download's own word, so the next download says who is in it.
    work: the same for all who handed in one work together; empty for a work of one's own.
    """

    id: str = ""
    name: str = ""
    mail: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    group: str = ""
    by_download: bool = False
    work: str = ""
