"""Reads one submission into memory.  Whatever is wrong with it becomes its problem.

The digest of what was handed in is SHA-256 over a label and, for each file by name, the length
of the name, the name, the length of the bytes, and the SHA-256 of the bytes; a file that was not
read counts with its name alone.  Where there were remarks, problems or notes, the digest that a
result depends on is SHA-256 over that one and them: of what was not read, and of how it lay
there, nothing else tells.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from grader.intake.candidate import NO_FILE, Candidate, SourceKind
from grader.intake.layouts.plain import Expected, work_folder
from grader.intake.matching import match
from grader.intake.names import (
    is_archive,
    is_notebook,
    is_other_archive,
    is_python,
    is_zip,
    listed,
    readable,
    shown,
)
from grader.intake.opening import Opened, opened
from grader.intake.source.notebook import NOTEBOOK_MAX_B, code_of_notebook
from grader.intake.source.text import Care, as_python_reads, as_text, repair
from grader.intake.trees.memory import MemoryTree
from grader.intake.trees.tree import (
    NESTED_ZIP,
    OTHER_ARCHIVE,
    SOURCE_MAX_B,
    TOTAL_MAX_B,
    Allowance,
    Parts,
    Refused,
    TooLarge,
    Tree,
    TreeEntry,
    Unreadable,
)
from grader.model.submission import ALL_CELLS, NO_WORK, Cells, Repairs, SourceFile, Submission
from grader.model.task import Task

REMARKS_MAX = 10
FOUND_MAX = 20
"""Names that are kept of what was handed in instead of a module."""
"""Problems, and notes, that are kept of one submission."""
_LABEL = b"grader submission 1\n"
_ATTEMPTS_LABEL = b"grader submission of several attempts 1\n"
_REMARKS_LABEL = b"grader submission with remarks 1\n"


def read_for(task: Task, candidate: Candidate) -> Submission:
    """Return the submission of a candidate, as a task wants it read."""
    return read(candidate, task.asked, task.repairs, task.cells)


def read(
    candidate: Candidate,
    modules: Mapping[str, str],
    repairs: Repairs = Repairs.USUAL,
    cells: Cells = ALL_CELLS,
) -> Submission:
    """Return the submission of a candidate; never raises for what a student handed in.

    modules: module name -> file name, as in the spec.  cells: those that are read of notebooks.
    """
    if candidate.attempts:
        return _with_attempts(candidate, [read(each, modules, repairs, cells) for each in candidate.attempts])
    work = _worked_through(candidate, _Work(modules, repairs, cells))
    sha256, instead = work.whole_sha256(), candidate.instead
    if instead is not None:
        handed_in = _handed_in(candidate, modules)
        sha256 = _digest_in_place_of(sha256, handed_in)
        instead = replace(instead, files=(), work=handed_in.sha256 or NO_WORK)
    return Submission(
        id=candidate.id,
        name=candidate.name,
        files=work.files,
        found=() if work.files else tuple(map(shown, work.found[:FOUND_MAX])),
        problems=_at_most(work.problems),
        notes=_at_most([*candidate.notes, *work.notes]),
        unreadable=work.unreadable,
        is_doubtful=candidate.is_doubtful,
        unread=work.unread,
        sha256=sha256,
        content_sha256=work.sha256,
        origin=candidate.path.joinpath(*candidate.inside),
        record=candidate.record,
        attempt=candidate.attempt,
        person=candidate.person,
        instead=instead,
    )


def work_digest(candidate: Candidate, modules: Mapping[str, str]) -> str:
    """Return the digest of the contents of what was handed in, whatever is marked in its place.

    `NO_WORK` where nothing was handed in, or nothing of it can be read.
    """
    return _handed_in(candidate, modules).sha256 or NO_WORK


def content_digest(candidate: Candidate, modules: Mapping[str, str]) -> str:
    """Return the digest of the contents as `read` gives it, but of what was handed in; empty for nothing."""
    if candidate.attempts:
        return _digest_of_attempts(content_digest(each, modules) for each in candidate.attempts)
    return _handed_in(candidate, modules).sha256


def digest_of_asked(candidate: Candidate, modules: Mapping[str, str]) -> str:
    """Return the same digest; empty where there is surely nothing that the task asks for."""
    if candidate.attempts:
        is_there = any(digest_of_asked(each, modules) for each in candidate.attempts)
        return content_digest(candidate, modules) if is_there else ""
    work = _handed_in(candidate, modules)
    return work.sha256 if work.may_have_source else ""


def _handed_in(candidate: Candidate, modules: Mapping[str, str]) -> "_Work":
    return _worked_through(replace(candidate, instead=None), _Work(modules, only_digest=True))


def _digest_in_place_of(sha256: str, handed_in: "_Work") -> str:
    """Return the digest of a work that is marked in place of another: it changes when either does."""
    return hashlib.sha256(f"{sha256} in place of {handed_in.whole_sha256()}".encode()).hexdigest()


def _with_attempts(candidate: Candidate, attempts: Sequence[Submission]) -> Submission:
    return Submission(
        id=candidate.id,
        name=candidate.name,
        notes=candidate.notes,
        sha256=_digest_of_attempts(each.sha256 for each in attempts),
        content_sha256=_digest_of_attempts(each.content_sha256 for each in attempts),
        origin=candidate.path.joinpath(*candidate.inside),
        record=candidate.record,
        attempts=tuple(attempts),
        person=candidate.person,
    )


def _digest_of_attempts(digests: Iterable[str]) -> str:
    return hashlib.sha256(_ATTEMPTS_LABEL + "\n".join(digests).encode()).hexdigest()


def digest(candidate: Candidate, modules: Mapping[str, str]) -> str:
    """Return the digest of the submission that `read` returns, in half the time."""
    if candidate.attempts:
        return _digest_of_attempts(digest(each, modules) for each in candidate.attempts)
    sha256 = _worked_through(candidate, _Work(modules, only_digest=True)).whole_sha256()
    return _digest_in_place_of(sha256, _handed_in(candidate, modules)) if candidate.instead else sha256


def _worked_through(candidate: Candidate, work: "_Work") -> "_Work":
    if candidate.instead is not None:
        tree = MemoryTree(candidate.instead.files)
        try:
            work.read(Opened(tree, (), tree.contents(())))
        except Refused as refused:
            work.refuse(candidate.instead.file, refused)
        return work
    if candidate.kind is SourceKind.UNREAD and candidate.problem != NO_FILE:
        work.found.append((candidate.path.name, *candidate.inside)[-1])
    if candidate.problem:
        work.problems.append(candidate.problem)
        if candidate.is_doubtful:
            work.unreadable = candidate.problem
        return work
    if candidate.kind is SourceKind.ABSENT:
        return work
    last = shown((candidate.path.name, *candidate.inside)[-1])
    try:
        with opened(candidate, work.allowance, work.expected) as found:
            work.read(found)
    except Refused as refused:
        work.found.append(last)
        work.refuse(last, refused)
    except OSError as error:
        work.refuse(last, Unreadable.by(error))
    return work


class _Work:
    """One student's files while they are being read.

    only_digest: the sources' text is not wanted.
    sha256: the digest of what was handed in; empty where it could not be read.
    """

    def __init__(
        self,
        modules: Mapping[str, str],
        repairs: Repairs = Repairs.USUAL,
        cells: Cells = ALL_CELLS,
        *,
        only_digest: bool = False,
    ) -> None:
        self.files: dict[str, SourceFile] = {}
        self.unread: dict[str, str] = {}
        self.problems: list[str] = []
        self.notes: list[str] = []
        self.sha256 = ""
        self.unreadable = ""
        self.found: list[str] = []
        self._of_text: set[str] = set()
        self._has_source = False
        self._modules = modules
        self.expected = Expected(modules)
        self._repairs = repairs
        self._cells = cells
        self._care = Care()
        self._only_digest = only_digest
        self.allowance = Allowance()
        self._digests: dict[str, bytes] = {}

    @property
    def may_have_source(self) -> bool:
        """Whether something that the task asks for was read, or can't be read."""
        return bool(self._has_source or self.unread or self.unreadable)

    def refuse(self, name: str, refused: Refused) -> None:
        """Note that something is not read, and why."""
        problem = f"{name} {refused}"
        self.problems.append(problem)
        if isinstance(refused, Unreadable):
            self.unreadable = problem

    def read(self, found: Opened) -> None:
        """Read the sources first, then the rest, which counts for the digest alone."""
        tree, folder, entries = found.tree, found.folder, found.contents.entries
        self.notes += found.contents.notes
        place = work_folder(entries, self.expected)
        here = {entry.parts[-1]: entry for entry in entries if entry.parts and entry.parts[:-1] == place}
        matched = match(here, self._modules)
        self.notes += matched.notes
        for module, name in matched.files.items():
            self._read_source(tree, folder, here[name], module)
        self.found = sorted(entry.name for entry in entries)
        self.problems += matched.problems
        if not matched.files and self.found and not any("; found " in each for each in matched.problems):
            self.problems.append(f"what was found can't be taken for it: {listed(self.found)}")
        self._remark_folders(entries, place)
        self._remark_archives(here, found.is_own_zip)
        self._remark_archives_below(entries, place)
        for entry in entries:
            if entry.name not in self._digests:
                self._read_other(tree, folder, entry)
        self.sha256 = self._digest()

    def _read_source(self, tree: Tree, folder: Parts, entry: TreeEntry, module: str) -> None:
        self._digests[entry.name] = b""
        try:
            most_b = NOTEBOOK_MAX_B if is_notebook(entry.name) else SOURCE_MAX_B
            data = b"".join(self.allowance.take(tree, folder, entry, most_b))
        except Refused as refused:
            self.refuse(shown(entry.name), refused)
            self.unread[module] = self.problems[-1]
            return
        self._digests[entry.name] = _digest_of(len(data), hashlib.sha256(data))
        self._has_source = True
        if self._only_digest:
            return
        if is_notebook(entry.name):
            mended = code_of_notebook(data, self._cells, self._care)
        elif not is_python(entry.name):
            mended = as_text(data)
        elif self._repairs is Repairs.NONE:
            mended = as_python_reads(data)
        else:
            mended = repair(data, self._care)
        if mended.problem:
            problem = f"{shown(entry.name)} {mended.problem}"
            self.problems.append(problem)
            self._of_text.add(problem)
            if not mended.text:
                self.unread[module] = problem
                return
        self.files[module] = SourceFile(readable(entry.name), mended.text, mended.repairs)

    def _read_other(self, tree: Tree, folder: Parts, entry: TreeEntry) -> None:
        self._digests[entry.name] = b""
        content = hashlib.sha256()
        size_b = 0
        try:
            for chunk in self.allowance.take(tree, folder, entry, TOTAL_MAX_B):
                content.update(chunk)
                size_b += len(chunk)
        except TooLarge as refused:
            self.notes.append(f"{shown(entry.name)} {refused}")
        except Refused as refused:
            if entry.unreadable:
                # The folder's content is unknown: the work itself or a later attempt may lie there.
                self.refuse(shown(entry.name), refused)
            else:
                self.problems.append(f"{shown(entry.name)} {refused}")
        else:
            self._digests[entry.name] = _digest_of(size_b, content)

    def _remark_folders(self, entries: list[TreeEntry], place: Parts) -> None:
        below = {
            "/".join(entry.parts[:-1]) or "the outermost folder": None
            for entry in entries
            if entry.parts and is_python(entry.parts[-1]) and entry.parts[:-1] != place
        }
        if below and any(entry.parts[:-1] == place and is_python(entry.name) for entry in entries):
            self.notes.append(
                f"Python files in {listed(below)} were not read; only those {_where(place)} are"
            )
        elif below:
            self.notes.append(
                f"Python files in {listed(below)} were not read: which folder counts is not sure"
            )

    def _remark_archives_below(self, entries: list[TreeEntry], place: Parts) -> None:
        below = [
            entry.name
            for entry in entries
            if entry.parts[:-1] != place and entry.parts and is_archive(entry.parts[-1])
        ]
        if below:
            be = "was" if len(below) == 1 else "were"
            self.notes.append(f"{listed(below)} {be} not opened; only what lies {_where(place)} is read")

    def _remark_archives(self, here: Iterable[str], is_own_zip: bool) -> None:
        """Say which archives would have been work, had they been handed in otherwise."""
        for name in filter(is_zip, here):
            if not is_own_zip:
                self.notes.append(f"{shown(name)} was not opened, since there are Python files beside it")
            else:
                self.problems.append(f"{shown(name)} {NESTED_ZIP}")
        if not self._has_source:
            self.problems += [f"{shown(name)} {OTHER_ARCHIVE}" for name in here if is_other_archive(name)]

    def whole_sha256(self) -> str:
        """Return the digest of what was handed in and of the remarks.

        Problems of a source's text are not counted: they follow from its bytes.
        """
        problems = [problem for problem in self.problems if problem not in self._of_text]
        if not problems and not self.notes:
            return self.sha256
        remarks = repr((self.sha256, problems, self.notes))
        return hashlib.sha256(_REMARKS_LABEL + remarks.encode("ascii", "backslashreplace")).hexdigest()

    def _digest(self) -> str:
        whole = hashlib.sha256(_LABEL)
        for name, digest in sorted((_encoded(name), digest) for name, digest in self._digests.items()):
            whole.update(len(name).to_bytes(8, "big") + name + len(digest).to_bytes(1, "big") + digest)
        return whole.hexdigest()


def _digest_of(size_b: int, content: "hashlib._Hash") -> bytes:
    return size_b.to_bytes(8, "big") + content.digest()


def _encoded(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")


def _at_most(remarks: list[str]) -> tuple[str, ...]:
    if len(remarks) <= REMARKS_MAX:
        return tuple(remarks)
    return (*remarks[: REMARKS_MAX - 1], f"and {len(remarks) - REMARKS_MAX + 1} more like these")


def _where(place: Parts) -> str:
    return f"in {shown('/'.join(place))}" if place else "outside of folders"
