"""Follows the statements of a check of check50: names, helpers of the file, and chains; nothing is run."""

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from grader.plugins.convert.changes import changed
from grader.plugins.convert.check50_chains import END, Chain, go_on, started
from grader.plugins.convert.check50_own import ExitCode, Output, OwnJudgement
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.names import bound_in
from grader.plugins.convert.python.scope import ConvertedScope, is_mutable, names_in
from grader.plugins.convert.values import read_value
from grader.records.file_text import read_text
from grader.values.walk import parts

_MOST_STEPS = 2000
_MOST_DEPTH = 8
_MOST_TEXT = 20_000
_MOST_FILE_B = 2 << 20
_OF_TEXTS = {
    "capitalize",
    "lower",
    "lstrip",
    "replace",
    "rstrip",
    "split",
    "strip",
    "swapcase",
    "title",
    "upper",
}
_OF_DATA: dict[str, Callable[[Any], Any]] = {"float": float, "int": int, "len": len, "list": list, "str": str}
_UNKNOWN = object()
"""Stands for what a name stands for only when the checker runs."""
_SLOW = re.compile(r"\)[*+{?]|\\[1-9]")
"""What can make the search for a pattern take very long."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that lies beside the checks, and is open.  name: where it is written to; empty if it is read."""

    text: str
    name: str = ""


