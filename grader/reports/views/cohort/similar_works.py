"""The result of an earlier search for similar works, for the index: `similar.json` beside it."""

import json
from pathlib import Path

from grader.model.results import RunInfo
from grader.reports.tone import Tone
from grader.reports.views.cohort.run_warnings import RunWarning, WarningItem
from grader.reports.views.wording import counted

PAGE, DATA = "similar.html", "similar.json"

_LONGEST_B = 1 << 26


def similar_works(directory: Path, run: RunInfo) -> list[RunWarning]:
    """Return a warning that leads to the page of similar works; nothing without one about this run."""
    try:
        with (directory / DATA).open(encoding="utf-8") as file:
            found = json.loads(file.read(_LONGEST_B))
        pairs, groups = len(found["pairs"]), len(found["equal"])
        is_of_this_run = found["run"] == run.id
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return []
    if not is_of_this_run or not (pairs or groups):
        return []
    equal = counted(groups, "group of equal works", "groups of equal works")
    told = [counted(pairs, "pair") if pairs else "", equal if groups else ""]
    return [
        RunWarning(
            "Works that are unusually alike",
            "This is a hint for a person, never a mark.",
            Tone.PART,
            (WarningItem(" and ".join(filter(None, told)), page=PAGE),),
        )
    ]
