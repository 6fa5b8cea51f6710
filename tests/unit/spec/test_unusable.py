"""A part of a spec is refused in one way, and the mistakes of all parts are told at once."""

import pytest

from grader.yamlfile.unusable import Unusable, collecting, if_usable


def test_all_parts_are_read_before_one_that_failed_is_missed() -> None:
    read: list[int] = []

    def part(number: int) -> int:
        read.append(number)
        if number % 2:
            raise Unusable
        return number

    with pytest.raises(Unusable), collecting() as take:
        assert [take(part, number) for number in range(4)] == [0, None, 2, None]
    assert read == [0, 1, 2, 3]
    with collecting() as take:
        assert [take(part, number) for number in (0, 2)] == [0, 2]


def test_other_exceptions_pass() -> None:
    def broken() -> int:
        raise ZeroDivisionError

    def refused() -> int:
        raise Unusable

    def both() -> None:
        with collecting() as take:
            take(refused)
            take(broken)

    with pytest.raises(ZeroDivisionError):
        both()
    with pytest.raises(ZeroDivisionError):
        if_usable(broken)
    assert if_usable(refused) is None
    assert if_usable(int, "3") == 3
