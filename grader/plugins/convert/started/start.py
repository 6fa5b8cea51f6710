"""The place where a test starts a program: which one, with what, and what the test can see of it."""

import ast
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.started.words import python_program

MODULES = {"subprocess": "subprocess", "subprocess32": "subprocess", "sys": "sys", "shlex": "shlex"}
_KNOWN = {"run", "Popen", "check_output", "check_call", "call"}
_OPTIONS = {"stdin", "stdout", "stderr", "input", "capture_output", "text", "universal_newlines"}
_OPTIONS |= {"encoding", "timeout", "check", "shell", "bufsize"}
_UTF_8 = re.compile(r"utf[-_]?8", re.IGNORECASE)
_SHELL = re.compile(r"[;&|<>$`*?~#(){}\[\]!\\\n]")
_PIPE, _NOWHERE = "subprocess.PIPE", "subprocess.DEVNULL"
_LEAST_S, _MOST_S = 0.01, 86_400

Read = Callable[[ast.expr], Any]


@dataclass(frozen=True, slots=True)
class Start:
    """A program of the student's that a test starts.

    kind: the name in `subprocess`.  pipes: what of its output the test can read.  text: as text, not bytes.
    checked: another exit code than 0 raises.  stdin: its input; None where `communicate` can give it.
    inherits: it has the input of the tests.
    """

    kind: str
    module: str
    arguments: tuple[str, ...]
    pipes: tuple[str, ...]
    text: bool
    checked: bool
    stdin: str | None
    inherits: bool
    limit: str


def imported(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Return what the names of the modules in question, and of their parts, stand for."""
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {
                each.asname or each.name: MODULES[each.name] for each in node.names if each.name in MODULES
            }
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES and not node.level:
            found |= {each.asname or each.name: f"{MODULES[node.module]}.{each.name}" for each in node.names}
    return found


def dotted(node: ast.AST, names: Mapping[str, str]) -> str:
    """Return the whole name of a part of these modules; empty for all else."""
    match node:
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.Attribute(value=value, attr=attr) if before := dotted(value, names):
            return f"{before}.{attr}"
    return ""


def starts(nodes: Iterable[ast.AST], names: Mapping[str, str]) -> Iterator[ast.Call]:
    """Yield the calls of functions of `subprocess`."""
    for node in nodes:
        if isinstance(node, ast.Call) and dotted(node.func, names).startswith("subprocess."):
            yield node


def read_start(call: ast.Call, names: Mapping[str, str], read: Read) -> Start:
    """Return what a call starts.  read: returns the value of a literal.  Raises `Unconvertible`."""
    kind = dotted(call.func, names).removeprefix("subprocess.")
    options = {each.arg or "**": each.value for each in call.keywords}
    first = [options.pop("args")] if not call.args and "args" in options else call.args
    odd = sorted(set(options) - _OPTIONS)
    if kind not in _KNOWN or len(first) != 1 or odd:
        what = f"`{odd[0]}=`" if odd else f"`{ast.unparse(call)[:60]}`"
        raise Unconvertible(f"it starts a program with {what}, which has no counterpart")
    values = {each: read(options[each]) for each in _OPTIONS & set(options) - {"stdin", "stdout", "stderr"}}
    words = _words(first[0], names, read, shell=bool(values.get("shell")))
    program = python_program(words)
    if program is None:
        raise Unconvertible(f"it starts `{' '.join(words)[:60]}`, which is not `python FILE.py`")
    ways = {
        name: dotted(options[name], names) or ast.unparse(options[name])
        for name in ("stdin", "stdout", "stderr")
        if name in options
    }
    if values.get("capture_output"):
        ways |= {"stdout": _PIPE, "stderr": _PIPE}
    if kind == "check_output":
        ways["stdout"] = _PIPE
    text = bool(values.get("text") or values.get("universal_newlines") or values.get("encoding"))
    if not _UTF_8.fullmatch(str(values.get("encoding") or "utf-8")):
        raise Unconvertible(f"its output has the encoding {values['encoding']!r}")
    for name, way in ways.items():
        if way not in (_PIPE, _NOWHERE, "None") or (way == _PIPE and kind.endswith("call")):
            raise Unconvertible(f"`{name}={way[:40]}` has no counterpart")
    given = values.get("input")
    piped = ways.get("stdin") == _PIPE and kind == "Popen"
    return Start(
        kind=kind,
        module=program[0],
        arguments=tuple(program[1]),
        pipes=tuple(each for each in ("stdout", "stderr") if ways.get(each) == _PIPE),
        text=text,
        checked=bool(values.get("check")) or kind.startswith("check_"),
        stdin=None if piped else input_of(given, text=text),
        inherits=given is None and ways.get("stdin") not in (_PIPE, _NOWHERE),
        limit=limit_of(values.get("timeout")),
    )


def input_of(value: object, *, text: bool) -> str:
    """Return an input as text.  Raises `Unconvertible`."""
    if value is None:
        return ""
    if not isinstance(value, str if text else bytes):
        raise Unconvertible(f"its input is a {type(value).__name__}, which `subprocess` does not take here")
    try:
        return value.decode() if isinstance(value, bytes) else value.encode().decode()
    except UnicodeError:
        raise Unconvertible("its input is no UTF-8 text") from None


def limit_of(value: object) -> str:
    """Return a time limit as the spec has it; empty for none.  Raises `Unconvertible`."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float) or not (_LEAST_S <= value <= _MOST_S):
        raise Unconvertible("its `timeout` is no number of seconds from 0.01 to 86400")
    return f"{value}s" if isinstance(value, int) else f"{round(value * 1000)}ms"


def _words(node: ast.expr, names: Mapping[str, str], read: Read, *, shell: bool = False) -> list[str]:
    """Return the words of a command.  Raises `Unconvertible`."""
    match node:
        case ast.Call(func=ast.Attribute(value=text, attr="split"), args=[], keywords=[]):
            found = read(text)
            words: Any = found.split() if isinstance(found, str) else None
        case ast.Call(args=[text], keywords=[]) if dotted(node.func, names) == "shlex.split":
            words = _split(read(text))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            words = [*_words(left, names, read), *_words(right, names, read)]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            words = [word for each in parts for word in _word(each, names, read)]
        case _:
            words = read(node)
            if shell and isinstance(words, str) and not _SHELL.search(words):
                words, shell = _split(words), False
    if shell or not isinstance(words, list | tuple) or not all(isinstance(each, str) for each in words):
        raise Unconvertible(f"`{ast.unparse(node)[:60]}` is no list of literal words")
    return [*words]


def _word(node: ast.expr, names: Mapping[str, str], read: Read) -> list[str]:
    return _words(node.value, names, read) if isinstance(node, ast.Starred) else [read(node)]


def _split(text: object) -> list[str] | None:
    try:
        return shlex.split(text) if isinstance(text, str) else None
    except ValueError:
        return None
