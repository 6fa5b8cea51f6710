"""Computes the value of an expression of a spec: literals, a little arithmetic, known names.

The list of forms is closed; any other form is an error with its place.  Nothing is executed, and a size
is checked before a value of that size is built.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, timedelta, timezone
from typing import TypeAlias

from grader.model.values import DeclaredType, EnumMember, EnumType, Record, RecordType, Value
from grader.spec.expressions.arithmetic import ArithmeticRefused, TooBig, binary, negative
from grader.spec.expressions.bounds import MAX_INTEGER_BITS, ValueSize, size_as_list, size_of
from grader.spec.expressions.library import CONSTRUCTORS, WITH_ZONE, constructed
from grader.spec.expressions.parse import Expression
from grader.spec.expressions.tables import TABLES, table
from grader.values.compare import first_difference
from grader.values.sort import plugin_sorts, sort_of
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.unusable import Unusable

Sized: TypeAlias = tuple[Value, ValueSize]
Names: TypeAlias = Mapping[str, Sized]

FUNCTIONS = ("range", "frozenset", "set", "float")
"""The functions that an expression may call."""

_TRUTHS = frozenset({"yes", "no", "on", "off", "true", "false"})
"""Words that YAML, or people, have for truths."""
_SEQUENCES: dict[str, Callable[[Sequence[Value]], Value]] = {"list": list, "tuple": tuple}
"""Further ones, whose names a spec may give to values."""

REPORTED: Sized = (NotImplemented, ValueSize(0, 0, 0))
"""The value of a name whose own expression was reported."""

_NOT_UNDERSTOOD: dict[type[ast.expr], tuple[str, str]] = {
    ast.Lambda: ("a lambda can only be an argument of a call, on its own", ""),
    ast.JoinedStr: ("a formatted string can't be computed here", "write the text itself"),
    ast.Attribute: ("an attribute can't be looked up here", ""),
    ast.Subscript: ("an index can't be looked up here", ""),
    ast.Compare: ("a comparison can't be computed here", "write True or False"),
    ast.BoolOp: ("`and` and `or` can't be computed here", ""),
    ast.IfExp: ("a condition can't be computed here", ""),
    ast.ListComp: ("a comprehension can't be computed here", "write the values out, or use `over`"),
    ast.SetComp: ("a comprehension can't be computed here", "write the values out, or use `over`"),
    ast.DictComp: ("a comprehension can't be computed here", "write the values out"),
    ast.GeneratorExp: ("a comprehension can't be computed here", "write the values out, or use `over`"),
    ast.Starred: ("`*` can't unpack here", "write the values out"),
}


class _TooMuch(Unusable):
    """A bound was hit, so evaluation must stop."""


def sized(value: Value) -> Sized:
    """Return a value with its size, as names need it."""
    return value, size_of(value)


class Evaluator:
    """Evaluates parts of one expression; raises Unusable once all mistakes in a part are reported."""

    def __init__(
        self,
        expression: Expression,
        names: Names,
        reporter: Reporter,
        types: Mapping[str, DeclaredType],
    ) -> None:
        self._expression = expression
        self._names = names
        self._reporter = reporter
        self._types = types

    def value(self, node: ast.expr) -> Sized:
        """Return the value of a node."""
        match node:
            case ast.Constant(value=constant):
                return self._constant(node, constant)
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                return self._collection(node, items)
            case ast.Dict():
                return self._dict(node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value, size = self.value(operand)
                return self._guarded(node, lambda: (negative(value), size))
            case ast.BinOp():
                return self._binary(node)
            case ast.Call():
                return self._call(node)
            case ast.Attribute(value=ast.Name(id=name), attr=member) if name in self._types:
                return self._member(node, self._types[name], member)
        message, hint = _NOT_UNDERSTOOD.get(type(node), ("this can't be computed in a spec", ""))
        raise self._refuse(node, message, hint)

    def _refuse(self, node: ast.AST, message: str, hint: str = "") -> Unusable:
        self._reporter.report(self._expression.span(node), message, hint)
        return _TooMuch() if self._reporter.full else Unusable()

    def _bounded(self, node: ast.expr, size: ValueSize) -> None:
        """Refuse a value of a size that is out of bounds."""
        excess = size.excess()
        if excess:
            self._refuse(node, excess)
            raise _TooMuch

    def _guarded(self, node: ast.expr, compute: Callable[[], Sized]) -> Sized:
        try:
            return compute()
        except TooBig as refused:
            self._refuse(node, *refused.args)
            raise _TooMuch from None
        except ArithmeticRefused as refused:
            raise self._refuse(node, *refused.args) from None

    def _constant(self, node: ast.expr, value: object) -> Sized:
        if value is ...:
            raise self._refuse(node, "`...` is not a value that can be compared")
        if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS:
            raise self._refuse(node, f"this number has more than {MAX_INTEGER_BITS:,} bits")
        size = ValueSize(0, len(value) if isinstance(value, str | bytes) else 0, 0)
        self._bounded(node, size)
        return value, size

    def _name(self, node: ast.expr, name: str) -> Sized:
        if name in self._names:
            if self._names[name] is REPORTED:
                raise Unusable
            return self._names[name]
        if name in self._types:
            hint = f"such as {written(self._types[name])}"
            raise self._refuse(node, f"`{name}` is a class, which is not a value", hint)
        holders = [t.name for t in self._types.values() if isinstance(t, EnumType) and name in t.members]
        if holders:
            hint = " or ".join(f"{holder}.{name}" for holder in holders)
            raise self._refuse(node, f"`{shown(name)}` is a member of several enums", f"write {hint}")
        hint = self._reporter.nearest(name, [*self._names, *self._types])
        if name.casefold() in _TRUTHS:
            hint = "Python's truths are True and False"
        if not hint:
            hint = f"a text needs quotes of its own: \"'{shown(name)}'\""
        raise self._refuse(node, f"`{shown(name)}` is not a known name", hint)

    def _parts(self, node: ast.expr, parts: Sequence[ast.expr]) -> tuple[list[Value], ValueSize]:
        """Evaluate all parts of a node, so that the mistakes of each are reported."""
        values: list[Value] = []
        total = ValueSize(len(parts), 0, 0)
        failed = False
        for part in parts:
            try:
                value, size = self.value(part)
            except _TooMuch:
                raise
            except Unusable:
                failed = True
                continue
            values.append(value)
            total = total.plus(size)
            self._bounded(node, total)
        if failed:
            raise Unusable
        return values, ValueSize(total.items, total.text, total.depth + 1)

    def _collection(self, node: ast.List | ast.Tuple | ast.Set, items: list[ast.expr]) -> Sized:
        values, size = self._parts(node, items)
        self._bounded(node, size)
        if isinstance(node, ast.List):
            return values, size
        if isinstance(node, ast.Tuple):
            return tuple(values), size
        self._require_hashable(items, values)
        return set(values), size

    def _require_hashable(self, nodes: Sequence[ast.expr], values: Sequence[Value]) -> None:
        for node, value in zip(nodes, values, strict=True):
            if not sort_of(value).has_keys:
                message = f"a {type(value).__name__} can't be in a set or be a key"
                raise self._refuse(node, message, "its plugin compares by more than equal keys")
            try:
                hash(value)
            except TypeError:
                kind = value.type_name if isinstance(value, Record) else type(value).__name__
                message = (
                    f"a {kind} can't be in a set or be a key"
                    if kind in ("list", "dict", "set")
                    else (f"a {kind} that holds a list, a dict or a set can't be in a set or be a key")
                )
                raise self._refuse(node, message, "use a tuple or a frozenset") from None

    def _dict(self, node: ast.Dict) -> Sized:
        keys = [key for key in node.keys if key is not None]
        if len(keys) < len(node.keys):
            raise self._refuse(node, "`**` can't unpack here", "write the items out")
        parts, size = self._parts(node, [*keys, *node.values])
        self._bounded(node, size)
        names, values = parts[: len(keys)], parts[len(keys) :]
        self._require_hashable(keys, names)
        result: dict[Value, Value] = {}
        for key, name, value in zip(keys, names, values, strict=True):
            if name in result:
                raise self._refuse(key, "this key is in the dict already")
            result[name] = value
        return result, size

    def _binary(self, node: ast.BinOp) -> Sized:
        (left, right), _ = self._parts(node, [node.left, node.right])
        return self._guarded(node, lambda: binary(node.op, left, right))

    def _call(self, node: ast.Call) -> Sized:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in self._types:
            return self._record(node, self._types[name])
        if name in CONSTRUCTORS:
            return self._of_library(node, name)
        if name in TABLES:
            return self._table(node, name)
        foreign = plugin_sorts()
        if name in foreign:
            return self._of_plugin(node, name)
        if name in _SEQUENCES:
            return self._sequence(node, name)
        if name not in FUNCTIONS:
            message = f"`{shown(ast.unparse(node.func))}` can't be called inside an expression"
            hint = self._reporter.nearest(name, [*self._types, *CONSTRUCTORS, *TABLES, *foreign])
            known = (*FUNCTIONS, *_SEQUENCES, *CONSTRUCTORS, *TABLES, *foreign)
            raise self._refuse(node.func, message, hint or "only " + ", ".join(known) + " can")
        if node.keywords:
            raise self._refuse(node, f"`{name}` takes no keyword arguments here")
        if name == "range":
            return self._range(node)
        if name == "float":
            return self._float(node)
        return self._set(node, name)

    def _member(self, node: ast.expr, declared: DeclaredType, name: str) -> Sized:
        members = declared.members if isinstance(declared, EnumType) else ()
        if name not in members:
            message = f"{declared.name} has no member `{shown(name)}`"
            raise self._refuse(node, message, self._reporter.nearest_or_all(name, members))
        return EnumMember(declared.name, name), ValueSize(0, 0, 0)

    def _record(self, node: ast.Call, declared: DeclaredType) -> Sized:
        if isinstance(declared, EnumType):
            hint = f"such as {written(declared)}"
            raise self._refuse(node, f"{declared.name} is an enum, its members are not made by a call", hint)
        given = parts_of_call(node, declared, self._refuse, self._reporter)
        values, size = self._parts(node, list(given.values()))
        self._bounded(node, size)
        fields = dict(zip(given, values, strict=True))
        return Record(declared.name, tuple((name, fields[name]) for name in declared.fields)), size

    def _range(self, node: ast.Call) -> Sized:
        values, _ = self._parts(node, node.args)
        numbers = [value for value in values if type(value) is int]
        if len(numbers) < len(values) or not 1 <= len(values) <= 3 or numbers[2:] == [0]:
            raise self._refuse(node, "`range` takes one to three whole numbers, the third not 0")
        return range(*numbers), ValueSize(0, 0, 0)

    def _of_library(self, node: ast.Call, name: str) -> Sized:
        zone = None
        args, keywords = list(node.args), list(node.keywords)
        if name in WITH_ZONE:
            given = [k for k in keywords if k.arg == "tzinfo"]
            keywords = [k for k in keywords if k.arg != "tzinfo"]
            if given:
                zone = self._zone(given[0].value)
        values, size = self._parts(node, [*args, *(k.value for k in keywords)])
        named = [(k.arg or "**", value) for k, value in zip(keywords, values[len(args) :], strict=True)]
        return self._guarded(
            node, lambda: (constructed(name, values[: len(args)], named, zone), ValueSize(0, size.text, 0))
        )

    def _table(self, node: ast.Call, name: str) -> Sized:
        return self._made(node, lambda args, named: table(name, args, named))

    def _of_plugin(self, node: ast.Call, name: str) -> Sized:
        """Return a value of a sort that a plugin brings."""
        sort = plugin_sorts()[name]

        def build(args: Sequence[Value], named: Sequence[tuple[str, Value]]) -> Value:
            try:
                value = sort.build(args, dict(named))
            except (TypeError, ValueError, ArithmeticError) as error:
                raise ArithmeticRefused(f"`{name}` does not take this: {shown(str(error))}") from None
            if type(value) not in sort.classes:
                raise ArithmeticRefused(f"`{name}` made a {type(value).__name__}, which is not of its sort")
            if first_difference(value, value) is not None:
                raise ArithmeticRefused(f"this `{name}` is not equal to itself", "its plugin is at fault")
            return value

        return self._made(node, build)

    def _made(
        self, node: ast.Call, make: Callable[[Sequence[Value], Sequence[tuple[str, Value]]], Value]
    ) -> Sized:
        """Return what is made of the arguments of a call, with the size of all its parts."""
        values, size = self._parts(node, [*node.args, *(k.value for k in node.keywords)])
        count = len(node.args)
        named = [(k.arg or "**", value) for k, value in zip(node.keywords, values[count:], strict=True)]
        made = self._guarded(node, lambda: (make(values[:count], named), size))[0]
        full = size_of(made)
        self._bounded(node, full)
        return made, full

    def _zone(self, node: ast.expr) -> timezone | None:
        """Return the time zone that an argument `tzinfo` states: an offset from UTC."""
        match node:
            case ast.Constant(value=None):
                return None
            case ast.Attribute(value=ast.Name(id="timezone"), attr="utc"):
                return UTC
            case ast.Call(func=ast.Name(id="timezone"), args=[offset], keywords=[]):
                value, _ = self.value(offset)
                if isinstance(value, timedelta) and abs(value) < timedelta(days=1):
                    return timezone(value)
        hint = "write timezone.utc or timezone(timedelta(hours=1)); the name of a zone is not compared"
        raise self._refuse(node, "a time zone is an offset from UTC here", hint)

    def _float(self, node: ast.Call) -> Sized:
        match node.args:
            case [ast.Constant(value=str(text))] if text.lower() in ("nan", "inf", "-inf"):
                return float(text), ValueSize(0, 0, 0)
        raise self._refuse(node, "`float` takes 'nan', 'inf' or '-inf' here", "other numbers need no `float`")

    def _sequence(self, node: ast.Call, name: str) -> Sized:
        """Return a list or tuple of the items of another."""
        if node.keywords or len(node.args) > 1:
            raise self._refuse(node, f"`{name}` takes one list, tuple or range")
        if not node.args:
            return _SEQUENCES[name](()), ValueSize(0, 0, 1)
        value, size = self.value(node.args[0])
        if not isinstance(value, list | tuple | range):
            raise self._refuse(node, f"`{name}` takes one list, tuple or range", "a set has no order")
        size = size_as_list(value, size)
        self._bounded(node, size)
        return _SEQUENCES[name](value), size

    def _set(self, node: ast.Call, name: str) -> Sized:
        build = frozenset if name == "frozenset" else set
        if not node.args:
            return build(), ValueSize(0, 0, 1)
        if len(node.args) > 1:
            raise self._refuse(node, f"`{name}` takes one list, tuple or set")
        value, size = self.value(node.args[0])
        if not isinstance(value, list | tuple | set | frozenset | range):
            raise self._refuse(node, f"`{name}` takes one list, tuple or set")
        size = size_as_list(value, size)
        self._bounded(node, size)
        items = list(value)
        self._require_hashable([node.args[0]] * len(items), items)
        return build(items), size


Refuse = Callable[[ast.AST, str, str], Exception]
"""Reports a mistake at a node, with a hint, and returns the exception to raise."""


def parts_of_call(
    node: ast.Call, declared: RecordType, refuse: Refuse, reporter: Reporter
) -> dict[str, ast.expr]:
    """Return the expression for each field, in the order of the call.

    Raises the exception that `refuse` returns if the parts do not fit the fields.
    """
    count, hint = len(declared.fields), written(declared)
    if len(node.args) > count:
        fields = "1 field" if count == 1 else f"{count} fields"
        raise refuse(node.args[count], f"{declared.name} has {fields}, not {len(node.args)}", hint)
    given = dict(zip(declared.fields, node.args, strict=False))
    for keyword in node.keywords:
        name = keyword.arg
        if name is None:
            raise refuse(keyword, "`**` can't unpack here", "write the fields out")
        if name in given:
            raise refuse(keyword, f"`{name}` is given twice", hint)
        if name not in declared.fields:
            near = reporter.nearest(name, declared.fields) or hint
            raise refuse(keyword, f"{declared.name} has no field `{shown(name)}`", near)
        given[name] = keyword.value
    missing = [name for name in declared.fields if name not in given]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        raise refuse(node, f"{declared.name} needs {names} too", hint)
    return given


def written(declared: DeclaredType) -> str:
    """Return how an instance of a declared class is written."""
    if isinstance(declared, EnumType):
        return f"{declared.name}.{declared.members[0]}"
    return f"{declared.name}({', '.join(declared.fields)})"
