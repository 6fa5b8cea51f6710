"""A box that ends before its walls are up has run no student code, so its end is the host's."""

import signal
from unittest.mock import Mock

import pytest

from grader.wire.frames import FrameBuffer
from grader.worker.keeper.cases import HostFailed, follow_import
from grader.worker.keeper.process import Process
from grader.worker.waiting import Death


class Limits:
    time_s, wall_s, output_b = 1.0, 1.0, 1000


def ended_box(exit_code: int) -> Mock:
    """A box process that died before it sent anything."""
    death = Death(exit_code, 0.01, 1 << 20)
    channels = Mock(from_box=FrameBuffer(100), from_case=FrameBuffer(100))
    channels.drain.return_value = False
    channels.output_size_b.return_value = 0
    channels.take_output.return_value = b"", b""
    channels.refused.return_value = []
    process = Mock(spec=Process, channels=channels, native_input=None, tells_cpu_time=True)
    process.death.return_value = death
    process.cpu_s.return_value = death.cpu_s
    process.peak_rss_b.return_value = death.peak_rss_b
    process.met_cpu_backstop.return_value = False
    process.queued.return_value = None
    return process


def test_the_system_killed_it() -> None:
    report = follow_import(ended_box(-signal.SIGKILL), Limits(), lambda: None).report
    assert (report.ending, report.detail) == ("killed", "SIGKILL")


@pytest.mark.parametrize(("exit_code", "how"), [(1, "exit status 1"), (-signal.SIGSEGV, "SIGSEGV")])
def test_it_ended_by_itself(exit_code: int, how: str) -> None:
    with pytest.raises(HostFailed, match=f"could not be set up: .*{how}"):
        follow_import(ended_box(exit_code), Limits(), lambda: None)
