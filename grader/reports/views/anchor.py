"""The place of a case on a page, so that other pages can link to it."""

import re

_OTHER = re.compile(r"[^A-Za-z0-9.-]")


def case_anchor(case_id: str) -> str:
    """Return the HTML id of a case: different cases have different ones, and links need no escapes for it."""
    return "c-" + _OTHER.sub(lambda found: f"_{ord(found.group()):x}_", case_id)
