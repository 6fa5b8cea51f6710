"""The student's files as a page shows them: the lines at fault with some context, all others folded.

A page for a student is made from the student's view of the results, so a withheld case marks no line.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from grader.model.results import CaseResult, Frame, RuleFinding, SourceText, SubmissionResult
from grader.model.submission import Remark
from grader.model.verdict import Verdict
from grader.reports.views.wording import counted, size, verdict_wording
from grader.reports.words import English, many, say
from grader.wire.notebook import MARK, cell_file, cells_of

LINES_MAX = 5000
"""The most lines of a file that a page shows."""

_CONTEXT = 3
_LEAST_FOLDED = 3
"""Fewer lines between two open stretches are shown."""
_LINE_LIMIT = 400
_NAME_LIMIT = 200
_NOTE_LIMIT = 300
_MOST_CASES = 3
_MOST_NOTES = 5


class NoteView(NamedTuple):
    """A note about a line.

    cases: ids of some; none for a rule of the task.  more: the number of the others.
    """

    cases: tuple[str, ...]
    more: int
    text: str


class SaidView(NamedTuple):
    """A person's words.  by: author and date.  about: in words, where no place of the page tells it."""

    text: str
    by: str
    about: str = ""


class LineView(NamedTuple):
    """One line.  anchor: empty where nothing leads to it.  more: the number of notes that are left out.

    said: what people wrote about it.
    """

    number: int
    text: str
    anchor: str
    notes: tuple[NoteView, ...] = ()
    more: int = 0
    said: tuple[SaidView, ...] = ()


class StretchView(NamedTuple):
    """Lines that are shown together, or folded.

    lines: of an open stretch.  text: of a folded one, which has neither notes nor anchors.
    """

    first: int
    last: int
    lines: tuple[LineView, ...]
    text: str


class SourceView(NamedTuple):
    """One file.  length: its lines, in words.  left_out: what is not shown of it; empty for nothing.

    faults: lines at fault, and lines that people wrote about.
    """

    file: str
    length: str
    faults: int
    left_out: str
    stretches: tuple[StretchView, ...]


class Lines:
    """The lines of the files that results keep of a submission: anchors for what leads to them."""

    def __init__(self, sources: Sequence[SourceText] = ()) -> None:
        self._sources = pieces_of(sources)
        self._texts = [_lines_of(source) for source in self._sources]

    def anchor(self, found: Frame | RuleFinding) -> str:
        """Return the anchor of a line that a result names; empty if it is not the student's, or not kept."""
        number = self._file_of(found)
        return anchor_of(number, found.line) if number is not None else ""

    def place(self, found: Frame | RuleFinding) -> tuple[str, int]:
        """Return its file and its number; an empty file and 0 if it is not the student's, or not kept."""
        number = self._file_of(found)
        return (self._sources[number].file, found.line) if number is not None else ("", 0)

    def place_of(self, remark: Remark) -> str:
        """Return the anchor of the line that a person wrote about; empty where it is not here any more.

        It is where it was, or, with another attempt, in the one line that has the same text.
        """
        wanted = remark.text.strip()
        for number, source in enumerate(self._sources):
            if source.file == remark.file:
                lines = self._texts[number]
                if remark.line <= len(lines) and wanted in ("", lines[remark.line - 1].strip()):
                    return anchor_of(number, remark.line)
                same = [at for at, line in enumerate(lines, 1) if wanted and line.strip() == wanted]
                return anchor_of(number, same[0]) if len(same) == 1 else ""
        return ""

    def of_file(self, number: int) -> list[str]:
        """Return the lines of the file with a number, from 0."""
        return self._texts[number]

    def _file_of(self, found: Frame | RuleFinding) -> int | None:
        # A frame is the claim of hostile code: it names no line with another text.
        is_frame = isinstance(found, Frame)
        text = (found.source if isinstance(found, Frame) else found.excerpt).strip()
        for number, source in enumerate(self._sources):
            if (source.module if is_frame else source.file) == found.file:
                lines = self._texts[number]
                is_there = 0 < found.line <= len(lines) and lines[found.line - 1].strip().startswith(text)
                return number if text and is_there else None
        return None


def pieces_of(sources: Iterable[SourceText]) -> list[SourceText]:
    """Return files, each cell of a notebook as one, under the names that tracebacks have for them."""
    pieces = []
    for source in sources:
        cells = cells_of(f"{MARK}{source.text}") if source.file.casefold().endswith(".ipynb") else []
        for cell in cells:
            cut_b = source.cut_b if cell is cells[-1] else 0
            names = cell_file(source.module, cell.number), cell_file(source.file, cell.number)
            pieces.append(SourceText(*names, cell.text, cut_b))
        if not cells:
            # A compiler names a file as it is.
            name = source.file.rpartition("/")[2]
            is_python = name.casefold().endswith(".py")
            pieces.append(replace(source, module=f"{source.module}.py" if is_python else name))
    return pieces


NO_LINES = Lines()


def anchor_of(number: int, line: int) -> str:
    """Return the anchor of a line of the file with a number, from 0."""
    return f"file-{number + 1}-line-{line}"


