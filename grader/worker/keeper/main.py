"""A keeper as a process of its own: forked by the zygote for one box."""

import _socket
import os
import sys
from typing import Any, NoReturn

from grader.wire import frames
from grader.worker.keeper.box_process import BoxProcess, wake_up_on_child
from grader.worker.keeper.keeper import Keeper
from grader.worker.keeper.process import Process
from grader.worker.keeper.scratch import Scratch
from grader.worker.settings import Settings
from grader.worker.walls import jail, kernel
from grader.worker.walls.prepared import Walls


def main(control: _socket.socket, settings: Settings, walls: Walls) -> NoReturn:
    """Keep a box for the grader behind `control`, until it closes; ends with the process."""
    cores: frozenset[int] = frozenset()
    if sys.platform == "linux":
        kernel.name_process("grader-keeper")
        # The keeper and its box take turns: waking one another across cores costs more than their work.
        cores = kernel.stay_on_this_core()
    wake_up, scratch = wake_up_on_child(), None
    try:
        if walls.outer is not None:
            jail.enclose(settings, walls.outer)
            if settings.scratch_b:
                scratch = Scratch(settings)
        keeper_of(control, settings, walls, wake_up, cores, scratch).serve()
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}"
        control.sendall(frames.frame(frames.FAILED, reason.encode()))
    finally:
        os._exit(0)


def keeper_of(
    control: _socket.socket,
    settings: Settings,
    walls: Walls,
    wake_up: int,
    cores: frozenset[int] = frozenset(),
    scratch: Scratch | None = None,
) -> Keeper:
    """Return a keeper whose boxes are forks of this process.

    wake_up: see `wake_up_on_child`.
    cores: the cores that a long-running process may move to; empty to stay on the first one.
    """

    def start(job: dict[str, Any], single: bool, listen: bool) -> Process:
        return BoxProcess(
            settings,
            walls,
            job,
            wake_up=wake_up,
            cores=cores,
            control=control.fileno(),
            single=single,
            listen=listen,
        )

    return Keeper(control, start, listen=settings.listen, scratch=scratch)
