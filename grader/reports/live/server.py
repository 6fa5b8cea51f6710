"""The process that serves the pages of a run, which can only be read.

It shares with the run a socket, a file of results and a pipe that ends with the run.  So nobody who connects
can delay the run.
"""

import asyncio
import os
import signal
import socket
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http import HTTPStatus

from tornado.web import HTTPError

from grader.reports.live.results import ResultsSoFar
from grader.serving.handler import LocalHandler, application
from grader.serving.server import serve, until_readable

_NICE = 10


class _Page(LocalHandler):
    def initialize(self, results: ResultsSoFar, maker: Executor) -> None:
        self._results, self._maker = results, maker

    async def get(self, path: str) -> None:
        loop = asyncio.get_running_loop()
        content = await loop.run_in_executor(self._maker, self._results.content, path)
        if content is None:
            raise HTTPError(HTTPStatus.NOT_FOUND)
        self.send(content.body, content.kind)


def main(listening: int, file: int) -> None:
    """Serve on a socket from a file, both given by number, until the standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run alone acts on Ctrl-C, and ends this process
    with suppress(OSError):
        os.nice(_NICE)
    results = ResultsSoFar(file)
    # It makes one page at a time, while connections come and go.
    given = {"results": results, "maker": ThreadPoolExecutor(1)}
    pages = application(results.head.address, ("(.*)", _Page, given))
    serve(socket.socket(fileno=listening), pages, partial(until_readable, sys.stdin.fileno()))
    os._exit(0)  # the page that is being made ends too
