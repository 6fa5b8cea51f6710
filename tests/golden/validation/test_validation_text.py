"""What `grader validate` prints, as the files beside this test have it; see `docs/testing.md`."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.validation import (
    Check,
    Distinction,
    Gravity,
    Mutant,
    QuestionScore,
    Remark,
    Survivor,
    Validation,
)
from grader.reports.html.validation import validation_page
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.validation import validation_lines

GOLDEN = Path(__file__).parent / "files"


def _mutant(id: str, line: int, before: str, after: str) -> Mutant:
    return Mutant(
        id=id, operator="boundary", module="work", function="in_range", line=line, before=before, after=after
    )


def _distinction() -> Distinction:
    return Distinction(
        call="in_range(0, 0, 5)",
        reference="True",
        mutant="False",
        lines=("- call: in_range(0, 0, 5)", "  returns: true"),
    )


def faulty() -> Validation:
    """Return a validation with something of every kind, and with texts that must be escaped."""
    less = _mutant("work.in_range/boundary/1", 4, "return low <= x < high", "return low < x < high")
    same = _mutant("work.in_range/boundary/2", 4, "return low <= x < high", "return 0 < x < high")
    loop = _mutant("work.total/<b>/3", 9, "if x:\n    total += x", "\x1b[31mtotal += x")
    return Validation(
        task="small",
        title="Small <spec>",
        spec="small.yaml",
        spec_sha256="0123456789abcdef",
        checks=dict.fromkeys(Check, 3),
        remarks=(
            Remark(
                check=Check.REFERENCE,
                gravity=Gravity.FAULT,
                question="1",
                case="1.2",
                place="small.yaml:12:9",
                text="the reference does not pass this case",
                hint="mend the spec or the reference: nobody who is right can pass it",
                details=(("expected", "4.0"), ("actual", "4")),
            ),
            Remark(
                check=Check.CHECKERS,
                gravity=Gravity.ODD,
                question="2",
                case="2.1",
                text="tour(dim=5) accepts odd answers; are they right?",
                details=tuple((f"answer {number}", "said <nothing>") for number in range(6)),
            ),
            Remark(check=Check.PROGRAMS, gravity=Gravity.FAULT, text="wrong/one is \x1b[1mnot right"),
            Remark(check=Check.NEEDED, gravity=Gravity.NOTE, question="3", text="1 of 9 cases catch all"),
        ),
        questions=(
            QuestionScore(
                id="1",
                title="in_range",
                caught=31,
                survivors=(
                    Survivor(mutant=less, distinction=_distinction()),
                    Survivor(mutant=same, distinction=_distinction()),
                ),
                unsure=(Survivor(mutant=less, distinction=replace(_distinction(), certain=False)),),
                alike=(Survivor(mutant=loop),),
                equivalent=(Survivor(mutant=loop, reason="zero adds nothing"),),
            ),
            QuestionScore(id="2", title="tour", caught=12),
            QuestionScore(id="3", title="total", caught=5),
        ),
        mutants=40,
        elapsed_s=61.2,
    )


def well() -> Validation:
    return Validation(
        task="small",
        title="Small",
        spec="small.yaml",
        spec_sha256="0123456789abcdef",
        checks={check: 3 for check in Check if check is not Check.STEADY},
        remarks=(),
        questions=(QuestionScore(id="1", title="in_range", caught=31),),
        mutants=31,
        quick=True,
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faulty.txt", to_text(validation_lines(faulty(), 80, "reports/small/validation/index.html"))),
        ("faulty-40.txt", to_text(validation_lines(faulty(), 40))),
        ("well.txt", to_text(validation_lines(well(), 80))),
        ("faulty.html", validation_page(faulty())),
    ],
)
def test_the_text_is_as_it_was(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_nothing_hostile_reaches_a_terminal_or_a_page() -> None:
    text = to_text(validation_lines(faulty(), 80))
    page = validation_page(faulty())
    assert "\x1b" not in text
    assert "\x1b" not in page
    assert "<spec>" not in page
    assert "<b>" not in page.replace('<b aria-hidden="true">', "")


def test_lines_fit_the_terminal() -> None:
    for width in (40, 80):
        for each in to_text(validation_lines(faulty(), width)).splitlines():
            assert len(each) <= width or each.startswith("     "), each  # code is not wrapped
