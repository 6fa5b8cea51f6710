"""The parts of a reference that a fault is put into, and edits of their text.

A reference is parsed, never run.  Edits change the text and leave the rest of the file as it is: comments and
headers, which rules look at, and the numbers of most lines.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from grader.model.case import Call, Case

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_ATOMS = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr),
)
_ROOMY = (ast.stmt, ast.keyword, ast.List, ast.Set, ast.Tuple)
"""Parents in which any expression stands without parentheses."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Text to put between two offsets of a module's text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class CodeFault:
    """One fault: the operator that makes it, and its edits, which do not overlap."""

    operator: str
    edits: tuple[Edit, ...]
    summary: str = ""
    """Says the change where its text says too little, or depends on more than the function."""


class ModuleText:
    """A module of the reference: its text, its tree, and where each node stands in the text."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.tree = ast.parse(text)
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def offset(self, line: int, column_b: int) -> int:
        """Return the offset of a place that `ast` tells: a line from 1 on, and bytes of UTF-8 in it."""
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        return start + len(self.text[start:end].encode()[:column_b].decode())

    def line_of(self, offset: int) -> int:
        """Return the number of the line that an offset lies in."""
        return self.text.count("\n", 0, offset) + 1

    def span(self, node: ast.expr | ast.stmt | ast.excepthandler | ast.arg | ast.keyword) -> tuple[int, int]:
        """Return the offsets of a node's first character and of the one behind it."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.offset(node.lineno, node.col_offset)
        return start, self.offset(node.end_lineno, node.end_col_offset)


@dataclass(frozen=True, eq=False)
class Unit:
    """A function, a method, the attributes of a class, or a statement of a module: what is mutated at once.

    name: qualified, such as `Board.move`; of a statement, the name that it binds.
    body: the statements whose inside is mutated.
    owner: the class that it belongs to.
    depth: number of calls between a case and it; 0 if a case calls it.
    calls: the calls that cases make of it, each with its case.
    kinds: what its annotations mean, by their text: `list`, `int`, ….
    functions: the parameters of the program's functions and classes, by name.
    enums: the names of enums, and of fields and parameters that hold a member of one.
    compares_messages: some case compares the text of an exception.
    compares_text: some case compares text that is printed or returned.
    """

    module: ModuleText
    name: str
    node: ast.stmt
    body: tuple[ast.stmt, ...]
    owner: ast.ClassDef | None = None
    depth: int = 0
    calls: tuple[tuple[Case, Call], ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    functions: frozenset[str] = frozenset()
    enums: frozenset[str] = frozenset()
    compares_messages: bool = False
    compares_text: bool = True

    @property
    def function(self) -> FunctionNode | None:
        """The function, if it is one."""
        return self.node if isinstance(self.node, FunctionNode) else None

    @property
    def parameters(self) -> list[ast.arg]:
        """The parameters of the function, without `self`."""
        if self.function is None:
            return []
        arguments = self.function.args
        every = [*arguments.posonlyargs, *arguments.args]
        return every[1:] if self.owner is not None else every

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node that each node belongs to."""
        return {
            child: parent
            for statement in self.body
            for parent in ast.walk(statement)
            for child in ast.iter_child_nodes(parent)
        }

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The nodes to mutate, in the order of the source.

        Left alone: docstrings, annotations, decorators, the inside of formatted texts (Python 3.11 tells its
        places wrong), and the messages of exceptions where no case compares one.
        """
        found: list[ast.AST] = []
        for statement in self.body:
            found.extend(self._inside(statement))
        return found

    def _inside(self, node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        yield node
        match node:
            case ast.JoinedStr():
                return
            case ast.Assert(test=test):
                yield from self._inside(test)
                return
            case ast.Raise() if not self.compares_messages:
                return
            case ast.keyword(arg="flush"):
                return
            case ast.AnnAssign(value=value):
                if value is not None:
                    yield from self._inside(value)
                return
            case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
                for statement in body:
                    yield from self._inside(statement)
                return
        for child in ast.iter_child_nodes(node):
            yield from self._inside(child)

    @cached_property
    def returns(self) -> list[tuple[ast.Return, ast.expr]]:
        """The statements by which the function itself returns something, each with its answer."""
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in self.nodes):
            return []
        return [
            (node, node.value)
            for node in self.nodes
            if isinstance(node, ast.Return) and node.value is not None and not self._is_nested(node)
        ]

    @property
    def is_called_twice(self) -> bool:
        """Tell whether some case calls it, or makes an object of its class, more than once in one process."""
        cases = [case.id for case, _ in self.calls]
        return len(set(cases)) < len(cases)

    def _is_nested(self, node: ast.AST) -> bool:
        above = self.parents.get(node)
        while above is not None and not isinstance(above, FunctionNode):
            above = self.parents.get(above)
        return above is not None

    def text(self, node: ast.expr | ast.stmt | ast.excepthandler | ast.arg | ast.keyword) -> str:
        """Return the source of a node."""
        start, end = self.module.span(node)
        return self.module.text[start:end]

    # -- edits -------------------------------------------------------------------------------------

    def put(self, old: ast.expr, new: ast.expr | str) -> Edit:
        """Return the edit that puts an expression where another one stands.

        new: as text, it must need no parentheses.
        """
        start, end = self.module.span(old)
        if isinstance(new, str):
            return Edit(start, end, new)
        text = ast.unparse(ast.fix_missing_locations(new))
        return Edit(start, end, text if self._stands_bare(old, new) else f"({text})")

    def _stands_bare(self, old: ast.expr, new: ast.expr) -> bool:
        if isinstance(new, _ATOMS) or (isinstance(new, ast.Constant) and str(new.value)[:1] != "-"):
            return True
        parent = self.parents.get(old)
        if isinstance(new, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Starred):
            return False
        if isinstance(parent, _ROOMY) or (isinstance(parent, ast.Call) and old in parent.args):
            return True
        return type(new) is type(old) and not isinstance(new, ast.BinOp | ast.BoolOp | ast.UnaryOp)

    def put_statement(self, old: ast.stmt, *new: ast.stmt | str) -> Edit:
        """Return the edit that puts statements, at least one, where another one stands."""
        start, end = self.module.span(old)
        lines = (part if isinstance(part, str) else ast.unparse(part) for part in new)
        return Edit(start, end, _indented("\n".join(lines), old.col_offset))

    def before(self, statement: ast.stmt, text: str) -> Edit:
        """Return the edit that puts lines before a statement."""
        start, _ = self.module.span(statement)
        return Edit(start, start, _indented(text + "\n", statement.col_offset))

    def after(self, statement: ast.stmt, text: str) -> Edit:
        """Return the edit that puts lines after a statement."""
        _, end = self.module.span(statement)
        return Edit(end, end, _indented("\n" + text, statement.col_offset))

    @property
    def head(self) -> str:
        """The unit's first line."""
        start, end = self.module.span(self.node)
        return self.module.text[start:end].partition("\n")[0]

    @property
    def work(self) -> list[ast.stmt]:
        """The statements of the function, without its docstring."""
        body = list(self.body)
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            return body[1:]
        return body


def _indented(text: str, column: int) -> str:
    """Return lines with all but the first indented."""
    return text.replace("\n", "\n" + " " * column)


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    """Return a text after its edits."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
