"""Finds the parts of a reference that some case can reach, by the names that they use.

Left out are the parts that students get: those that the handout beside the spec has unchanged.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.model.case import Call, Case, Raises, Returns, SameAsReference
from grader.model.kinds import calls_of, kind_of
from grader.model.task import Task
from grader.plugins.validate.mutants.code import FunctionNode, ModuleText, Unit
from grader.plugins.validate.mutants.kinds import enums_of, kinds_of
from grader.plugins.validate.mutants.parts import (
    SourcePart,
    fingerprint,
    is_main_guard,
    is_special,
    parts_of,
    walk_code,
)
from grader.values.walk import parts

_NOT_WORK = {"TypeAlias", "TypeVar", "NewType", "ParamSpec"}


def program_of(task: Task) -> dict[str, str]:
    """Return the modules of the reference that make a submission: the task's, and those that they import."""
    texts = task.reference.texts if task.reference is not None else {}
    found: dict[str, str] = {}
    waiting = [name for name, _ in task.modules]
    while waiting:
        name = waiting.pop(0)
        if name in texts and name not in found:
            found[name] = texts[name]
            waiting.extend(sorted(_imported_modules(ast.parse(texts[name]))))
    return found


def units_of(task: Task) -> list[Unit]:
    """Return what is mutated: the nearest to the cases first, then in the order of the source."""
    texts = {name: ModuleText(name, text) for name, text in program_of(task).items()}
    program = _Program(texts)
    program.follow(task)
    given = {name: _handout(task, name) for name in texts}
    messages = any(
        isinstance(expect, Raises) and expect.message is not None
        for case in task.cases
        for expect in kind_of(case).expectations(case)
    )
    texts_count = any(map(_compares_text, task.cases))
    calls = _calls(task)
    trees = [text.tree for text in texts.values()]
    kinds, enums = kinds_of(trees), enums_of(trees)
    names = frozenset(name for part in program.parts for name in (part.name, part.name.rpartition(".")[2]))
    # A statement that binds several names is mutated once.
    nearest = {part.node: part for part in reversed(program.reached)}
    units = [
        Unit(
            module=part.module,
            name=part.name,
            node=part.node,
            body=part.body,
            owner=part.owner,
            depth=depth,
            calls=tuple(calls.get(_called_as(part), ())),
            kinds=kinds,
            functions=names,
            enums=enums,
            compares_messages=messages,
            compares_text=texts_count,
        )
        for part, depth in program.reached.items()
        if _has_work(part)
        and nearest[part.node] is part
        and (part.name, fingerprint(part.node)) not in given[part.module.name]
    ]
    order = {name: number for number, name in enumerate(texts)}
    return sorted(units, key=lambda unit: (unit.depth, order[unit.module.name], unit.node.lineno))


