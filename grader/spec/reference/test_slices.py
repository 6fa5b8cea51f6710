"""The part of test files that one test needs: the text that the process of that test gets.

A program that finds a way to read that process finds no other test there, nor what other tests alone use.
A definition counts as used if what is kept has its name: as a name, an attribute, an argument (a fixture) or
a word in a string.  So too much is kept rather than too little.  Lines keep their numbers.
"""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.spec.reference.test_files import all_names

_COMPUTED = frozenset({"globals", "vars", "__dict__", "inspect", "import_module", "modules", "attrgetter"})
"""By these, code reaches what it does not name: then all is kept but the other tests."""
_PLAIN_DECORATORS = frozenset(
    [
        *(
            "fixture",
            "cache",
            "lru_cache",
            "cached_property",
            "contextmanager",
            "staticmethod",
            "classmethod",
        ),
        *("property", "dataclass", "wraps", "total_ordering", "setter", "getter", "unique"),
    ]
)
"""Decorators that leave nothing behind but what they return."""
_ASKED_FOR = frozenset(
    [
        *(f"{when}{what}" for when in ("setup", "teardown") for what in ("", "_module", "_function")),
        *(f"{when}{what}" for when in ("setup", "teardown") for what in ("_class", "_method")),
        *(f"{when}{what}" for when in ("setUp", "tearDown") for what in ("", "Class", "Module")),
        *("asyncSetUp", "asyncTearDown", "maxDiff", "longMessage", "failureException", "run", "id"),
        *("shortDescription", "debug"),
    ]
)
"""Names that pytest and unittest ask for."""
_BASES = frozenset(
    {"TestCase", "IsolatedAsyncioTestCase", "ABC", "Enum", "NamedTuple", "Protocol", *dir(builtins)}
)
_NEWLINE = re.compile(r"\r\n|\r|\n")
_LONGEST_TEXT = 200
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(slots=True)
class _Unit:
    """Statements of a module or class that are kept or left out together: those that share a line.

    names: what it defines; none if it is kept whatever the others use.  words: by which it reaches others;
    called: those that are no words in strings.  test: the name of a test, or of a class with tests, with its
    class.  parts: of such a class, its own units.
    """

    nodes: list[ast.stmt]
    names: frozenset[str]
    words: frozenset[str]
    called: frozenset[str]
    test: str = ""
    parts: list["_Unit"] = field(default_factory=list)


class Slices:
    """The slices of test files, for each test.  texts: the files by module name.  main: the one with tests.

    Raises `SyntaxError`.
    """

    def __init__(self, texts: Mapping[str, str], main: str) -> None:
        self._texts = texts
        self._main = main
        self._units: dict[str, list[_Unit]] = {}
        for name, text in texts.items():
            file = f"{name}.py"
            self._units[name] = _units(ast.parse(text, file).body, frozenset(all_names(text, file)), "")

    def of(self, test: str) -> dict[str, str]:
        """Return the texts with what one test needs alone; all other lines are empty."""
        kept, words = self._kept(test)
        found = {}
        for name, units in self._units.items():
            text = _text(_NEWLINE.split(self._texts[name]), units, kept, words, self._texts)
            try:
                ast.parse(text)
            except SyntaxError:
                # Some statement is written in a way that cannot be taken apart.
                text = self._texts[name]
            found[name] = text
        return found

    def _kept(self, test: str) -> tuple[set[int], set[str]]:
        """Return the units that a test needs, by identity, and the words of all of them."""
        kept: set[int] = set()
        outer, _, method = test.rpartition(".")
        is_own = any(unit.test == test for unit in self._every(None))
        # A method that the class has from another one.
        called = set() if is_own else {method}
        words = set(called)
        everything, changed = False, True
        while changed:
            changed = False
            for unit in self._every(kept):
                if id(unit) in kept:
                    continue
                if unit.test:
                    needed = unit.test in (test, outer) or not unit.names.isdisjoint(called)
                else:
                    needed = everything or not unit.names or not unit.names.isdisjoint(words)
                if needed:
                    kept.add(id(unit))
                    changed = True
                    if not self._is_import_of_beside(unit):
                        words |= unit.words
                        called |= unit.called
                    everything = everything or not _COMPUTED.isdisjoint(called)
            for name, other in self._renamed():
                if other in words and name not in words:
                    words.add(name)
                    changed = True
        return kept, words

    def _every(self, kept: set[int] | None) -> Iterator[_Unit]:
        """Yield all units, and those of a class with tests once it is kept.  kept: None for all."""
        for units in self._units.values():
            for unit in units:
                yield unit
                if kept is None or id(unit) in kept:
                    yield from unit.parts

    def _is_import_of_beside(self, unit: _Unit) -> bool:
        node = unit.nodes[0]
        return len(unit.nodes) == 1 and isinstance(node, ast.ImportFrom) and node.module in self._texts

    def _renamed(self) -> Iterator[tuple[str, str]]:
        """Yield the names that are imported from files beside under others, with these."""
        for units in self._units.values():
            for unit in filter(self._is_import_of_beside, units):
                for alias in unit.nodes[0].names:  # type: ignore[attr-defined]
                    if alias.asname:
                        yield alias.name, alias.asname


