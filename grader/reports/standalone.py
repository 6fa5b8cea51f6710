"""One case without the grader: Python code that makes its calls, and a line for a shell that runs it.

Names of folders, and everything else in the line, may be hostile.  The line is made of printable characters
alone, quoted for a POSIX shell; a folder whose name has other characters is entered by Python instead.
"""

import ast
import os
import shlex
import string
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.case import Argument, Bound, Call, Calls, Combine, ProgramRun, Shipped, Watched
from grader.model.formula import Formula
from grader.model.own_code import Around
from grader.model.submission import AS_BYTES, NOTEBOOK
from grader.model.values import Value
from grader.reports.escape import plain
from grader.values.python_text import PythonText
from grader.values.sort import sort_of
from grader.wire.library_values import NAMES

SCRIPT = "grader_replay.py"
INPUT = "grader_input.txt"
_LONGEST = 2000
"""A longer line is no fun to paste; the code then goes into a file."""
_MOST_LINES = 50
_HARMLESS = frozenset(f"{string.ascii_letters}{string.digits}/._-")
_ENVIRONMENT = "PYTHONHASHSEED=0"
"""As in the sandbox, so that sets have the same order."""


class NotStandalone(Exception):
    """A case cannot be run without the grader; the text says why."""


@dataclass(frozen=True, slots=True)
class Standalone:
    """A case of one submission, ready to run without the grader.

    modules: texts by file name: the submission's, and those of the reference and a harness that stand beside.
    files: what it finds in its folder.
    statements: Python code, a statement each.
    program, arguments: the file to run as a program, and its arguments; empty if it makes calls.
    stdin: the program's input.
    """

    modules: Mapping[str, str]
    files: Mapping[str, bytes] = field(default_factory=dict)
    statements: tuple[str, ...] = ()
    program: str = ""
    arguments: tuple[str, ...] = ()
    stdin: str = ""


def of_calls(what: Calls, module: str, modules: Mapping[str, str], seed: int) -> Standalone:
    """Return a case that makes calls.  Raises `NotStandalone`."""
    bound = {call.bind for call in what.calls if call.bind}
    name = module if module not in bound else f"{module}_"
    start = [f"import {module}" if name == module else f"import {module} as {name}"]
    if what.around is not None:
        start = [*_surrounded(what.around, module, name)]
    if what.harness is not None:
        own, joined = what.harness.module, f"{module}_and_{what.harness.module}"
        if what.around is not None:
            start += [f"import types, {own}"]
        else:
            start, name = [f"import types, {module}, {own}"], module
        start += [f"{joined} = types.SimpleNamespace(**{{**vars({name}), **vars({own})}})"]
        name = joined
    start += _seeding(modules.values(), seed)
    calls = _call_statements(what, name, bound)
    written = "\n".join(calls)
    if what.plot is not None:
        calls += ["import matplotlib.pyplot", "matplotlib.pyplot.show()"]
    tables = [each for each in ("DataFrame", "Series") if f"{each}(" in written]
    start += [f"from pandas import {each}" for each in tables if each not in bound]
    needed = [each for each in NAMES if f"{each}(" in written or f"{each}." in written]
    start += [f"from {NAMES[each]} import {each}" for each in needed if each not in bound]
    formulas = (call.formula for call in what.calls if call.formula is not None)
    packages = {node.text for each in formulas for node in each.walk() if node.kind == "package"}
    start += [f"import {each}" for each in sorted(packages)]
    files = dict(what.folder.files) if what.folder is not None else {}
    return Standalone(modules, files, (*start, *calls))


def _surrounded(around: Around, module: str, name: str) -> Iterator[str]:
    """Yield the statements that import a module with the code around it.

    name: that of the module in these statements, which then has what comes after it too.
    """
    yield "import runpy, sys, types"
    yield f"{name} = types.ModuleType({module!r})"
    if around.before is not None:
        yield f"given = runpy.run_path({around.before.file!r})"
        yield f"vars({name}).update({_chosen('given', around.before.names)})"
    yield f"sys.modules[{module!r}] = {name}"
    file = f"{module}.py"
    yield f"exec(compile(open({file!r}).read(), {file!r}, 'exec'), vars({name}))"
    if around.after is not None:
        taken = _chosen(f"vars({name})", around.after.names)
        yield f"after = runpy.run_path({around.after.file!r}, {taken})"
        yield f"{name} = types.SimpleNamespace(**{{**vars({name}), **after}})"


def _chosen(names: str, listed: Sequence[str]) -> str:
    """Return the expression for those names of a mapping that are listed, or all without an underscore."""
    if listed:
        return f"{{each: {names}[each] for each in {list(listed)!r}}}"
    return f"{{each: value for each, value in {names}.items() if not each.startswith('_')}}"


