"""The cases that the reference does not pass again, such as those whose answer chance or the clock gives."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace

from grader.authoring.bench import REFERENCE, TrialRunner, reference_of
from grader.authoring.new.answers import CLOSE
from grader.authoring.written import Keys, Raw, WrittenSpec
from grader.model.task import Task
from grader.model.verdict import Verdict

_OTHER_SEEDS = range(1, 9)
"""So many that a coin hardly falls alike with all of them."""
_READS_CLOCK = re.compile(r"\b(date)?time\b")
_PAUSE_S = 1.1
"""So long that an answer in seconds is another one."""


def exact(new: WrittenSpec) -> WrittenSpec:
    """Return a spec without the leave for rounding that we give: a clock's answer may differ by less."""
    questions = [
        replace(each, cases=tuple(replace(case, keys=_exact(case.keys)) for case in each.cases))
        for each in new.questions
    ]
    return replace(new, questions=tuple(questions))


def _exact(keys: Keys) -> Keys:
    found: dict[str, str | Raw | Sequence[Keys]] = {}
    for key, value in keys.items():
        if not isinstance(value, str | Raw):
            found[key] = [_exact(step) for step in value]
        elif (key, value) not in CLOSE.items():
            found[key] = value
    return found


def not_passed_again(task: Task) -> dict[str, str]:
    """Return by id why the reference does not pass a case, later and with the task's seed or another."""
    texts = task.reference.texts.values() if task.reference is not None else ()
    if any(map(_READS_CLOCK.search, texts)):
        time.sleep(_PAUSE_S)
    others = _OTHER_SEEDS if any("random" in text for text in texts) else ()
    failed: dict[str, str] = {}
    for seed in (task.seed, *others):
        why = "the reference does not pass it"
        if seed != task.seed:
            why = "the reference's answer is another with another seed"
        result = TrialRunner().mark(replace(task, seed=seed), reference_of(task))[REFERENCE]
        for found in (case for question in result.questions for case in question.cases):
            if found.verdict is not Verdict.ACCEPTED:
                failed.setdefault(found.id, f"{why}: {found.message}")
    return failed