@dataclass(slots=True)
class CheckBody:
    """Follows a check.

    helpers: the functions of the file that are no checks.  constants: its literals.
    included: the files that lie beside the student's.  beside: the folder that they come from.
    chains: what was found.  exists: the files that must be there.
    """

    helpers: Mapping[str, ast.FunctionDef]
    constants: Mapping[str, Any]
    included: list[str] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    beside: Path | None = None
    exists: list[str] = field(default_factory=list)
    _steps: int = 0
    _written: dict[str, str] = field(default_factory=dict)
    """The files that the check itself wrote."""
    _spoiled: list[Any] = field(default_factory=list)
    """The lists and the like that the statements of a checker may change."""

    def follow(self, body: list[ast.stmt]) -> None:
        """Follow the statements of a check.  Raises `Unconvertible`."""
        try:
            self._block(body, {}, 0)
        except RecursionError:
            raise Unconvertible("it is too deep") from None
        for chain in self.chains:
            chain.files = tuple(dict.fromkeys(self.included))

    def _block(self, body: list[ast.stmt], names: dict[str, Any], depth: int) -> Any:
        """Follow statements; return what they return.

        What they do with the output and the files of a program, by themselves, is left to a checker.
        """
        for number, statement in enumerate(body):
            self._steps += 1
            if self._steps > _MOST_STEPS or depth > _MOST_DEPTH:
                raise Unconvertible("it is too long")
            before = len(self.chains)
            try:
                if isinstance(statement, ast.Return):
                    return None if statement.value is None else self._value(statement.value, names, depth)
                self._statement(statement, names, depth)
            except Unconvertible:
                if len(self.chains) > before or not before:
                    raise
                self._leave_to_checker(body[number:], names, depth)
                return None
        return None

    def _leave_to_checker(self, rest: list[ast.stmt], names: dict[str, Any], depth: int) -> None:
        """Write statements into a checker; what they bind and change is not known after them."""
        unknown = {name for name, value in names.items() if value is _UNKNOWN}
        if lost := sorted(unknown & _needed(rest)):
            raise Unconvertible(f"`{lost[0]}` is known only when it runs")
        read = partial(self._value, names=names, depth=depth)
        known = {name: value for name, value in names.items() if name not in unknown}
        own = OwnJudgement(known, self.constants, self.helpers, read, self._content)
        own.take(rest, self.chains[-1])
        data = {name: value for name, value in {**self.constants, **known}.items() if _lists_in(value)}
        self._spoiled += [each for name in changed(rest, data) for each in _lists_in(data[name])]
        bound = {name for each in rest for node in ast.walk(each) for name in bound_in(node)}
        names |= dict.fromkeys(bound, _UNKNOWN)

    def _statement(self, statement: ast.stmt, names: dict[str, Any], depth: int) -> None:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.ImportFrom(module="re"):
                return
            case ast.Expr(value=ast.Call() as call):
                self._value(call, names, depth)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                names[name] = self._value(value, names, depth)
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value):
                found = self._value(value, names, depth)
                called = [each.id for each in parts if isinstance(each, ast.Name)]
                if not isinstance(found, list | tuple) or not len(found) == len(called) == len(parts):
                    raise Unconvertible("it gives names to what is not known here")
                names |= dict(zip(called, found, strict=True))
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if name in names:
                both = ast.BinOp(ast.Name(name, ast.Load()), ast.Add(), value)
                names[name] = self._value(both, names, depth)
            case ast.With(items=items, body=inner):
                for item in items:
                    found = self._value(item.context_expr, names, depth)
                    if not isinstance(found, TextFile) or not isinstance(item.optional_vars, ast.Name):
                        raise Unconvertible("a `with` block stands in the check")
                    names[item.optional_vars.id] = found
                self._block(inner, names, depth + 1)
            case ast.If(test=test, body=[ast.Raise()], orelse=[]):
                self._refused(test, names, depth)
            case ast.For(target=ast.Name(id=name), iter=items, body=inner, orelse=[]):
                for each in _looped(self._value(items, names, depth)):
                    names[name] = each
                    self._block(inner, names, depth + 1)
            case _:
                raise Unconvertible(f"`{ast.unparse(statement).splitlines()[0][:50]}` stands in the check")

    def _refused(self, test: ast.expr, names: dict[str, Any], depth: int) -> None:
        """Take in that a check fails where something is so of an exit code."""
        match test:
            case ast.Compare(left=ast.Name(id="exit"), ops=[ast.Eq()]) if "exit" not in names:
                # Python's own `exit` is no number, so this never fails.
                return
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as operator], comparators=[right]):
                code, number = self._value(left, names, depth), self._value(right, names, depth)
                if isinstance(code, ExitCode) and type(number) is int:
                    if isinstance(operator, ast.NotEq) and 0 <= number <= 255:
                        code.chain.exit_code = str(number)
                        return
                    if isinstance(operator, ast.Eq) and number == 0:
                        code.chain.fails = True
                        return
        raise Unconvertible(f"`if {ast.unparse(test)[:50]}` decides by itself")

    def _value(self, node: ast.expr, names: dict[str, Any], depth: int) -> Any:
        found = self._read(node, names, depth)
        if isinstance(found, str) and len(found) > _MOST_TEXT:
            raise Unconvertible("a text is too long")
        if found is _UNKNOWN or self._is_spoiled(found):
            raise Unconvertible(f"`{ast.unparse(node)[:50]}` is known only when it runs")
        return found

    def _is_spoiled(self, value: Any) -> bool:
        """Tell whether a value has a list in it that statements of a checker may change."""
        return any(one is other for one in _lists_in(value) for other in self._spoiled)

    def _read(self, node: ast.expr, names: dict[str, Any], depth: int) -> Any:
        match node:
            case ast.Constant(value=value) if value is not Ellipsis:
                return value
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.Name(id=name) if name in self.constants:
                return self.constants[name]
            case ast.Name(id="EOF") | ast.Attribute(value=ast.Name(id="check50" | "pexpect"), attr="EOF"):
                return END
            case ast.List(elts=parts):
                return [self._value(part, names, depth) for part in parts]
            case ast.Tuple(elts=parts):
                return tuple(self._value(part, names, depth) for part in parts)
            case ast.JoinedStr(values=values):
                return "".join(self._piece(each, names, depth) for each in values)
            case ast.Subscript(value=inner, slice=ast.Slice(lower=lower, upper=upper, step=None)):
                ends = (None if each is None else self._value(each, names, depth) for each in (lower, upper))
                found = self._value(inner, names, depth)
                try:
                    return found[slice(*ends)]
                except TypeError:
                    raise Unconvertible("a part is looked up that is not known here") from None
            case ast.Subscript(value=inner, slice=index):
                try:
                    return self._value(inner, names, depth)[self._value(index, names, depth)]
                except (TypeError, LookupError):
                    raise Unconvertible("an item is looked up that is not known here") from None
            case ast.Call():
                return self._call(node, names, depth)
        known = {name: value for name, value in {**self.constants, **names}.items() if _is_data(value)}
        if any(self._is_spoiled(known[name]) for name in names_in(node) if name in known):
            raise Unconvertible(f"`{ast.unparse(node)[:50]}` is known only when it runs")
        return read_value(node, ConvertedScope(values=known))

    def _piece(self, node: ast.expr, names: dict[str, Any], depth: int) -> str:
        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.FormattedValue(value=value, conversion=-1, format_spec=form):
                found = self._value(value, names, depth)
                spec = "" if form is None else str(self._value(form, names, depth))
                if type(found) in (int, float, str) and re.fullmatch(
                    r"[,<>^+]?\d{0,2},?(\.\d{1,2})?[a-z]?", spec
                ):
                    try:
                        return format(found, spec)
                    except ValueError:
                        pass
        raise Unconvertible("a text has a part that is not known here")

    def _call(self, node: ast.Call, names: dict[str, Any], depth: int) -> Any:
        if any(keyword.arg is None for keyword in node.keywords):
            raise Unconvertible("it hands over `**`")
        values = [self._value(each, names, depth) for each in node.args]
        options = {str(each.arg): self._value(each.value, names, depth) for each in node.keywords}
        match node.func:
            case ast.Attribute(value=ast.Name(id="check50"), attr="run"):
                self.chains.append(started(values, options))
                self.chains[-1].written = dict(self._written)
                return self.chains[-1]
            case ast.Attribute(value=ast.Name(id="check50"), attr="include"):
                self.included += [each for each in values if isinstance(each, str)]
                return None
            case ast.Attribute(value=ast.Name(id="check50"), attr="exists") if not self.chains:
                self.exists += [str(each) for each in values]
                return None
            case ast.Attribute(value=ast.Name(id="check50"), attr="exists"):
                self.chains[-1].keeps += [str(each) for each in values]
                return None
            case ast.Attribute(value=ast.Name(id="re"), attr="escape") | ast.Name(id="escape") if len(
                values
            ) == 1 and isinstance(values[0], str):
                return re.escape(values[0])
            case ast.Attribute(value=ast.Name(id="re"), attr="sub") | ast.Name(id="sub") if not options:
                return _replaced(values)
            case ast.Name(id="range") if 0 < len(values) < 4 and all(type(each) is int for each in values):
                return range(*values)
            case ast.Name(id="open") if values and values[1:] in ([], ["r"], ["w"]) and not options:
                return self._opened(values[0], writes=values[1:] == ["w"])
            case ast.Name(id="str") if len(values) == 1 and isinstance(values[0], Output):
                return values[0]
            case ast.Name(id=name) if name in self.helpers and name not in names:
                return self._helper(self.helpers[name], values, options, depth)
            case ast.Name(id=name) if name in _OF_DATA and len(values) == 1 and _is_data(values[0]):
                try:
                    return _OF_DATA[name](values[0])
                except (TypeError, ValueError, OverflowError):
                    raise Unconvertible(f"`{ast.unparse(node)[:50]}` is not known here") from None
            case ast.Attribute(value=inner, attr=name):
                return self._method(self._value(inner, names, depth), name, values, options)
        raise Unconvertible(f"`{ast.unparse(node)[:50]}` is not known here")

    def _method(self, value: Any, name: str, values: list[Any], options: dict[str, Any]) -> Any:
        if isinstance(value, Chain):
            if name == "stdout" and not values and set(options) <= {"timeout"}:
                go_on(value, "exit", [], {})
                return Output(value)
            values = [each.text if isinstance(each, TextFile) else each for each in values]
            go_on(value, name, values, options)
            return ExitCode(value) if name == "exit" and value.exit_code == "any" else value
        if isinstance(value, TextFile) and not options:
            match name, values:
                case "read", []:
                    return value.text
                case "readlines", []:
                    return value.text.splitlines(keepends=True)
                case (("write" | "writelines"), [str() as text]) if value.name:
                    self._written[value.name] += text
                    return None
        if isinstance(value, str) and name in _OF_TEXTS and _is_data([values, options]):
            try:
                return getattr(value, name)(*values, **options)
            except (TypeError, ValueError, OverflowError, MemoryError):
                pass
        raise Unconvertible(f"`.{name}` is not known here")

    def _opened(self, name: object, *, writes: bool) -> TextFile:
        """Return a file that the check includes or wrote, before any program could write it."""
        if self.chains or self.beside is None or not isinstance(name, str):
            raise Unconvertible(f"`open({str(name)[:40]!r})` reads what a program may have written")
        if writes:
            self._written[name] = ""
            return TextFile("", name)
        text = self._content(name)
        if text is None:
            raise Unconvertible(f"`open({name[:40]!r})` reads what the student handed in")
        return TextFile(text)

    def _content(self, name: str) -> str | None:
        """Return the text of a file that lies beside the student's, None if there is none of this name."""
        if name in self._written:
            return self._written[name]
        if name not in self.included or self.beside is None:
            return None
        path = self.beside / name
        if not is_plain_file(path):
            raise Unconvertible(f"`{name[:60]}`, which it includes, is no plain file beside it")
        return read_text(path, "the file")

    def _helper(
        self, function: ast.FunctionDef, values: list[Any], options: dict[str, Any], depth: int
    ) -> Any:
        """Follow a function of the file."""
        given = function.args
        if given.vararg or given.kwarg or given.posonlyargs or given.kwonlyargs:
            raise Unconvertible(f"`{function.name}` has parameters that are not known here")
        parameters = [each.arg for each in given.args]
        names = {
            name: self._value(default, {}, depth + 1)
            for name, default in zip(parameters[::-1], given.defaults[::-1], strict=False)
        }
        names |= dict(zip(parameters, values, strict=False)) | options
        if set(names) != set(parameters) or len(values) > len(parameters):
            raise Unconvertible(f"`{function.name}` is called with other arguments than it has")
        return self._block(function.body, names, depth + 1)


