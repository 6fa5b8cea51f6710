"""Reads check50's checks: functions with a chain `run(..).stdin(..).stdout(..)`, and simple checks in YAML.

A chain becomes a dialogue.  The checker `said` repeats what check50 does with the output: a prompt takes in
all that was printed before it, and each expected text is looked for in what is left.
"""

import ast
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import yaml

from grader.authoring.written import Raw, WrittenCase, WrittenQuestion
from grader.model.values import Value
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible, line_with
from grader.plugins.convert.values import ConvertedScope, read_value
from grader.values.python_text import literal
from grader.yamlfile.quoting import in_quotes, list_in_quotes

_PROGRAM = re.compile(r"python3?(?:\.\d+)?$")


@dataclass(slots=True)
class Chain:
    """A chain: its inputs, and after how many of them each text is expected."""

    module: str = ""
    arguments: list[str] = field(default_factory=list)
    inputs: list[tuple[str, bool]] = field(default_factory=list)
    outputs: list[tuple[int, str, bool]] = field(default_factory=list)
    exit_code: str = ""
    rejects: bool = False
    """It ends where the program asks once more."""


@dataclass(slots=True)
class Checks:
    """Reads one file of checks."""

    draft: Draft
    file: str
    text: str
    _part: str = ""

    def read(self) -> None:
        if self.file.endswith((".yaml", ".yml")):
            self._simple()
        else:
            self._functions()

    def _functions(self) -> None:
        tree = ast.parse(self.text)
        names: dict[str, str] = {}
        for function in tree.body:
            if not isinstance(function, ast.FunctionDef):
                continue
            check, hidden = _decorators(function)
            if check is None:
                continue
            self.draft.assertions += 1
            self._part = self.draft.offer(function.name, Fraction(1))
            try:
                chain = self._chain(function)
                needs = self._needs(check, names)
                title = ast.get_docstring(function) or ""
                self._add(function.name, title, [chain], function.lineno, hidden, needs)
                if not hidden:
                    names[function.name] = self.draft.questions[-1].id
            except Unconvertible as error:
                self.draft.remark(self.file, function.lineno, Meaning.LEFT_OUT, f"{function.name}: {error}")

    def _needs(self, check: ast.Call, names: dict[str, str]) -> str:
        match check.args:
            case []:
                return ""
            case [ast.Name(id=name)] if name in names:
                return names[name]
        reason = "it runs even if the check that it depends on fails, which was left out or is hidden"
        self.draft.remark(self.file, check.lineno, Meaning.KINDER, reason)
        return ""

    def _chain(self, function: ast.FunctionDef) -> Chain:
        body = [node for node in function.body if not _is_text(node)]
        match body:
            case [ast.Expr(value=ast.Call() as call)]:
                return read_chain(call)
        raise Unconvertible("it is other than one chain that begins with `check50.run`")

    def _simple(self) -> None:
        try:
            described = yaml.load(self.text, Loader=_Loose)["check50"]["checks"]
            pairs = [(str(name), check) for name, check in described.items()]
        except (yaml.YAMLError, KeyError, TypeError, AttributeError, RecursionError):
            self.draft.remark(self.file, 1, Meaning.LEFT_OUT, "it has no `checks` under `check50`")
            return
        for name, steps in pairs:
            line = line_with(self.text, name)
            self._part = self.draft.offer(name, Fraction(1))
            chains = []
            for step in steps if isinstance(steps, list) else [None]:
                self.draft.assertions += 1
                try:
                    chains.append(_simple_chain(step))
                except Unconvertible as error:
                    self.draft.remark(self.file, line, Meaning.LEFT_OUT, f"{name}: {error}")
            if chains:
                self._add(name, name, chains, line, False, "")

    def _add(self, name: str, title: str, chains: list[Chain], line: int, hidden: bool, needs: str) -> None:
        """Add the question of a check, of which all chains must hold."""
        title = title.strip().partition("\n")[0] or name
        cases = tuple(self._case(chain, line) for chain in chains)
        self.draft.converted += len(cases)
        slug = re.sub(r"\W", "-", name, flags=re.ASCII)[:64]
        visibility = "hidden" if hidden else ""
        self.draft.add(
            WrittenQuestion(
                slug, title, Fraction(1), cases, visibility, needs=(needs,) if needs else (), part=self._part
            )
        )

    def _case(self, chain: Chain, line: int) -> WrittenCase:
        keys: dict[str, str | Raw] = {"program": Raw(chain.module)}
        if chain.arguments:
            keys["arguments"] = Raw(list_in_quotes(chain.arguments))
        if chain.rejects:
            # A prompt is any character but a line end, as check50 expects it.
            turns = ", ".join(
                f"{{says: {{pattern: '.'}}, answer: {in_quotes(text)}}}"
                if prompt
                else f"{{answer: {in_quotes(text)}}}"
                for text, prompt in chain.inputs
            )
            keys["dialogue"] = Raw(f"[{turns}, {{stop: here}}]")
            reason = "the program must ask again; check50 is content if it is still running"
            self.draft.remark(self.file, line, Meaning.STRICTER, reason)
        elif chain.inputs:
            turns = ", ".join(f"{{answer: {in_quotes(text)}}}" for text, _ in chain.inputs)
            keys["dialogue"] = Raw(f"[{turns}]")
            if not chain.exit_code:
                reason = "the program must end after its last input, which nothing asked for"
                self.draft.remark(self.file, line, Meaning.STRICTER, reason)
        prompts = tuple(prompt for _, prompt in chain.inputs)
        # Without an input the program has an empty one, so where it asks, it raises; 0 is no exit of that.
        ends = not chain.inputs and chain.exit_code not in ("", "0")
        if not chain.rejects and (chain.outputs or any(prompts) or ends):
            expected = literal([tuple(output) for output in chain.outputs])
            more = ", ends=True" if ends else ""
            keys["check"] = f"said(expected={expected}, prompts={literal(list(prompts))}{more})"
        if not chain.rejects:
            keys["exit"] = Raw(chain.exit_code or "any")
        return WrittenCase(keys, chain.module, self.file, line)


