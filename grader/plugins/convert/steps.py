"""Turns the statements of a test into the steps of a scenario: names of a notebook, objects, prints.

It is tried where no single call says a test.  The steps share one process, as the statements do.
"""

import ast
import doctest
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.authoring.written import Keys, Raw
from grader.plugins.convert.comparisons import equal_to, exactly, shown_as
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.forms import exception_of
from grader.plugins.convert.python.scope import ConvertedScope, is_mutable, names_in
from grader.plugins.convert.values import read_value, shares
from grader.values.python_text import literal

_MOST_STEPS = 100
_AROUND = {
    "abs",
    "bool",
    "dict",
    "float",
    "int",
    "iter",
    "len",
    "list",
    "max",
    "min",
    "next",
    "repr",
    "round",
}
_AROUND |= {"set", "sorted", "str", "sum", "tuple", "type"}
_CLASSES = {"bool", "complex", "dict", "float", "int", "list", "set", "str", "tuple"}
_ORDER = {ast.Lt: ("below", "above"), ast.LtE: ("most", "least")}
_ORDER |= {ast.Gt: ("above", "below"), ast.GtE: ("least", "most")}
"""By operator: what a number on its right says of the left side, and the other way around."""
_SHOWN = {"np.True_": "True", "np.False_": "False"}
"""How NumPy 2 shows truths."""


