"""Calls that are more than a function with data: operators, built-in functions, attributes, nested calls.

A formula is a tree, read by `grader.spec.expressions.formulas` and computed beside the student's code by
`grader.worker.box.formulas`.  All data in it stands among the arguments of its call, so it is a number here.

A node's kind names the rest:

    slot number                 an argument of the call
    module name                 a name of the student's module
    kept name                   an object of an earlier step
    python name                 one of Python's built-in names, or a class of the standard library
    package name                a third-party package that the spec allows
    attribute name, of
    call names, function, args  the last arguments are keyword arguments with these names
    operator symbol, operands   `a[i]` has the symbol `[]`, `not a` `not`, `-a` `-x`
    slice, lower, upper, step   None for a part that is missing
    list, tuple, items, parts    `items` is a set
    dict, key, item, key, ...
    set, holder, value          the holder is an attribute or has the symbol `[]`
    delete, holder
    reads, of, look ...         a dict of what is read of a value, by the texts of the looks
    look text, formula          the value itself is the node `it`
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

Packed: TypeAlias = "tuple[str, str, tuple[Packed, ...]]"

_BINARY = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod, "**": ast.Pow,
    "@": ast.MatMult, "&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift,
}  # fmt: skip
_COMPARING = {
    "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
    "in": ast.In, "not in": ast.NotIn, "is": ast.Is, "is not": ast.IsNot,
}  # fmt: skip
_UNARY = {"-x": ast.USub, "+x": ast.UAdd, "~x": ast.Invert, "not": ast.Not}
SYMBOLS: dict[type[ast.AST], str] = {
    kind: symbol for symbols in (_BINARY, _COMPARING, _UNARY) for symbol, kind in symbols.items()
}
"""The symbol of each operator of Python that a formula can have."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A node of a formula; the module's docstring has the kinds."""

    kind: str
    text: str = ""
    parts: tuple["Formula", ...] = ()

    def walk(self) -> Iterator["Formula"]:
        """Yield the node and all nodes below it."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def packed(self) -> Packed:
        """Return the tree as plain tuples, for the box."""
        return self.kind, self.text, tuple(part.packed() for part in self.parts)

    def renamed(self, rename: Callable[[str], str]) -> "Formula":
        """Return the formula with other names for objects of earlier steps."""
        text = rename(self.text) if self.kind == "kept" else self.text
        return replace(self, text=text, parts=tuple(part.renamed(rename) for part in self.parts))

    def functions(self) -> tuple[str, ...]:
        """Return the dotted names of the module, and of objects, that it uses, each once."""
        return tuple(dict.fromkeys(_dotted_names(self)))

    def written(self, slots: Sequence[str], name: Callable[[str], str] = str, *, exact: bool = False) -> str:
        """Return it as one would type it, without what is read of its value.

        slots: Python text for each argument.  name: returns the text for a name of the module.
        exact: texts are put in as they are, each in parentheses where it needs them.
        """
        # `ast.unparse` writes any text as the name.
        trees = [ast.Name(text) if exact else ast.parse(text.strip(), mode="eval").body for text in slots]

        def text(node: Formula) -> str:
            return ast.unparse(_tree(node, trees, name))

        match self:
            case Formula("reads", _, (inner, *_)):
                return inner.written(slots, name, exact=exact)
            case Formula("set", "", (holder, value)):
                return f"{text(holder)} = {text(value)}"
            case Formula("delete", "", (holder,)):
                return f"del {text(holder)}"
        return text(self)

    @property
    def is_statement(self) -> bool:
        """Tell whether it changes something and has no value."""
        return self.kind in ("set", "delete")

    @property
    def slots(self) -> frozenset[int]:
        """The numbers of the arguments in it, without those in what is read of its value."""
        inner = self.parts[0] if self.kind == "reads" else self
        return frozenset(int(node.text) for node in inner.walk() if node.kind == "slot")

    @property
    def looks(self) -> tuple["Formula", ...]:
        """The parts that are read of its value."""
        return self.parts[1:] if self.kind == "reads" else ()


def _dotted_names(node: Formula) -> Iterator[str]:
    attributes: list[str] = []
    inner = node
    while inner.kind == "attribute":
        attributes.insert(0, inner.text)
        (inner,) = inner.parts
    if inner.kind in ("module", "kept"):
        yield ".".join([inner.text, *attributes])
        return
    for part in inner.parts:
        yield from _dotted_names(part)


def _tree(node: Formula, slots: Sequence[ast.expr], name: Callable[[str], str]) -> ast.expr:
    """Return a node as Python's own syntax tree, which knows where parentheses are needed."""
    kind, text = node.kind, node.text
    if kind == "slot":
        return slots[int(text)]
    if kind == "slice":
        return ast.Slice(*[None if part.text == "None" else _tree(part, slots, name) for part in node.parts])
    parts = [_tree(part, slots, name) for part in node.parts]
    match kind:
        case "module":
            return ast.Name(name(text))
        case "attribute":
            return ast.Attribute(parts[0], text, ast.Load())
        case "call":
            names = text.split()
            named = [ast.keyword(*pair) for pair in zip(names, parts[len(parts) - len(names) :], strict=True)]
            return ast.Call(parts[0], parts[1 : len(parts) - len(names)], named)
        case "operator":
            return _operator(text, parts)
        case "list":
            return ast.List(parts, ast.Load())
        case "tuple":
            return ast.Tuple(parts, ast.Load())
        case "items":
            return ast.Set(parts)
        case "dict":
            return ast.Dict([*parts[::2]], [*parts[1::2]])
    return ast.Name(text, ast.Load())


def _operator(symbol: str, parts: Sequence[ast.expr]) -> ast.expr:
    if symbol == "[]":
        return ast.Subscript(parts[0], parts[1], ast.Load())
    if symbol in _UNARY:
        return ast.UnaryOp(_UNARY[symbol](), parts[0])
    if symbol in _COMPARING:
        return ast.Compare(parts[0], [_COMPARING[symbol]()], [parts[1]])
    return ast.BinOp(parts[0], _BINARY[symbol](), parts[1])
