"""Computes values of expressions in which strategies stand, such as `lists(integers(0, 9))`.

Each strategy in an expression is drawn first; then the expression is computed with what was drawn.  So
`Point(integers(), 0)` and `[1, integers()]` need no rule of their own.
"""

import ast
import inspect
from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import dataclass
from random import Random
from time import thread_time
from typing import TYPE_CHECKING, Any, NoReturn, cast

from grader.model.values import DeclaredType, Value
from grader.spec.expressions.bounds import size_of
from grader.spec.expressions.context import Generators
from grader.spec.expressions.evaluate import Evaluator, Names, Sized
from grader.spec.expressions.parse import Expression
from grader.spec.given.generators import CHOICES_B, GeneratorFailed
from grader.values.sort import sort_of
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.unusable import Unusable

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

DRAW_S = 20.0
"""The most CPU seconds for drawing the inputs of one case, without the sandbox's."""

_LONGEST = 200
_PARTS = frozenset({"elements", "keys", "values", "strategies"})
"""Parameters that are strategies: each item of a list is drawn by its own."""

_SIGNATURES: Mapping[str, Callable[..., None]] = {
    "integers": lambda min_value=None, max_value=None: None,
    "floats": lambda min_value=None, max_value=None, *, allow_nan=None, allow_infinity=None, width=64: None,
    "booleans": lambda: None,
    "none": lambda: None,
    "text": lambda alphabet=None, *, min_size=0, max_size=None: None,
    "binary": lambda *, min_size=0, max_size=None: None,
    "lists": lambda elements, *, min_size=0, max_size=None, unique=False: None,
    "sets": lambda elements, *, min_size=0, max_size=None: None,
    "frozensets": lambda elements, *, min_size=0, max_size=None: None,
    "dictionaries": lambda keys, values, *, min_size=0, max_size=None: None,
    "tuples": lambda *strategies: None,
    "one_of": lambda *strategies: None,
    "sampled_from": lambda elements: None,
    "permutations": lambda values: None,
    "just": lambda value: None,
}
_VALUES_ALONE = frozenset({"sampled_from", "permutations"})
"""Strategies whose parameters are all values, whatever they are called."""

STRATEGIES = tuple(_SIGNATURES)


