"""Reads nbgrader's notebooks: cells with points, of which code is assertions and answers are for a person."""

import ast
import json
import re
import symtable
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from grader.authoring.written import Raw, WrittenQuestion
from grader.plugins.convert.assertions import BodyReader, count_assertions
from grader.plugins.convert.draft import Draft, Meaning, points_of
from grader.plugins.convert.python.imports import Imported, imported_by
from grader.plugins.convert.python.lasting import lasting
from grader.plugins.convert.python.lines import lines_of
from grader.plugins.convert.python.names import bound_by
from grader.plugins.convert.python.scope import ConvertedScope

_BEGIN, _END = re.compile(r"#.*BEGIN HIDDEN TESTS"), re.compile(r"#.*END HIDDEN TESTS")


@dataclass(slots=True)
class Notebook:
    """Reads one notebook.  Places are `notebook.ipynb, cell 3` with the line in that cell."""

    draft: Draft
    file: str
    text: str
    module: str
    _bound: set[str] = field(default_factory=set)
    """The names that the cells of tests bind so far."""
    _theirs: frozenset[str] = frozenset()
    """The names of the notebook's own globals: those of all cells but its tests."""
    _imported: frozenset[Imported] = frozenset()
    """What these cells import."""
    _binding: list[tuple[int, set[str]]] = field(default_factory=list)
    """By the number of such a cell, the names to which it gives a value; all its words if it is no Python."""
    _relied_on: str = ""
    """The place of a test that later ones may rely on; all cells run in one kernel."""

    def read(self) -> None:
        try:
            cells = json.loads(self.text)["cells"]
            described = [(cell, cell.get("metadata", {}).get("nbgrader")) for cell in cells]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.draft.remark(self.file, 1, Meaning.LEFT_OUT, "this is no notebook of format 4")
            return
        others = [_text(cell) for cell, meta in described if _is_theirs(cell, meta)]
        self._theirs = frozenset(name for each in others for name in _globals(each))
        statements = [one for each in others for one in _statements(_plain(each)) or []]
        self._imported = frozenset(each for one in statements for each in imported_by(one))
        # A module that is imported again is the same one.
        made = {*bound_by(each for each in statements if not isinstance(each, ast.Import | ast.ImportFrom))}
        for number, (cell, meta) in enumerate(described, 1):
            if _is_theirs(cell, meta):
                found = _statements(_plain(text := _text(cell)))
                bound = {*_globals(text)} if found is None else {*bound_by(found)} & made
                self._binding.append((number, bound))
        for number, (cell, meta) in enumerate(described, 1):
            if isinstance(meta, dict) and (meta.get("grade") or meta.get("task")):
                self._cell(cell, meta, f"{self.file}, cell {number}")

    def _cell(self, cell: dict[str, Any], meta: dict[str, Any], place: str) -> None:
        name = re.sub(r"[^\w-]", "-", str(meta.get("grade_id", "")), flags=re.ASCII)[:64].strip("-") or "cell"
        text = _text(cell)
        points = points_of(meta.get("points") or 0, place)
        self.draft.noun = "cell"
        by_a_person = bool(meta.get("solution") or meta.get("task"))
        if points <= 0:
            if not by_a_person:
                self.draft.assertions += _assertions(text)
                if cell.get("cell_type") == "code":
                    self._note(_statements(text), place)
            self.draft.remark(place, 1, Meaning.LEFT_OUT, "it has no points")
            return
        part = self.draft.offer(f"{place.rpartition(', ')[2]} {name}", points)
        if by_a_person:
            title = _question_in(text) if meta.get("task") else ""
            title = title or name.replace("_", " ")
            self.draft.add(WrittenQuestion(name, title, points, (), criterion=True, part=part))
        elif cell.get("cell_type") == "code":
            self._tests(name, points, text, place, part)
        else:
            self.draft.remark(place, 1, Meaning.LEFT_OUT, "it has points, and is no code")

    def _tests(self, name: str, points: Fraction, text: str, place: str, part: str) -> None:
        statements = _statements(text)
        if statements is None:
            self.draft.remark(
                place, 1, Meaning.LEFT_OUT, "this is no plain Python; it may have magic commands"
            )
            self._note(None, place)
            return
        self.draft.assertions += count_assertions(statements)
        if self._relied_on:
            reason = f"it may rely on {self._relied_on}, which runs in the same kernel"
            self.draft.remark(place, 1, Meaning.LEFT_OUT, reason)
            return
        if reason := self._bound_again(text, statements, int(place.rpartition(" ")[2])):
            self.draft.remark(place, 1, Meaning.LEFT_OUT, reason)
            self._note(statements, place)
            return
        if statements and isinstance(statements[-1], ast.Expr) and not count_assertions([statements[-1]]):
            reason = "its last line is a value, which nbgrader may take for partial marks"
            self.draft.remark(place, statements[-1].lineno, Meaning.LEFT_OUT, reason)
            self._note(statements, place)
            return
        # What an earlier cell of tests binds is not the student's any more.
        scope = ConvertedScope(notebook=self.module, bound=set(self._bound))
        self._bound |= {*bound_by(statements)}
        body = BodyReader(self.draft, place, scope.inner(statements), theirs=self._given(statements))
        body.read(statements)
        body.end()
        self._note(statements, place)
        self.draft.converted += len(body.cases)
        hidden = _hidden_lines(text)
        cases = tuple(
            replace(case, keys={**case.keys, "visibility": Raw("hidden")}) if case.line in hidden else case
            for case in body.cases
        )
        if cases:
            self.draft.add(WrittenQuestion(name, name.replace("_", " "), points, cases, part=part))
        elif not count_assertions(statements):
            self.draft.remark(place, 1, Meaning.LEFT_OUT, "it has points, and asserts nothing that was found")

    def _bound_again(self, text: str, statements: list[ast.stmt], place: int) -> str:
        """Return why a test sees another value of a name than in the kernel; empty if it does not."""
        names = {*_globals(text)} - {*bound_by(statements)}
        for number, bound in self._binding:
            if number > place and (again := names & bound):
                return f"`{min(again)}` gets another value in cell {number}, behind it"
        return ""

    def _given(self, statements: list[ast.stmt]) -> frozenset[str]:
        """Return the notebook's names to which a test gives something else: its functions read that."""
        same = {each.name for one in statements for each in imported_by(one) if each in self._imported}
        return self._theirs & {*bound_by(statements)} - same

    def _note(self, statements: list[ast.stmt] | None, place: str) -> None:
        """Note a test that changes what later ones may rely on; `None` for one that can't be read."""
        if self._relied_on:
            return
        given = self._given(statements or [])
        lines = [one.lineno for one in statements or [] if given & {*bound_by([one])}]
        scope = ConvertedScope(notebook=self.module).inner(statements or [])
        line = min([*lines, *filter(None, [lasting(statements or [], scope, calls=True)])], default=0)
        if statements is None or line:
            self._relied_on = f"{place.rpartition(', ')[2]}, line {line or 1}"


