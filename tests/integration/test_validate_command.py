"""`grader validate` as people and pipelines run it."""

import json
import re

import pytest
from support.command_line import grader
from support.validating import DIVISORS, LARGEST, written

NONE = {"none": "def largest(xs):\n    return 1\n"}


@pytest.fixture(scope="module")
def weak(tmp_path_factory):
    """A spec whose second question hardly tries anything, validated."""
    folder = tmp_path_factory.mktemp("weak")
    questions = LARGEST + (
        "  - id: divisors\n    title: Divisors of a number\n    marks: 1\n    cases:\n"
        '      - {call: divisors(1), returns: "[1]"}\n      - {call: divisors(2), returns: "[1, 2]"}\n'
    )
    written(
        folder,
        questions=questions,
        wrong=NONE,
        expected="none: {mark: 0}\n",
    )
    return folder, grader("validate", "small.yaml", "-j", "2", "--mutants", "30", cwd=folder)


@pytest.mark.acceptance
def test_survivors_are_told_with_a_case_to_add(weak) -> None:
    folder, done = weak
    assert done.returncode == 1
    assert re.search(
        r"^Question divisors Divisors of a number: \d+ of \d+ mutants caught$", done.stdout, re.M
    )
    assert "These mutants pass:" in done.stdout
    assert "add this case:\n" in done.stdout
    assert re.search(r"^      - call: divisors\(", done.stdout, re.M)
    assert max(map(len, done.stdout.splitlines())) <= 100  # code to paste is not wrapped
    assert "report: reports/small/validation/index.html" in done.stderr
    page = (folder / "reports/small/validation/index.html").read_text()
    assert "Is the spec right?" in page
    assert "default-src &#39;none&#39;" in page


@pytest.mark.acceptance  # `make test` has how it is told
def test_a_case_that_was_proposed_catches_the_mutant(weak, tmp_path) -> None:
    _, done = weak
    proposed = re.findall(r"^      (- call: divisors\(.*\))\n        (returns: .*)$", done.stdout, re.M)
    assert proposed
    lines = "".join(f"      {call}\n        {returns}\n" for call, returns in proposed)
    expected = "none: {mark: 0}\n"
    written(
        tmp_path,
        questions=LARGEST + DIVISORS + lines,
        wrong=NONE,
        expected=expected,
    )
    again = grader("validate", "small.yaml", "-j", "2", "--mutants", "30", "--json", "-q", cwd=tmp_path)
    document = json.loads(again.stdout)
    assert document["caught"] > 0
    assert (again.returncode == 0) is document["well"]


def test_a_second_run_keeps_its_results_and_can_be_read_by_programs(weak) -> None:
    folder, done = weak
    again = grader("validate", "small.yaml", "-j", "2", "--mutants", "30", "--json", "-q", cwd=folder)
    document = json.loads(again.stdout)
    assert again.returncode == done.returncode
    assert again.stderr == ""
    assert document["schema"] == "grader-validation/1"
    assert document["kept"] > 0
    assert document["caught"] < document["total"]
    survivors = document["questions"][1]["survivors"]
    assert all(one["distinction"]["lines"] for one in survivors)


def test_a_share_can_be_enough(weak) -> None:
    folder, _ = weak
    common = ("validate", "small.yaml", "-j", "2", "--mutants", "30", "-q", "--fail-under")
    assert grader(*common, "1%", cwd=folder).returncode == 0
    assert grader(*common, "100%", cwd=folder).returncode == 1
    refused = grader(*common, "101%", cwd=folder)
    assert refused.returncode == 2
    assert "is no share such as 95%" in refused.stderr


def test_an_invalid_spec_is_refused(tmp_path) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text().replace("marks: 2", "marks: 3"))
    assert grader("validate", "small.yaml", cwd=tmp_path).returncode == 3


def test_a_spec_without_a_reference_is_refused(tmp_path) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text().replace("reference: reference\n", ""))
    done = grader("validate", "small.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert "no reference to test it with" in done.stderr


def test_a_declaration_that_cannot_be_read_is_refused(tmp_path) -> None:
    written(tmp_path, expected="first: {marks: 3}\n")
    done = grader("validate", "small.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert "expected.yaml" in done.stderr
    assert "there is no key `marks`" in done.stderr


def test_a_fault_of_a_case_is_told_with_its_place(tmp_path) -> None:
    wrong = '"largest([4])", returns: 5'
    questions = LARGEST.replace('"largest([4])", returns: 4', wrong)
    spec = written(tmp_path, questions=questions + DIVISORS, wrong=NONE, expected="none: {mark: 0}\n")
    done = grader("validate", "small.yaml", "-j", "1", "--mutants", "0", "-q", cwd=tmp_path)
    lines = spec.read_text().split("\n")
    number, text = next((number, text) for number, text in enumerate(lines, 1) if wrong in text)
    assert f"at small.yaml:{number}:{text.index(wrong) + 1}" in done.stdout