class _Loose(yaml.SafeLoader):
    """Reads check50's own tags, such as `!include`, as nothing."""


_Loose.add_multi_constructor("!", lambda *_: None)


def read_chain(call: ast.Call) -> Chain:
    """Return what a chain does.  Raises `Unconvertible`."""
    chain, scope = Chain(), ConvertedScope()
    for name, arguments in _links(call):
        values = [read_value(argument, scope) for argument in arguments.args]
        options = {str(one.arg): read_value(one.value, scope) for one in arguments.keywords}
        if chain.exit_code or chain.rejects:
            raise Unconvertible(f"something follows `{'exit' if chain.exit_code else 'reject'}`")
        match name:
            case "run" if len(values) == 1 and not options:
                _command(values[0], chain)
            case "stdin" if values and set(options) <= {"prompt", "str_line", "timeout"}:
                chain.inputs.append((_line(values[0]), bool(options.get("prompt", True))))
            case "stdout" if values and set(options) <= {"regex", "str_output", "timeout", "show_timeout"}:
                pattern = bool(values[2] if len(values) > 2 else options.get("regex", True))
                chain.outputs.append((len(chain.inputs), _text(values[0], pattern), pattern))
            case "exit" if len(values) <= 1 and set(options) <= {"timeout"}:
                chain.exit_code = _exit(values[0] if values else None)
            case "reject" if (
                chain.inputs and not chain.outputs and len(values) <= 1 and set(options) <= {"timeout"}
            ):
                chain.rejects = True
            case _:
                raise Unconvertible(f"`{name}` has no counterpart that is certain")
    return chain


def _links(call: ast.Call) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of a chain from its start."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="check50"), attr="run"):
            yield "run", call
        case ast.Attribute(value=ast.Call() as before, attr=name):
            yield from _links(before)
            yield name, call
        case _:
            raise Unconvertible("it does not begin with `check50.run`")


def _command(command: Value, chain: Chain) -> None:
    if not isinstance(command, str) or re.search(r"[;&|<>$`*?~#]", command):
        raise Unconvertible("its command needs a shell")
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if len(words) < 2 or not _PROGRAM.match(words[0]) or not re.fullmatch(r"[A-Za-z_]\w*\.py", words[1]):
        raise Unconvertible(f"`{command}` is not `python FILE.py`")
    chain.module, chain.arguments = words[1].removesuffix(".py"), words[2:]


def _line(value: Value) -> str:
    if not isinstance(value, str) or "\n" in value or "\r" in value:
        raise Unconvertible("an input is other than one line of text")
    return value


def _text(value: Value, pattern: bool) -> str:
    """Return the expected text; a number and a pattern that Python refuses are left out."""
    if not isinstance(value, str):
        raise Unconvertible("an expected output is no text")
    if pattern:
        try:
            re.compile(value)
        except re.error:
            raise Unconvertible("an expected output is no regular expression") from None
        if "$" in value.replace(r"\$", "") or "^" in value:
            raise Unconvertible("`^` and `$` have another meaning while a program is still printing")
    return value


def _exit(value: Value) -> str:
    if value is None:
        return "any"
    if type(value) is not int or not 0 <= value <= 255:
        raise Unconvertible("its exit code is no number from 0 to 255")
    return str(value)


def _simple_chain(step: Any) -> Chain:
    """Return the chain of a simple check: no prompt is asked for, and texts are no patterns."""
    if not isinstance(step, dict) or not set(step) <= {"run", "stdin", "stdout", "exit"} or "run" not in step:
        raise Unconvertible("a step has other keys than run, stdin, stdout and exit")
    chain = Chain()
    _command(step["run"], chain)
    if "stdin" in step:
        # A block of YAML ends with a line end, after which no further line is typed.
        block = str(step["stdin"]).removesuffix("\n").split("\n")
        lines = step["stdin"] if isinstance(step["stdin"], list) else block
        chain.inputs = [(_line(str(line)), False) for line in lines]
    if "stdout" in step:
        parts = step["stdout"] if isinstance(step["stdout"], list) else [step["stdout"]]
        chain.outputs = [(len(chain.inputs), "\n".join(map(str, parts)), False)]
    chain.exit_code = _exit(step.get("exit"))
    return chain


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _decorators(function: ast.FunctionDef) -> tuple[ast.Call | None, bool]:
    """Return the call of `check50.check`, and whether the check is hidden."""
    check, hidden = None, False
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call):
            match ast.unparse(decorator.func):
                case "check50.check" | "check":
                    check = decorator
                case "check50.hidden" | "hidden":
                    hidden = True
    return check, hidden
