"""The student's files in results: the files that are kept, the lines at fault, and what is said about them.

Results are kept for every student, so the text is bounded.  The reference's files never lie in a submission.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from grader.model.case import Case, Visibility
from grader.model.kinds import calls_of, kind_of
from grader.model.limits import KIB
from grader.model.results import CaseResult, Frame, SourceText
from grader.model.submission import SourceFile, Submission
from grader.model.task import Task
from grader.wire.notebook import line_of, module_of

FILE_MAX_B = 64 * KIB
TOTAL_MAX_B = 256 * KIB
FILES_MAX = 50

_MAIN = re.compile(r"\bmain\b")
_DEFINED = re.compile(r"^(?:async )?def main\b", re.MULTILINE)
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


def with_reason(case: Case, result: CaseResult, submission: Submission) -> CaseResult:
    """Return the result of a case that printed nothing, with the reason where the student's text shows it.

    Hostile text is not parsed here: `main` is never called where the word stands at its definition alone.
    """
    file = submission.files.get(kind_of(case).module(case.what, ""))
    if file is None or result.stdout or not result.message.startswith("stdout"):
        return result
    if len(_MAIN.findall(file.text)) != 1 or not _DEFINED.search(file.text):
        return result
    return replace(result, message=f"{result.message}; `main` is defined and never called")


def with_own_line(frame: Frame, submission: Submission, beside: Collection[str]) -> Frame:
    """Return a frame with the student's own line.

    beside: the modules that are not the student's in this case.
    """
    module, number = module_of(frame.file)
    if not number:
        # A program in another language goes by the name of its file.
        files = submission.files.items()
        named = (name for name, file in files if file.name.rpartition("/")[2] == frame.file)
        module = next(named, frame.file.rpartition(".")[0])
    file = None if module in beside else submission.files.get(module)
    if file is None:
        return frame
    at = line_of(file.text, number, frame.line)
    if not 1 <= at <= file.line_count:
        return frame
    line = file.line(at)
    source = line.strip()[:300]
    # The columns are counted in the line as it stands.
    blank = len(line) - len(line.lstrip())
    column = min(max(frame.column - blank, 1), len(source) + 1) if frame.column else 0
    end = min(max(frame.end_column - blank, column), len(source) + 1)
    return replace(frame, source=source, column=column, end_column=end)


def behind_own_files(task: Task, submission: Submission) -> list[str]:
    """Return notes about the student's files that are not used where a file of the task has their name.

    Of a harness, or code around a module, that hidden cases alone have, students learn nothing.
    """
    public = [case for case in task.cases if case.visibility is Visibility.PUBLIC]
    texts = {name: text for case in public for name, text in calls_of(case).own_code.items()}
    return [
        f"{file.name} is not used in all cases: some have a file of the task's own with this name"
        for module, file in submission.files.items()
        if file.text != texts.get(f"{module}.py", file.text)
    ]


def commands(task: Task, submission: Submission) -> dict[str, str]:
    """Return how people start the programs that are not Python, by the ids of their cases."""
    cases = task.cases if task.toolchains else ()
    found = {case.id: kind_of(case).command(case, task, submission) for case in cases}
    return {id: text for id, text in found.items() if text}