class DrawStopped(BaseException):
    """Nothing more can be drawn; the reason was reported.  Hypothesis lets it through."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The things that drawing by one expression needs.

    own: the names of the checkers file's functions.  random: makes their choices; None: Hypothesis does.
    until_s: CPU time of this thread at which it is stopped.
    """

    expression: Expression
    reporter: Reporter
    types: Mapping[str, DeclaredType]
    generators: Generators | None
    own: Collection[str]
    until_s: float
    random: Random | None = None

    def value(self, draw: "DrawFn", node: ast.expr, names: Names) -> Sized:
        """Draw the strategies in a node, and return its value.  Raises `DrawStopped`."""
        if thread_time() > self.until_s:
            self._stop(node, f"drawing its inputs takes more than {DRAW_S:g} s", "draw smaller values")
        drawn = dict(names)
        node = self._replaced(draw, node, drawn)
        try:
            return Evaluator(self.expression, drawn, self.reporter, self.types).value(node)
        except Unusable:
            raise DrawStopped from None

    def draws(self, node: ast.AST) -> bool:
        """Tell whether a strategy, or a function of the spec's own, stands in a node."""
        return any(isinstance(part, ast.Call) and self._draws(part) for part in ast.walk(node))

    def _draws(self, call: ast.Call) -> bool:
        return isinstance(call.func, ast.Name) and (
            call.func.id in _SIGNATURES or (call.func.id in self.own and call.func.id not in self.types)
        )

    def _replaced(self, draw: "DrawFn", node: Any, names: dict[str, Sized]) -> Any:
        """Return a node with names instead of strategies; add their values to `names`."""
        if isinstance(node, ast.Call) and self._draws(node):
            name = f"drawn {len(names)}"  # no name of a spec has a blank
            value = self._drawn(draw, node, names)
            size = size_of(value)
            if excess := size.excess():
                self._stop(node, excess)
            names[name] = value, size
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        if not isinstance(node, ast.AST) or not self.draws(node):
            return node
        made = copy(node)
        for field, part in ast.iter_fields(node):
            if isinstance(part, list):
                setattr(made, field, [self._replaced(draw, item, names) for item in part])
            elif isinstance(part, ast.AST):
                setattr(made, field, self._replaced(draw, part, names))
        return made

    def _drawn(self, draw: "DrawFn", call: ast.Call, names: Names) -> Value:
        assert isinstance(call.func, ast.Name)
        if call.func.id not in _SIGNATURES:
            return self._asked(draw, call, names)
        from hypothesis.errors import InvalidArgument

        try:
            value: Value = draw(self._built(draw, call, names))
            return value
        except InvalidArgument as error:
            self._stop(call, f"`{call.func.id}` can't draw: {_sentence(error)}")
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
            kind = str(error).rpartition(" ")[2].strip("'")
            self._stop(call, f"a {kind} can't be in a set or be a key", "draw tuples or frozensets instead")

    def _built(self, draw: "DrawFn", call: ast.Call, names: Names) -> "SearchStrategy[Any]":
        """Return the strategy of a call.  Raises `InvalidArgument`."""
        from hypothesis import strategies

        name = call.func.id  # type: ignore[attr-defined]  # the caller looked
        bound = bind(call)
        assert isinstance(bound, inspect.BoundArguments), "the call was checked"
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for parameter, part in bound.arguments.items():
            made: Any
            if parameter in _PARTS and name not in _VALUES_ALONE:
                nodes = part if isinstance(part, tuple) else (part,)
                args += [self.strategy(each, names) for each in nodes]
                continue
            made, _ = self.value(draw, part, names)
            if sort_of(made).is_unordered:
                # Sets have no order of their own, and it must be the same everywhere.
                made = sorted(made, key=repr)
            kwargs[parameter] = made
        made_strategy: SearchStrategy[Any] = getattr(strategies, name)(*args, **kwargs)
        made_strategy.validate()
        return made_strategy

    def strategy(self, node: ast.expr, names: Names) -> "SearchStrategy[Any]":
        """Return the strategy that draws values of a node."""
        from hypothesis import strategies

        @strategies.composite
        def value(draw: "DrawFn") -> Any:
            return self.value(draw, node, names)[0]

        match node:
            case ast.Call(func=ast.Name(id=name)) if name in _SIGNATURES and not _depends(node):
                # Without the composite around it Hypothesis draws and shrinks a plain strategy better.
                return self._built(cast("DrawFn", _no_draw), node, names)
        return value()

    def _asked(self, draw: "DrawFn", call: ast.Call, names: Names) -> Value:
        """Return the value that a function of the spec's own makes."""
        assert isinstance(call.func, ast.Name)
        args = [self.value(draw, node, names)[0] for node in call.args]
        kwargs = {word.arg or "": self.value(draw, word.value, names)[0] for word in call.keywords}
        if self.random is not None:
            choices = self.random.randbytes(CHOICES_B)
        else:
            from hypothesis import strategies

            choices = draw(strategies.binary(min_size=CHOICES_B, max_size=CHOICES_B))
        assert self.generators is not None, "its name was found in the checkers file"
        try:
            return self.generators.ask(call.func.id, choices, args, kwargs)
        except GeneratorFailed as failure:
            self._stop(call, shown(str(failure), _LONGEST))

    def _stop(self, node: ast.AST, message: str, hint: str = "") -> NoReturn:
        self.reporter.report(self.expression.span(node), message, hint)
        raise DrawStopped


def bind(call: ast.Call) -> inspect.BoundArguments | str:
    """Return the arguments of a strategy's call by its parameters, or why they do not fit."""
    assert isinstance(call.func, ast.Name)
    try:
        signature = inspect.signature(_SIGNATURES[call.func.id])
        return signature.bind(*call.args, **{word.arg or "**": word.value for word in call.keywords})
    except TypeError as error:
        return str(error)


def written(name: str) -> str:
    """Return a strategy with its parameters, for people."""
    signature = inspect.signature(_SIGNATURES[name])
    parts = [
        part.name if part.default in (part.empty, None) else str(part)
        for part in signature.parameters.values()
    ]
    return f"{name}({', '.join(parts)})"


def keywords(name: str) -> list[str]:
    """Return the names of a strategy's parameters."""
    return list(inspect.signature(_SIGNATURES[name]).parameters)


def _depends(call: ast.Call) -> bool:
    """Tell whether an argument that is a value has to be drawn itself."""
    bound = bind(call)
    assert isinstance(bound, inspect.BoundArguments), "the call was checked"
    for parameter, part in bound.arguments.items():
        if parameter in _PARTS and call.func.id not in _VALUES_ALONE:  # type: ignore[attr-defined]
            continue
        nodes = part if isinstance(part, tuple) else (part,)
        if any(isinstance(each, ast.Call) for node in nodes for each in ast.walk(node)):
            return True
    return False


def _no_draw(*_: object) -> NoReturn:
    raise AssertionError("nothing in these arguments is drawn")


def _sentence(error: Exception) -> str:
    """Return the first line of an error of Hypothesis, without words that are about its caller."""
    return (
        shown(str(error).splitlines()[0].rstrip("."), _LONGEST) if str(error) else "its arguments do not fit"
    )
