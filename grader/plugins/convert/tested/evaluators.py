"""Turns the functions by which a suite of TESTed judges an answer itself into checkers.

Such a function stands in a file of Python beside the suite.  The file goes into the checkers as it stands,
but for the line that takes names from `evaluation_utils`, which are defined there.
Source of the form: `tested/oracles/programmed.py` and `specific.py` of dodona-edu/universal-judge.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.plugins.convert.draft import Draft, Unconvertible
from grader.plugins.convert.packages.foreign import inside
from grader.plugins.convert.python.lines import lines_of, share_a_line
from grader.plugins.convert.python.names import bound_in

_UTILS = '''\
import os
import tempfile
from dataclasses import dataclass, field


@dataclass
class Message:
    description: str
    format: str = "text"
    permission: str | None = None


@dataclass
class EvaluationResult:
    """What a function of the suite's says, as `evaluation_utils` of TESTed has it."""

    result: bool
    readable_expected: str | None = None
    readable_actual: str | None = None
    messages: list = field(default_factory=list)
    dsl_expected: str | None = None
    dsl_actual: str | None = None


@dataclass
class _Context:
    """What it is given."""

    expected: object = None
    actual: object = None
    execution_directory: str = ""
    programming_language: str = "python"
    natural_language: str = "en"


def _told(said):
    """Return it as a checker says it."""
    if said.result:
        return None
    shown = [each for each in said.messages if getattr(each, "permission", None) in (None, "student")]
    texts = [each if isinstance(each, str) else each.description for each in shown]
    if not texts and said.readable_expected is not None:
        texts = [f"expected {said.readable_expected}"]
    return "\\n".join(texts) or "it is wrong"