# -- what there is ---------------------------------------------------------------------------------------


def _units(body: Sequence[ast.stmt], tests: frozenset[str], outer: str) -> list[_Unit]:
    """Return the units of a module, or of the class `outer`."""
    grouped: list[list[ast.stmt]] = []
    for node in body:
        if grouped and _first_line(node) <= (grouped[-1][-1].end_lineno or 0):
            grouped[-1].append(node)
        else:
            grouped.append([node])
    bound = {name for node in body for name in _assigned(node)}
    bound |= {node.name for node in body if isinstance(node, ast.ClassDef)}
    return [_unit(nodes, frozenset(bound), tests, outer) for nodes in grouped]


def _unit(nodes: list[ast.stmt], bound: frozenset[str], tests: frozenset[str], outer: str) -> _Unit:
    names = {name for node in nodes for name in (_names(node, bound) or ("",))}
    unit = _Unit(nodes, frozenset() if "" in names else frozenset(names), _words(nodes), _called(nodes))
    first = nodes[0]
    if len(nodes) > 1 or not isinstance(first, _Definition):
        return unit
    path = f"{outer}.{first.name}" if outer else first.name
    has_tests = not outer and any(name.startswith(f"{path}.") for name in tests)
    if path in tests or has_tests:
        unit.test, unit.names = path, frozenset({first.name})
    if isinstance(first, ast.ClassDef) and has_tests and _first_line(first.body[0]) > _head_end(first):
        unit.parts = _units(first.body, tests, path)
        head = [*first.decorator_list, *first.bases, *first.keywords]
        unit.words, unit.called = _words(head), _called(head)
        if not (_BASES | bound).issuperset(_last_words(first.bases)):
            # A class that is not seen may ask for any of its names.
            for part in unit.parts:
                part.names = part.names if part.test else frozenset()
    return unit


def _names(node: ast.stmt, bound: frozenset[str]) -> tuple[str, ...]:
    """Return the names by which a statement is wanted; none if it is to be kept whatever others use."""
    found: tuple[str, ...] = ()
    if isinstance(node, ast.ClassDef) and _may_have_tests(node, bound):
        return ()
    if isinstance(node, _Definition):
        is_plain = _PLAIN_DECORATORS.issuperset(_last_words(node.decorator_list))
        found = (node.name,) if is_plain and not _is_automatic(node) else ()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return ("__doc__",)
    elif isinstance(node, ast.If) and "__main__" in _words([node.test]):
        return ("__main__",)
    else:
        found = _assigned(node) or _filled(node, bound)
    return () if any(map(_is_asked_for, found)) else found


def _may_have_tests(node: ast.ClassDef, bound: frozenset[str]) -> bool:
    """Tell whether pytest may find tests in a class, which the file does not show or which are its own."""
    return node.name.startswith("Test") or not (_BASES | bound).issuperset(_last_words(node.bases))


def _is_asked_for(name: str) -> bool:
    return name in _ASKED_FOR or name.startswith("pytest") or (name.startswith("__") and name.endswith("__"))


def _is_automatic(node: _Definition) -> bool:
    """Tell whether a definition is a fixture that tests need not name, or may name otherwise."""
    calls = (each for each in node.decorator_list if isinstance(each, ast.Call))
    return any(word.arg in ("autouse", "name", None) for call in calls for word in call.keywords)


