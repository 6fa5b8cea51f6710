"""What a test asks of a program that has ended, as keys of a case: texts of its output and the exit code."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.authoring.written import Raw
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.forms import assertion_name
from grader.plugins.convert.started.start import Read, Start
from grader.yamlfile.quoting import in_quotes

_PARTS = {"stdout": "stdout", "stderr": "stderr", "returncode": "exit"}
_NOTHING_MORE = {"terminate", "kill", "wait", "communicate"}
_EQUAL = {"assertEqual", "assertEquals", "assertMultiLineEqual"}


class NotPlain(Exception):
    """A statement that no keys say."""


@dataclass(slots=True)
class Plain:
    """Reads the statements of a test.

    call: the one that starts the program.  keys: what it asks for so far.
    """

    start: Start
    call: ast.Call
    read: Read
    keys: dict[str, str | Raw] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    """The names of the program, and of what came of it."""

    def take(self, statements: Sequence[ast.stmt]) -> Mapping[str, str | Raw]:
        """Return the keys.  Raises `NotPlain`."""
        if self.start.checked:
            self._ask("exit", Raw("0"))
        for each in statements:
            self._statement(each)
        if not self.keys:
            raise NotPlain
        return {"exit": Raw("any"), **self.keys}

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return
            case ast.Expr(value=call) if call is self.call or self._ends(call):
                return
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=out), ast.Name(id=err)])], value=value) if (
                self._is_method(value, {"communicate"})
            ):
                self._names |= {out: "stdout", err: "stderr"}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if what := self._what(value):
                    self._names[name] = what
                else:
                    self._value(value)
            case ast.If(test=ast.Compare(left=left, ops=[ast.Is()], comparators=[right]), orelse=[]) if (
                self._what(left) == "exit" and self._value(right) is None
            ):
                # It has ended, so this never happens.
                return
            case ast.Assert(test=test):
                self._asserted(test)
            case ast.Expr(value=ast.Call(args=[first, second, *_]) as call) if assertion_name(call) in _EQUAL:
                self._compared(first, ast.Eq(), second)
            case ast.Expr(value=ast.Call(args=[first, second, *_]) as call) if (
                assertion_name(call) == "assertIn"
            ):
                self._compared(first, ast.In(), second)
            case ast.Expr(value=ast.Call(args=[first, *_]) as call) if (
                assertion_name(call) == "assertIsNotNone" and self._what(first) == "exit"
            ):
                return
            case ast.Expr(value=ast.Call(args=[first, *_]) as call) if assertion_name(call) == "assertTrue":
                self._asserted(first)
            case _:
                raise NotPlain

    def _asserted(self, test: ast.expr) -> None:
        match test:
            case ast.Compare(left=left, ops=[sign], comparators=[right]):
                self._compared(left, sign, right)
            case _:
                raise NotPlain

    def _compared(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> None:
        if isinstance(sign, ast.In):
            what, value = self._what(right), self._value(left)
            if not value:
                raise NotPlain
            self._ask(what, Raw(f"{{contains: {in_quotes(self._text(what, value))}}}"))
            return
        if not isinstance(sign, ast.Eq):
            raise NotPlain
        if not (what := self._what(left)):
            what, right = self._what(right), left
        value = self._value(right)
        if what == "exit":
            if type(value) is not int or not 0 <= value <= 255:
                raise NotPlain
            self._ask(what, Raw(str(value)))
        else:
            text = self._text(what, value)
            self._ask(what, Raw(f"{{text: {in_quotes(text)}}}") if text == "same as reference" else text)

    def _ask(self, what: str, value: str | Raw) -> None:
        if self.keys.setdefault(what, value) != value:
            raise NotPlain

    def _text(self, what: str, value: object) -> str:
        """Return an expected text.  One with a carriage return is none that `subprocess` gives as text."""
        if what not in ("stdout", "stderr") or what not in self.start.pipes:
            raise NotPlain
        if not isinstance(value, str if self.start.text else bytes):
            raise NotPlain
        try:
            text = value.decode() if isinstance(value, bytes) else value.encode().decode()
        except UnicodeError:
            raise NotPlain from None
        if "\r" in text:
            raise NotPlain
        return text

    def _value(self, node: ast.expr) -> object:
        try:
            return self.read(node)
        except Unconvertible:
            raise NotPlain from None

    def _what(self, node: ast.expr) -> str:
        """Return what an expression stands for: the `program`, a part of it, or nothing of it."""
        if node is self.call:
            if self.start.kind == "check_output":
                return "stdout"
            return "exit" if self.start.kind.endswith("call") else "program"
        match node:
            case ast.Name(id=name):
                return self._names.get(name, "")
            case ast.Attribute(value=value, attr=attr) if self._what(value) == "program" and attr in _PARTS:
                if self.start.kind == "Popen" and attr != "returncode":
                    raise NotPlain
                return _PARTS[attr]
            case ast.Subscript(value=value, slice=ast.Constant(value=0 | 1 as number)) if self._is_method(
                value, {"communicate"}
            ):
                return "stderr" if number else "stdout"
        return ""

    def _is_method(self, node: ast.expr, names: set[str]) -> bool:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=attr)):
                return attr in names and self._what(value) == "program"
        return False

    def _ends(self, node: ast.expr) -> bool:
        return self._is_method(node, _NOTHING_MORE)
