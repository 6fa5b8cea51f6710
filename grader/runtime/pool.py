"""An executor whose processes have a channel each, so that what one leaves undone harms no other.

Not how its processes are started, nor what they are told first: see `own_processes`.

In `concurrent.futures.ProcessPoolExecutor` all processes answer through one pipe: a process that is
killed while it answers leaves half an answer in it, and who reads waits for the rest for ever.
"""

import pickle
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Condition, Lock, Thread
from typing import Any, ParamSpec, TypeVar

from grader.runtime.slip import Slip

_WAITS, _GOES_ON = b"waits", b"goes on"
"""What a process sends before its answer when its work begins to wait, using no core, and when it goes on."""

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Helper:
    """A process that calls `answer`, and our end of its channel, whose other end nobody else has."""

    process: BaseProcess
    channel: "Connection[bytes, bytes]"
    slip: Slip | None = None
    """Where the process notes what it is at; None where it shares no memory with us."""

    def end(self) -> None:
        """End the process at once, if it was started."""
        if self.process.pid is not None:
            self.process.kill()
            self.process.join()


class ProcessPool(Executor):
    """Gives each of some processes one piece of work at a time.

    at_a_time: how many of them work at once.  Work that has told that it waits does not count, so that
        another process begins something meanwhile.  The first so many processes come first; the others are
        spare, and begin something only while all of the first have something to do.

    It breaks when a process of it ends: what that one was at fails with `BrokenExecutor`, what no
    process had begun is cancelled, and the others finish what they are at.
    """

    on_begin: Callable[[Future[Any], Slip | None], None] | None = None
    """Is called with a piece of work when a process begins it, in another thread, and with its slip."""
    on_wait: Callable[[Future[Any], bool], None] | None = None
    """Is called with a piece of work that begins to wait, or goes on, in another thread."""

    def __init__(self, helpers: Sequence[Helper], at_a_time: int = 0) -> None:
        self._helpers = helpers
        self._at_a_time = at_a_time or len(helpers)
        self._working = 0
        """How many processes are at work and do not wait."""
        self._free = min(self._at_a_time, len(helpers))
        """How many of the processes that are not spare have nothing to do."""
        self._waiting: deque[tuple[Future[object], bytes]] = deque()
        self._unanswered: set[Future[object]] = set()
        self._is_over = False
        lock = Lock()
        self._changed, self._changed_for_spare = Condition(lock), Condition(lock)
        """Guard what is waiting, what is at work, and whether it is over."""
        self._threads = [
            Thread(target=self._employ, args=(each, number >= self._at_a_time), daemon=True)
            for number, each in enumerate(helpers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self, fn: Callable[_Parameters, _Result], /, *args: _Parameters.args, **kwargs: _Parameters.kwargs
    ) -> Future[_Result]:
        """Have a function called in a process.  Raises `BrokenExecutor` where the pool is at an end."""
        asked = pickle.dumps((fn, args, kwargs))
        future: Future[object] = Future()
        with self._changed:
            if self._is_over:
                raise BrokenExecutor("a process of the pool ended")
            self._unanswered.add(future)
            self._waiting.append((future, asked))
            self._tell_one()
        future.add_done_callback(self._unanswered.discard)
        return future  # type: ignore[return-value]  # what a process answers is what `fn` returned

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: when all is answered, or at once, with whatever they are at.

        wait: it waits in any case.
        """
        if not cancel_futures:
            wait_for(tuple(self._unanswered))
        self._finish()
        for helper in self._helpers:
            helper.end()
        for thread in self._threads:
            thread.join()
        for helper in self._helpers:
            helper.channel.close()

    def _employ(self, helper: Helper, is_spare: bool) -> None:
        """In a thread of its own: hand one piece of work after another to a process."""
        while (work := self._next(is_spare)) is not None:
            future, asked = work
            works = True
            try:
                if future.set_running_or_notify_cancel():
                    if helper.slip is not None:
                        helper.slip.note("")
                    if self.on_begin is not None:
                        self.on_begin(future, helper.slip)
                    helper.channel.send_bytes(asked)
                    while (answered := helper.channel.recv_bytes()) in (_WAITS, _GOES_ON):
                        works = self._note_work(works, answered == _GOES_ON)
                        if self.on_wait is not None:
                            self.on_wait(future, not works)
                    _settle(future, answered)
            except BaseException as error:
                # It ended, or what it says does not fit in memory; nobody knows any more what it is at.
                self._finish()
                reason = "ended" if isinstance(error, EOFError | OSError) else f"cannot be heard: {error!r}"
                future.set_exception(BrokenExecutor(f"the process that was at it {reason}"))
                return
            self._done(is_spare, works)

    def _next(self, is_spare: bool) -> tuple[Future[object], bytes] | None:
        """Wait for work that a process may begin; None where there will be none any more."""
        changed = self._changed_for_spare if is_spare else self._changed
        with changed:
            changed.wait_for(lambda: self._is_over or self._may_begin(is_spare))
            if self._is_over:
                return None
            self._working += 1
            self._free -= not is_spare
            return self._waiting.popleft()

    def _may_begin(self, is_spare: bool) -> bool:
        has_core = bool(self._waiting) and self._working < self._at_a_time
        return has_core and not (is_spare and self._free)

    def _tell_one(self) -> None:
        """Have a process look again whether it may begin something.  To be called with the lock."""
        (self._changed if self._free else self._changed_for_spare).notify()

    def _note_work(self, worked: bool, works: bool) -> bool:
        """Note whether the work of a process uses a core; while it does not, another may begin something."""
        with self._changed:
            self._working += works - worked
            self._tell_one()
        return works

    def _done(self, is_spare: bool, works: bool) -> None:
        """Note that a process has nothing to do.  works: it did not wait."""
        with self._changed:
            self._working -= works
            self._free += not is_spare
            self._tell_one()

    def _finish(self) -> None:
        """Begin nothing any more."""
        with self._changed:
            self._is_over = True
            left = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
            self._changed_for_spare.notify_all()
        for future, _ in left:
            if future.cancel():
                # Whoever waits for it hears of that only now.
                future.set_running_or_notify_cancel()


def _settle(future: Future[object], answered: bytes) -> None:
    try:
        result, error = pickle.loads(answered)
    except Exception as reason:
        result, error = None, reason
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


_channel: "Connection[bytes, bytes] | None" = None
"""In a process of a pool: where it answers."""
_slip: Slip | None = None
"""In a process of a pool: where it notes what it is at."""


def tell_waiting(waits: bool) -> None:
    """In a process of a pool: tell whether the work at hand waits, so that its core is free."""
    if _channel is not None:
        with suppress(OSError):
            _channel.send_bytes(_WAITS if waits else _GOES_ON)


def note_case(case: str) -> None:
    """In a process of a pool: note which case of a submission runs."""
    if _slip is not None:
        _slip.note(case)


def answer(channel: "Connection[bytes, bytes]", slip: Slip | None = None) -> None:
    """In a process of a pool: do what is asked, until nobody asks any more."""
    global _channel, _slip
    _channel, _slip = channel, slip
    while True:
        try:
            channel.send_bytes(_outcome(channel.recv_bytes()))
        except (EOFError, OSError):
            return


def _outcome(asked: bytes) -> bytes:
    """Return what came of a call, pickled: its result, or its error."""
    try:
        call, arguments, keywords = pickle.loads(asked)
        return pickle.dumps((call(*arguments, **keywords), None))
    except Exception as error:
        return _failure(error)


def _failure(error: Exception) -> bytes:
    try:
        return pickle.dumps((None, error))
    except Exception:
        return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))