@dataclass
class _Program:
    """The parts of a program, and those that were reached, each with its distance from the cases."""

    texts: Mapping[str, ModuleText]
    parts: list[SourcePart] = field(default_factory=list)
    reached: dict[SourcePart, int] = field(default_factory=dict)
    _named: dict[tuple[str, str], list[SourcePart]] = field(default_factory=lambda: defaultdict(list))
    _imports: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    _attributes: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for module in self.texts.values():
            for node in module.tree.body:
                for part in parts_of(module, node):
                    self.parts.append(part)
                    self._named[module.name, part.name.partition(".")[0]].append(part)
            for each in ast.walk(module.tree):
                self._note_import(module.name, each)

    def _note_import(self, module: str, node: ast.AST) -> None:
        match node:
            case ast.ImportFrom(module=str(source), names=names) if source in self.texts:
                for alias in names:
                    self._imports[module, alias.asname or alias.name] = (source, alias.name)
            case ast.Import(names=names):
                for alias in names:
                    if alias.name in self.texts:
                        self._imports[module, alias.asname or alias.name] = (alias.name, "")

    def follow(self, task: Task) -> None:
        """Reach everything that the cases use, one call after another."""
        frontier = [
            part
            for question in task.questions
            for case in question.cases
            for part in self._roots(question.module, case)
        ]
        frontier += [
            part for kind in task.types for name in self.texts for part in self._with(name, kind.name)
        ]
        depth = 0
        while frontier:
            fresh = [part for part in dict.fromkeys(frontier) if part not in self.reached]
            self.reached.update(dict.fromkeys(fresh, depth))
            frontier = [used for part in fresh for used in self._used_by(part)]
            frontier += [part for part in self.parts if self._is_used_method(part)]
            frontier = [part for part in frontier if part not in self.reached]
            depth += 1

    def _roots(self, module: str, case: Case) -> Iterator[SourcePart]:
        kind = kind_of(case)
        if kind.as_main:
            module = kind.module(case.what, module)
            for part in self.parts:
                if part.module.name == module and not part.name:
                    yield part
            for used in self._main_guard(module):
                yield from self._with(module, used)
        for call in calls_of(case).calls:
            for function in call.functions:
                name, _, attribute = function.partition(".")
                self._attributes.add(attribute)
                yield from self._with(module, name)
            if call.formula is not None:
                self._attributes |= {node.text for node in call.formula.walk() if node.kind == "attribute"}
        # A method that a case calls is as near as a function that it calls.
        yield from (
            part for part in self.parts if self._is_used_method(part, among=self._classes(module, case))
        )

    def _classes(self, module: str, case: Case) -> set[str]:
        return {
            part.name
            for call in calls_of(case).calls
            for function in call.functions
            for part in self._with(module, function.partition(".")[0])
            if isinstance(part.node, ast.ClassDef)
        }

    def _main_guard(self, module: str) -> set[str]:
        tree = self.texts[module].tree if module in self.texts else ast.Module([], [])
        return {
            node.id
            for statement in tree.body
            if is_main_guard(statement)
            for node in ast.walk(statement)
            if isinstance(node, ast.Name)
        }

    def _with(self, module: str, name: str) -> Iterator[SourcePart]:
        """Yield the parts that a name of a module leads to; for a class, its special methods too."""
        module, name = self._imports.get((module, name), (module, name))
        for part in self._named.get((module, name), ()):
            if part.name == name or is_special(part.name):
                yield part

    def _used_by(self, part: SourcePart) -> Iterator[SourcePart]:
        module = part.module.name
        for node in walk_code(part):
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                    self._attributes.add(attribute)
                    if self._imports.get((module, name), ("", "-"))[1] == "":
                        yield from self._with(self._imports[module, name][0], attribute)
                case ast.Attribute(attr=attribute):
                    self._attributes.add(attribute)
                case ast.Name(id=name):
                    yield from self._with(module, name)
                    if isinstance(part.node, ast.ClassDef):
                        self._attributes.add(name)  # size = property(_size)

    def _is_used_method(self, part: SourcePart, among: set[str] | None = None) -> bool:
        if part.owner is None or part.name.rpartition(".")[2] not in self._attributes:
            return False
        known = (
            among if among is not None else {p.name for p in self.reached if isinstance(p.node, ast.ClassDef)}
        )
        return part.owner.name in known


def _has_work(part: SourcePart) -> bool:
    """Tell whether students write such a thing: no name for a type, and no class without code."""
    if part.name == "__all__" or not part.body:
        return False
    used = {node.id for node in ast.walk(part.node) if isinstance(node, ast.Name)}
    return isinstance(part.node, FunctionNode | ast.ClassDef) or not used & _NOT_WORK


def _compares_text(case: Case) -> bool:
    """Tell whether a case compares text: printed, or in an answer; checkers alone look at it as they like."""
    expects = kind_of(case).expectations(case)
    return (
        bool(kind_of(case).texts(case))
        or any(isinstance(each, SameAsReference) for each in expects)
        or any(isinstance(each, Returns) and _holds_text(each.value) for each in expects)
    )


def _holds_text(value: object) -> bool:
    return any(isinstance(part, str) for part in parts(value))


def _called_as(part: SourcePart) -> str:
    """Return the name by which cases call a function, a method, or the class whose object a method makes."""
    method = part.name.rpartition(".")[2]
    return part.owner.name if part.owner is not None and method == "__init__" else method


def _calls(task: Task) -> dict[str, list[tuple[Case, Call]]]:
    """Return the calls of each function, method or class by its own name."""
    found: dict[str, list[tuple[Case, Call]]] = defaultdict(list)
    for case in task.cases:
        for call in calls_of(case).calls:
            found[call.own_name].append((case, call))
    return found


def _imported_modules(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


# -- the handout -----------------------------------------------------------------------------------


def _handout(task: Task, module: str) -> set[tuple[str, str]]:
    """Return the name and the fingerprint of each part of a module that students get with the task."""
    file_name = dict(task.modules).get(module, f"{module}.py")
    path = task.spec_path.with_suffix("") / "handout" / file_name
    try:
        text = ModuleText(module, path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return set()
    return {(part.name, fingerprint(part.node)) for node in text.tree.body for part in parts_of(text, node)}
