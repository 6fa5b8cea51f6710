"""Reads the expressions of a test: literals, drawn values, answers, and what is asked of answers."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.prairielearn.conditions import (
    Answer,
    Condition,
    checked,
    equality,
    near,
    unchanged,
)
from grader.plugins.convert.prairielearn.data import (
    Assumed,
    Words,
    as_share,
    compared,
    computed,
    is_open,
    made_of_data,
    method_of_data,
)
from grader.plugins.convert.prairielearn.drawing import Array, Drawing
from grader.plugins.convert.prairielearn.shares import ONE, Share, condition, number
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.values import read_value
from grader.values.python_text import literal

_AROUND = {"abs", "bool", "dict", "float", "int", "len", "list", "max", "min", "repr", "round"}
_AROUND |= {"set", "sorted", "str", "sum", "tuple", "type"}
_MOST_TURNS = 200
"""The most turns of a loop that are unrolled."""
_MOST_TEXT = 20_000
_MOST_CONDITIONS = 1000
_METHODS = {"copy", "items", "keys", "values"}
_CLASSES = {"bool", "complex", "dict", "float", "int", "list", "set", "str", "tuple"}


@dataclass(slots=True)
class Expressions:
    """Reads expressions.

    imports: by name, what it stands for, with dots.  taken: the names that are taken from students.
    known: values of the reference's that can be read from its text.  calls: the names that it gives to
    answers of its own functions.
    params: what the question's server drew for one student; None where nothing is known of it.
    """

    drawing: Drawing
    imports: Mapping[str, str]
    taken: frozenset[str]
    known: Mapping[str, Any]
    calls: Mapping[str, str]
    params: Mapping[str, Any] | None
    conditions: list[Condition] = field(default_factory=list)
    critical: list[Share] = field(default_factory=list)
    critical_of_test: set[int] = field(default_factory=set)
    packages: set[str] = field(default_factory=set)
    _names: Mapping[str, Any] = field(default_factory=dict)
    _sure: bool = True
    _handed: dict[int, tuple[Any, str]] = field(default_factory=dict)
    """By its identity, a list that a call got, and the call."""

    def begin(self, names: Mapping[str, Any], *, sure: bool) -> None:
        """Begin with a statement."""
        self._names, self._sure = names, sure
        self.critical.clear()

    def items(self, node: ast.expr) -> list[Any]:
        """Return what a loop goes over."""
        value = self._untouched(self.value(node))
        found: Any = value.items if isinstance(value, Array) else value
        if not isinstance(found, Sequence | Mapping):
            raise Unconvertible("a loop goes over what is known only when it runs")
        if len(found) > _MOST_TURNS:
            raise Unconvertible(f"a loop has more than {_MOST_TURNS} turns")
        of_array = isinstance(value, Array)
        return [Array(each) if of_array and isinstance(each, list) else each for each in found]

    def value(self, node: ast.expr) -> Any:
        """Return what an expression stands for.  Raises `Unconvertible`."""
        match node:
            case ast.Constant(value=value) if value is not Ellipsis:
                return value
            case ast.JoinedStr():
                return Words()
            case ast.Name(id=name) if name in self._names:
                return self._names[name]
            case ast.List(elts=parts):
                return [self.value(part) for part in parts]
            case ast.Tuple(elts=parts):
                return tuple(self.value(part) for part in parts)
            case ast.Set() | ast.Dict():
                return read_value(node, ConvertedScope())
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript(value=inner, slice=index):
                return self._item(self.value(inner), self.value(index))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found = self.value(operand)
                return Assumed(not found.value) if isinstance(found, Assumed) else ONE - as_share(found)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                found = self.value(operand)
                return -found if type(found) in (int, float) else number(-1) * as_share(found)
            case ast.BoolOp(op=operator, values=values):
                return self._both(operator, [self.value(each) for each in values])
            case ast.BinOp(left=left, op=operator, right=right):
                values = [self._untouched(self.value(each)) for each in (left, right)]
                return computed(values[0], operator, values[1], node)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self._comparison(self.value(left), operator, self.value(right), node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                held = as_share(self.value(test))
                yes, no = as_share(self.value(body)), as_share(self.value(orelse))
                return held * yes + (ONE - held) * no
            case ast.Call():
                return self._call(node)
        raise Unconvertible(f"`{ast.unparse(node)[:60]}` is not known here")

    def change(self, call: ast.Call) -> None:
        """Do what a call without a value does to a list of the test's own."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr="append" | "extend" as what) if self._sure:
                values = self._untouched(self._names.get(name))
                if isinstance(values, list) and len(call.args) == 1 and len(values) <= _MOST_TURNS:
                    added = self.value(call.args[0])
                    values.append(added) if what == "append" else values.extend(added)
                    return
            case ast.Attribute() if self._dotted(call.func).endswith(".shuffle") and self._sure:
                self.value(call)
                return
        raise Unconvertible(f"`{ast.unparse(call)[:50]}` is a call whose answer is not looked at")

    def _attribute(self, node: ast.Attribute) -> Any:
        match node:
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr="st"), attr=name):
                return self._of_student(name)
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr="ref"), attr=name):
                if name in self.calls:
                    return Answer(self.calls[name], is_call=True, of_student=False)
                return Answer(name, is_call=False, of_student=False)
            case ast.Attribute(value=ast.Name(id="self"), attr="data"):
                if self.params is None:
                    raise Unconvertible("its data is drawn anew for each student; see `data.json`")
                return {"params": self.params}
        raise Unconvertible(f"`{ast.unparse(node)[:60]}` is not known here")

    def _of_student(self, name: str) -> Answer:
        if name not in self.taken:
            raise Unconvertible(f"`{name}` is not among `names_from_user`")
        return Answer(name, is_call=False, of_student=True)

    def _untouched(self, value: Any) -> Any:
        """Return a value that no call of the student's can have changed.  Raises `Unconvertible`."""
        if id(value) in self._handed:
            raise Unconvertible(
                f"`{self._handed[id(value)][1][:60]}` may have changed a list that it looks at"
            )
        return value

    def _item(self, value: Any, index: Any) -> Any:
        self._untouched(value)
        if isinstance(value, Array):
            value = [Array(each) if isinstance(each, list) else each for each in value.items]
        if isinstance(value, Answer) and type(index) in (int, str):
            return Answer(f"{value.text}[{literal(index)}]", is_call=True, of_student=value.of_student)
        try:
            found = value[index]
        except (TypeError, LookupError) as error:
            raise Unconvertible("an item is looked up that is not known here") from error
        return found

    def _both(self, operator: ast.boolop, values: list[Any]) -> Any:
        assumed = [each for each in values if isinstance(each, Assumed)]
        rest = [each for each in values if not isinstance(each, Assumed)]
        if assumed and (rest or any(each.value != assumed[0].value for each in assumed)):
            if isinstance(operator, ast.Or) or not all(each.value for each in assumed):
                raise Unconvertible("it asks for several things of an answer at once")
        elif assumed:
            return assumed[0]
        found = as_share(rest[0])
        for each in map(as_share, rest[1:]):
            found = found * each if isinstance(operator, ast.And) else found + each - found * each
        return found

    def _comparison(self, left: Any, operator: ast.cmpop, right: Any, node: ast.expr) -> Any:
        if isinstance(operator, ast.Is | ast.IsNot) and right is None and isinstance(left, Answer):
            return Assumed(isinstance(operator, ast.IsNot))
        equal = {ast.Eq: True, ast.NotEq: False}.get(type(operator))
        if equal is not None and (isinstance(left, Answer) or isinstance(right, Answer)):
            if not isinstance(left, Answer) or not left.of_student:
                left, right = right, left
            known = isinstance(right, Answer) or not is_open(right)
            if not isinstance(left, Answer) or not left.of_student or not known:
                raise Unconvertible(f"`{ast.unparse(node)[:60]}` compares no answer of the student's")
            held = self._held(equality(left, right))
            return held if equal else ONE - held
        if equal is not None and isinstance(left, list) and left == right:
            for value in (left, right):
                if id(value) in self._handed:
                    held = self._kept(self._handed[id(value)][1])
                    return held if equal else ONE - held
        if is_open(left) or is_open(right):
            raise Unconvertible(f"`{ast.unparse(node)[:60]}` is no comparison by `==` of an answer")
        return compared(left, operator, right, node)

    def _kept(self, call: str) -> Share:
        """Return the condition that a call left its arguments alone."""
        for index, each in enumerate(self.conditions):
            if each.text == call and not each.keeps:
                return self._held(unchanged(each)) * condition(index)
        raise Unconvertible("whether a call changes its argument is asked before what it answers")

    def _held(self, found: Condition) -> Share:
        self.packages |= found.packages
        if found not in self.conditions:
            if len(self.conditions) >= _MOST_CONDITIONS:
                raise Unconvertible(f"it asks for more than {_MOST_CONDITIONS} things")
            self.conditions.append(found)
        return condition(self.conditions.index(found))

    def _call(self, node: ast.Call) -> Any:
        match node.func:
            case ast.Attribute(value=ast.Name(id="Feedback"), attr="call_user") if node.args:
                keywords = [each for each in node.keywords if each.arg != "stop_on_exception"]
                return self._answered(self.value(node.args[0]), node.args[1:], keywords)
            case ast.Attribute(value=ast.Name(id="Feedback"), attr=name):
                options = {str(each.arg): self.value(each.value) for each in node.keywords}
                found, critical = checked(name, [self.value(each) for each in node.args], options)
                held = self._held(found)
                if critical:
                    self.critical.append(held)
                    self.critical_of_test.add(self.conditions.index(found))
                return held
            case ast.Name(id="getattr") if len(node.args) == 2:
                name = self.value(node.args[1])
                if not isinstance(name, str) or not name.isidentifier():
                    raise Unconvertible("it looks up a name that is not known here")
                return self._attribute(ast.Attribute(node.args[0], name, ast.Load()))
            case ast.Name(id="callable") if len(node.args) == 1:
                if isinstance(self.value(node.args[0]), Answer):
                    return Assumed(True)
            case ast.Name(id="isinstance") if len(node.args) == 2:
                return self._class(self.value(node.args[0]), node.args[1])
            case ast.Attribute(value=inner, attr="copy" | "items" | "keys" | "values" as name) if (
                not node.args
            ):
                if not self._dotted(node.func):
                    return method_of_data(self._untouched(self.value(inner)), name)
        if dotted := self._dotted(node.func):
            values = [self.value(each) for each in node.args]
            options = {str(each.arg): self.value(each.value) for each in node.keywords}
            if dotted in ("numpy.allclose", "numpy.isclose"):
                return self._held(near(values, options))
            return self.drawing.call(dotted, values, options)
        if isinstance(node.func, ast.Name) and node.func.id not in self._names:
            return self._function(node.func.id, node)
        return self._answered(self.value(node.func), node.args, node.keywords)

    def _function(self, name: str, node: ast.Call) -> Any:
        """Return what one of Python's functions makes of data, or the same around an answer."""
        values = [self._untouched(self.value(each)) for each in node.args]
        if len(values) == 1 and isinstance(values[0], Answer) and name in _AROUND and not node.keywords:
            text = f"{name}({values[0].text})"
            return Answer(text, is_call=True, of_student=values[0].of_student)
        if node.keywords:
            raise Unconvertible(f"`{ast.unparse(node)[:60]}` is not known here")
        return made_of_data(name, values)

    def _class(self, value: Any, kind: ast.expr) -> Share:
        if not isinstance(value, Answer) or not value.of_student or ast.unparse(kind) not in _CLASSES:
            raise Unconvertible("it asks for a class that is not known here")
        must_be = ((f"isinstance(_, {ast.unparse(kind)})", "true"),)
        return self._held(Condition(value.text, value.is_call, must_be=must_be))

    def _answered(self, function: Any, nodes: list[ast.expr], keywords: list[ast.keyword]) -> Answer:
        if not isinstance(function, Answer) or function.is_call:
            raise Unconvertible("it calls what is no function of the student's or the reference's")
        arguments, handed = [], []
        for node in nodes:
            value = self.value(node.value if isinstance(node, ast.Starred) else node)
            several = value if isinstance(node, ast.Starred) else [value]
            if not isinstance(several, list | tuple):
                raise Unconvertible("it hands over `*`, which is no list")
            arguments += [self._argument(each) for each in several]
            handed += [each for each in several if isinstance(each, list | dict)]
        for keyword in keywords:
            if keyword.arg is None:
                raise Unconvertible("it hands over `**`, which is no literal")
            arguments.append(f"{keyword.arg}={self._argument(self.value(keyword.value))}")
        text = f"{function.text}({', '.join(arguments)})"
        if len(text) > _MOST_TEXT:
            raise Unconvertible("it calls with very long values")
        if function.of_student:
            if any(id(each) in self._handed for each in handed):
                raise Unconvertible("two calls get one list, which the first may change")
            self._handed |= {id(each): (each, text) for each in handed}
        return Answer(text, is_call=True, of_student=function.of_student)

    def _argument(self, value: Any) -> str:
        if isinstance(value, Answer) and not value.of_student and value.text in self.known:
            value = self.known[value.text]
        if isinstance(value, Array):
            self.packages.add("numpy")
            return value.text
        if is_open(value):
            raise Unconvertible("it hands over what is known only when it runs")
        return literal(value)

    def _dotted(self, node: ast.expr) -> str:
        """Return the full name of a function of a package; empty for any other."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.insert(0, node.attr)
            node = node.value
        if isinstance(node, ast.Name) and node.id in self.imports and node.id not in self._names:
            return ".".join([self.imports[node.id], *parts])
        return ""
