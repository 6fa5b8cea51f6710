"""An executor whose processes have a channel each, so that one that dies harms no other.

In `concurrent.futures.ProcessPoolExecutor` all processes answer through one pipe.  A process that is killed
while it answers leaves half an answer there, and the reader never gets the rest.  `start` starts the
processes.
"""

import mmap
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

_WAITS, _GOES_ON = b"waits", b"goes on"
"""A process sends these before its answer: its work begins to wait, using no core, or goes on."""
_NOTE_MOST_B = 200

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class SharedNote:
    """A few words in memory that a process shares with those that it forks afterwards.

    They tell people what a process is doing.  Nothing else may depend on them, because neither side waits for
    the other: a reader may get half of a note that is being written.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 1 + _NOTE_MOST_B)

    def write(self, text: str) -> None:
        """Replace the note; a long text is cut."""
        data = text.encode("utf-8", "replace")[:_NOTE_MOST_B]
        self._memory[0] = 0
        self._memory[1 : 1 + len(data)] = data
        self._memory[0] = len(data)

    def read(self) -> str:
        """Return the note; empty if there is none."""
        length = min(self._memory[0], _NOTE_MOST_B)
        return self._memory[1 : 1 + length].decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Helper:
    """A process that calls `answer`, and our end of its channel; the process alone has the other end.

    note: the process notes there what it is doing; None where it shares no memory with us.
    """

    process: BaseProcess
    channel: "Connection[bytes, bytes]"
    note: SharedNote | None = None

    def end(self) -> None:
        """End the process at once, if it was started."""
        if self.process.pid is not None:
            self.process.kill()
            self.process.join()


class ProcessPool(Executor):
    """Gives each of its processes one work item at a time.

    at_a_time: how many processes work at once.  Work that waits does not count, so that another process
        begins something meanwhile.  The first so many processes come first.  The others are spare: they
        begin something only while all of the first are busy.

    The pool breaks when one of its processes ends: the work of that process fails with `BrokenExecutor`, work
    that no process has begun is cancelled, and the other processes finish theirs.
    """

    on_begin: Callable[[Future[Any], SharedNote | None], None] | None = None
    """Is called in another thread when a process begins a work item, with that process's note."""
    on_wait: Callable[[Future[Any], bool], None] | None = None
    """Is called in another thread when a work item begins to wait, or goes on."""

    def __init__(self, helpers: Sequence[Helper], at_a_time: int = 0) -> None:
        self._helpers = helpers
        self._at_a_time = at_a_time or len(helpers)
        self._working = 0
        """The number of processes that are busy and do not wait."""
        self._free = min(self._at_a_time, len(helpers))
        """The number of processes that are not spare and have nothing to do."""
        self._waiting: deque[tuple[Future[object], bytes]] = deque()
        self._unanswered: set[Future[object]] = set()
        self._is_over = False
        lock = Lock()
        self._changed, self._changed_for_spare = Condition(lock), Condition(lock)
        """Guard the attributes above."""
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
        """End the processes: at once if `cancel_futures`, else when all work is answered.

        wait: has no effect; this always waits.
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
        """In a thread of its own: hand one work item after another to a process."""
        while (work := self._next(is_spare)) is not None:
            future, asked = work
            works = True
            try:
                if future.set_running_or_notify_cancel():
                    if helper.note is not None:
                        helper.note.write("")
                    if self.on_begin is not None:
                        self.on_begin(future, helper.note)
                    helper.channel.send_bytes(asked)
                    while (answered := helper.channel.recv_bytes()) in (_WAITS, _GOES_ON):
                        works = self._note_work(works, answered == _GOES_ON)
                        if self.on_wait is not None:
                            self.on_wait(future, not works)
                    _settle(future, answered)
            except BaseException as error:
                # The process ended, or its answer does not fit in memory; its state is unknown.
                self._finish()
                reason = "ended" if isinstance(error, EOFError | OSError) else f"cannot be heard: {error!r}"
                future.set_exception(BrokenExecutor(f"the process that was at it {reason}"))
                return
            self._done(is_spare, works)

    def _next(self, is_spare: bool) -> tuple[Future[object], bytes] | None:
        """Wait for work that a process may begin, and return it; None where the pool is at its end."""
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
        """Wake a process that may be able to begin something.  Call it with the lock."""
        (self._changed if self._free else self._changed_for_spare).notify()

    def _note_work(self, worked: bool, works: bool) -> bool:
        """Note whether the work of a process uses a core, and return that."""
        with self._changed:
            self._working += works - worked
            self._tell_one()
        return works

    def _done(self, is_spare: bool, works: bool) -> None:
        """Note that a process has nothing to do.  works: its work used a core at its end."""
        with self._changed:
            self._working -= works
            self._free += not is_spare
            self._tell_one()

    def _finish(self) -> None:
        """Begin nothing more, and cancel what was not begun."""
        with self._changed:
            self._is_over = True
            left = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
            self._changed_for_spare.notify_all()
        for future, _ in left:
            if future.cancel():
                # Only now do those that wait for it hear of that.
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
"""In a process of a pool: its channel."""
_note: SharedNote | None = None
"""In a process of a pool: its note."""


def tell_waiting(waits: bool) -> None:
    """In a process of a pool: tell the pool whether the current work waits, so that its core is free."""
    if _channel is not None:
        with suppress(OSError):
            _channel.send_bytes(_WAITS if waits else _GOES_ON)


def note_case(case: str) -> None:
    """In a process of a pool: note the case that runs."""
    if _note is not None:
        _note.write(case)


def answer(channel: "Connection[bytes, bytes]", note: SharedNote | None = None) -> None:
    """In a process of a pool: call what is asked for, until the channel closes."""
    global _channel, _note
    _channel, _note = channel, note
    while True:
        try:
            channel.send_bytes(_outcome(channel.recv_bytes()))
        except (EOFError, OSError):
            return


def _outcome(asked: bytes) -> bytes:
    """Make the call that was asked for; return its result or its error, pickled."""
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
