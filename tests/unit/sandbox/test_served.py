"""A box that fails while it serves a module's objects says so each time that it is asked."""

from collections.abc import Iterator
from time import process_time
from typing import Any

import pytest

from grader.model.limits import Limits
from grader.sandbox.served import RemoteModule, _twins
from grader.sandbox.zygote import SandboxFailure
from grader.wire.encoder import encode_plain


class _Failing:
    """A box that is killed after its first message."""

    def converse(self, _: object) -> Iterator[tuple[int, bytes]]:
        yield 0, encode_plain(("ready", [""], {}))
        raise SandboxFailure("killed")


def test_a_box_that_was_killed_fails_again_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.served._message", lambda _: None)
    box: Any = _Failing()
    remote = RemoteModule(box, Limits(), ["work"])
    for ask in (lambda: remote.ask(["import", "work"]), remote.end, lambda: remote.ask(["import", "work"])):
        with pytest.raises(SandboxFailure, match="killed"):
            ask()


def test_places_of_an_answer_are_joined_only_where_they_hold_the_same() -> None:
    """A box could make an answer of a few bytes grow without end."""
    answer: Any = [[1], [1], [[], []], [[], []]]
    twins: Any = [[0, [1], 0, [0]], [0, [1], 0, [0]], [0, [3, 0], 0, [2]], [0, [9], 0, [0]], [1, [1], 0, [0]]]
    assert _twins(twins, [answer]) == [[0, [1], 0, [0]]]


def test_places_are_compared_until_more_text_was_looked_at_than_an_honest_box_has() -> None:
    """Each of 20,000 places could be compared with all of an answer, minutes of the grader."""
    large = "x" * (1 << 22)
    answer: Any = [[large] for _ in range(20_000)]
    twins: Any = [[0, [place], 0, [0]] for place in range(1, 20_000)]
    assert _twins(twins, [answer]) == twins[:3]


@pytest.mark.parametrize("place", [0, -50_000])
def test_places_in_a_dict_cost_no_more_than_the_dict_is_large(place: int) -> None:
    """Each step copied all of its values, and nothing was counted: seconds of the grader for each message."""
    twins: Any = [[0, [place + one], 0, [place + one + 1]] for one in range(9_000)]
    start = process_time()
    assert len(_twins(twins, [dict.fromkeys(range(40_000), 0)])) == (0 if place else 9_000)
    assert process_time() - start < 1


def test_places_are_compared_until_one_has_no_text() -> None:
    """Nobody counts the letters before an int that is too long for Python."""
    answer: Any = [[1], [1], [10**5_000], [10**5_000], [1]]
    assert _twins([[0, [1], 0, [0]], [0, [3], 0, [2]], [0, [4], 0, [0]]], [answer]) == [[0, [1], 0, [0]]]