def _assigned(node: ast.stmt) -> tuple[str, ...]:
    """Return the names that an assignment gives a value, if it does nothing else."""
    targets: Sequence[ast.expr] = ()
    match node:
        case ast.Assign(targets=list() as several):
            targets = several
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            targets = (target,)
    names = [each for target in targets for each in _targets(target)]
    plain = tuple(name.id for name in names if isinstance(name, ast.Name))
    return plain if len(plain) == len(names) else ()


def _targets(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Tuple(elts=several) | ast.List(elts=several):
            for each in several:
                yield from _targets(each)
        case ast.Starred(value=inner):
            yield from _targets(inner)
        case _:
            yield node


def _filled(node: ast.stmt, bound: frozenset[str]) -> tuple[str, ...]:
    """Return the name of a value of the file that a statement changes, such as `CASES.append(…)`."""
    match node:
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))
            | ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))])
            | ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name)))
        ):
            return (name,) if name in bound else ()
    return ()


# -- what is used ----------------------------------------------------------------------------------------


def _words(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return all words by which code can reach something."""
    nodes = [*nodes]
    found = set(_called(nodes))
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < _LONGEST_TEXT:
            found.update(re.findall(r"\w+", node.value))
    return frozenset(found)


def _called(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the words by which code can reach something, without those in strings."""
    found: set[str] = set()
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word) | ast.alias(name=word):
                found.add(word)
            case ast.Call(func=ast.Name(id="getattr"), args=[_, name, *_]) if not _is_constant(name):
                found.add("globals")
            case ast.Call(func=ast.Attribute(attr="getfixturevalue"), args=[name]) if not _is_constant(name):
                found.add("globals")
    return frozenset(found)


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _last_words(nodes: Iterable[ast.expr]) -> Iterator[str]:
    """Yield the last word of each dotted name, also of one that is called or has an index."""
    for node in nodes:
        while isinstance(node, ast.Call | ast.Subscript):
            node = node.func if isinstance(node, ast.Call) else node.value
        yield node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


# -- the text --------------------------------------------------------------------------------------------


def _text(
    lines: Sequence[str], units: Sequence[_Unit], kept: set[int], words: set[str], texts: Mapping[str, str]
) -> str:
    """Return the lines of a file that are kept, at their places."""
    made = [""] * len(lines)

    def copy(first: int, last: int) -> None:
        made[first - 1 : last] = lines[first - 1 : last]

    for unit in units:
        node = unit.nodes[0]
        if id(unit) not in kept:
            continue
        if unit.parts and isinstance(node, ast.ClassDef):
            copy(_first_line(node), _head_end(node))
            body = node.body[0]
            made[_first_line(body) - 1] = f"{' ' * body.col_offset}pass"
            for part in unit.parts:
                if id(part) in kept:
                    copy(_first_line(part.nodes[0]), _end(part))
        elif isinstance(node, ast.ImportFrom) and len(unit.nodes) == 1 and node.module in texts:
            made[node.lineno - 1] = _import(node, words)
        else:
            copy(_first_line(node), _end(unit))
    return "\n".join(made).rstrip("\n") + "\n"


def _import(node: ast.ImportFrom, words: set[str]) -> str:
    """Return an import from a file beside, without the names that are left out there."""
    names = [
        alias
        for alias in node.names
        if alias.name == "*" or alias.name.lower().startswith("test") or (alias.asname or alias.name) in words
    ]
    if not names:
        return f"import {node.module}"
    return ast.unparse(ast.ImportFrom(node.module, names, node.level))


def _first_line(node: ast.stmt) -> int:
    above = node.decorator_list if isinstance(node, _Definition) else []
    return min(node.lineno, *(each.lineno for each in above)) if above else node.lineno


def _head_end(node: ast.ClassDef) -> int:
    """Return the last line of a class before its body."""
    parts = [*node.bases, *(word.value for word in node.keywords)]
    return max((part.end_lineno or part.lineno for part in parts), default=node.lineno)


def _end(unit: _Unit) -> int:
    return max(node.end_lineno or node.lineno for node in unit.nodes)
