"""Finds where a test file lets a text of the program's choose what the test itself does.

Data of the program's is compared and does no more.  But where a test imports what an answer names, looks up
an attribute by it or takes it for a format, the program decides what is asserted, and can read what the test
holds.  `eval`, `exec` and `pickle` are guarded while the tests run; these ways nothing can guard.  So the
author is told, by file and line.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from grader.model.kinds import kind_of
from grader.model.task import Task
from grader.model.validation import Check, Gravity, Remark

_IMPORTS = frozenset({"__import__", "import_module", "run_module", "run_path", "resolve_name", "locate"})
_RUNS = frozenset({"exec", "compile", "timeit", "system", "popen", "Popen", "get_type_hints", "sympify"})
_UNPICKLES = frozenset({"pickle", "marshal", "dill", "cloudpickle", "shelve", "yaml"})
_BY_NAME = {"getattr": 1, "setattr": 1, "delattr": 1, "attrgetter": 0, "methodcaller": 0}
"""Functions that take the name of an attribute, and its place among their arguments."""
_SCOPES = frozenset({"globals", "locals", "vars"})
_NO_TEXT = frozenset({"len", "int", "float", "bool", "isinstance", "issubclass", "hasattr", "abs", "round"})
"""Functions whose results say nothing that a test could look up."""
_SAY = frozenset({"capsys", "capfd", "capsysbinary", "capfdbinary"})
"""Fixtures that hold what the program printed."""
_RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_LONGEST = 60

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Use:
    """A place in a test file.  file: its module.  why: the rest of a sentence that begins with the code."""

    file: str
    line: int
    code: str
    why: str


def test_file_remarks(task: Task) -> Iterator[Remark]:
    """Yield what test files do with texts of the program's, each place once."""
    known = _defined(task.reference.texts if task.reference is not None else {})
    told: set[tuple[str, int, str]] = set()
    for question in task.questions:
        for case in question.cases:
            for use in unfit_uses(kind_of(case).test_texts(case), [name for name, _ in task.modules], known):
                if (use.file, use.line, use.why) in told:
                    continue
                told.add((use.file, use.line, use.why))
                yield Remark(
                    check=Check.CHECKERS,
                    gravity=Gravity.ODD,
                    question=question.id,
                    case=case.id,
                    text=f"line {use.line} of {use.file}.py: `{use.code}` {use.why}",
                    hint="compare the answer with a value, or look it up in a dict of the test's own",
                )


def unfit_uses(texts: Mapping[str, str], modules: Collection[str], known: Collection[str]) -> list[Use]:
    """Return the places of test files, by module, in which a text of the program's chooses what is done.

    modules: of the program.  known: the names that its reference defines.
    """
    trees = {file: ast.parse(text) for file, text in texts.items()}
    reach = _Reach(trees.values(), modules, known)
    found = [
        Use(file, node.lineno, _short(node), why)
        for file, tree in trees.items()
        for scope in _scopes(tree)
        for node in _within(scope)
        if isinstance(node, ast.expr) and (why := _fault(node, reach, scope, known))
    ]
    return sorted(set(found), key=lambda use: (use.file, use.line, use.code))


def _fault(node: ast.expr, reach: "_Reach", scope: ast.AST, known: Collection[str]) -> str:
    """Return why an expression lets the program choose; empty if it does not."""

    def said(expression: ast.expr | None) -> bool:
        return expression is not None and reach.is_said(expression, scope)

    if isinstance(node, ast.Subscript):
        where = node.value.func if isinstance(node.value, ast.Call) else node.value
        words = _words(where)
        is_scope = isinstance(node.value, ast.Call) and words[-1:] and words[-1] in _SCOPES
        is_table = words[-1:] == ["__dict__"] or words == ["sys", "modules"]
        if (is_scope or is_table) and said(node.slice) and not said(node.value):
            return "looks up a name of the program's choice"
    if not isinstance(node, ast.Call):
        return ""
    words, args = _words(node.func) or [""], node.args
    last = words[-1]
    first = args[0] if args else None
    if last in _IMPORTS and said(first):
        return "imports what the program names"
    if (
        last in _BY_NAME
        and len(args) > _BY_NAME[last]
        and said(args[_BY_NAME[last]])
        and not (_BY_NAME[last] and said(first))
    ):
        return "looks up a name of the program's choice"
    if last in ("format", "format_map") and last not in known:
        takes = node.func.value if isinstance(node.func, ast.Attribute) else None
        if words[-2:-1] == ["str"]:
            takes = first
        if said(takes):
            return "takes its format from the program, which reads attributes by it"
    if last == "vformat" and said(first):
        return "takes its format from the program, which reads attributes by it"
    is_plain = len(words) == 1 or words[0] != "re"
    is_run = (last in _RUNS and is_plain) or (last in ("load", "loads") and words[0] in _UNPICKLES)
    return "runs what the program says" if is_run and said(first) else ""


