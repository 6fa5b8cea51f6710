"""Names that specs and commands share."""

import re

TASK_ID = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(?:-[a-z0-9]+)*")
TASK_ID_WORDS = "lower-case letters, digits and single hyphens, at most 64"


def is_task_id(text: str) -> bool:
    """Tell whether a text can be the name of a task."""
    return TASK_ID.fullmatch(text) is not None
