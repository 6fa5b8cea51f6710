"""Tables from bytes that anybody may have written."""

from typing import Any

import pytest

from grader.model.outcome import Ending
from grader.model.values import Opaque, Table
from grader.sandbox.evidence import outcome_of
from grader.wire.encoder import Encoder
from grader.wire.messages import Report


class Forged:
    """Stands for a value of the library with a name and parts."""

    def __init__(self, name: str, *parts: object) -> None:
        self.described = ("x", name, parts)


def told(value: object) -> Any:
    """Return the outcome of a case whose box sends this value."""

    def describe(part: Any) -> tuple[str, str, object]:
        return part.described if type(part) is Forged else ("o", type(part).__name__, "")

    body = Encoder(1 << 20, 10_000, describe).encode([("returned", value)])
    return outcome_of(Report("answered", 0.0, 0.0, 0, "snapshot", body, b"", b"", "", ()))


def test_a_table() -> None:
    nan = float("nan")
    forged = Forged("pandas.DataFrame", ["a", "b"], [0, 1], ["int64", "object"], [[1, nan], [None, object()]])
    expected = Table(
        "DataFrame", ("a", "b"), (0, 1), ("int64", "object"), ((1, None), (None, Opaque("object", "")))
    )
    assert told(forged).answers[0].value == expected


@pytest.mark.parametrize(
    "forged",
    [
        Forged("pandas.DataFrame"),
        Forged("pandas.DataFrame", [], [], []),
        Forged("pandas.DataFrame", [], [], [], [], []),
        Forged("pandas.Panel", [], [], [], []),
        Forged("pandas.", [], [], [], []),
        Forged("pandas.DataFrame", ("a",), [0], ["int64"], [[1]]),
        Forged("pandas.DataFrame", ["a"], [0], ["int64"], [[1, 2]]),
        Forged("pandas.DataFrame", ["a"], [0], ["int64"], [(1,)]),
        Forged("pandas.DataFrame", ["a"], [0], ["int64"], [1]),
        Forged("pandas.DataFrame", ["a"], [0], ["int64"], []),
        Forged("pandas.DataFrame", ["a"], [0], [], [[1]]),
        Forged("pandas.DataFrame", ["a"], [0], [3], [[1]]),
        Forged("pandas.DataFrame", ["a"], [0], ["i" * 1000], [[1]]),
        Forged("pandas.Series", ["a", "b"], [0], ["", ""], [[1], [2]]),
        Forged("pandas.Series", [], [0], [], []),
    ],
    ids=lambda forged: repr(forged.described)[:60],
)
def test_what_is_no_table_is_noise(forged: Forged) -> None:
    assert told(forged).ending is Ending.PROTOCOL


def test_tables_within_tables_are_bounded() -> None:
    inner: object = 1
    for _ in range(30):
        inner = Forged("pandas.Series", [None], [0], [""], [[inner]])
    assert told(inner).ending is Ending.ANSWERED
    outcome = told([inner, {"a": inner}])
    assert outcome.ending is Ending.ANSWERED