def _needed(statements: Iterable[ast.stmt]) -> set[str]:
    """Return the names that statements use before one of them binds these."""
    bound, needed = set[str](), set[str]()
    for each in statements:
        nodes = [*ast.walk(each)]
        own = {name for node in nodes for name in bound_in(node)}
        used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        match each:
            case ast.Assign(value=value):
                needed |= {*names_in(value)} - bound
            case ast.AugAssign():
                needed |= (used | own) - bound
            case _:
                needed |= used - own - bound
        bound |= own
    return needed


def is_plain_file(path: Path) -> bool:
    """Tell whether a path is a small file beside the checks, by a plain name."""
    named = re.fullmatch(r"[A-Za-z0-9_][\w.-]{0,99}", path.name, flags=re.ASCII)
    return (
        named is not None and path.is_file() and not path.is_symlink() and path.stat().st_size <= _MOST_FILE_B
    )


def _replaced(values: list[Any]) -> str:
    """Return what `re.sub` makes of a text of the check's own."""
    match values:
        case [str() as pattern, str() as new, str() as text] if not _SLOW.search(pattern):
            try:
                return re.sub(pattern, new, text)
            except (re.error, IndexError, OverflowError, RecursionError):
                pass
    raise Unconvertible("`sub` is not known here")


def _is_data(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_data, value))
    if isinstance(value, dict):
        return all(_is_data(each) for pair in value.items() for each in pair)
    return value is None or type(value) in (bool, int, float, str)


def _lists_in(value: Any) -> list[Any]:
    """Return the lists and the like in a value that can be written as a literal."""
    if not _is_data(value) and not isinstance(value, set):
        return []
    return [part for part in parts(value) if is_mutable(part)]


def _looped(found: object) -> Iterable[Any]:
    """Return what a loop goes over.  Raises `Unconvertible`."""
    if not isinstance(found, list | tuple | dict | range):
        raise Unconvertible("a loop goes over what is no literal")
    return found
