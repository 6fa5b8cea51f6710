"""Reads files of pytest and of gradescope-utils, which are both functions with assertions.

A test is all or nothing in both, so it becomes a question whose cases must all be accepted.
"""

import ast
import itertools
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from grader.authoring.written import WrittenCase, WrittenQuestion
from grader.model.values import Value
from grader.plugins.convert.assertions import BodyReader, count_assertions
from grader.plugins.convert.changes import changed
from grader.plugins.convert.checkers import started_checker
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible, slug_of
from grader.plugins.convert.python.collected import Collector, Function
from grader.plugins.convert.python.imports import students_modules
from grader.plugins.convert.python.lasting import called_in, fixtures_of, lasting
from grader.plugins.convert.python.scope import ConvertedScope, is_mutable
from grader.plugins.convert.python.top import effects
from grader.plugins.convert.python.top_scope import scope_of
from grader.plugins.convert.set_ups import read_with_set_up
from grader.plugins.convert.started.test import StartingTests
from grader.plugins.convert.values import read_value

_VISIBILITY = {
    "visible": "",
    "hidden": "hidden",
    "after_due_date": "after-due",
    "after_published": "after-due",
}
_HIDDEN = "Hidden test"
_REPEATED = "it repeats an assertion, which has a process of its own and sees no state left behind"
_MOST_PLACES = 17
"""With more, a sum of weights would be longer than a number of a spec can be."""
_NO_INPUT = "its program has the input of the tests, and here an empty one"


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks, the visibility and the number that decorators give a test."""

    marks: Fraction = Fraction(1)
    visibility: str = ""
    number: str = ""


@dataclass(slots=True)
class PythonTests:
    """Reads one file of tests.  of_pytest: pytest runs it, not unittest."""

    draft: Draft
    file: str
    tree: ast.Module
    of_pytest: bool
    state: str = ""
    scope: ConvertedScope = field(init=False)
    _part: str = ""
    _starting: StartingTests = field(init=False)
    _weighs: bool = False
    """A test of it has a weight; then Gradescope gives the others nothing."""

    def __post_init__(self) -> None:
        self.scope = scope_of(self.tree)
        self._starting = StartingTests(self.tree)

    def _worth(self, function: Function) -> Fraction:
        """Return the points of a test, as far as they can be told; one where no test of the file has any."""
        for decorator in function.decorator_list:
            if isinstance(decorator, ast.Call) and _gives_points(decorator):
                try:
                    return _marks(self._only(decorator))
                except Unconvertible:
                    return Fraction(0)
        on_a_board = any("leaderboard" in ast.unparse(each) for each in function.decorator_list)
        return Fraction(0 if self._weighs or on_a_board else 1)

    def read(self) -> None:
        functions = (node for node in ast.walk(self.tree) if isinstance(node, Function))
        self._weighs = any(_gives_points(each) for node in functions for each in node.decorator_list)
        collector = Collector(self.tree, self.scope, self.of_pytest)
        self.state = self.state or collector.state()
        for whole in sorted(students_modules(self.tree)):
            if self.draft.packages.setdefault(whole.rpartition(".")[2], whole) != whole:
                self.state = self.state or f"`{whole}` is one of two modules with this last name"
        for line in effects(self.tree):
            self.state = self.state or f"line {line} may do something on which all tests may rely"
        tests = [*collector.tests()]
        self._note_changes({each.function for each in tests})
        leaving = self._leaving([each.function for each in tests])
        for found in tests:
            function, owner = found.function, found.owner
            self._part = self.draft.offer(function.name, self._worth(function))
            self.draft.assertions += count_assertions(function.body)
            state = self.state or self._left_behind(function, leaving)
            if reason := state or found.why:
                also = "" if state or owner is None else self._with_set_up(function, owner)
                if state or owner is None or also:
                    self._leave_out(function.lineno, f"{reason}; {also}" if also else reason)
            else:
                self._test(function)
            self.scope.spent |= changed([function], self.scope.values, own=self.scope.bound)

    def _leaving(self, tests: list[Function]) -> dict[Function, int]:
        """Return the lines by which tests, or functions of the file that they call, change what stays."""
        everything = [node for node in ast.walk(self.tree) if isinstance(node, Function)]
        lines = {each: self._lasting_in(each) for each in everything}
        # A helper leaves what one leaves that it calls, and a test what its fixtures do.
        for _ in everything:
            named = {each.name: line for each, line in lines.items() if line and each not in tests}
            after = {each: line or self._by_helpers(each, named) for each, line in lines.items()}
            if after == lines:
                break
            lines = after
        return {test: lines[test] for test in tests}

    def _lasting_in(self, function: Function) -> int:
        return lasting(function.body, self.scope, (one.arg for one in _parameters(function)))

    @staticmethod
    def _by_helpers(function: Function, lines: Mapping[str, int]) -> int:
        names = (*called_in(function.body), *fixtures_of(function))
        return next((lines[name] for name in names if name in lines), 0)

    def _left_behind(self, function: Function, leaving: Mapping[Function, int]) -> str:
        """Return why a test may rely on what another one leaves behind; empty if it can't."""
        for other, line in leaving.items():
            # Unittest runs the methods of a class by their names.
            in_order = self.of_pytest and {function, other} <= {*self.tree.body}
            if line and other is not function and (not in_order or other.lineno < function.lineno):
                return f"it may rely on what line {line}, in another test, changes for good"
        return ""

    def _note_changes(self, tests: Collection[Function]) -> None:
        """Note the lists of the file that something may change besides the calls of its tests."""
        values, scope = self.scope.values, self.scope
        others: list[ast.stmt] = [
            node for node in ast.walk(self.tree) if isinstance(node, Function) and node not in tests
        ]
        others += [node for node in self.tree.body if not isinstance(node, Function | ast.ClassDef)]
        scope.spent |= changed(others, values, own=scope.bound)
        scope.spent |= changed([self.tree], values, lambda call: _runs_students(call.func, scope))

    def _leave_out(self, line: int, reason: str) -> None:
        self.draft.remark(self.file, line, Meaning.LEFT_OUT, reason)

    def _test(self, function: Function) -> None:
        try:
            self._weighed(function)
            marks, rows = self._decorators(function)
            self._fixtures(function, rows)
            starts = self._starting.has(function)
            read = self._started if starts else self._cases
            cases = [case for row in rows for case in read(function, row)]
        except Unconvertible as error:
            self._leave_out(function.lineno, str(error))
            return
        asserted = count_assertions(function.body)
        self.draft.converted += asserted if starts else min(len(cases) // len(rows), asserted)
        if not cases:
            if not count_assertions(function.body):
                self._leave_out(function.lineno, f"`{function.name}` asserts nothing that was found")
            return
        self._add(function, marks, tuple(self._without_repetitions(cases)))

    def _add(self, function: Function, marks: Marks, cases: tuple[WrittenCase, ...]) -> None:
        name = function.name.removeprefix("test").strip("_") or function.name
        title = (ast.get_docstring(function) or name.replace("_", " ")).strip().splitlines()[0]
        remarks: tuple[str, ...] = ()
        if marks.visibility:
            # Students see ids and titles, and on Gradescope nothing of such a test.
            remarks = (f"`{function.name}`, line {function.lineno} of {self.file}: {title}",)
            number = 1 + sum(each.title.startswith(_HIDDEN) for each in self.draft.questions)
            name, title = f"hidden_{number}", f"{_HIDDEN} {number}"
        self.draft.add(
            WrittenQuestion(
                id=_id_of(marks.number.replace(".", "-") or name),
                title=title,
                marks=marks.marks,
                cases=cases,
                visibility=marks.visibility,
                part=self._part,
                remarks=remarks,
            )
        )

    def _with_set_up(self, function: Function, owner: ast.ClassDef) -> str:
        """Add the question of a test whose class has a `setUp`; return why it can't be."""
        before = len(self.draft.remarks)
        try:
            if not isinstance(function, ast.FunctionDef):
                raise Unconvertible("it is a coroutine")
            self._weighed(function)
            marks, rows = self._decorators(function)
            steps = read_with_set_up(owner, function, self.scope)
            if len(rows) != 1:
                raise Unconvertible("it has rows")
        except (Unconvertible, RecursionError) as error:
            del self.draft.remarks[before:]
            return str(error) if isinstance(error, Unconvertible) else "it is too deep"
        [module] = steps.modules
        case = WrittenCase({"scenario": steps.steps}, module, self.file, function.lineno, steps.asked)
        self.draft.converted += steps.asked
        self._add(function, marks, (case,))
        return ""

    def _weighed(self, function: Function) -> None:
        if self._weighs and not any(map(_gives_points, function.decorator_list)):
            raise Unconvertible(
                "it has no `@weight`, and is worth nothing on Gradescope beside tests with one"
            )

    def _started(self, function: Function, row: dict[str, Value]) -> list[WrittenCase]:
        """Return the case of a test that starts a program."""
        found = self._starting.read(function, row)
        keys = dict(found.keys)
        if found.lines:
            name = f"judged_{len(self.draft.checkers) + 1}"
            self.draft.checkers[name] = started_checker(name, function.name, found.lines)
            keys["check"] = f"{name}()"
        if found.inherits:
            self.draft.remark(self.file, function.lineno, Meaning.STRICTER, _NO_INPUT)
        return [WrittenCase(keys, found.module, self.file, function.lineno)]

    def _cases(self, function: Function, row: dict[str, Value]) -> list[WrittenCase]:
        scope = self.scope.inner(function.body, (each.arg for each in _parameters(function)))
        # A list of a row is made once and handed to one test alone, so it may be used there once.
        scope.values |= {name: value for name, value in row.items() if name not in scope.odd}
        body = BodyReader(self.draft, self.file, scope)
        body.read(function.body)
        body.end()
        return body.cases

    def _without_repetitions(self, cases: list[WrittenCase]) -> Iterator[WrittenCase]:
        seen = []
        for case in cases:
            if (case.keys, case.module) in seen:
                self.draft.remark(case.file, case.line, Meaning.KINDER, _REPEATED)
            else:
                seen.append((case.keys, case.module))
                yield case

    def _fixtures(self, function: Function, rows: list[dict[str, Value]]) -> None:
        names = [each.arg for each in _parameters(function) if each.arg not in ("self", "cls")]
        known = set(rows[0]) if rows else set()
        missing = [name for name in names if name not in known]
        if missing:
            raise Unconvertible(f"`{missing[0]}` is a fixture")
        if isinstance(function, ast.AsyncFunctionDef):
            raise Unconvertible("it is a coroutine")

    def _decorators(self, function: Function) -> tuple[Marks, list[dict[str, Value]]]:
        """Return the marks of a test, and its rows of values; one empty row if it has none."""
        marks, tables = Marks(), []
        for decorator in function.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
            name = ast.unparse(call.func).rpartition(".")[2]
            match name:
                case "parametrize":
                    tables.append([*self._rows(call)])
                case "weight":
                    marks = Marks(_marks(self._only(call)), marks.visibility, marks.number)
                case "visibility":
                    marks = Marks(marks.marks, _visibility(self._only(call)), marks.number)
                case "number":
                    marks = Marks(marks.marks, marks.visibility, str(self._only(call)))
                case "tags" | "hide_errors":
                    reason = f"`@{name}` has no counterpart; the cases were converted without it"
                    self.draft.remark(self.file, decorator.lineno, Meaning.KINDER, reason)
                case _:
                    raise Unconvertible(f"`@{name}` has no counterpart")
        # The decorator nearest to the function varies fastest, as it does for pytest.
        if len(tables) > 1 and any(is_mutable(v) for table in tables for row in table for v in row.values()):
            raise Unconvertible("several `parametrize` share a list, which a test may change")
        rows = [{k: v for part in parts for k, v in part.items()} for parts in itertools.product(*tables)]
        return marks, rows

    def _only(self, call: ast.Call) -> Value:
        if len(call.args) + len(call.keywords) != 1:
            raise Unconvertible(f"`{ast.unparse(call)}` has other than one argument")
        return read_value([*call.args, *(keyword.value for keyword in call.keywords)][0], self.scope)

    def _rows(self, call: ast.Call) -> Iterator[dict[str, Value]]:
        arguments = {"argnames": None, "argvalues": None} | {k.arg: k.value for k in call.keywords}
        arguments |= dict(zip(("argnames", "argvalues"), call.args, strict=False))
        if not set(arguments) <= {"argnames", "argvalues", "ids"}:
            raise Unconvertible("`parametrize` has options that are not known")
        names, table = arguments["argnames"], arguments["argvalues"]
        if names is None or not isinstance(table, ast.List | ast.Tuple):
            raise Unconvertible("the rows of `parametrize` are no literal list")
        read = read_value(names, self.scope)
        if not isinstance(read, str | list | tuple):
            raise Unconvertible("the names of `parametrize` are no text")
        columns = [name.strip() for name in read.split(",")] if isinstance(read, str) else [*map(str, read)]
        for element in table.elts:
            if isinstance(element, ast.Call) and ast.unparse(element.func).rpartition(".")[2] == "param":
                if any(keyword.arg != "id" for keyword in element.keywords):
                    raise Unconvertible("a row of `parametrize` has marks")
                if len(element.args) != len(columns):
                    raise Unconvertible("a row of `parametrize` does not fit its names")
                element = ast.Tuple(element.args, ast.Load()) if len(columns) > 1 else element.args[0]
            values = read_value(element, self.scope)
            row = [values] if len(columns) == 1 and isinstance(read, str) and "," not in read else values
            if not isinstance(row, list | tuple) or len(row) != len(columns):
                raise Unconvertible("a row of `parametrize` does not fit its names")
            yield dict(zip(columns, row, strict=True))


def _id_of(name: str) -> str:
    """Return the id of a question: its name, in the letters that a spec knows."""
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(each for each in plain if not unicodedata.combining(each))
    return name[:64] if name.isascii() else slug_of(plain) or "test"


def _parameters(function: Function) -> list[ast.arg]:
    given = function.args
    each = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [one for one in each if one is not None]


def _gives_points(decorator: ast.expr) -> bool:
    """Tell whether a decorator of gradescope-utils says how many points a test is worth."""
    if not isinstance(decorator, ast.Call):
        return False
    return ast.unparse(decorator.func).rpartition(".")[2] in ("weight", "partial_credit")


def _runs_students(function: ast.expr, scope: ConvertedScope) -> bool:
    root = function
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and (root.id in scope.functions or root.id in scope.modules)


def _marks(value: Value) -> Fraction:
    if type(value) not in (int, float) or not 0 < value < 10**6:  # type: ignore[operator]
        raise Unconvertible("its weight is not above 0, so it has no marks")
    marks = Fraction(str(value))
    if (marks * 10**_MOST_PLACES).denominator > 1:
        raise Unconvertible(f"its weight has more than {_MOST_PLACES} decimal places")
    return marks


def _visibility(value: Value) -> str:
    if value not in _VISIBILITY:
        raise Unconvertible(f"the visibility {value!r} is not known")
    return _VISIBILITY[str(value)]
