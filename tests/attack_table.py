"""Prints what came of every attack under every driver, from real runs, as a Markdown table.

.venv/bin/python tests/attack_table.py > table.md
"""

import os
import sys
from collections import Counter

from attack_batch import Attack, Run, catalogue, failures, run
from sieges import adopt_orphans
from unprivileged import home_with_a_copy, python_for

from grader.sandbox.driver import Driver


def runs() -> list[Run]:
    """Mark the batch in every way that the tests do."""
    adopt_orphans()
    if os.geteuid() != 0:
        return [run("self", driver, (sys.executable,)) for driver in Driver]
    found = [run("root", driver, (sys.executable,)) for driver in (Driver.NAMESPACES, Driver.LANDLOCK)]
    with home_with_a_copy() as home:
        python = (python_for(home),)
        return found + [run("nobody", driver, python, home) for driver in Driver]


def outcome(attack: Attack, one: Run, failed: list[str]) -> str:
    """Say what came of an attack in a run."""
    if not attack.is_tried_under(one.driver):
        return "not promised"
    if any(attack.name in words or repr(attack.student) in words for words in failed):
        return "**SUCCEEDED**"
    if attack.handed_in_by:
        return "refused, or no mark"
    cases = [case for question in one.submission(attack)["questions"] for case in question["cases"]]
    verdicts = Counter(case["verdict"] for case in cases if case["verdict"] not in ("missing", "skipped"))
    return ", ".join(verdict for verdict, _ in verdicts.most_common()) or "missing"


def main() -> int:
    """Print the table, and below it what else went wrong."""
    found = runs()
    failed = [failures(one) for one in found]
    print("| attack | must not | " + " | ".join(f"{one.user}, {one.driver}" for one in found) + " |")
    print("|---" * (2 + len(found)) + "|")
    for attack in catalogue():
        cells = [outcome(attack, one, words) for one, words in zip(found, failed, strict=True)]
        title = f"`{attack.name}`: {attack.title}"
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in (title, attack.must_not, *cells)) + " |")
    print()
    for one, words in zip(found, failed, strict=True):
        marks = Counter(submission["mark"] for submission in one.results["submissions"])
        print(
            f"{one.user}, {one.driver}: {len(one.attacks)} attacks, {sum(marks.values())} submissions, "
            f"marks {dict(marks)}; {one.seconds:.1f} s, the largest process had {one.peak_rss_b >> 20} MiB; "
            f"failures: {words or 'none'}"
        )
    return 1 if any(failed) else 0


if __name__ == "__main__":
    sys.exit(main())