@dataclass(slots=True)
class TestSteps:
    """Reads statements and examples, one after the other.

    scope: has the literals that got names.  made: the names of what earlier steps made.
    calls: statements can be calls of methods, which say nothing.
    modules: those of them that steps use.  asked: how many assertions there were.
    """

    scope: ConvertedScope
    steps: list[Keys] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    calls: bool = False
    modules: set[str] = field(default_factory=set)
    asked: int = 0

    def examples(self, examples: Sequence[doctest.Example]) -> None:
        """Read the examples of a doctest.  Raises `Unconvertible`."""
        for example in examples:
            if example.options or example.exc_msg is not None:
                raise Unconvertible("an example has options, or must raise")
            statements = ast.parse(example.source).body
            if example.want.strip():
                [statement] = statements
                self.asked += 1
                self._shown(statement, example.want)
            else:
                self.statements(statements)

    def statements(self, statements: Sequence[ast.stmt]) -> None:
        """Read statements that show nothing.  Raises `Unconvertible`."""
        for statement in statements:
            match statement:
                case ast.Pass() | ast.Expr(value=ast.Constant()):
                    continue
                case ast.Assert(test=test):
                    self.asked += 1
                    self._hold(test, wanted=True, exact=False)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._name(name, value)
                case ast.With(items=[ast.withitem(context_expr=manager)], body=[body]):
                    self._raised(manager, body)
                case ast.Expr(value=ast.Call(func=ast.Attribute()) as call) if self.calls:
                    self._add({"call": self._text(call)})
                case _:
                    raise Unconvertible(f"`{ast.unparse(statement).splitlines()[0][:50]}` stands in the test")

    def _raised(self, manager: ast.expr, body: ast.stmt) -> None:
        """Add the step of a call that must raise."""
        match manager, body:
            case (
                ast.Call(func=function, args=[kind], keywords=[]),
                ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call),
            ) if ast.unparse(function) == "self.assertRaises" or (
                self.scope.stands_for(function) == "pytest.raises"
            ):
                self.asked += 1
                self._add({"call": self._text(call), "raises": Raw(exception_of(kind, self.scope))})
                return
        raise Unconvertible("a `with` block stands in the test")

    def _name(self, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Name) and value.id in self.made:
            raise Unconvertible(f"`{name}` is a second name of `{value.id}`")
        if not self._is_literal(value):
            if name in self.made:
                raise Unconvertible(f"`{name}` gets a second object")
            text = self._text(value)
            self._add({"new" if text[:1].isupper() else "call": text, "as": Raw(name)})
            self.scope.bind(name)
            self.made.add(name)
        elif shares(value, self.scope.values):
            raise Unconvertible("two names may stand for one list, which a call may change")
        else:
            self._bind(name, read_value(value, self.scope))

    def _bind(self, name: str, value: Any) -> None:
        self.scope.bind(name)
        self.scope.values[name] = value
        self.made.discard(name)

    def _shown(self, statement: ast.stmt, want: str) -> None:
        """Add the steps for a statement that shows, or prints, a text."""
        lines = want.removesuffix("\n").split("\n")
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
                self._printed([statement], lines)
            case ast.Expr(value=value):
                text = _SHOWN.get(want.strip(), want.strip())
                if text in ("True", "False"):
                    self._hold(value, wanted=text == "True", exact=True)
                else:
                    self._expect(value, exactly(shown_as(text)))
            case ast.For(target=ast.Name(id=name), iter=items, body=body, orelse=[]):
                turns = [*self._turns(items)]
                if len(turns) * len(body) != len(lines):
                    raise Unconvertible("a loop prints other than one line for each statement")
                for number, turn in enumerate(turns):
                    self._bind(name, turn)
                    self._printed(body, lines[number * len(body) : (number + 1) * len(body)])
                if any(map(is_mutable, turns)):
                    self.scope.spend(items)
            case ast.If(test=test, body=body, orelse=orelse):
                said = [_constant_print(branch) for branch in (body, orelse)]
                if said[0] == said[1] or want.strip() not in said:
                    raise Unconvertible("a condition prints what is no literal")
                self._hold(test, wanted=want.strip() == said[0], exact=False)
            case _:
                raise Unconvertible("a statement that prints something")

    def _turns(self, items: ast.expr) -> Iterator[Any]:
        match items:
            case ast.Call(func=ast.Name(id="range"), args=arguments, keywords=[]):
                numbers: list[Any] = [read_value(each, self.scope) for each in arguments]
                found: Any = range(*numbers)
            case _:
                found = read_value(items, self.scope)
        if not isinstance(found, list | tuple | range) or len(found) > _MOST_STEPS:
            raise Unconvertible("a loop goes over what is no short literal")
        yield from found

    def _printed(self, statements: Sequence[ast.stmt], lines: list[str]) -> None:
        """Add the steps for `print(…)`, a line each."""
        if len(statements) != len(lines):
            raise Unconvertible("what is printed has other than one line for each statement")
        for statement, line in zip(statements, lines, strict=True):
            match statement:
                case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[value], keywords=[])):
                    self._add({"call": f"str({self._text(value)})", "returns": literal(line)})
                case _:
                    raise Unconvertible("a statement that prints something")

    def _hold(self, test: ast.expr, *, wanted: bool, exact: bool) -> None:
        """Add the steps for an expression that must be true, or false.  exact: it must be that very value."""
        names = [name for name in names_in(test) if is_mutable(self.scope.values.get(name))]
        if len(names) > len({*names}):
            raise Unconvertible(f"`{names[0]}` may have changed between two of its places")
        match test:
            case ast.BoolOp(op=ast.And(), values=values) if wanted:
                for each in values:
                    self._hold(each, wanted=True, exact=exact)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._hold(operand, wanted=not wanted, exact=False)
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]) if wanted:
                if self._is_literal(left):
                    left, right = right, left
                self._expect(left, equal_to(read_value(right, self.scope)))
            case ast.Compare(left=left, ops=operators, comparators=rights) if wanted:
                self._ordered([left, *rights], operators)
            case ast.Call(func=function, args=[first, second, *rest]) if self.scope.stands_for(function) in (
                "numpy.isclose",
                "numpy.allclose",
            ):
                self._near(first, second, rest, test, wanted=wanted)
            case ast.Call(func=ast.Name(id="isinstance"), args=[value, ast.Name(id=kind)]) if (
                kind in _CLASSES and all(map(self.scope.is_pythons, ("isinstance", kind)))
            ):
                word = Raw("true" if wanted else "false")
                self._add({"call": f"isinstance({self._text(value)}, {kind})", "returns": word})
            case ast.Name() | ast.Call() | ast.Subscript() | ast.Attribute():
                check: dict[str, str | Raw] = {"check": Raw("truthy()" if wanted else "falsy()")}
                self._expect(test, (exactly(wanted) if exact else check))
            case _:
                raise Unconvertible(f"`{ast.unparse(test)[:60]}` is no comparison that is known here")

    def _ordered(self, parts: list[ast.expr], operators: list[ast.cmpop]) -> None:
        """Add the step for `0 < x < 10`."""
        values = [part for part in parts if not self._is_literal(part)]
        if len(values) != 1 or len(parts) > 3 or any(type(each) not in _ORDER for each in operators):
            raise Unconvertible("it compares other than one value with numbers")
        place = parts.index(values[0])
        limits = []
        if place < len(operators):
            number = read_value(parts[place + 1], self.scope)
            limits.append(f"{_ORDER[type(operators[place])][0]}={literal(number)}")
        if place > 0:
            number = read_value(parts[place - 1], self.scope)
            limits.append(f"{_ORDER[type(operators[place - 1])][1]}={literal(number)}")
        self._expect(values[0], {"check": f"lies({', '.join(limits)})"})

    def _near(
        self, first: ast.expr, second: ast.expr, rest: list[ast.expr], node: ast.Call, *, wanted: bool
    ) -> None:
        options = dict(zip(("rtol", "atol"), rest, strict=False))
        options |= {str(each.arg): each.value for each in node.keywords}
        if not set(options) <= {"rtol", "atol"}:
            raise Unconvertible("`isclose` has options that are not known")
        given = {key: literal(read_value(each, self.scope)) for key, each in options.items()}
        if self._is_literal(first):
            raise Unconvertible("`isclose` takes its share of the second number, which is the answer here")
        given = {"expected": literal(read_value(second, self.scope)), **given}
        given |= {} if wanted else {"close": "False"}
        self._expect(first, {"check": f"near({', '.join(f'{k}={v}' for k, v in given.items())})"})

    def _is_literal(self, node: ast.expr) -> bool:
        """Tell whether a node is one.  Raises `Unconvertible` where a call may have changed it."""
        if spent := self.scope.spent.intersection(names_in(node)):
            raise Unconvertible(f"something before it may have changed `{min(spent)}`")
        try:
            read_value(node, self.scope)
        except Unconvertible:
            return False
        return True

    def _expect(self, node: ast.expr, keys: Keys) -> None:
        """Add what is expected of a value: to the step that made it, or as a step of its own."""
        if isinstance(node, ast.Name) and node.id in self.made:
            last = self.steps[-1] if self.steps else {}
            if last.get("as") != Raw(node.id) or {"returns", "check"} & set(last):
                raise Unconvertible(f"`{node.id}` is looked at after other things happened")
            self.steps[-1] = {**last, **keys}
            return
        self._add({**self._of(node), **keys})

    def _of(self, node: ast.expr) -> Keys:
        """Return the key that reads a name, or makes a call."""
        if self._is_literal(node):
            raise Unconvertible("it asks nothing of what was handed in")
        if isinstance(node, ast.Name | ast.Attribute):
            return {"read": self._text(node)}
        return {"call": self._text(node)}

    def _text(self, node: ast.expr) -> str:
        """Return an expression of a spec.  Raises `Unconvertible`."""
        if self._is_literal(node):
            return literal(read_value(node, self.scope))
        match node:
            case ast.Name(id=name) if name in self.made:
                return name
            case ast.Name(id=name) if (theirs := self._theirs(name)) is not None:
                return theirs
            case ast.Attribute(value=value, attr=name) if self._is_made(value) and not name.startswith("_"):
                return f"{self._text(value)}.{name}"
            case ast.Call(func=function, args=arguments, keywords=keywords):
                called = self._called(function)
                parts = [self._handed(each, called) for each in arguments]
                parts += [f"{each.arg}={self._handed(each.value, called)}" for each in keywords if each.arg]
                if len(parts) == len(arguments) + len(keywords):
                    return f"{called}({', '.join(parts)})"
            case ast.Subscript(value=value, slice=index) if self._is_literal(index):
                return f"{self._text(value)}[{self._text(index)}]"
        raise Unconvertible(f"`{ast.unparse(node)[:60]}` is no expression that is known here")

    def _handed(self, node: ast.expr, called: str) -> str:
        """Return an argument, which what is called may change unless it is one of Python's functions."""
        text = self._text(node)
        if called not in _AROUND - {"iter"}:
            self.scope.spend(node)
        return text

    def _called(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name) if name in _AROUND and self.scope.is_pythons(name):
                return name
            case ast.Name() | ast.Attribute() if not (isinstance(node, ast.Name) and node.id in self.made):
                return self._text(node)
        raise Unconvertible(f"`{ast.unparse(node)[:60]}` is no function that is known here")

    def _theirs(self, name: str) -> str | None:
        """Return the name of something of the student's; None for any other."""
        theirs = self.scope.theirs(name)
        if theirs is None:
            return None
        self.modules.add(theirs[0])
        return theirs[1]

    def _is_made(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.made

    def _add(self, step: Keys) -> None:
        if len(self.steps) >= _MOST_STEPS:
            raise Unconvertible(f"it has more than {_MOST_STEPS} steps")
        self.steps.append(step)


def _constant_print(body: Sequence[ast.stmt]) -> str | None:
    """Return the text that a single `print` prints, if it is a literal."""
    match body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[ast.Constant(value=str() as text)]))]:
            return text
    return None