def of_program(
    run: ProgramRun, modules: Mapping[str, str], file: str, seed: int, typed: Sequence[str] | None
) -> Standalone:
    """Return a case that runs a program.

    file: the program's own.  typed: the lines of its dialogue; None if it has none.
    """
    stdin = run.stdin if typed is None else "".join(f"{line}\n" for line in typed)
    seeding = _seeding(modules.values(), seed)
    if not seeding:
        return Standalone(modules, dict(run.files), (), file, run.arguments, stdin)
    first, *others = _running(file, run.arguments)
    return Standalone(modules, dict(run.files), (first, *seeding, *others), "", (), stdin)


def _running(file: str, arguments: Sequence[str]) -> list[str]:
    """Return the statements that run a file as a program."""
    words = ", ".join(map(_in_double_quotes, (file, *arguments)))
    running = f'runpy.run_path({_in_double_quotes(file)}, run_name="__main__")'
    return ["import runpy, sys", f"sys.argv = [{words}]", running]


def _seeding(texts: Iterable[str], seed: int) -> list[str]:
    # The sandbox seeds them if the name occurs.
    texts = list(texts)
    if not any("random" in text for text in texts):
        return []
    lines = ["import random", f"random.seed({seed})"]
    if any("numpy" in text for text in texts):
        lines += ["import numpy", f"numpy.random.seed({seed % 2**32})"]
    return lines


# -- the line ------------------------------------------------------------------------------------------


def shell_line(alone: Standalone, folder: Path, python: str, *, is_written: bool = False) -> str:
    """Return the line that runs a case in a folder.  Raises `NotStandalone` if it cannot be pasted.

    is_written: `write_to` has written into the folder.
    """
    if alone.files and not is_written:
        raise NotStandalone("it needs files beside it")
    given = _input(alone.stdin, is_written)
    words = [_ENVIRONMENT, shlex.quote(python), "-B"]
    if alone.program:
        command = [*words, shlex.quote(alone.program), *map(shlex.quote, alone.arguments)]
    elif is_written:
        command = [*words, SCRIPT]
    else:
        command = [*words, "-c", shlex.quote("; ".join(alone.statements))]
    before, after = given
    line = f"cd {shlex.quote(str(folder))} && {before}{' '.join(command)}{after}"
    if plain(line) != line or not line.isprintable():
        line = _with_odd_name(alone, folder, python, given, is_written=is_written)
    if plain(line) != line or not line.isprintable():
        raise NotStandalone("its text has characters that a terminal does not show")
    if len(line) > _LONGEST:
        raise NotStandalone("it is too long for a line")
    return line


def _with_odd_name(
    alone: Standalone, folder: Path, python: str, given: tuple[str, str], *, is_written: bool
) -> str:
    """Return the line with the folder's name in Python's escapes; Python enters the folder."""
    before, after = given
    code = ["import os", f"os.chdir(os.fsdecode({_bytes_literal(folder)}))"]
    if alone.program or is_written:
        code += _running(alone.program or SCRIPT, alone.arguments)
    else:
        code += alone.statements
    if after.startswith(" < ") and INPUT in after:
        code.insert(2, f"import sys; sys.stdin = open({INPUT!a}, newline='')")
        after = ""
    command = f"{_ENVIRONMENT} {shlex.quote(python)} -B -c {shlex.quote('; '.join(code))}"
    return f"{before}{command}{after}"


def _input(stdin: str, is_written: bool) -> tuple[str, str]:
    """Return what gives a program its input: words before the command, and after it."""
    if not stdin:
        return "", " < /dev/null"
    if is_written:
        return "", f" < {INPUT}"
    lines = stdin.split("\n")
    if lines[-1] or len(lines) > _MOST_LINES:
        raise NotStandalone("its input does not fit a line")
    return f"printf '%s\\n' {' '.join(map(shlex.quote, lines[:-1]))} | ", ""


def write_to(folder: Path, alone: Standalone) -> None:
    """Write all that a case needs into a new folder.  Raises OSError."""
    folder.mkdir(parents=True)
    contents = {name: as_handed_in(text) for name, text in alone.modules.items()}
    contents |= alone.files
    if alone.stdin:
        contents[INPUT] = alone.stdin.encode("utf-8", "surrogateescape")
    if alone.statements:
        contents[SCRIPT] = ("\n".join(alone.statements) + "\n").encode("utf-8")
    for name, content in contents.items():
        # The spec allows names below the folder alone.
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def as_handed_in(text: str) -> bytes:
    """Return the bytes of a module's text; see `SourceFile`."""
    if text.startswith(AS_BYTES):
        return text.removeprefix(AS_BYTES).encode("utf-8", "surrogateescape")
    return text.removeprefix(NOTEBOOK).encode("utf-8", "surrogatepass")


