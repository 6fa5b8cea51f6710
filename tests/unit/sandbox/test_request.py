"""What a box is sent is the same whatever process sends it."""

import os
import subprocess
import sys

import pytest

from grader.model.values import EnumMember, Record
from grader.sandbox.request import node_of

PROGRAM = """
from grader.model.case import Call
from grader.model.limits import Limits
from grader.model.values import EnumType, RecordType
from grader.model.values import EnumMember, Record
from grader.sandbox.request import encode_request

pawns = [Record("Pawn", (("pos", (n, str(n))), ("seen", frozenset(map(str, range(n)))))) for n in range(30)]
types = RecordType("Pawn", ("pos", "seen")), EnumType("Colour", ("Red",))
values = {*pawns, EnumMember("Colour", "Red"), None, "a", 1.5}, frozenset(pawns), [{1, *pawns[:3]}]
print(encode_request((Call("f", values),), Limits(), types=types).hex())
"""


def test_sets_of_records_are_sent_in_the_same_order_by_every_process() -> None:
    requests = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(requests) == 1
    assert len(requests.pop()) > 100


def test_a_set_of_records_with_something_that_is_no_data_is_refused() -> None:
    with pytest.raises(TypeError, match="not plain data"):
        node_of({Record("Empty", ()), EnumMember("Colour", "Red"), object()})
