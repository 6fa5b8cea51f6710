"""What `validate` does with each sort of value and each kind of case: an answer, or a refusal by name.

One spec holds all rows of a table, so that a table costs one run.  `make test` has some rows of each.
"""

import re
from pathlib import Path

import pytest
from support.installed import needs
from support.smallest import KINDS, NOT_DATA, SORTS, cases_of, write_kinds, write_sorts
from support.validating import remarks

from grader.model.validation import Check, Gravity, Validation
from grader.plugins.validate.as_json import to_json
from grader.plugins.validate.whole import Options, validate
from grader.spec import load_task

needs("pandas", "matplotlib")

SOME_KINDS = ("table-argument", "scenario-checked", "pattern", "manual")
QUICK = (
    "call",
    "raises",
    "sum",
    "count",
    "each",
    "watched",
    "shipped",
    "prints",
    "program",
    "dialogue",
    "student-tests",
)


def validated(spec: Path, mutants: int, *, quick: bool = False) -> Validation:
    options = Options(jobs=2, mutants=mutants, quick=quick)
    found = validate(load_task(spec), options, lambda *_: None)
    assert to_json([found])
    return found


@pytest.fixture(scope="module")
def sorts(tmp_path_factory):
    names = tuple(SORTS)
    spec = write_sorts(tmp_path_factory.mktemp("sorts"), names)
    return names, spec, validated(spec, len(names) // 2)


@pytest.fixture(
    scope="module",
    params=[
        (SOME_KINDS, False),
        (QUICK, True),
        pytest.param((tuple(KINDS), False), marks=pytest.mark.acceptance),
    ],
)
def kinds(request, tmp_path_factory):
    names, quick = request.param
    spec = write_kinds(tmp_path_factory.mktemp("kinds"), names)
    return names, validated(spec, 3 if quick else len(names) // 3, quick=quick)


@pytest.mark.acceptance
def test_each_sort_of_value_gets_through_or_is_refused_by_name(sorts) -> None:
    names, spec, found = sorts
    assert [question.id for question in found.questions] == list(names)
    refused = {remark.case: dict(remark.details) for remark in remarks(found, Check.REFERENCE)}
    wanted = {f"{name}.checked" for name in names if name.startswith(NOT_DATA)}
    # The checker refuses None, as it should.
    wanted |= {case for case in ("none.checked", "none.argument-checked") if "none" in names}
    assert refused.keys() == wanted
    for case, details in refused.items():
        assert re.search("not plain data|equal by their fields|there is no answer", details["message"]), case
    others = {remark.check for remark in found.remarks if remark.gravity is Gravity.FAULT} - {Check.REFERENCE}
    assert others <= {Check.FAILURES}
    assert not remarks(found, Check.STEADY)
    assert_can_be_pasted(names, spec, found)


def assert_can_be_pasted(names: tuple[str, ...], spec: Path, found: Validation) -> None:
    """Assert that cases which are proposed for the sorts can be read again."""
    text, proposed = spec.read_text(), 0
    for question in found.questions:
        for survivor in (*question.survivors, *question.unsure):
            assert survivor.distinction is not None
            lines = "\n".join(f"      {line}" for line in survivor.distinction.lines)
            head = f"  - id: {question.id}\n    title: {question.id}\n"
            head += "    marks: 1\n    award: each\n    cases:\n"
            assert head in text
            text = text.replace(head, head + lines + "\n")
            proposed += "returns:" in lines or "check:" in lines
    assert proposed
    pasted = spec.with_name("pasted.yaml")
    pasted.write_text(text)
    assert len(load_task(pasted).cases) > sum(len(cases_of(name)) for name in names)


@pytest.mark.acceptance
def test_each_kind_of_case_is_validated(kinds) -> None:
    names, found = kinds
    assert [question.id for question in found.questions] == [name for name in names if KINDS[name].cases]
    assert not remarks(found, Check.REFERENCE)
    assert not remarks(found, Check.STEADY)
    assert not [remark for remark in found.remarks if "cannot be judged" in remark.text]
