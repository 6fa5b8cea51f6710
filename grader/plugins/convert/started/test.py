"""Reads a test that starts one program of the student's, waits for its end, and looks at what came of it."""

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from grader.authoring.written import Raw
from grader.model.values import Value
from grader.plugins.convert.changes import changed, constants
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.names import bound_at_any_depth
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.python.top import effects
from grader.plugins.convert.python.top_scope import scope_of
from grader.plugins.convert.started.names import is_import_here, lines_before, made_by, pure_imports
from grader.plugins.convert.started.plain import NotPlain, Plain
from grader.plugins.convert.started.signals import wants_signal
from grader.plugins.convert.started.start import (
    Start,
    dotted,
    imported,
    input_of,
    limit_of,
    read_start,
    starts,
)
from grader.plugins.convert.started.uses import check_always, check_run, communication
from grader.plugins.convert.values import read_value, shares
from grader.yamlfile.quoting import in_quotes, list_in_quotes

_STAND_INS = {
    "Popen": "_Popen({})",
    "run": "_Run({})",
    "call": "_Run({}).returncode",
    "check_call": "_Run({}).returncode",
    "check_output": "_Run({}).stdout",
}


@dataclass(frozen=True, slots=True)
class StartedTest:
    """What became of a test: the keys of its case, and the lines of its checker; none if it needs none.

    inherits: it has the input of the tests themselves.
    """

    module: str
    keys: Mapping[str, str | Raw]
    lines: tuple[str, ...]
    inherits: bool


@dataclass(slots=True)
class StartingTests:
    """The tests of a file that start programs."""

    tree: ast.Module
    _names: dict[str, str] = field(default_factory=dict)
    _imports: dict[str, str] = field(default_factory=dict)
    _values: dict[str, Value] = field(default_factory=dict)
    _bound: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        made = {*made_by(ast.walk(self.tree))}
        self._bound = frozenset(scope_of(self.tree).bound)
        self._bound = frozenset(scope_of(self.tree).bound)
        self._names = {name: of for name, of in imported(self.tree.body).items() if name not in made}
        self._imports = {name: of for name, of in pure_imports(self.tree.body).items() if name not in made}
        self._values = constants(
            _with_python(copy.deepcopy(self.tree), self._names),
            partial(_reads, names=imported(ast.walk(self.tree))),
        )

    def has(self, function: ast.AST) -> bool:
        """Tell whether a test is one of them."""
        nodes = [*ast.walk(function)]
        return next(starts(nodes, self._names | imported(nodes)), None) is not None

    def read(self, function: ast.FunctionDef | ast.AsyncFunctionDef, row: Mapping[str, Value]) -> StartedTest:
        """Return what a test comes to.  row: what its parameters stand for.  Raises `Unconvertible`."""
        nodes = [*ast.walk(function)]
        names, imports = self._names | imported(nodes), self._imports | pure_imports(nodes)
        own = _with_python(copy.deepcopy(function), names).body
        body = [each for each in _flat(own, names) if not is_import_here(each)]
        own = self._bound | {*bound_at_any_depth([function])}
        found = _OneTest(body, names, imports, {**self._values, **row}, own).read()
        if line := next(effects(self.tree, found.module), 0):
            raise Unconvertible(f"line {line} may do something before it, on which it may rely")
        return found


