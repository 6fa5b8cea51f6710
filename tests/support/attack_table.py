"""Prints the outcome of every attack under every driver, from real runs, as Markdown.

    PYTHONPATH=tests .venv/bin/python -m support.attack_table > table.md

First the counts by group, then every attack by name; below, what the runs took and what went wrong.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from grader.sandbox.driver import LADDER, Driver
from support.attack_batch import Attack, Run, catalogue, failures, runs
from support.sieges import adopt_orphans
from support.unprivileged import home_with_a_copy, python_for

WORDS = {
    "wrong-answer": "wrong",
    "time-limit": "time",
    "wall-limit": "wall",
    "memory-limit": "memory",
    "output-limit": "output",
    "rule-broken": "rule",
    "load-error": "load",
}
"""Shorter words for verdicts in the cells."""
NOT_PROMISED, SUCCEEDED = "not promised", "**SUCCEEDED**"

Column = list[Run]
"""What came of all tasks in one way of marking."""


def columns() -> list[Column]:
    """Mark the batches in every way that the tests do."""
    adopt_orphans()
    if os.geteuid() != 0:
        return [runs("self", driver, (sys.executable,)) for driver in LADDER]
    found = [runs("root", driver, (sys.executable,)) for driver in (Driver.NAMESPACES, Driver.LANDLOCK)]
    with home_with_a_copy() as home:
        python = (python_for(home),)
        return found + [runs("nobody", driver, python, home) for driver in LADDER]


def outcome(attack: Attack, column: Column, failed: Sequence[str]) -> str:
    """Return the outcome of an attack under one user and driver."""
    if any(attack.name in words or repr(attack.student) in words for words in failed):
        return SUCCEEDED
    for run in column:
        if attack in run.attacks:
            if attack.handed_in_by:
                return "no mark"
            verdicts = Counter(case["verdict"] for case in run.cases(attack))
            for quiet in ("missing", "skipped", *(["accepted"] if attack.hides else [])):
                del verdicts[quiet]
            return ", ".join(WORDS.get(name, name) for name, _ in verdicts.most_common()) or "missing"
    return NOT_PROMISED


def table(attacks: Sequence[Attack], cells: dict[str, list[str]], heads: Sequence[str]) -> Iterator[str]:
    """Yield both tables."""
    yield "| group | attacks | " + " | ".join(f"{head}: stopped of tried" for head in heads) + " |"
    yield "|---" * (2 + len(heads)) + "|"
    groups = Counter(attack.name.partition("/")[0] for attack in attacks)
    for group in [*groups, ""]:
        mine = [cells[attack.name] for attack in attacks if attack.name.startswith(f"{group}/") or not group]
        counts = []
        for place in range(len(heads)):
            tried = [row[place] for row in mine if row[place] != NOT_PROMISED]
            counts.append(f"{sum(cell != SUCCEEDED for cell in tried)} of {len(tried)}")
        yield f"| {group or '**all**'} | {len(mine)} | " + " | ".join(counts) + " |"
    yield ""
    yield "| attack | must not | " + " | ".join(heads) + " |"
    yield "|---" * (2 + len(heads)) + "|"
    for attack in attacks:
        row = f"`{attack.name}`: {attack.title}", attack.must_not, *cells[attack.name]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def main() -> int:
    """Print the tables, then the time of each run and its failures."""
    found = columns()
    failed = [[words for run in column for words in failures(run)] for column in found]
    attacks = catalogue()
    cells = {
        attack.name: [outcome(attack, column, words) for column, words in zip(found, failed, strict=True)]
        for attack in attacks
    }
    print("\n".join(table(attacks, cells, [f"{column[0].user}, {column[0].driver}" for column in found])))
    print("\nnot promised: the driver does not promise to stop it, or the interpreter has no NumPy.\n")
    for column, words in zip(found, failed, strict=True):
        marks = Counter(one["mark"] for run in column if run.results for one in run.results["submissions"])
        print(
            f"- {column[0].user}, {column[0].driver}: {sum(len(run.attacks) for run in column)} attacks, "
            f"{sum(marks.values())} submissions, marks {dict(marks)}; "
            f"{max(run.seconds for run in column):.1f} s, the largest process had "
            f"{max(run.peak_rss_b for run in column) >> 20} MiB; failures: {words or 'none'}"
        )
    return 1 if any(failed) else 0


if __name__ == "__main__":
    sys.exit(main())