def sources_view(submission: SubmissionResult, lines: Lines) -> tuple[SourceView, ...]:
    """Return the files of a submission, or of a student's view of it."""
    notes, ways = _notes(submission, lines)
    said: dict[str, list[SaidView]] = {}
    for remark in submission.remarks:
        if remark.file:
            said.setdefault(lines.place_of(remark), []).append(said_view(remark))
    return tuple(
        _source_view(number, source, lines.of_file(number), notes, ways, said)
        for number, source in enumerate(pieces_of(submission.sources))
    )


def said_view(remark: Remark, about: str = "") -> SaidView:
    return SaidView(remark.comment, ", ".join(filter(None, (remark.by, remark.date))), about)


def _lines_of(source: SourceText) -> list[str]:
    lines = source.text.split("\n", LINES_MAX)[:LINES_MAX]
    return lines[:-1] if len(lines) < LINES_MAX and not lines[-1] else lines


# -- faults ------------------------------------------------------------------------------------------


def _notes(submission: SubmissionResult, lines: Lines) -> tuple[dict[str, list[NoteView]], set[str]]:
    """Return what happened in lines at fault, by their anchors; and the anchors of lines on the way there."""
    found: dict[str, dict[str, list[str]]] = {}
    ways: set[str] = set()
    for case in submission.cases:
        for anchor, text in _faults(case, lines):
            found.setdefault(anchor, {}).setdefault(text, []).append(case.id)
        if case.raised is not None and case.verdict != Verdict.ACCEPTED:
            ways.update(map(lines.anchor, case.raised.frames))
    for rule in submission.rules:
        for each in rule.findings:
            found.setdefault(lines.anchor(each), {}).setdefault(English(each.message[:_NOTE_LIMIT]), [])
    return {
        anchor: [
            NoteView(tuple(dict.fromkeys(cases[:_MOST_CASES])), max(0, len(cases) - _MOST_CASES), text)
            for text, cases in notes.items()
        ]
        for anchor, notes in found.items()
    }, ways


def _faults(case: CaseResult, lines: Lines) -> Iterator[tuple[str, str]]:
    """Yield the anchor of each line at fault, and what happened there."""
    if case.verdict == Verdict.ACCEPTED:
        return
    if case.raised is not None and case.raised.frames:
        yield lines.anchor(case.raised.frames[-1]), case.raised.title[:_NOTE_LIMIT]
    if case.stopped_at is not None:
        yield lines.anchor(case.stopped_at), verdict_wording(case.verdict).word
    for found in case.findings or ():
        yield lines.anchor(found), English(found.message[:_NOTE_LIMIT])


# -- stretches ---------------------------------------------------------------------------------------


def _source_view(
    number: int,
    source: SourceText,
    texts: list[str],
    notes: dict[str, list[NoteView]],
    ways: set[str],
    said: dict[str, list[SaidView]],
) -> SourceView:
    start = anchor_of(number, 0)[:-1]
    own = [anchor for anchor in {*notes, *ways, *said} if anchor.startswith(start)]
    marked = {int(anchor.removeprefix(start)): anchor for anchor in own}

    def view(line: int) -> LineView:
        anchor = marked.get(line, "")
        told = notes.get(anchor, []) if anchor else []
        more = max(0, len(told) - _MOST_NOTES)
        return LineView(
            line,
            _shortened(texts[line - 1]),
            anchor,
            tuple(told[:_MOST_NOTES]),
            more,
            tuple(said.get(anchor, ())) if anchor else (),
        )

    return SourceView(
        file=source.file[:_NAME_LIMIT],
        length=counted(len(texts), "line"),
        faults=sum(anchor in notes or anchor in said for anchor in marked.values()),
        left_out=_left_out(source, texts),
        stretches=tuple(
            StretchView(first, last, tuple(map(view, range(first, last + 1))), "")
            if is_open
            else StretchView(first, last, (), "\n".join(map(_shortened, texts[first - 1 : last])))
            for is_open, first, last in _stretches(len(texts), sorted(marked))
        ),
    )


def _shortened(text: str) -> str:
    if len(text) <= _LINE_LIMIT:
        return text
    shown = _LINE_LIMIT // 2
    left_out = many(len(text) - 2 * shown, "{n} character left out", "{n} characters left out")
    return f"{text[:shown]} … {left_out} … {text[-shown:]}"


def _left_out(source: SourceText, texts: list[str]) -> str:
    more = source.text.count("\n") + (not source.text.endswith("\n")) - len(texts) if source.text else 0
    parts = [counted(more, "more line") if more > 0 else "", size(source.cut_b) if source.cut_b else ""]
    left_out = say(" and ").join(filter(None, parts))
    return say("{what} left out here.", what=left_out) if left_out else ""


def _stretches(count: int, marked: list[int]) -> Iterator[tuple[bool, int, int]]:
    """Yield whether a stretch is open, its first line and its last; a short gap is open too."""
    spans: list[tuple[int, int]] = []
    for line in marked:
        first, last = max(line - _CONTEXT, 1), min(line + _CONTEXT, count)
        before = spans[-1][1] if spans else 0
        if first - before - 1 < _LEAST_FOLDED:
            first = spans.pop()[0] if spans else 1
        spans.append((first, count if count - last < _LEAST_FOLDED else last))
    shown = 0
    for first, last in spans:
        if first > shown + 1:
            yield False, shown + 1, first - 1
        yield True, first, last
        shown = last
    if shown < count:
        yield False, shown + 1, count
