"""A task with criteria, marked, and `grader review` as a process that serves its page."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.command_line import COMMAND, environment, grader
from support.local_server import Talk

SPEC = """task: essay
title: Program and report
marks: 5
modules: {work: work.py}
questions:
  - id: program
    title: The program
    marks: 2
    cases:
      - call: double(4)
        returns: 8
  - id: report
    title: The report
    marks: 3
    criteria:
      - id: method
        title: The method is explained
        marks: 2
        levels:
          - {marks: 2, description: Somebody could write the program from it., id: all}
          - {marks: 1, description: The idea is there., id: idea}
          - {marks: 0, description: It retells the code., id: none}
      - id: language
        title: Clear language
        marks: 1
"""
WORK = "def double(number):\n    return 2 * number\n"
MARKUP = "# </li><script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\">\n"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"


def essay(folder: Path, count: int = 6, spec: str = SPEC) -> Path:
    """Write the task and so many works, mark them if there are any, and return the spec.

    The first two works are the same byte for byte; the third has markup in its source, and files beside it.
    """
    path = folder / "essay.yaml"
    path.write_text(spec)
    for number in range(1, count + 1):
        work = folder / "in" / f"student-{number:02}"
        work.mkdir(parents=True)
        (work / "work.py").write_text(WORK + (f"# {number}\n" if number > 2 else ""))
    if count > 2:
        odd = folder / "in" / "student-03"
        (odd / "work.py").write_text(WORK + MARKUP)
        (odd / "report.pdf").write_bytes(PDF)
        (odd / "picture.png").write_bytes(PNG)
        (odd / "page.html").write_text("<script>document.title = 'taken'</script>")
    if count:
        done = grader("mark", path, folder / "in", "-o", folder / "out", "-q")
        assert done.returncode == 0, done.stderr
    return path


class Reviewing(Talk):
    """A page that is served.  said: what the process wrote until then."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.said: list[str] = []
        assert process.stderr is not None
        for line in process.stderr:
            self.said.append(line.rstrip("\n"))
            found = re.fullmatch(r"review: http://(127\.0\.0\.1:[0-9]+)/([A-Za-z0-9_-]+)/\n", line)
            if found:
                self.address = Talk.to(found[1], found[2]).address
            if line == "  Ctrl-C ends it\n":
                return
        raise AssertionError("\n".join(self.said))

    def read(self, path: str) -> Any:
        """Return the JSON at a path."""
        status, _, body = self.get(path)
        assert status == 200, body
        return json.loads(body)

    def change(self, **change: object) -> tuple[int, Any]:
        """Send a change; return the status and the answer."""
        status, _, body = self.put("api/change", json.dumps(change).encode(), method="POST")
        return status, json.loads(body)

    def mark(self, work: int, criterion: str, saw: dict[str, object], **to: object) -> tuple[int, Any]:
        return self.change(kind="mark", work=work, criterion=criterion, saw=saw, to=to)


@contextmanager
def reviewing(spec: Path, *options: str | Path, folder: Path | None = None) -> Iterator[Reviewing]:
    """Serve the page of a task that `essay` wrote; end it at the end of the block."""
    by = [] if "--by" in options else ["--by", "A. Marker"]
    with served(
        "review", spec, folder or spec.parent / "out", "--no-browser", *options, *by, cwd=spec.parent
    ) as page:
        yield page


@contextmanager
def served(*words: str | Path, cwd: Path, **changes: str) -> Iterator[Reviewing]:
    """Serve a page by these words of `grader`; end it at the end of the block."""
    process = subprocess.Popen(
        [COMMAND, *map(str, words)],
        env=environment(**changes),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield Reviewing(process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        if not process.stderr.closed:
            process.communicate()


NOTHING: dict[str, object] = {"marks": "", "level": "", "comment": "", "uses": []}
