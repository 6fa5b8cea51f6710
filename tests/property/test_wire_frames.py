"""Frames and messages: whatever the pieces in which they arrive, and whoever wrote them."""

from dataclasses import astuple
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.wire_strategies import reports, sizes, times

from grader.model.limits import Limits
from grader.wire import frames, messages

bodies = st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=40)), max_size=6)


def split(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


@given(bodies, st.lists(st.integers(0, 300), max_size=8))
def test_frames_come_out_whole_and_in_order(sent: list[tuple[int, bytes]], cuts: list[int]) -> None:
    buffer, received = frames.FrameBuffer(40), []
    for piece in split(b"".join(frames.frame(kind, body) for kind, body in sent), cuts):
        buffer.feed(piece)
        while not buffer.is_stuck():
            received.append(buffer.take())
        assert buffer.take() is None
    assert received == sent
    assert len(buffer) == 0


@given(st.binary(max_size=100), st.integers(0, 20))
def test_noise_is_a_frame_or_incomplete_or_refused(noise: bytes, limit: int) -> None:
    buffer = frames.FrameBuffer(limit)
    buffer.feed(noise)
    taken = 0
    try:
        while (message := buffer.take()) is not None:
            kind, body = message
            assert len(body) <= limit
            assert noise[taken:].startswith(frames.frame(kind, body))
            taken += frames.HEADER_B + len(body)
    except frames.BadFrame:
        return
    assert buffer.is_stuck()


@given(st.integers(0, 2**32 - 1), st.integers(0, 1000), st.integers(0, 255))
def test_a_header_over_the_limit_is_refused_before_its_body(length: int, limit: int, kind: int) -> None:
    buffer = frames.FrameBuffer(limit)
    buffer.feed(length.to_bytes(4, "little"))
    assert buffer.take() is None
    buffer.feed(bytes([kind]))
    if length > limit:
        with pytest.raises(frames.BadFrame):
            buffer.take()
    elif length:
        assert buffer.take() is None


def test_a_buffer_is_full_with_its_largest_frame() -> None:
    buffer = frames.FrameBuffer(10)
    buffer.feed(frames.frame(1, b"x" * 10)[:-1])
    assert not buffer.is_full()
    buffer.feed(b"x")
    assert buffer.is_full()
    assert buffer.take() == (1, b"x" * 10)
    assert not buffer.is_full()


orders = st.builds(
    messages.CaseOrder,
    time_s=times, wall_s=times, output_b=sizes, answer_b=sizes, watched=st.booleans(), asks=st.booleans(),
    payload=st.binary(max_size=30),
)  # fmt: skip


@given(st.lists(orders, max_size=4))
def test_orders_come_back(sent: list[messages.CaseOrder]) -> None:
    assert messages.unpack_cases(messages.pack_cases(sent)) == sent


@given(st.lists(reports, max_size=4))
def test_reports_come_back(sent: list[messages.Report]) -> None:
    assert messages.unpack_reports(messages.pack_reports(sent)) == sent


@given(st.integers(0, 2**32 - 1), st.binary(max_size=30))
def test_calls_of_callbacks_come_back(position: int, call: bytes) -> None:
    assert messages.unpack_call(messages.pack_call(position, call)) == (position, call)


def test_what_a_student_named_cannot_break_a_report() -> None:
    report = messages.Report("exited", 0, 0, 0, "", b"", b"", b"", "\ud800 \0", ("open a\ud800\0thing",))
    (received,) = messages.unpack_reports(messages.pack_reports([report]))
    assert received.detail == "? \0"
    assert received.refused == ("open a?", "thing")


def test_sources_with_lone_surrogates_reach_the_keeper() -> None:
    job = {"sources": {"m": "x = '\ud800'"}, "limits": list(astuple(Limits()))}
    assert messages.unpack_job(messages.pack_job(job)) == job
