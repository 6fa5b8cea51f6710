"""A program that raises StopIteration ends no iteration of a test: stopping early would look like success."""

from pathlib import Path

import pytest
from support.declared import mark_folders

from grader.model.results import SubmissionResult
from grader.spec import load_task

SPEC = """\
task: bank
title: A bank
marks: {marks}
reference: reference
modules: {{bank: bank.py}}
questions:
  - id: "1"
    title: Accounts
    marks: {marks}
    award: each
    cases:
{cases}
"""
HONEST = """\
class Account:
    def __init__(self, amount):
        self.amount = amount

    @property
    def overdrawn(self):
        return self.amount < 0

    def __len__(self):
        return self.amount

    def __bool__(self):
        return self.amount > 0

    def __str__(self):
        return f"{self.amount}"

    def __getitem__(self, place):
        return self.amount

    def __neg__(self):
        return Account(-self.amount)


class Entries:
    def __init__(self):
        self.left = [3, 2, 1]

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        return self.left.pop()


def is_prime(n):
    return n in (2, 3, 5, 7)
"""
STOPPING = """\
class Account:
    def __init__(self, amount):
        pass

    @property
    def overdrawn(self):
        raise StopIteration

    def __len__(self):
        raise StopIteration

    __bool__ = __str__ = __len__

    def __getitem__(self, place):
        raise StopIteration

    def __neg__(self):
        raise StopIteration


class Entries:
    def __iter__(self):
        raise StopIteration


def is_prime(n):
    raise StopIteration
"""
CALLS = {
    "all(map(is_prime, [2, 3, 5]))": "true",
    "any(map(is_prime, [1, 4, 6]))": "false",
    "list(filter(is_prime, [1, 4]))": "[]",
    "list(filter(lambda a: a.overdrawn, [Account(1)]))": "[]",
    "list(filter(None, [Account(0)]))": "[]",
    "all(map(bool, [Account(1), Account(2)]))": "true",
    "any(map(len, [Account(0)]))": "false",
    "sorted(map(is_prime, [4, 6]))": "[false, false]",
    "dict(zip([2], map(is_prime, [2])))": "{2: true}",
    "list(map(list, [map(is_prime, [2])]))": "[[true]]",
    "list(map(lambda a: sorted(map(len, [a])), [Account(2)]))": "[[2]]",
    "list(Entries())": "[1, 2, 3]",
}
TESTS = """\
import operator

from bank import Account, Entries, is_prime

def accounts():
    return [Account(1), Account(2)]

def test_call():
    assert all(map(is_prime, [2, 3, 5]))

def test_property():
    assert not any(map(lambda account: account.overdrawn, accounts()))

def test_filter():
    assert list(filter(lambda account: account.overdrawn, accounts())) == []

def test_attribute():
    assert not any(map(operator.attrgetter("overdrawn"), accounts()))

def test_length():
    assert all(size > 0 for size in list(map(len, accounts())))

def test_truth():
    assert all(map(bool, accounts()))

def test_text():
    assert all(text.isdigit() for text in list(map(str, accounts())))

def test_item():
    assert all(number > 0 for number in list(map(operator.itemgetter(0), accounts())))

def test_sign():
    assert all(len(each) for each in list(map(abs, map(len, map(operator.neg, map(operator.neg, []))))))
    assert all(map(lambda account: account is not None, map(operator.neg, accounts())))

def test_iterator():
    assert [entry for entry in Entries()] == [1, 2, 3]
    assert all(map(lambda entries: next(entries) == 1, [Entries()]))
"""


def marked(folder: Path, cases: str, count: int) -> dict[str, SubmissionResult]:
    spec = folder / "bank.yaml"
    spec.write_text(SPEC.format(marks=count, cases=cases))
    for name, text in {"reference": HONEST, "honest": HONEST, "stopping": STOPPING}.items():
        (folder / name).mkdir()
        (folder / name / "bank.py").write_text(text)
    return mark_folders(load_task(spec), [folder / "honest", folder / "stopping"])


def test_a_call_that_python_ends_quietly_is_an_exception(tmp_path: Path) -> None:
    cases = "".join(f"      - {{call: {call!r}, returns: {answer}}}\n" for call, answer in CALLS.items())
    found = marked(tmp_path, cases, len(CALLS))
    honest, stopping = (found[name].questions[0].cases for name in ("honest", "stopping"))
    assert {case.call: case.message for case in honest} == {case.call: "" for case in honest}
    for case in stopping:
        assert case.message.startswith("raised StopIteration (line "), (case.call, case.message)


@pytest.mark.acceptance
def test_a_step_that_python_ends_quietly_is_an_exception(tmp_path: Path) -> None:
    steps = """\
      - scenario:
          - {new: Account(5), as: account}
          - {call: "all(map(bool, [account]))", returns: true}
          - {call: "list(filter(lambda each: each.overdrawn, [account]))", returns: []}
"""
    found = marked(tmp_path, steps, 1)
    assert found["honest"].mark == 1
    (case,) = found["stopping"].questions[0].cases
    assert "raised StopIteration (line " in case.message


def test_a_test_that_python_ends_quietly_does_not_pass(tmp_path: Path) -> None:
    (tmp_path / "test_bank.py").write_text(TESTS)
    found = marked(tmp_path, "      - pytest: test_bank.py\n", 1)
    honest, stopping = (found[name].questions[0].cases for name in ("honest", "stopping"))
    assert {case.call: case.message for case in honest} == {case.call: "" for case in honest}
    assert [case.call for case in stopping if case.verdict == "accepted"] == []
