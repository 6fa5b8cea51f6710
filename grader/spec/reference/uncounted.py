"""The tests of a test file that pytest would run and that its text does not show as cases.

A test counts if it stands at the left margin of the file, or of a class that does.  One that is made in
another way would be left out without a word, so each is refused by its name.  What only a run would show is
not found.
"""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from grader.spec.reference.gradescope import Refusal
from grader.spec.reference.test_files import has_tests, is_unittest, methods, words_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_BLOCKS = {
    ast.If: "if", ast.Try: "try", ast.TryStar: "try", ast.With: "with", ast.AsyncWith: "with",
    ast.For: "for", ast.AsyncFor: "for", ast.While: "while", ast.Match: "match",
}  # fmt: skip
_NEVER_RUN = frozenset({"__name__", "TYPE_CHECKING"})
"""Names in the condition of a block of which pytest runs nothing."""
_NAMESPACES = frozenset({"globals", "locals", "vars"})
_WRITE_OUT = "write it as a function `def test_…` at the left margin of the file or of a class"


def uncounted_tests(texts: Mapping[str, str], main: str) -> Iterator[tuple[str, Refusal]]:
    """Yield the name of each such test, and why it does not count.

    texts: the test file and those beside it, by module name.  main: the test file.  Raises `SyntaxError`.
    """
    trees = {name: ast.parse(text, f"{name}.py") for name, text in texts.items()}
    seen = _File(trees, main)
    yield from seen.of_body(trees[main].body)
    yield from seen.imported()
    for node in trees[main].body:
        if isinstance(node, ast.ClassDef):
            yield from seen.of_class(node)
    yield from _by_name(trees[main])