@dataclass(slots=True)
class _OneTest:
    """Reads the statements of a test.

    names: what those of `subprocess` and the like are.  imports: the lines that import others.
    values: what its other names stand for.  bound: names that are none of Python's.
    """

    body: list[ast.stmt]
    names: Mapping[str, str]
    imports: Mapping[str, str]
    values: dict[str, Value]
    bound: frozenset[str]

    def read(self) -> StartedTest:
        made = [*made_by(node for each in self.body for node in ast.walk(each))]
        for name in made:
            self.values.pop(name, None)
        for each in self.body:
            self._learn(each, made)
        for name in changed(self.body, self.values, partial(_reads, names=self.names)):
            del self.values[name]
        calls = [*starts((node for each in self.body for node in ast.walk(each)), self.names)]
        if len(calls) != 1:
            raise Unconvertible("it starts several programs, of which one may leave something to the next")
        [call] = calls
        start = read_start(call, self.names, self._value)
        if start.kind == "Popen":
            start = self._with_input(start, communication(self.body, call, piped=start.stdin is None))
        elif start.kind == "run":
            check_run(self.body, call)
        else:
            check_always(self.body, call)
        if wants_signal(self.body, call, start.kind, self._value):
            raise Unconvertible("it wants an end by a signal, which never is a right end here")
        keys: dict[str, str | Raw] = {"program": Raw(start.module)}
        if start.arguments:
            keys["arguments"] = Raw(list_in_quotes(start.arguments))
        if start.stdin:
            keys["stdin"] = Raw(in_quotes(start.stdin))
        asked, lines = self._asked(start, call, plain=len({*made}) == len(made))
        keys |= asked
        if start.limit:
            keys["limits"] = Raw(f"{{time: {start.limit}}}")
        return StartedTest(start.module, keys, lines, start.inherits)

    def _learn(self, node: ast.stmt, made: Sequence[str]) -> None:
        """Note a name that is given a literal, and nothing else."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if made.count(name) == 1 and not shares(
                value, self.values
            ):
                try:
                    self.values[name] = self._value(value)
                except Unconvertible:
                    return

    def _value(self, node: ast.expr) -> Any:
        return read_value(node, ConvertedScope(values=self.values, bound={*self.bound}))

    def _with_input(self, start: Start, call: ast.Call | None) -> Start:
        """Return a start with what `communicate` hands over."""
        if call is None:
            return start
        found = dict(zip(("input", "timeout"), call.args, strict=False))
        found |= {each.arg or "**": each.value for each in call.keywords}
        if not set(found) <= {"input", "timeout"} or len(call.args) > 2:
            raise Unconvertible(f"`{ast.unparse(call)[:60]}` has no counterpart")
        values = {name: self._value(node) for name, node in found.items()}
        if values.get("input") is not None and start.stdin is not None:
            raise Unconvertible("it hands an input to a program that has no pipe for it")
        text = input_of(values.get("input"), text=start.text)
        return replace(start, stdin=text, limit=limit_of(values.get("timeout")))

    def _asked(
        self, start: Start, call: ast.Call, *, plain: bool
    ) -> tuple[Mapping[str, str | Raw], tuple[str, ...]]:
        """Return the keys that say what is asked for, and the lines of a checker where no keys do."""
        if plain:
            try:
                return Plain(start, call, self._value).take(self.body), ()
            except NotPlain:
                pass
        given = f"_did, {[*start.pipes]}, text={start.text}{', checked=True' if start.checked else ''}"
        stand_in = ast.parse(_STAND_INS[start.kind].format(given), mode="eval").body
        instead = _Instead({call: stand_in})
        statements = [instead.visit(each) for each in self.body if not _is_text(each)]
        known = {"_did", "_Run", "_Popen"}
        before = lines_before(statements, self.imports, self.values, known)
        return {"exit": Raw("any")}, (*before, *ast.unparse(ast.Module(statements, [])).splitlines())


def _reads(call: ast.Call, names: Mapping[str, str]) -> bool:
    """Tell whether a call hands a list to `subprocess` or the like, which leave it as it is."""
    return dotted(call.func, names).startswith(("subprocess.", "shlex."))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class _Instead(ast.NodeTransformer):
    """A change of a tree that puts other nodes in the place of some."""

    def __init__(self, nodes: Mapping[ast.AST, ast.expr]) -> None:
        self.nodes = nodes

    def visit(self, node: ast.AST) -> Any:
        return self.nodes[node] if node in self.nodes else self.generic_visit(node)


def _flat(body: Sequence[ast.stmt], names: Mapping[str, str]) -> Iterator[ast.stmt]:
    """Yield statements; `with subprocess.Popen(...) as p` as an assignment, its statements, and a wait."""
    for each in body:
        match each:
            case ast.With(
                items=[ast.withitem(context_expr=call, optional_vars=ast.Name() as name)], body=inner
            ) if dotted(call.func if isinstance(call, ast.Call) else call, names) == "subprocess.Popen":
                yield ast.copy_location(ast.Assign([name], call), each)
                yield from inner
                waits = ast.Attribute(ast.Name(name.id, ast.Load()), "wait", ast.Load())
                yield ast.copy_location(ast.Expr(ast.Call(waits, [], [])), each)
            case _:
                yield each


def _with_python(tree: ast.AST, names: Mapping[str, str]) -> Any:
    """Write `sys.executable` as the name of Python."""
    found = {
        node: ast.Constant("python3") for node in ast.walk(tree) if dotted(node, names) == "sys.executable"
    }
    return _Instead(found).visit(tree)
