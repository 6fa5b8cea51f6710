"""Reads Otter's test files: the OK format, which is doctests in a dict, and functions with `@test_case`."""

import ast
import doctest
import math
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from textwrap import dedent
from typing import Any

from grader.authoring.written import Keys, Raw, WrittenCase, WrittenQuestion
from grader.marking.rounding import format_mark
from grader.model.values import Value
from grader.plugins.convert import otter_harness
from grader.plugins.convert.assertions import BodyReader, count_assertions
from grader.plugins.convert.changes import changed
from grader.plugins.convert.comparisons import exactly, shown_as
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible, points_of
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.python.top import effects
from grader.plugins.convert.python.top_scope import scope_of
from grader.plugins.convert.steps import TestSteps
from grader.plugins.convert.values import read_call, read_value
from grader.values.walk import parts
from grader.yamlfile.quoting import in_quotes


@dataclass(frozen=True, slots=True)
class OtterCase:
    """One case of an Otter test: its assertions pass together or not at all."""

    cases: tuple[WrittenCase, ...]
    points: Fraction | None
    hidden: bool
    whole: bool


@dataclass(slots=True)
class OtterTests:
    """Reads one test file."""

    draft: Draft
    file: str
    tree: ast.Module
    module: str
    folder: str = "work"
    """Where what it needs will lie."""
    scope: ConvertedScope = field(init=False)

    def __post_init__(self) -> None:
        self.scope = scope_of(self.tree, self.module)
        others = [node for node in self.tree.body if not isinstance(node, ast.FunctionDef)]
        self.scope.spent |= changed(others, self.scope.values, own=self.scope.bound)

    def read(self) -> None:
        constants = {
            target.id: node.value
            for node in self.tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        if line := next(effects(self.tree), 0):
            self._leave_out(line, "this line may do something on which all tests may rely")
        elif "test" in constants:
            self._ok_format(constants["test"])
        elif any(isinstance(node, ast.FunctionDef) and node.decorator_list for node in self.tree.body):
            self._functions(constants)
        else:
            self._leave_out(1, "it has no `test` and no test function")

    def _ok_format(self, node: ast.expr) -> None:
        try:
            test: Any = read_value(node, ConvertedScope())
            [suite] = test["suites"]
            cases, name = suite["cases"], str(test["name"])
            if suite.get("setup") or suite.get("teardown") or suite.get("type", "doctest") != "doctest":
                raise Unconvertible("its suite has a set-up, or is no doctest")
            read = [
                self._doctests(case, self._line_of(case["code"], node.lineno), f"{name}_case_{number}")
                for number, case in enumerate(cases, 1)
            ]
        except Unconvertible as error:
            self._leave_out(node.lineno, str(error))
            return
        except (TypeError, KeyError, ValueError, AttributeError):
            self._leave_out(node.lineno, "this is not the form of an OK test")
            return
        self._add(name, read, test.get("points"), bool(test.get("all_or_nothing")), node.lineno)

    def _leave_out(self, line: int, reason: str) -> None:
        """Leave out the file, which is worth a point where it does not say otherwise."""
        self.draft.offer(self.file, Fraction(1))
        self.draft.remark(self.file, line, Meaning.LEFT_OUT, reason)

    def _line_of(self, code: str, otherwise: int) -> int:
        """Return the line of the text of a case."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and node.value == code:
                return node.lineno
        return otherwise

    def _doctests(self, case: dict[str, Any], line: int, name: str) -> OtterCase:
        before, remarks = self.draft.converted, len(self.draft.remarks)
        examples = doctest.DocTestParser().get_examples(dedent(case["code"]))
        statements = [statement for each in examples for statement in ast.parse(each.source).body]
        # Its names are the notebook's: the file has none but `test`.
        scope = ConvertedScope(notebook=self.module).inner(statements)
        body = BodyReader(self.draft, self.file, deepcopy(scope))
        for example in examples:
            body.first_line = line + example.lineno
            self._example(example, body)
        body.end()
        body.cases = self._or_steps(body, scope, lambda steps: steps.examples(examples), line, remarks)
        hidden = case.get("hidden", True)
        if len(body.cases) != 1 or self._left_out_since(remarks):
            body.cases = self._or_harness(body.cases, examples, line, remarks, name, hidden=hidden)
        hint = case.get("failure_message")
        cases = tuple(
            replace(one, keys={**one.keys, "hint": str(hint)}) if hint else one for one in body.cases
        )
        self.draft.converted = before + sum(one.examples for one in cases)
        points = case.get("points")
        if points is not None:
            points = points_of(points, f"{self.file}:{line}")
        return OtterCase(cases, points, hidden, True)

    def _or_steps(
        self,
        body: BodyReader,
        scope: ConvertedScope,
        read: Callable[[TestSteps], None],
        line: int,
        remarks: int,
    ) -> list[WrittenCase]:
        """Return the case that was read; of several, or if some were left out, one of steps, if they say all.

        scope: as it was before them.  read: reads the same as steps.
        remarks: how many there were before these cases.
        """
        if len(body.cases) == 1 and not self._left_out_since(remarks):
            return body.cases
        # Several calls share what they change: in otter they run in one process.
        steps = TestSteps(scope)
        try:
            read(steps)
        except (Unconvertible, SyntaxError, ValueError, TypeError):
            return body.cases
        if not steps.asked:
            return body.cases
        # Steps, too, compare a dict without the order of its keys.
        kinder = [each for each in self.draft.remarks[remarks:] if each.meaning is Meaning.KINDER]
        self.draft.remarks[remarks:] = kinder
        if read_names := sorted({str(step["read"]) for step in steps.steps if "read" in step}):
            reason = (
                f"`{read_names[0]}` is read at the end of the notebook, by otter where the test is called"
            )
            self.draft.remark(self.file, line, Meaning.STRICTER, reason)
        return [WrittenCase({"scenario": steps.steps}, self.module, self.file, line, steps.asked)]

    def _left_out_since(self, remarks: int) -> bool:
        return any(each.meaning is Meaning.LEFT_OUT for each in self.draft.remarks[remarks:])

    def _or_harness(
        self,
        cases: list[WrittenCase],
        examples: list[doctest.Example],
        line: int,
        remarks: int,
        name: str,
        *,
        hidden: bool,
    ) -> list[WrittenCase]:
        """Return the case of a function that runs the examples; the cases that there are, if it can't."""
        # A student's code can read the harness of its case.
        path = f"{self.folder}/otter_{'hidden_' if hidden else ''}cases.py"
        function = re.sub(r"\W", "_", f"case_of_{name}", flags=re.ASCII)
        try:
            source, wanted = otter_harness.function(function, examples)
        except Unconvertible as error:
            return self._first(cases, line, remarks, str(error))
        del self.draft.remarks[remarks:]
        for package in otter_harness.packages(examples):
            reason = f"it imports `{package}`, which must be added to `packages`, or to `modules`"
            self.draft.remark(self.file, line, Meaning.STRICTER, reason)
        before = self.draft.files.get(path, otter_harness.head(self.module).encode())
        assert isinstance(before, bytes), "it was made here"
        self.draft.files[path] = before + source.encode()
        keys: Keys = {"call": f"{function}()", "returns": Raw(in_quotes(wanted)), "harness": path}
        return [WrittenCase(keys, self.module, self.file, line, otter_harness.asked(examples))]

    def _first(self, cases: list[WrittenCase], line: int, remarks: int, reason: str) -> list[WrittenCase]:
        """Leave out all but the first of some cases: in otter each sees what those before it changed."""
        if not cases:
            del self.draft.remarks[remarks:]
            self.draft.remark(self.file, line, Meaning.LEFT_OUT, reason)
        for each in cases[1:]:
            why = f"it may rely on a call before it, and they can share no process: {reason}"
            self.draft.remark(self.file, each.line, Meaning.LEFT_OUT, why)
        return cases[:1]

    def _or_called(
        self, cases: list[WrittenCase], function: ast.FunctionDef, name: str, remarks: int, *, hidden: bool
    ) -> list[WrittenCase]:
        """Return the case of a harness that calls a test function; the first that there is, if it can't."""
        top = [each for each in self.tree.body if not getattr(each, "decorator_list", ())]
        line = function.lineno
        try:
            example = otter_harness.as_example(function, top)
        except Unconvertible as error:
            return self._first(cases, line, remarks, str(error))
        found = self._or_harness(cases, [example], line, remarks, f"{name}_{function.name}", hidden=hidden)
        return [
            replace(one, examples=count_assertions(function.body)) if "harness" in one.keys else one
            for one in found
        ]

    def _example(self, example: doctest.Example, body: BodyReader) -> None:
        statements = ast.parse(example.source).body
        if not example.want.strip() and example.exc_msg is None:
            self.draft.assertions += count_assertions(statements)
            body.read(statements)
            return
        self.draft.assertions += 1
        for statement in statements:
            body.hear(statement)
        try:
            if body.broken_at:
                raise Unconvertible(f"it relies on line {body.broken_at}, which was left out")
            if example.options:
                raise Unconvertible("it has options of doctest")
            body.cases.append(self._shown(statements, example, body))
        except Unconvertible as error:
            self.draft.remark(self.file, body.first_line, Meaning.LEFT_OUT, str(error))

    def _shown(self, statements: list[ast.stmt], example: doctest.Example, body: BodyReader) -> WrittenCase:
        match statements:
            case [ast.Expr(value=value)]:
                pass
            case _:
                raise Unconvertible("a statement that prints something")
        if example.exc_msg is not None:
            kind = example.exc_msg.partition(":")[0].strip()
            raise Unconvertible(f"it must raise {kind} with this very text; write `raises` for it")
        if example.want.strip() == "True" and isinstance(value, ast.Compare | ast.Call | ast.UnaryOp):
            try:
                return self._condition(value, body)
            except Unconvertible:
                if not isinstance(value, ast.Call):
                    raise
        call = read_call(value, body.scope)
        wanted = shown_as(example.want.strip())
        if any(isinstance(part, dict) and len(part) > 1 for part in parts(wanted)):
            reason = "the order of a dict's keys does not count, which it does in a doctest"
            self.draft.remark(self.file, body.first_line, Meaning.KINDER, reason)
        keys: Keys = {"call": call.text, **exactly(wanted)}
        return WrittenCase(keys, call.module, self.file, body.first_line)

    def _condition(self, value: ast.expr, body: BodyReader) -> WrittenCase:
        """Return the case of a comparison whose shown value is True."""
        if isinstance(value, ast.Call) and not ast.unparse(value.func).endswith("isclose"):
            raise Unconvertible("this is a call")
        inner = BodyReader(self.draft, self.file, body.scope, first_line=body.first_line)
        statement = ast.Assert(test=value, msg=None, lineno=1, col_offset=0)
        remarks = len(self.draft.remarks)
        inner.read([statement])
        if not inner.cases:
            [remark] = self.draft.remarks[remarks:]
            del self.draft.remarks[remarks:]
            raise Unconvertible(remark.reason)
        return inner.cases[0]

    def _functions(self, constants: dict[str, ast.expr]) -> None:
        """Read functions with `@test_case`, whose parameters are names of the student's."""
        read: list[OtterCase] = []
        name = str(_constant(constants.get("name")) or self.file.rpartition("/")[2].removesuffix(".py"))
        for function in self.tree.body:
            if not isinstance(function, ast.FunctionDef) or not function.decorator_list:
                continue
            options = self._options(function)
            self.draft.assertions += count_assertions(function.body)
            if options is None:
                self.draft.remark(self.file, function.lineno, Meaning.LEFT_OUT, "no `@test_case` alone")
                continue
            scope, remarks = self._inner(function), len(self.draft.remarks)
            body = BodyReader(self.draft, self.file, deepcopy(scope))
            body.read(function.body)
            body.end()
            statements = partial(TestSteps.statements, statements=function.body)
            body.cases = self._or_steps(body, scope, statements, function.lineno, remarks)
            if len(body.cases) != 1 or self._left_out_since(remarks):
                hidden = bool(options.get("hidden", False))
                body.cases = self._or_called(body.cases, function, name, remarks, hidden=hidden)
            self.draft.converted += sum(one.examples for one in body.cases)
            points = options.get("points")
            place = f"{self.file}:{function.lineno}"
            points = None if points is None else points_of(points, place)
            read.append(OtterCase(tuple(body.cases), points, bool(options.get("hidden", False)), True))
        whole = bool(_constant(constants.get("all_or_nothing")))
        self._add(name, read, _constant(constants.get("points")), whole, 1)

    def _inner(self, function: ast.FunctionDef) -> ConvertedScope:
        """Return the scope of a test function, whose parameters are names of the notebook."""
        scope = deepcopy(self.scope)
        for each in function.args.args:
            scope.bind(each.arg)
            scope.bound.discard(each.arg)
        return scope.inner(function.body)

    def _options(self, function: ast.FunctionDef) -> dict[str, Any] | None:
        match function.decorator_list:
            case [ast.Call(func=func, args=[], keywords=keywords)] if ast.unparse(func).endswith("test_case"):
                try:
                    return {str(one.arg): read_value(one.value, ConvertedScope()) for one in keywords}
                except Unconvertible:
                    return None
        return None

    def _add(self, name: str, read: list[OtterCase], points: Any, whole: bool, line: int) -> None:
        try:
            worth = case_points(points, [case.points for case in read], f"{self.file}:{line}")
        except Unconvertible as error:
            self._leave_out(line, str(error))
            return
        part = self.draft.offer(name, sum(worth, Fraction(0)))
        kept = [
            (case, value) for case, value in zip(read, worth, strict=True) if case.cases and (value or whole)
        ]
        marks = sum((value for _, value in kept), Fraction(0))
        for number, (case, value) in enumerate(zip(read, worth, strict=True), 1):
            if case.cases and not (value or (whole and marks)):
                reason = f"{name}: case {number} has no points"
                self.draft.remark(self.file, case.cases[0].line or line, Meaning.LEFT_OUT, reason)
                self.draft.converted -= sum(one.examples for one in case.cases)
        if not kept or not marks:
            return
        if not whole and "/" in format_mark(marks):
            self.draft.remark(self.file, line, Meaning.LEFT_OUT, f"{marks} points are no decimal number")
            return
        scale = math.lcm(*((value / len(case.cases)).denominator for case, value in kept))
        cases = []
        for number, (case, value) in enumerate(kept, 1):
            for one in case.cases:
                keys = dict(one.keys)
                if not whole:
                    keys["weight"] = Raw(str(value * scale / len(case.cases)))
                    keys["group"] = Raw(f"case-{number}")
                if case.hidden:
                    keys["visibility"] = Raw("hidden")
                cases.append(replace(one, keys=keys))
        title = name.replace("_", " ")
        award = "" if whole else "groups"
        self.draft.add(WrittenQuestion(name[:64], title, marks, tuple(cases), award=award, part=part))


def case_points(total: Any, own: Sequence[Fraction | None], place: str = "") -> list[Fraction]:
    """Return the points of each case, as Otter shares them out: one for the file unless it says otherwise."""
    if isinstance(total, list):
        if len(total) != len(own):
            raise Unconvertible("`points` has another length than its cases")
        return [points_of(value, place) for value in total]
    given = sum((value for value in own if value is not None), Fraction(0))
    missing = sum(value is None for value in own)
    if total is None:
        total = given or 1
    rest = (total if isinstance(total, Fraction) else points_of(total, place)) - given
    if rest < 0:
        raise Unconvertible("its cases have more points than the file")
    return [rest / missing if value is None else value for value in own]


def _constant(node: ast.expr | None) -> Value:
    return node.value if isinstance(node, ast.Constant) else None
