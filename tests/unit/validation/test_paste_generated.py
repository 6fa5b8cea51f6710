"""Generated cases written out again: as a list of inputs with their expectations."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from support.marking import HEAD, question

from grader.kinds.calls.kind import KIND
from grader.model.case import Calls, Check, Raises, Step
from grader.model.kinds import calls_of
from grader.spec import load_task
from grader.spec.writing.cases import Writer

CHECKERS = "def below(answer, most):\n    return answer < most\n"


@pytest.mark.parametrize(
    "case",
    [
        '{call: "f(n, key=[n])", given: {n: "integers(0, 9)"}, returns: n + 1, goes on: true}',
        '{call: f(n), given: {n: "integers(0, 9)"}, returns: 3}',
        '{call: f(n), given: {n: "integers(0, 9)"}, returns: [n, {2: n + 1}]}',
        '{call: f(n), given: {n: "integers(0, 9)"}, reads: ["_[0]", a], returns: {a: n, "_[0]": [n]}}',
        '{call: f(t), given: {t: "text(max_size=3)"}, check: below(t)}',
        '{call: f(s), given: {s: "sets(floats(0, 1), max_size=3)"}, raises: ValueError}',
    ],
)
def test_a_case_reads_the_same_again(tmp_path: Path, case: str) -> None:
    (tmp_path / "checkers.py").write_text(CHECKERS)
    path = tmp_path / "sample.yaml"
    head = f"{HEAD}checkers: checkers.py\n"
    path.write_text(head + question(case))
    task = load_task(path)
    (before,) = task.cases
    written = KIND.written(before, Writer(task))
    path.write_text(head + question(yaml.safe_dump(written, default_flow_style=True, width=10**6).strip()))
    (after,) = load_task(path).cases
    assert list(map(_without_text, calls_of(after).steps)) == list(map(_without_text, calls_of(before).steps))
    assert calls_of(after).goes_on == calls_of(before).goes_on


def _without_text(step: Step) -> Step:
    expect = replace(step.expect, text="") if isinstance(step.expect, Check) else step.expect
    return replace(step, call=replace(step.call, text=""), expect=expect)


def test_a_case_that_raises_is_pasted_without_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sample.yaml"
    path.write_text(HEAD + question("{call: f(1), reads: [a], returns: {a: 1}}"))
    (case,) = load_task(path).cases
    what = Calls(steps=(replace(calls_of(case).steps[0], expect=Raises("ValueError")),))
    raising = KIND.written(replace(case, what=what), Writer(load_task(path)))
    assert raising == {"call": "f(1)", "raises": "ValueError"}
