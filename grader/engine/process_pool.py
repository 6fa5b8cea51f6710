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
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Condition, Thread
from typing import Any, ParamSpec, TypeVar

from grader.model.frozen import dataclass

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Helper:
    """A process that calls `answer`, and our end of its channel, whose other end nobody else has."""

    process: BaseProcess
    channel: "Connection[bytes, bytes]"

    def end(self) -> None:
        """End the process at once, if it was started."""
        if self.process.pid is not None:
            self.process.kill()
            self.process.join()


class ProcessPool(Executor):
    """Gives each of some processes one piece of work at a time.

    It breaks when a process of it ends: what that one was at fails with `BrokenExecutor`, what no
    process had begun is cancelled, and the others finish what they are at.
    """

    on_begin: Callable[[Future[Any]], None] | None = None
    """Is called with a piece of work when a process begins it, in another thread."""

    def __init__(self, helpers: Sequence[Helper]) -> None:
        self._helpers = helpers
        self._waiting: deque[tuple[Future[object], bytes]] = deque()
        self._unanswered: set[Future[object]] = set()
        self._is_over = False
        self._changed = Condition()
        """Guards what is waiting, and whether it is over."""
        self._threads = [Thread(target=self._employ, args=(each,), daemon=True) for each in helpers]
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
            self._changed.notify()
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

    def _employ(self, helper: Helper) -> None:
        """In a thread of its own: hand one piece of work after another to a process."""
        while (work := self._next()) is not None:
            future, asked = work
            if not future.set_running_or_notify_cancel():
                continue
            if self.on_begin is not None:
                self.on_begin(future)
            try:
                helper.channel.send_bytes(asked)
                answered = helper.channel.recv_bytes()
            except BaseException as error:
                # It ended, or what it says does not fit in memory; nobody knows any more what it is at.
                self._finish()
                reason = "ended" if isinstance(error, EOFError | OSError) else f"cannot be heard: {error!r}"
                future.set_exception(BrokenExecutor(f"the process that was at it {reason}"))
                return
            _settle(future, answered)

    def _next(self) -> tuple[Future[object], bytes] | None:
        """Wait for work; None where there will be none any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_over)
            return None if self._is_over else self._waiting.popleft()

    def _finish(self) -> None:
        """Begin nothing any more."""
        with self._changed:
            self._is_over = True
            left = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
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


def answer(channel: "Connection[bytes, bytes]") -> None:
    """In a process of a pool: do what is asked, until nobody asks any more."""
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
