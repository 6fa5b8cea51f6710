"""Reads judges of DMOJ's that are Python, as text: what they use is there, or they are refused by name."""

import ast
import json
import keyword
import warnings
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.marking.rounding import format_mark
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.packages.dmoj.judges import ASK_CHECKER, ASK_INTERACTOR, FOLDER_FILE, OF_DMOJ
from grader.plugins.convert.packages.foreign import inside
from grader.plugins.convert.packages.laid import Files
from grader.plugins.convert.packages.validators import FOLDER, OwnValidator
from grader.spec.reference.files import MAX_FILE_B

_GIVEN = frozenset({"judge_input", "point_value", "case_position", "batch", "binary_data"})
"""What a checker is given by name here."""
_NOT_KNOWN = frozenset(
    {"submission_source", "submission_language", "execution_time", "problem_id", "case", "result"}
)
"""What DMOJ gives besides: of the program, which a validator never sees."""
_MODULES: Mapping[str, frozenset[str]] = {
    "dmoj.result": frozenset({"CheckerResult"}),
    "dmoj.utils.unicode": frozenset({"utf8bytes", "utf8text"}),
    "dmoj.checkers": frozenset({"standard"}),
    "dmoj.graders.interactive": frozenset({"InteractiveGrader", "Interactor", "WrongAnswer"}),
}
_OF_THE_JUDGE = frozenset(
    {
        "grade",
        "check_result",
        "populate_result",
        "_launch_process",
        "_interact_with_process",
        "_generate_binary",
        "__init__",
    }
)
"""Methods with which a judge of its own changes how a program is run."""


def python_checker(
    name: str, arguments: Mapping[str, Any], package: Path, files: Files, about: tuple[Fraction, int, int]
) -> OwnValidator:
    """Take in a checker in Python, of the problem's or of DMOJ's own.  Raises `Unconvertible`.

    about: the points of its test, the test's number and that of its batch.
    """
    text = OF_DMOJ[name].encode() if name in OF_DMOJ else _text_of(package, name)
    module = f"{name}_as_dmoj" if name in OF_DMOJ else _module(name)
    tree = _parsed(text)
    function = next(
        (each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == "check"), None
    )
    if function is None:
        raise Unconvertible(f"its checker `{name}` has no function `check`")
    unused = _unused(function, name, arguments)
    _check_imports(tree, name)
    asks = ASK_CHECKER.replace("CHECKER", module).replace("NEVER_USED", repr(tuple(sorted(unused))))
    return _laid(files, module, text, asks, about, arguments)


def python_interactor(
    name: str, package: Path, files: Files, about: tuple[Fraction, int, int]
) -> OwnValidator:
    """Take in a `custom_judge` that talks with a program.  Raises `Unconvertible`."""
    text = _text_of(package, name)
    tree = _parsed(text)
    judge = next(
        (each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "Grader"), None
    )
    if judge is None or [ast.unparse(base) for base in judge.bases] != ["InteractiveGrader"]:
        raise Unconvertible(f"`{name}` is a judge of its own, and runs its programs itself")
    _check_imports(tree, name)
    methods = {each.name for each in judge.body if isinstance(each, ast.FunctionDef)}
    if odd := sorted(methods & _OF_THE_JUDGE):
        raise Unconvertible(f"`{name}` has a method `{odd[0]}`, with which it runs its programs itself")
    if "interact" not in methods:
        raise Unconvertible(f"`{name}` has no method `interact`")
    own = methods | {ast.unparse(target) for each in judge.body for target in _targets(each)}
    nodes = [
        each
        for each in ast.walk(judge)
        if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "self"
    ]
    own |= {each.attr for each in nodes if isinstance(each.ctx, ast.Store)}
    if odd := sorted({each.attr for each in nodes} - own):
        raise Unconvertible(f"`{name}` asks for `self.{odd[0]}`, which is not known here")
    _check_case(judge, name)
    validator = _laid(files, _module(name), text, ASK_INTERACTOR.replace("CHECKER", _module(name)), about, {})
    return validator


