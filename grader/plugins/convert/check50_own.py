"""What a check of check50 asks by Python of its own, as a checker: nothing of it is run here.

A check can look at the output, the exit code and the files that are left, by statements of any kind.  These
are written into the checkers file as they stand, in a function that gives their names the same values.
"""

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.plugins.convert.check50_chains import Chain
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.names import bound_in
from grader.plugins.convert.python.scope import is_mutable
from grader.values.python_text import literal
from grader.values.walk import parts

_OF_CHECK50 = {"Failure", "Mismatch", "Missing", "hash"}
_REFUSED = {"exec", "eval", "compile", "__import__", "input", "globals", "locals", "vars", "breakpoint"}
_ODD = (ast.ClassDef, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda, ast.Import)
_OF_RE = {"escape", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "IGNORECASE"}


@dataclass(frozen=True, slots=True)
class Output:
    """All that a chain's program printed since its last prompt or expected text."""

    chain: Chain


@dataclass(frozen=True, slots=True)
class ExitCode:
    """The exit code of a chain's program."""

    chain: Chain


@dataclass(slots=True)
class OwnJudgement:
    """Writes the rest of a check as the body of a checker.

    names: what its names stand for.  constants, helpers: those of the file.
    value: reads an expression.  content: returns the text of a file that the check includes, None for others.
    """

    names: Mapping[str, Any]
    constants: Mapping[str, Any]
    helpers: Mapping[str, ast.FunctionDef]
    value: Callable[[ast.expr], Any]
    content: Callable[[str], str | None]
    _lines: list[str] = field(default_factory=list)
    _chains: list[Chain] = field(default_factory=list)
    _files: dict[str, str] = field(default_factory=dict)
    _keeps: list[str] = field(default_factory=list)
    _defined: set[str] = field(default_factory=set)
    _lists: list[Any] = field(default_factory=list)

    def take(self, statements: Sequence[ast.stmt], last: Chain) -> None:
        """Give the chain that the statements look at the body of its checker.  Raises `Unconvertible`.

        last: the chain that ran last, which left the files.
        """
        self._look_at(statements, self.names)
        chains = {id(each): each for each in self._chains} or ({id(last): last} if self._keeps else {})
        if len(chains) != 1:
            raise Unconvertible("it looks at several programs at once" if chains else "it runs no program")
        (chain,) = chains.values()
        if chain.own:
            raise Unconvertible("it looks at a program twice")
        chain.keeps += self._keeps
        files = [f"open = _opener({literal(self._files)}, did)"] if self._files or self._keeps else []
        if "check50.hash(" in ast.unparse(ast.Module([*statements], [])):
            files.append("check50.hash = lambda name: _hash(did, name)")
        chain.own = [*files, *self._lines, *ast.unparse(ast.Module([*statements], [])).splitlines()]

    def _look_at(self, statements: Sequence[ast.AST], names: Mapping[str, Any]) -> None:
        nodes = [node for each in statements for node in ast.walk(each)]
        made = {*_made(nodes)}
        for node in nodes:
            match node:
                case ast.ImportFrom(module="re", names=imported) if all(
                    each.name in _OF_RE for each in imported
                ):
                    continue
                case ast.Attribute(value=ast.Name(id="check50"), attr=name) if name not in _OF_CHECK50:
                    raise Unconvertible(f"`check50.{name}` stands among what it judges by itself")
                case ast.Attribute(attr=name) if name.startswith("_"):
                    raise Unconvertible(f"`.{name}` stands in the check")
                case (
                    ast.Call(func=ast.Name(id="open"), args=[name, *rest], keywords=[])
                    | ast.Call(
                        func=ast.Attribute(value=ast.Name(id="check50"), attr="hash"),
                        args=[name, *rest],
                        keywords=[],
                    )
                ):
                    self._open(self.value(name), [each for each in rest if _text(each) != "r"])
                case ast.Name(id="open") | ast.ImportFrom():
                    self._check_place(node, nodes)
                case _ if isinstance(node, _ODD):
                    raise Unconvertible(f"`{ast.unparse(node)[:50]}` stands in the check")
        for name in sorted(
            {each.id for each in nodes if isinstance(each, ast.Name)} - {"check50", "re", "open"}
        ):
            self._name(name, names, made)

    def _check_place(self, node: ast.AST, nodes: Sequence[ast.AST]) -> None:
        """Refuse an import of something else, and `open` where it is not called with a name alone."""
        called = [
            each.func for each in nodes if isinstance(each, ast.Call) and each.args and not each.keywords
        ]
        if node not in called:
            raise Unconvertible(f"`{ast.unparse(node)[:50]}` stands in the check")

    def _open(self, name: object, others: Sequence[ast.expr]) -> None:
        if not isinstance(name, str) or others:
            raise Unconvertible("it opens a file in a way that is not known here")
        text = self.content(name)
        if text is not None:
            self._files[name] = text
        elif name not in self._keeps:
            self._keeps.append(name)

    def _name(self, name: str, names: Mapping[str, Any], made: set[str]) -> None:
        """Add the line that gives a name what it stands for."""
        if name in self._defined:
            return
        if name in names:
            value = names[name]
            if isinstance(value, Output | ExitCode):
                self._chains.append(value.chain)
            said = "left.lstrip('\\n')" if isinstance(value, Output) else "did['exit_code']"
            self._define(name, said if isinstance(value, Output | ExitCode) else self._data(name, value))
        elif name in made:
            return
        elif name in self.helpers:
            self._defined.add(name)
            helper = self.helpers[name]
            if helper.decorator_list or {*_free(helper)} & {*self.names}:
                raise Unconvertible(f"`{name}` uses a name that the check uses for something else")
            self._look_at([helper], {})
            self._lines += ast.unparse(helper).splitlines()
        elif name in self.constants:
            self._define(name, self._data(name, self.constants[name]))
        elif name in _OF_RE:
            self._define(name, f"re.{name}")
        elif not hasattr(builtins, name) or name in _REFUSED:
            raise Unconvertible(f"`{name}` is not known here")

    def _data(self, name: str, value: Any) -> str:
        """Return a value as text.  Raises `Unconvertible` for a list that another name stands for too."""
        text = _written(name, value)
        lists = [part for part in parts(value) if is_mutable(part)]
        if any(one is other for one in lists for other in self._lists):
            raise Unconvertible(f"`{name}` may be one list with another name")
        self._lists += lists
        return text

    def _define(self, name: str, text: str) -> None:
        self._defined.add(name)
        self._lines.append(f"{name} = {text}")


def _made(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the names that statements give to something."""
    for node in nodes:
        yield from bound_in(node)
        match node:
            case ast.ImportFrom(names=imported):
                yield from (each.asname or each.name for each in imported)


def _free(helper: ast.FunctionDef) -> set[str]:
    nodes = [*ast.walk(helper)]
    return {each.id for each in nodes if isinstance(each, ast.Name)} - {*_made(nodes)}


def _text(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _written(name: str, value: Any) -> str:
    try:
        return literal(value)
    except (TypeError, ValueError):
        raise Unconvertible(f"`{name}` is not known here") from None