def _is_theirs(cell: dict[str, Any], meta: Any) -> bool:
    """Tell whether a cell runs as a part of a student's notebook, and is none of its tests."""
    is_test = isinstance(meta, dict) and meta.get("grade") and not meta.get("solution")
    return cell.get("cell_type") == "code" and not is_test


def _globals(text: str) -> Iterator[str]:
    """Yield the names of a cell that its functions and its other lines have in common with the kernel."""
    try:
        tables = [symtable.symtable(_plain(text), "cell", "exec")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield from re.findall(r"[^\W\d]\w*", text)
        return
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for each in table.get_symbols():
            if each.is_global() or table.get_type() == "module":
                yield each.get_name()


def _plain(text: str) -> str:
    """Return the text of a cell without its lines of magic commands."""
    return "\n".join("" if row.lstrip().startswith(("%", "!")) else row for row in lines_of(text))


def _text(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _statements(text: str) -> list[ast.stmt] | None:
    """Return the statements of a cell; None where it is no plain Python."""
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _assertions(text: str) -> int:
    return count_assertions(_statements(text) or [])


def _question_in(text: str) -> str:
    """Return the first line of a task's text, which students see; nothing if that is for markers alone.

    The text of an answer's cell is the model answer.
    """
    line = text.strip().partition("\n")[0].lstrip("# ")
    return "" if "=== BEGIN" in line else line[:80]


def _hidden_lines(text: str) -> set[int]:
    hidden, inside = set(), False
    for number, line in enumerate(lines_of(text), 1):
        if _END.search(line):
            inside = False
        if inside:
            hidden.add(number)
        if _BEGIN.search(line):
            inside = True
    return hidden
