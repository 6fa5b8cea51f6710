"""Each two keys that a case may have together: right is accepted, and what breaks either of them is not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from support.installed import needs
from support.key_pairs import KINDS, RIGHT, WRONG, Pair, all_pairs, refusal, write_task

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task
from grader.spec.schema import json_schema, plain

needs("matplotlib", "pandas")

_FOR_PEOPLE = {"name", "title", "number", "weight", "hint", "limits"}
_REASONS = (
    "no effect",
    "can't have both",
    "does not go with",
    "many calls",
    "either a `name`",
    "needs one of",
)
_UNKNOWN = "`back` is not a known name"


def _accepted(folder: Path, pairs: list[Pair], work: str) -> Iterator[tuple[Pair, str, bool]]:
    task = load_task(write_task(folder, pairs))
    with Marker(prepare_run(task, Driver.NAMESPACES, "")) as marker:
        files = {"work": SourceFile("work.py", work)}
        result = marker.mark(Submission("student-01", "student-01", files)).result
    for pair, question in zip(pairs, result.questions, strict=True):
        (case,) = question.cases
        yield pair, f"{pair.id}: {case.verdict} {case.message}", str(case.verdict) == "accepted"


@pytest.mark.acceptance
@pytest.mark.parametrize("kind", KINDS)
def test_two_keys_decide_as_each_of_them_alone(tmp_path: Path, kind: str) -> None:
    pairs = [pair for pair in all_pairs() if pair.kind == kind and pair.keys.isdisjoint(_FOR_PEOPLE)]
    refused = {pair.id: refusal(tmp_path, pair) for pair in pairs}
    odd = [text for text in refused.values() if text and not any(reason in text for reason in _REASONS)]
    assert [text for text in odd if _UNKNOWN not in text] == []
    pairs = [pair for pair in pairs if not refused[pair.id]]
    assert len(pairs) > 20
    spec = plain(write_task(tmp_path, pairs).read_text())
    assert [error.message for error in Draft202012Validator(json_schema()).iter_errors(spec)] == []
    wrong = [said for _, said, accepted in _accepted(tmp_path, pairs, RIGHT) if not accepted]
    for name, (right, instead) in WRONG.items():
        assert right in RIGHT
        asking = [pair for pair in pairs if name in pair.asks]
        found = _accepted(tmp_path, asking, RIGHT.replace(right, instead)) if asking else ()
        wrong += [f"{name}, {said}" for _, said, accepted in found if accepted]
    assert wrong == [], "\n".join(wrong)
