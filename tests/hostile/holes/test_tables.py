"""Holes that were found in tables: what a student's table does to checkers and to comparing."""

from pathlib import Path
from time import thread_time
from typing import Any

import pytest
from support.marking import cases, mark, question

from grader.model.case import Comparison
from grader.model.outcome import Ending, Outcome, Returned
from grader.model.values import OddSet, Opaque, Table, Value
from grader.sandbox.evidence import outcome_of
from grader.values.compare import first_difference
from grader.wire import tables
from grader.wire.messages import Report

FRAME, SERIES = "pandas.DataFrame", "pandas.Series"


def series(label: bytes) -> bytes:
    """Return a Series as the box writes it, with a label of any kind."""
    return b"x\x0dpandas.Series\x04l\x01" + label + b"l\x01\x80l\x01s\x01al\x01l\x01\x81"


TABLE = series(b"s\x01a")


def outcome(value: bytes) -> Outcome:
    answer = b"l\x01t\x02s\x08returned" + value
    return outcome_of(Report("answered", 0.0, 0.0, 0, "", answer, b"", b"", "", ()))


def value_of(value: bytes) -> Value:
    (answer,) = outcome(value).answers
    assert isinstance(answer, Returned)
    return answer.value


def test_a_forged_table_is_no_key_as_a_checker_could_not_be_given_it() -> None:
    assert isinstance(value_of(TABLE), Table)
    assert isinstance(value_of(b"m\x01" + TABLE + b"\x81"), Opaque)
    assert isinstance(value_of(b"m\x01t\x01" + TABLE + b"\x81"), Opaque)
    assert isinstance(value_of(b"S\x01" + TABLE), OddSet)


@pytest.mark.parametrize("label", [b"l\x00", b"m\x00", b"t\x01l\x00", TABLE])
def test_a_label_of_a_column_has_a_hash(label: bytes) -> None:
    assert outcome(series(label)).ending is Ending.PROTOCOL


@pytest.mark.acceptance
@pytest.mark.parametrize(
    ("dtype", "cells"),
    [
        ("int8", [1000]),
        ("Int64", [2**70]),
        ("float16", [10**400]),
        ("string[pyarrow]", ["a"]),
        ("V1000000000", [b"a"]),
        ("S1000000000", ["a"]),
        ("(100000000,)f8", [1]),
        ("Sparse[V1000000000]", [1]),
        ("category", [[1]]),
        ("datetime64[ns]", ["a"]),
        ("datetime64[ns, ../../x]", ["a"]),
    ],
)
def test_a_checker_gets_a_column_whatever_its_dtype_is_called(dtype: str, cells: list[Any]) -> None:
    pytest.importorskip("pandas")
    assert len(tables.made(SERIES, (["a"], [0], [dtype], [cells]))) == 1
    assert tables.made(FRAME, (["a"], [0], [dtype], [cells])).shape == (1, 1)


@pytest.mark.acceptance
def test_a_checker_gets_rows_with_any_labels() -> None:
    pandas = pytest.importorskip("pandas")
    for index in ([[1], [2]], [{}, 1], [(1, 2), (3,)], [(), ()], [2**70, None], [pandas.Series([1, 2])] * 2):
        assert len(tables.made(FRAME, (["a"], index, [""], [[1, 2]]))) == 2
    assert [*tables.made(SERIES, (["a"], [False, True], [""], [[1, 2]])).index] == [False, True]


def test_very_many_columns_are_compared_in_little_time() -> None:
    wanted, found = (
        Table("DataFrame", names, (), ("",) * len(names), ((),) * len(names))
        for names in (tuple(f"c{n}" for n in range(2000)), tuple(f"d{n}" for n in range(20_000)))
    )
    started_s = thread_time()
    difference = first_difference(wanted, found, Comparison())
    # Each with each took 2 s; a tenth is ample.
    assert thread_time() - started_s < 1
    assert difference is not None
    assert "and 19995 more" in difference.sentence


DTYPE = """
import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray, ExtensionDtype


class Named(ExtensionDtype):
    name, type, kind = "int8", object, "O"

    @classmethod
    def construct_array_type(cls):
        return Cells


class Cells(ExtensionArray):
    dtype, nbytes = Named(), 8

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, place):
        return self.values[place]

    def tolist(self):
        return self.values

    def isna(self):
        return np.array([False] * len(self.values))

    def copy(self):
        return self


def f():
    return pd.Series(Cells([1000, 2]))
"""


@pytest.mark.acceptance
def test_a_dtype_of_a_students_own_makes_no_mark_pending(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    result = mark(
        tmp_path,
        "packages: [pandas]\n" + question("{call: f(), check: good()}"),
        DTYPE,
        reference="import pandas as pd\n\n\ndef f():\n    return pd.Series([1, 2])\n",
        checkers="def good(answer):\n    return bool(answer.sum() == 3)\n",
    )
    assert cases(result)["1.1"].verdict == "wrong-answer"