def _among_files(did, evaluate):
    """Call it with a folder in which the files lie that the program left."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in did["files"].items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
        return evaluate(_Context(execution_directory=folder))
'''
_OURS = frozenset(
    {
        *("os", "tempfile", "dataclass", "field", "_Context", "_told", "_among_files", "*"),
        *("Message", "EvaluationResult", "getattr", "isinstance", "open", "str"),
    }
)
"""What the text above binds, or takes from Python."""
_GIVEN = frozenset({"Message", "EvaluationResult"})
_OF_CONTEXT = frozenset({"expected", "actual", "programming_language", "natural_language"})
_OF_FILES = frozenset({"execution_directory", "programming_language", "natural_language"})
_ASKED = _OF_CONTEXT | _OF_FILES | {"submission_path", "evaluation_directory"}
"""What TESTed tells such a function, by its attribute."""
_LARGEST_B = 1 << 20


@dataclass(frozen=True, slots=True)
class Evaluators:
    """The functions by which a suite judges, as checkers of a draft.  folder: in which their files lie."""

    draft: Draft
    folder: Path

    def of_answer(self, stated: Mapping[str, Any], expected: object) -> str:
        """Return the call of the checker of an answer.  Raises `Unconvertible`."""
        name, wanted = self._function(stated, _OF_CONTEXT), _literal(expected)
        return self._checker(f"_told({name}(_Context({wanted}, answer){_more(stated)}))", "answer", name)

    def of_answer_alone(self, stated: Mapping[str, Any]) -> str:
        """Return the same for a function that TESTed calls with the answer alone."""
        function, arguments = (
            part.get("python") if isinstance(part, dict) else None
            for part in (stated.get("functions"), stated.get("arguments", {}))
        )
        if not isinstance(function, dict):
            raise Unconvertible("it has no check for Python")
        if not isinstance(arguments or [], list):
            raise Unconvertible("`arguments` is no list")
        name = self._function(function, frozenset())
        texts = [_expression(each) for each in arguments or ()]
        return self._checker(f"_told({name}({', '.join(['answer', *texts])}))", "answer", name)

    def of_files(self, stated: Mapping[str, Any]) -> str:
        """Return the same for a checker of the files that a program leaves."""
        name = self._function(stated, _OF_FILES)
        more = _more(stated)
        call = f"lambda context: {name}(context{more})" if more else name
        return self._checker(f"_told(_among_files(did, {call}))", "did", name)

    def _checker(self, judged: str, given: str, function: str) -> str:
        name = f"judged_{len(self.draft.checkers) + 1}"
        lines = [f"def {name}({given}):", f"    # As `{function}` of the suite does.", f"    return {judged}"]
        self.draft.checkers[name] = "\n".join([*lines, ""])
        return f"{name}()"

    def _function(self, stated: Mapping[str, Any], attributes: frozenset[str]) -> str:
        """Return the name of a function, and put its file into the checkers.

        attributes: what it may ask of what it is given.
        """
        file, name = str(stated.get("file")), str(stated.get("name", "evaluate"))
        path = self.folder / file
        try:
            is_plain = inside(self.folder, path) and path.stat().st_size <= _LARGEST_B
        except OSError:
            is_plain = False
        if not is_plain:
            raise Unconvertible(f"`{file[:60]}` with its check is no plain file below the suite's folder")
        try:
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Unconvertible(f"`{file[:60]}` with its check is no Python") from None
        functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
        for each in _reached(functions, name):
            asked = {node.attr for node in ast.walk(each) if isinstance(node, ast.Attribute)} & _ASKED
            if asked - attributes:
                raise Unconvertible(f"its check asks for `{min(asked - attributes)}`, unknown here")
        if name not in functions:
            raise Unconvertible(f"`{file[:60]}` defines no function `{name[:60]}`")
        if file not in self.draft.sources:
            if self.draft.sources:
                # Two files of checks are two modules there; here they would share their names.
                raise Unconvertible(f"its check stands in another file than the first, `{file[:60]}`")
            source = _without_utils(tree, text)
            both = {each for each in _bound(tree) if each in _OURS or re.fullmatch("judged_[0-9]+", each)}
            if both:
                raise Unconvertible(
                    f"`{file[:60]}` binds `{min(both)}`, which the checkers have from elsewhere"
                )
            self.draft.sources |= {"evaluation_utils": _UTILS, file: source}
        return name


def _more(stated: Mapping[str, Any]) -> str:
    """Return the further arguments of a call, as text."""
    arguments = stated.get("arguments") or []
    if not isinstance(arguments, list):
        raise Unconvertible("`arguments` is no list")
    return "".join(f", {_literal(each)}" for each in arguments)


def _literal(value: object) -> str:
    text = repr(value)
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        raise Unconvertible("an argument of its check has no literal in Python") from None
    return text


def _expression(text: object) -> str:
    """Return an expression of Python's, as it stands."""
    try:
        return ast.unparse(ast.parse(str(text).strip(), mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unconvertible("an argument of its check is no expression of Python's") from None


def _reached(functions: Mapping[str, ast.FunctionDef], name: str) -> Iterator[ast.FunctionDef]:
    """Yield a function of a file, and those that it names, and so on."""
    waiting, met = [name], set()
    while waiting:
        name = waiting.pop()
        if name in functions and name not in met:
            met.add(name)
            yield functions[name]
            waiting += [node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)]


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file binds at its top."""
    for statement in tree.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ImportFrom(module="evaluation_utils"):
                continue
            case ast.Import(names=[ast.alias(name="os" | "tempfile", asname=None)]):
                # As it stands above.
                continue
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (each.asname or each.name.partition(".")[0] for each in names)
            case _:
                for node in ast.walk(statement):
                    yield from bound_in(node)


def _without_utils(tree: ast.Module, text: str) -> str:
    """Return a file without the lines that import `evaluation_utils`.  Raises `Unconvertible`."""
    lines = lines_of(text)
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="evaluation_utils", names=names, level=0) if node in tree.body:
                odd = [each.name for each in names if each.name not in _GIVEN or each.asname]
                shared = [each for each in tree.body if each is not node and share_a_line(each, node)]
                if odd or shared:
                    raise Unconvertible("its check takes more of `evaluation_utils` than is known here")
                for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                    lines[number] = ""
            case ast.ImportFrom(module="__future__"):
                raise Unconvertible("its check has an import of `__future__`")
            case ast.ImportFrom(module=module, level=level):
                _known(module or "", level)
            case ast.Import(names=names):
                for each in names:
                    _known(each.name, 0)
    return "\n".join(lines).strip("\n") + "\n"


def _known(module: str, level: int) -> None:
    if level or module.partition(".")[0] not in sys.stdlib_module_names:
        raise Unconvertible(f"its check imports `{module[:60]}`")
