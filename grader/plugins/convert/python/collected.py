"""Which functions of a file pytest, or unittest, takes for tests and runs, and what it sets up for them."""

import ast
import unittest
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.plugins.convert.python.names import bound_by, declared
from grader.plugins.convert.python.scope import ConvertedScope

Function = ast.FunctionDef | ast.AsyncFunctionDef

_SET_UP = {"setUp", "setUpClass", "tearDown", "tearDownClass", "setup_method", "setup_class", "asyncSetUp"}
_SET_UP |= {"teardown_method", "teardown_class", "asyncTearDown"}
_SET_UP_ALL = {"setUpModule", "setup_module", "setup_function", "tearDownModule", "teardown_module"}
_SET_UP_ALL |= {"teardown_function", "load_tests", "pytest_generate_tests", "pytest_plugins"}
_ODD = {"__test__", "__init__", "__new__", "pytestmark"}
_HARMLESS = {"maxDiff", "longMessage", "__doc__"}
_TEST_CASES = ("unittest.TestCase", "unittest.case.TestCase", "unittest.IsolatedAsyncioTestCase")


@dataclass(frozen=True, slots=True)
class FoundTest:
    """A function that looks like a test.

    why: a reason to leave it out, empty for none.  owner: its class, if only its `setUp` is the reason.
    """

    function: Function
    why: str = ""
    owner: ast.ClassDef | None = None


@dataclass(frozen=True, slots=True)
class Collector:
    """Finds the tests of a file.  of_pytest: as pytest does, not unittest."""

    tree: ast.Module
    scope: ConvertedScope
    of_pytest: bool

    def state(self) -> str:
        """Return what the file sets up for all tests; empty for nothing."""
        made = {*bound_by(self.tree.body)}
        if "pytestmark" in made:
            return "`pytestmark` has no counterpart"
        if "__test__" in made:
            return "`__test__` may say that nothing here is a test"
        if around := sorted(made & _SET_UP_ALL):
            return f"`{around[0]}` runs before it, on which it may rely"
        for node in self.tree.body:
            if isinstance(node, Function) and _is_autouse(node):
                return f"`{node.name}` runs before it, on which it may rely"
        return ""

    def tests(self) -> Iterator[FoundTest]:
        yield from self._of_body(self.tree.body, None)

    def _of_body(self, body: list[ast.stmt], owner: ast.ClassDef | None) -> Iterator[FoundTest]:
        last = _last(body)
        elsewhere = {*declared([self.tree])} if owner is None else set()
        for node in body:
            if isinstance(node, Function | ast.ClassDef):
                never = ""
                if last[node.name] is not node or node.name in elsewhere:
                    never = "something else gets its name later, so it never runs"
                if isinstance(node, ast.ClassDef):
                    yield from self._of_class(node, never or self._never(node, owner))
                elif node.name.startswith("test"):
                    if owner is None and not self.of_pytest:
                        never = never or "it is no method of a `TestCase`, so unittest never runs it"
                    yield FoundTest(node, never)
            else:
                for part in ast.walk(node):
                    if isinstance(part, Function) and part.name.startswith("test"):
                        yield FoundTest(part, "it is defined in a condition or the like")

    def _of_class(self, node: ast.ClassDef, never: str) -> Iterator[FoundTest]:
        reason = never or self._reason(node)
        set_up = "" if reason else _set_up(node)
        heirs = self._heirs(node)
        for found in self._of_body(node.body, node):
            owner = node if set_up and not found.why else found.owner
            name = found.function.name
            running = [heir.name for heir in heirs if name not in bound_by(heir.body)]
            if not (never and running):
                yield FoundTest(found.function, found.why or reason or set_up, owner)
            for heir in running:
                yield FoundTest(found.function, f"`{heir}` inherits `{name}` from `{node.name}`")

    def _heirs(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """Return the classes of the file that run the tests of a class, too, since they derive from it."""
        classes = [each for each in self.tree.body if isinstance(each, ast.ClassDef) and each is not node]
        return [each for each in classes if node in self._bases(each) and not self._never(each, None)]

    def _bases(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """Return a class and those of the file that it derives from."""
        classes = {each.name: each for each in self.tree.body if isinstance(each, ast.ClassDef)}
        found = [node]
        for each in found:
            named = (
                classes[base.id] for base in each.bases if isinstance(base, ast.Name) and base.id in classes
            )
            found += (base for base in named if base not in found)
        return found

    def _never(self, node: ast.ClassDef, owner: ast.ClassDef | None) -> str:
        """Return why the tests of a class never run; empty if they do."""
        made = {*bound_by(node.body)}
        if owner is not None and (not self.of_pytest or self._is_case(owner)):
            return "its class stands in another one, so it never runs"
        if self._is_case(node):
            return ""
        if not self.of_pytest:
            return "its class is no `unittest.TestCase`, so it never runs"
        if not node.name.startswith("Test"):
            return "the name of its class does not begin with `Test`, so pytest never runs it"
        if odd := sorted(made & {"__init__", "__new__"}):
            return f"its class has `{odd[0]}`, so pytest never runs it"
        return ""

    def _is_case(self, node: ast.ClassDef) -> bool:
        bases = [base for each in self._bases(node) for base in each.bases]
        return any(self.scope.stands_for(base) in _TEST_CASES for base in bases)

    def _reason(self, node: ast.ClassDef) -> str:
        """Return why the tests of a class may rely on more than they show, and than on a plain `setUp`."""
        parts = {part.name: part for part in node.body if isinstance(part, Function)}
        made = [*bound_by(node.body)]
        for name in sorted({*made} - _HARMLESS):
            if name in _SET_UP:
                plain = name in parts and made.count(name) == 1 and not parts[name].decorator_list
                if not plain or not (name == "setUp" or all(map(_does_nothing, parts[name].body))):
                    return f"its class has `{name}`, on which it may rely"
            elif name in _ODD or hasattr(unittest.IsolatedAsyncioTestCase, name):
                return f"its class has a `{name}` of its own"
        if node.decorator_list:
            return "its class has a decorator"
        for base in node.bases:
            is_object = isinstance(base, ast.Name) and base.id == "object" and self.scope.is_pythons("object")
            if not is_object and self.scope.stands_for(base) not in _TEST_CASES:
                return f"its class inherits from `{ast.unparse(base)}`, which may set something up"
        return "its class has a fixture" if any(map(_is_autouse, parts.values())) else ""


def _set_up(node: ast.ClassDef) -> str:
    """Return a reason if a class has a `setUp` that does something; empty if it has none."""
    for part in node.body:
        if isinstance(part, Function) and part.name == "setUp" and not all(map(_does_nothing, part.body)):
            return "its class has `setUp`, on which it may rely"
    return ""


def _last(body: list[ast.stmt]) -> Mapping[str, ast.stmt]:
    """Return the statement that binds a name last, by name."""
    return {name: statement for statement in body for name in bound_by([statement])}


def _is_autouse(function: Function) -> bool:
    return any("autouse" in ast.unparse(each) for each in function.decorator_list)


def _does_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