class _Reach:
    """What texts of the program's reach in test files: names, functions, parameters, attributes."""

    def __init__(
        self, trees: Collection[ast.Module], modules: Collection[str], known: Collection[str]
    ) -> None:
        self._names: dict[ast.AST, set[str]] = {}
        self._shared: set[str] = set()
        """Names at the top of the files."""
        self._functions: set[str] = set()
        """Functions of the files whose results come from the program, fixtures among them."""
        self._attributes: set[str] = set()
        scopes = [scope for tree in trees for scope in _scopes(tree)]
        self._defined = {each.name: each for each in scopes if isinstance(each, Function)}
        for tree in trees:
            self._shared |= set(_imported(tree, modules, known))
        size = -1
        while size != (size := self._size()):
            for scope in scopes:
                self._look(scope)

    def _size(self) -> int:
        sets = (self._shared, self._functions, self._attributes, *self._names.values())
        return sum(map(len, sets))

    def is_said(self, node: ast.AST, scope: ast.AST) -> bool:
        """Tell whether a value comes from the program."""
        match node:
            case ast.Name(id=name):
                return name in self._names.get(scope, ()) or name in self._shared
            case ast.Attribute(value=value, attr=name):
                return name in self._attributes or self.is_said(value, scope)
            case ast.Subscript(value=value):
                return self.is_said(value, scope)
            case ast.Compare() | ast.Lambda() | ast.Constant():
                return False
            case ast.IfExp(body=one, orelse=other):
                return self.is_said(one, scope) or self.is_said(other, scope)
            case ast.Call(func=function):
                words = _words(function)
                if words and words[-1] in _NO_TEXT:
                    return False
                if words and (words[-1] in self._functions or words[-1] in _RAISES):
                    return True
        return any(self.is_said(each, scope) for each in ast.iter_child_nodes(node))

    def _look(self, scope: ast.AST) -> None:
        """Note what a scope binds to values of the program's, hands on and returns."""
        names = self._names.setdefault(scope, set())
        if isinstance(scope, Function):
            arguments = scope.args
            every = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
            names |= every & (self._functions | _SAY)
        for node in _within(scope):
            match node:
                case ast.Assign(targets=targets, value=value):
                    self._bind(targets, value, scope)
                case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                    self._bind([target], value, scope)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._bind([target], value, scope)
                case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                    self._bind([target], value, scope)
                case ast.comprehension(target=target, iter=value):
                    self._bind([target], value, scope)
                case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                    self._bind([target], value, scope)
                case ast.ExceptHandler(type=ast.expr() as kind, name=str(name)) if self.is_said(kind, scope):
                    names.add(name)
                case ast.Call():
                    self._hand_on(node, scope)
                case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                    if isinstance(scope, Function) and self.is_said(value, scope):
                        self._functions.add(scope.name)

    def _bind(self, targets: Collection[ast.expr], value: ast.expr, scope: ast.AST) -> None:
        if not self.is_said(value, scope):
            return
        names = self._shared if isinstance(scope, ast.Module) else self._names[scope]
        for target in targets:
            for node in ast.walk(target):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    names.add(node.id)
                elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    self._attributes.add(node.attr)

    def _hand_on(self, call: ast.Call, scope: ast.AST) -> None:
        """Note the parameters of a function of the files that get values of the program's."""
        words = _words(call.func)
        function = self._defined.get(words[-1]) if words else None
        if function is None:
            return
        names = self._names.setdefault(function, set())
        parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        if parameters[:1] in (["self"], ["cls"]):
            parameters = parameters[1:]
        names |= {
            name for name, each in zip(parameters, call.args, strict=False) if self.is_said(each, scope)
        }
        names |= {each.arg for each in call.keywords if each.arg and self.is_said(each.value, scope)}


def _scopes(tree: ast.Module) -> list[ast.AST]:
    """Return a file and its functions."""
    return [tree, *(node for node in ast.walk(tree) if isinstance(node, Function))]


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope, but those of functions in it."""
    waiting = [*ast.iter_child_nodes(scope)]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function):
            waiting += ast.iter_child_nodes(node)


def _imported(tree: ast.Module, modules: Collection[str], known: Collection[str]) -> Iterator[str]:
    """Yield the names that stand for the program's modules and what is in them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (
                each.asname or each.name.partition(".")[0] for each in node.names if each.name in modules
            )
        elif isinstance(node, ast.ImportFrom) and node.module in modules:
            for each in node.names:
                yield from known if each.name == "*" else [each.asname or each.name]


def _defined(texts: Mapping[str, str]) -> frozenset[str]:
    """Return the names of all functions and classes of a program."""
    kinds = (*Function.__args__, ast.ClassDef)
    trees = [ast.parse(text) for text in texts.values()]
    return frozenset(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, kinds))


def _words(node: ast.expr) -> list[str]:
    """Return the words of a dotted name; the last alone behind a call or an item."""
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.Attribute(value=value, attr=name):
            return [*_words(value), name]
    return []


def _short(node: ast.expr) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