# -- Python code ---------------------------------------------------------------------------------------


def _call_statements(what: Calls, module: str, bound: set[str]) -> list[str]:
    if not what.calls:
        raise NotStandalone("it makes no call")
    if what.combine is None:
        return [_statement(call, module, bound) for call in what.calls if call.function]
    made = (_looked_at(call, _expression(call, module, bound), module) for call in what.calls)
    answers = f"[{', '.join(made)}]"
    match what.combine:
        case Combine.SUM:
            return [f"print(sum({answers}))"]
        case Combine.COUNT:
            return [f"print(sum(answer is True for answer in {answers}))"]
    return [f"print({answers})"]


def _statement(call: Call, module: str, bound: set[str]) -> str:
    made = _expression(call, module, bound)
    if call.formula is not None and call.formula.is_statement:
        return made
    if not call.bind:
        return f"print(repr({_looked_at(call, made, module)}))"
    shown = f"; print(repr({_looked_at(call, call.bind, module)}))" if call.brings else ""
    return f"{call.bind} = {made}{shown}"


def _expression(call: Call, module: str, bound: set[str]) -> str:
    owner = call.function.partition(".")[0]
    function = call.function if "." in call.function and owner in bound else f"{module}.{call.function}"
    if call.reads:
        return function
    arguments = [_argument(argument, module, bound) for argument in call.args]
    if call.formula is not None:
        return _formula(call.formula, arguments, module)
    arguments += [f"{name}={_argument(argument, module, bound)}" for name, argument in call.kwargs]
    return f"{function}({', '.join(arguments)})"


def _formula(formula: Formula, arguments: Sequence[str], module: str) -> str:
    slots = [f"({text})" if text.startswith("-") else text for text in arguments]
    return formula.written(slots, lambda name: f"{module}.{name}", exact=True)


def _looked_at(call: Call, made: str, module: str) -> str:
    """Return code for what is read of a value."""
    if call.formula is None or not call.formula.looks:
        return made
    arguments = [_argument(argument, module, ()) for argument in call.args]
    pairs = (
        f"{_in_double_quotes(look.text)}: {_formula(look.parts[0], arguments, module)}"
        for look in call.formula.looks
    )
    return f"(lambda it: {{{', '.join(pairs)}}})({made})"


def _argument(argument: Argument, module: str, bound: Collection[str]) -> str:
    match argument:
        case Shipped(source=source, uses=uses) if uses:
            return f"({_of_module(source, [name for name in uses if name not in bound], module)})"
        case Shipped(source=source) | Watched(source=source):
            return f"({source})"
        case Bound(name=name):
            return name
    return source_of(argument, module)


def _of_module(source: str, uses: Sequence[str], module: str) -> str:
    """Return a function's source in which the module's names have the module before them."""
    tree = ast.parse(source, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in uses:
            node.id = f"{module}.{node.id}"
    return ast.unparse(tree)


def source_of(value: Value, module: str) -> str:
    """Return Python code, in ASCII, for a value.  Raises `NotStandalone` if there is none."""
    return _Code(module).of(value)


class _Code(PythonText):
    """Writes values as code in ASCII beside a module, whose classes have its name before theirs."""

    says_all = True

    def __init__(self, module: str) -> None:
        self._module = module

    def members(self, values: Iterable[Value]) -> str:
        return self.items(sorted(values, key=ascii))

    def integer(self, value: int) -> str:
        return ascii(value) if abs(value) < 10**1000 else hex(value)

    def complex_number(self, value: complex) -> str:
        return f"complex({self.real(value.real)}, {self.real(value.imag)})"

    def string(self, value: str) -> str:
        return _in_double_quotes(value)

    def class_name(self, name: str) -> str:
        return f"{self._module}.{name}"

    def library(self, value: Value) -> str:
        return super().library(value).encode("ascii", "backslashreplace").decode()

    def unwritable(self, value: Value) -> str:
        kind = "" if sort_of(value).is_value else f" of the type {type(value).__name__}"
        raise NotStandalone(f"an argument{kind} cannot be written in Python")


def _in_double_quotes(text: str) -> str:
    """Return a literal that needs no escapes in a shell's single quotes, where there is one."""
    # `##[` is a command to some CI systems.
    literal = ascii(text).replace("##", "#\\x23")
    return literal if '"' in literal else f'"{literal[1:-1]}"'


def _bytes_literal(path: Path) -> str:
    """Return a literal of a path's bytes in which no character means anything to a shell or a terminal."""
    shown = (chr(byte) if chr(byte) in _HARMLESS else f"\\x{byte:02x}" for byte in os.fsencode(path))
    return f'b"{"".join(shown)}"'