class _File:
    """What a test file and those beside it define."""

    def __init__(self, trees: Mapping[str, ast.Module], main: str) -> None:
        self._classes = {
            name: {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
            for name, tree in trees.items()
        }
        self._functions = {
            name: {node.name: node for node in tree.body if isinstance(node, _Function)}
            for name, tree in trees.items()
        }
        self._own_classes, self._own_functions = self._classes[main], self._functions[main]
        self._beside: dict[str, tuple[str, str, ast.stmt]] = {}
        """Where a name of the test file comes from: module, name there (empty for the module), import."""
        for node in trees[main].body:
            if isinstance(node, ast.ImportFrom) and node.module and node.module in trees and not node.level:
                for alias in node.names:
                    known = [*self._classes[node.module], *self._functions[node.module]]
                    names = known if alias.name == "*" else [alias.name]
                    for name in names:
                        self._beside[alias.asname or name] = node.module, name, node
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name in trees:
                        self._beside[alias.asname or alias.name] = alias.name, "", node

    def of_body(self, body: Sequence[ast.stmt], outer: str = "") -> Iterator[tuple[str, Refusal]]:
        """Yield what a module, or the class `outer`, has besides its own definitions."""
        for word, node in _within_blocks(body):
            if self._is_test(node):
                assert isinstance(node, _Definition)
                yield _refused(outer + node.name, node, f"it stands within `{word}`", _WRITE_OUT)
        for node in body:
            for name, value in _assigned(node):
                words = words_of(value)
                if words[1:] == ["TestCase"] and words[0] in self._own_classes:
                    hint = f"write `def test_…(): run_state_machine_as_test({words[0]})`"
                    yield _refused(outer + name, node, "Hypothesis makes it", hint)
                elif self._makes_a_test(name, value):
                    yield _refused(outer + name, node, "its text stands elsewhere", _WRITE_OUT)

    def of_class(self, node: ast.ClassDef) -> Iterator[tuple[str, Refusal]]:
        """Yield what a class has or inherits that its own text does not show."""
        counts = has_tests(node, self._own_classes)
        bases = [*self._bases(node)]
        is_of_unittest = is_unittest(node, self._own_classes) or any(
            is_unittest(base, self._classes[module]) for module, base in bases
        )
        if not counts and not is_of_unittest:
            return
        counted = methods(node, self._own_classes) if counts else {}
        for module, base in bases:
            for method in methods(base, self._classes[module]) | methods(node, self._own_classes):
                if method not in counted:
                    hint = f"`{base.name}` stands in {module}.py: move it into the test file"
                    yield _refused(f"{node.name}.{method}", node, "its class has it from elsewhere", hint)
        if counts:
            yield from self.of_body(node.body, f"{node.name}.")
        for inner in () if is_of_unittest else node.body:
            if isinstance(inner, ast.ClassDef) and self._is_test(inner):
                hint = "put it at the left margin of the file"
                yield _refused(f"{node.name}.{inner.name}", inner, "it stands within a class", hint)

    def imported(self) -> Iterator[tuple[str, Refusal]]:
        """Yield the tests that the file has from those beside it."""
        for name, (module, there, node) in self._beside.items():
            function, group = self._functions[module].get(there), self._classes[module].get(there)
            is_test = function is not None and _is_named_test(name, function)
            if is_test or (group is not None and self._has_tests(name, group, self._classes[module])):
                yield _refused(name, node, f"it stands in {module}.py", "move it into the test file")

    def _bases(self, node: ast.ClassDef, depth: int = 0) -> Iterator[tuple[str, ast.ClassDef]]:
        """Yield the classes of files beside that a class derives from, with their modules."""
        for words in filter(None, map(words_of, node.bases)):
            own = self._own_classes.get(words[-1])
            if own is not None:
                if own is not node and depth < len(self._own_classes):
                    yield from self._bases(own, depth + 1)
            elif words[0] in self._beside:
                module, there, _ = self._beside[words[0]]
                found = self._classes[module].get(there or words[-1])
                if found is not None:
                    yield module, found

    def _is_test(self, node: ast.stmt) -> bool:
        if isinstance(node, _Function):
            return _is_named_test(node.name, node)
        return isinstance(node, ast.ClassDef) and self._has_tests(node.name, node, self._own_classes)

    def _has_tests(self, name: str, node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> bool:
        """Tell whether pytest finds tests in a class that the file knows by that name."""
        if not is_unittest(node, classes) and not (name.startswith("Test") and _can_be_made(node)):
            return False
        return bool(methods(node, classes))

    def _makes_a_test(self, name: str, value: ast.expr) -> bool:
        """Tell whether a value is a function or class that pytest would take for a test under this name."""
        if isinstance(value, ast.Name) and value.id in self._own_classes:
            return self._has_tests(name, self._own_classes[value.id], self._own_classes)
        if isinstance(value, ast.Name) and value.id in self._beside:
            module, there, _ = self._beside[value.id]
            group = self._classes[module].get(there)
            return group is not None and self._has_tests(name, group, self._classes[module])
        if not name.startswith("test"):
            return False
        if isinstance(value, ast.Call):
            words = words_of(value) or [""]
            made_by = self._own_functions.get(words[0])
            if words[0] in self._beside:
                module, there, _ = self._beside[words[0]]
                made_by = self._functions[module].get(there or words[-1])
            makes = made_by is not None and _returns_a_function(made_by)
            return makes or words[-1] in ("partial", "partialmethod")
        return isinstance(value, ast.Lambda) or (
            isinstance(value, ast.Name) and value.id in self._own_functions
        )


def _refused(name: str, node: ast.stmt | ast.expr, why: str, hint: str) -> tuple[str, Refusal]:
    return name, Refusal(node.lineno, f"pytest would run `{name}`, and here it would not count: {why}", hint)


def _is_named_test(name: str, node: _Function) -> bool:
    return name.startswith("test") and not any("fixture" in words_of(each) for each in node.decorator_list)


def _can_be_made(node: ast.ClassDef) -> bool:
    return all(not isinstance(each, _Function) or each.name != "__init__" for each in node.body)


def _within_blocks(body: Sequence[ast.stmt], within: str = "") -> Iterator[tuple[str, ast.stmt]]:
    """Yield the definitions within blocks that pytest runs, with the word of the block."""
    for node in body:
        if isinstance(node, _Definition):
            if within:
                yield within, node
            continue
        word = _BLOCKS.get(type(node), "")
        if not word or (isinstance(node, ast.If) and not _NEVER_RUN.isdisjoint(_names_in(node.test))):
            continue
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.stmt):
                yield from _within_blocks([inner], word)
            elif isinstance(inner, ast.ExceptHandler | ast.match_case):
                yield from _within_blocks(inner.body, word)


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that an assignment gives a value, with the value."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((each.id, value) for each in targets if isinstance(each, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value


def _names_in(node: ast.expr) -> set[str]:
    return {word for each in ast.walk(node) if isinstance(each, ast.expr) for word in words_of(each)}


def _returns_a_function(node: _Function) -> bool:
    """Tell whether a function of the file returns one that it defines."""
    inner = {each.name for each in ast.walk(node) if isinstance(each, _Definition) and each is not node}
    returned = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
    return any(
        isinstance(value, ast.Lambda) or (isinstance(value, ast.Name) and value.id in inner)
        for value in returned
    )


def _by_name(tree: ast.Module) -> Iterator[tuple[str, Refusal]]:
    """Yield the places where a test gets a name that is computed or a text."""
    texts = {
        name for node in ast.walk(tree) if isinstance(node, ast.stmt)
        for name, value in _assigned(node) if _begins_a_name(value, frozenset())
    }  # fmt: skip
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="setattr"), args=[_, name, _]):
                pass
            case ast.Assign(targets=[ast.Subscript(value=ast.Call(func=ast.Name(id=word)), slice=name)]):
                if word not in _NAMESPACES:
                    continue
            case _:
                continue
        if _begins_a_name(name, texts):
            shown = ast.unparse(name)
            yield _refused(shown, node, "its name is a text", _WRITE_OUT)


def _begins_a_name(node: ast.expr, texts: Collection[str]) -> bool:
    """Tell whether an expression is a text that begins like the name of a test."""
    match node:
        case ast.Constant(value=str() as text):
            return text.startswith(("test", "Test"))
        case ast.JoinedStr(values=[first, *_]) | ast.BinOp(left=first, op=ast.Add() | ast.Mod()):
            return _begins_a_name(first, texts)
        case ast.Call(func=ast.Attribute(value=first, attr="format")):
            return _begins_a_name(first, texts)
        case ast.Name(id=name):
            return name in texts
    return False