def _laid(
    files: Files,
    module: str,
    text: bytes,
    asks: str,
    about: tuple[Fraction, int, int],
    given: Mapping[str, Any],
) -> OwnValidator:
    """Lay a judge beside the file that asks it, in a folder of its own."""
    folder = f"{FOLDER}/{module}"
    files.take(f"{folder}/{module}.py", text)
    files.take(f"{folder}/{FOLDER_FILE}", asks.encode())
    points, position, batch = about
    number = int(points) if points.denominator == 1 else float(format_mark(points))
    try:
        told = json.dumps([number, position, batch, dict(given)])
    except (TypeError, ValueError):
        raise Unconvertible("its checker has arguments that are no plain data") from None
    return OwnValidator(
        f"{files.folder}/{folder}/{FOLDER_FILE}", arguments=(told,), shares=b"CheckerResult" in text
    )


def _module(name: str) -> str:
    module = name.removesuffix(".py")
    usable = module.isascii() and module.isidentifier() and not keyword.iskeyword(module)
    if not usable or f"{module}.py" == FOLDER_FILE:
        raise Unconvertible(f"its judge `{name[:40]}` has a name that no module can have here")
    return module


def _text_of(package: Path, name: str) -> bytes:
    path = package / name
    if not name.endswith(".py") or not inside(package, path):
        raise Unconvertible(f"its judge `{name[:40]}` is no Python file of the problem's")
    if path.stat().st_size > MAX_FILE_B:
        raise Unconvertible(f"{name} is larger than {MAX_FILE_B >> 20} MiB")
    return path.read_bytes()


def _parsed(text: bytes) -> ast.Module:
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unconvertible("its judge is not in this Python") from None


def _check_imports(tree: ast.Module, name: str) -> None:
    """Refuse what a judge imports of DMOJ's and has no stand-in.  Raises `Unconvertible`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            lost = [each.name for each in node.names if each.name.partition(".")[0] == "dmoj"]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "dmoj":
            known = _MODULES.get(node.module or "", frozenset())
            lost = [f"{node.module}.{each.name}" for each in node.names if each.name not in known]
        else:
            continue
        if lost:
            raise Unconvertible(f"`{name}` imports `{lost[0]}` of DMOJ's")


def _unused(function: ast.FunctionDef, name: str, arguments: Mapping[str, Any]) -> set[str]:
    """Return what a checker takes, never looks at, and is not given here.  Raises `Unconvertible`."""
    taken = function.args
    names = [each.arg for each in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)]
    if len(taken.posonlyargs) + len(taken.args) < 2 or taken.posonlyargs[2:]:
        raise Unconvertible(f"the checker `{name}` does not take an output and an answer")
    used = {each.id for each in ast.walk(function) if isinstance(each, ast.Name)}
    wanted = {each for each in names[2:] if each not in _GIVEN and each not in arguments}
    if lost := sorted(wanted & used & _NOT_KNOWN):
        raise Unconvertible(f"the checker `{name}` asks for `{lost[0]}`, which no validator is told")
    if taken.kwarg is None:
        if lost := sorted(_GIVEN - set(names)):
            raise Unconvertible(f"the checker `{name}` does not take `{lost[0]}`")
    elif lost := sorted(set(_asked_of(function, taken.kwarg.arg)) - _GIVEN - set(arguments)):
        raise Unconvertible(f"the checker `{name}` asks for `{lost[0]}`, which no validator is told")
    return wanted & _NOT_KNOWN


def _asked_of(function: ast.FunctionDef, mapping: str) -> Iterator[str]:
    """Yield the keys for which a function asks its `**kwargs`; what is not certain as "all of them"."""
    keys: dict[int, str] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            keys[id(node.value)] = str(node.slice.value)
        elif isinstance(node, ast.Call):
            keys |= {id(each.value): "" for each in node.keywords if each.arg is None}
            if isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
                first = node.args[0]
                keys[id(node.func.value)] = (
                    str(first.value) if isinstance(first, ast.Constant) else "all of them"
                )
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == mapping and (key := keys.get(id(node), "all of them")):
            yield key


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) else []


def _check_case(judge: ast.ClassDef, name: str) -> None:
    """Refuse a judge that asks its test for more than is known.  Raises `Unconvertible`."""
    for method in judge.body:
        if not (isinstance(method, ast.FunctionDef) and method.name == "interact"):
            continue
        if len(method.args.args) != 3:
            raise Unconvertible(f"`interact` of `{name}` does not take a test and an interactor")
        case = method.args.args[1].arg
        for node in ast.walk(method):
            if (
                isinstance(node, ast.Attribute)
                and ast.unparse(node.value) == case
                and node.attr not in ("input_data", "output_data", "points", "position", "batch")
            ):
                raise Unconvertible(f"`{name}` asks for `{case}.{node.attr}`, which is not known here")
