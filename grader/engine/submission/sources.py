"""The student's files that results keep, so that every page can show the lines at fault.

Results are kept for every student, so the text is bounded.  The reference's files never lie in a submission.
"""

import re
from collections.abc import Iterator

from grader.model.limits import KIB
from grader.model.results import SourceText
from grader.model.submission import SourceFile, Submission
from grader.model.task import Task

FILE_MAX_B = 64 * KIB
TOTAL_MAX_B = 256 * KIB
FILES_MAX = 50

_WORD = re.compile(r"[^\W\d]\w*")


def kept_sources(task: Task, submission: Submission) -> tuple[SourceText, ...]:
    """Return the files that the task asks for, and those that a kept text names, in the order of naming.

    Of a program in another language than Python, all files are kept.

    A file that is imported is named: hostile text is not parsed here, so any word counts.
    """
    kept: dict[str, SourceText] = {}
    left_b = TOTAL_MAX_B
    waiting = {module: None for module, _ in task.modules if module in submission.files}
    # A file beside a program in another language has its own name for a module's.
    waiting |= {name: None for name in submission.files if "." in name}
    while waiting and left_b > 0 and len(kept) < FILES_MAX:
        module = next(iter(waiting))
        del waiting[module]
        kept[module] = found = _kept(module, submission.files[module], min(left_b, FILE_MAX_B))
        left_b -= len(found.text.encode())
        waiting |= {name: None for name in _named(found.text, submission) if name not in kept}
    return tuple(kept.values())


def _named(text: str, submission: Submission) -> Iterator[str]:
    for word in dict.fromkeys(_WORD.findall(text)):
        if word in submission.files:
            yield word


def _kept(module: str, file: SourceFile, most_b: int) -> SourceText:
    # As `SourceFile.line` does it, so that a frame's line is found in this text.
    whole = file.bare.encode("utf-8", "replace")
    text = whole[:most_b].decode("utf-8", "ignore")
    return SourceText(module, file.name, text, len(whole) - len(text.encode()))
