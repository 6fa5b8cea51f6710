"""Sources made to blow up, mislead or break the search for similar works."""

from collections.abc import Iterator

import pytest

from grader.doctor.doctor import strongest
from grader.plugins.similar.alignment import likeness
from grader.plugins.similar.scan import scan
from grader.plugins.similar.scanner import LONGEST, Scanned, Scanner
from grader.plugins.similar.works import Work, WorkPart
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import Zygote

HOSTILE = {
    "one token of 1 MB": "a" * 1_000_000,
    "a huge line": "x = " + "1 + " * 250_000,
    "the same line again and again": "x = f(x)\n" * 100_000,
    "brackets": "(" * 200_000,
    "deep blocks": "".join(f"{' ' * depth}if x:\n" for depth in range(1_000)),
    "escaped quotes": "\\'" * 200_000,
    "texts that never end": "'''a" * 100_001,
    "prefixes": "rb" * 200_000 + "'",
    "backslashes": "\\" * 400_001,
    "continued lines": "\\\n" * 200_000,
    "blanks": " " * 1_000_000 + "x",
    "lone surrogates": "\ud800" * 100_000,
    "zero bytes": "x = 1\0\n" * 10_000,
    "nothing": "",
    "tiny functions": "def f():pass\n" * 30_000,
}


@pytest.fixture(scope="module")
def scanner() -> Iterator[Scanner]:
    interpreter = find_interpreter("")
    driver = strongest(interpreter, Driver.POSIX).driver
    with Zygote(driver, interpreter) as zygote, Scanner(zygote) as made:
        yield made


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_source_is_scanned_or_given_up_and_the_next_one_is_scanned(scanner, text):
    found = scanner.scan(text)
    assert found is None or (len(found.codes) == len(found.lines) <= LONGEST)
    assert scanner.scan("x = 1\n").codes == scan("x = 1\n", 9)[0]


def test_a_box_that_dies_costs_its_own_source_alone(scanner, monkeypatch):
    monkeypatch.setattr("grader.plugins.similar.scanner._MEMORY_B", 16 << 20)
    scanner.__exit__(None, None, None)
    assert scanner.scan("a,b=[1]\n(" + "a " * 250_000) is None
    assert isinstance(scanner.scan("x = 1\n"), Scanned)


def _work(owner: str, *parts: bytes) -> Work:
    made = tuple(WorkPart(codes, ((0, 1),) * len(codes)) for codes in parts)
    return Work(
        owner=owner,
        name=owner,
        attempt="",
        files=(),
        parts=made,
        own=sum(map(len, parts)),
        prints=frozenset(),
        digest="",
    )


@pytest.mark.parametrize("codes", [b"a" * LONGEST, b"ab" * (LONGEST // 2), bytes(range(200)) * 100])
def test_the_longest_works_are_compared(codes):
    found = likeness(_work("a", codes), _work("b", codes[::-1]))
    assert 0 <= found.score <= 1
