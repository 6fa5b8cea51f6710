"""Values of the standard library that lie: what is no such value by its exact type is never taken for one."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath

import pytest
from support.sieges import DRIVERS, LIMITS, Arena, Zygotes, indented, value

from grader.model.case import Call, Shipped
from grader.model.outcome import Ending, Outcome
from grader.model.values import Opaque, Value
from grader.sandbox.box import Job
from grader.sandbox.request import encode_request


@pytest.fixture
def box_arena(zygotes: Zygotes) -> Arena:
    """One driver and one mode: none of this has to do with walls."""
    return zygotes.arena(DRIVERS[0], "snapshot")


HEAD = """
import datetime
import sys
from datetime import date, time, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PosixPath, PurePath


class Zone(tzinfo):
    def __init__(self, answer):
        self.answer = answer

    def utcoffset(self, moment):
        return self.answer() if callable(self.answer) else self.answer


def fail(*_):
    raise SystemExit("no")
"""


def ask(arena: Arena, body: str, *args: Value) -> Outcome:
    request = encode_request([Call("attack", args)], LIMITS)
    source = f"{HEAD}\n\ndef attack(*args):\n{indented(body)}"
    return arena.besiege(source, Job(request, LIMITS)).outcome


HONEST: dict[str, tuple[str, Value]] = {
    "all": (
        "return [date(2024, 2, 29), timedelta(1), Fraction(1, 3), Decimal('0.10'), range(10**18),"
        " Path('a/b'), PurePath('c')]",
        [date(2024, 2, 29), timedelta(1), Fraction(1, 3), Decimal("0.10"), range(10**18),
         PurePosixPath("a/b"), PurePosixPath("c")],
    ),
    "a zone of one's own": (
        "return datetime.datetime(2024, 1, 1, tzinfo=Zone(timedelta(hours=1)))",
        datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=1))),
    ),
    "a named zone": (
        "from zoneinfo import ZoneInfo\n"
        "return datetime.datetime(2024, 1, 1, fold=1, tzinfo=ZoneInfo('UTC')).replace(tzinfo=timezone.utc)",
        datetime(2024, 1, 1, tzinfo=UTC),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_honest_values_come_as_what_they_are(box_arena: Arena, name: str) -> None:
    body, expected = HONEST[name]
    found = value(ask(box_arena, body))
    assert found == expected
    assert type(found) is type(expected)


_EQUAL = "    __eq__ = lambda *_: True\n    __hash__ = lambda _: 0\n"
LIES = {
    "subclass of date": f"class D(date):\n{_EQUAL}return D(1, 1, 1)",
    "subclass of Fraction": f"class F(Fraction):\n{_EQUAL}return F(1)",
    "claims a class": (
        "class L:\n    __class__ = property(lambda _: date)\n    year = month = day = 1\nreturn L()"
    ),
    "reduces to a date": "class L:\n    __reduce__ = lambda _: (date, (1, 1, 1))\nreturn L()",
    "subclass of Path": "class P(PosixPath):\n    as_posix = lambda _: 'a'\nreturn P('b')",
    "offset that fails": "return datetime.datetime(1, 1, 1, tzinfo=Zone(fail))",
    "offset of another type": "return datetime.datetime(1, 1, 1, tzinfo=Zone('1'))",
    "signalling nan": "return Decimal('sNaN')",
    "a million digits": "return Decimal('9' * 1_000_000)",
    "a million bits": "return Fraction(1 << 1_000_000, 3)",
    "a fraction with other parts": "f = Fraction(1, 3)\nf._numerator = [1]\nreturn f",
    "a path without end": "return Path('a' * 100_000)",
    "a range of a million bits": "return range(1 << 1_000_000)",
    "a repr that ends the process": "class D(date):\n    __repr__ = fail\nreturn D(1, 1, 1)",
    "a class put in the module": (
        "class L:\n    numerator, denominator = 1, 3\n    __eq__ = lambda *_: True\n"
        "sys.modules['fractions'].Fraction = None\nreturn L()"
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lying_value_is_opaque(box_arena: Arena, name: str) -> None:
    assert isinstance(value(ask(box_arena, LIES[name])), Opaque)


SWAPPED = {
    "another class in its place": (
        "class L:\n    numerator, denominator = 1, 0\nsys.modules['fractions'].Fraction = L\nreturn L()"
    ),
    "a month that is none": (
        "class L:\n    year, month, day = 2024, 13, 1\nsys.modules['datetime'].date = L\nreturn L()"
    ),
}


@pytest.mark.parametrize("name", SWAPPED)
def test_a_value_that_cannot_be_is_no_answer(box_arena: Arena, name: str) -> None:
    assert ask(box_arena, SWAPPED[name]).ending is Ending.PROTOCOL


def test_arguments_arrive_as_what_they_are(box_arena: Arena) -> None:
    args: list[Value] = [
        date(2024, 2, 29),
        {"a": [datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=2)))]},
        Fraction(1, 3),
        (Decimal("0.10"), range(10**18)),
        PurePosixPath("a/b"),
    ]
    found = value(ask(box_arena, "return [type(args[4]).__name__, str(args[3][0]), *args]", *args))
    assert found == ["PosixPath", "0.10", *args]


def test_a_lambda_can_use_the_names(box_arena: Arena) -> None:
    call = Call("attack", (Shipped("lambda: [timedelta(days=1), Path('a') / 'b', Fraction(1, 2)]"),))
    source = f"{HEAD}\n\ndef attack(function):\n    return function()\n"
    found = box_arena.besiege(source, Job(encode_request([call], LIMITS), LIMITS)).outcome
    assert value(found) == [timedelta(days=1), PurePosixPath("a/b"), Fraction(1, 2)]


def test_nothing_of_it_is_loaded_before_it_is_used(box_arena: Arena) -> None:
    """A case pays for these modules only where it meets such a value."""
    source = (
        "import sys\nbefore = {'datetime', 'decimal', 'fractions', 'pathlib'} & set(sys.modules)\n\n\n"
        "def attack(number, *more):\n"
        "    return sorted(before | ({'datetime', 'decimal', 'fractions', 'pathlib'} & set(sys.modules)))\n"
    )
    plain = box_arena.besiege(source, Job(encode_request([Call("attack", (1,))], LIMITS), LIMITS)).outcome
    assert value(plain) == []
    request = encode_request([Call("attack", (1, date(2024, 1, 1)))], LIMITS)
    assert value(box_arena.besiege(source, Job(request, LIMITS)).outcome) == ["datetime"]
