"""The cases that the reference does not pass again, such as those whose answer chance gives."""

from dataclasses import replace

from grader.authoring.bench import REFERENCE, TrialRunner, reference_of
from grader.model.task import Task
from grader.model.verdict import Verdict

_OTHER_SEEDS = range(1, 9)
"""So many that a coin hardly falls alike with all of them."""


def not_passed_again(task: Task) -> dict[str, str]:
    """Return by id why the reference does not pass a case, with the task's seed or another."""
    texts = task.reference.texts.values() if task.reference is not None else ()
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
