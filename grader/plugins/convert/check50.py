"""Reads check50's checks: functions with a chain `run(..).stdin(..).stdout(..)`, and simple checks in YAML.

A chain becomes a dialogue.  The checker `said` repeats what check50 does with the output: a prompt takes in
all that was printed before it, and each expected text is looked for in what is left.
"""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from grader.authoring.written import Raw, WrittenCase, WrittenQuestion
from grader.plugins.convert.changes import constants as file_constants
from grader.plugins.convert.check50_body import CheckBody, is_plain_file
from grader.plugins.convert.check50_chains import Chain, exit_of, line_of, take_command
from grader.plugins.convert.checkers import own_checker
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible, line_with
from grader.records.file_text import read_text
from grader.values.python_text import literal
from grader.yamlfile.quoting import in_quotes, list_in_quotes

_MOST_FILES = 90
_LARGEST_OF_CASE_B = 1 << 20


@dataclass(slots=True)
class Checks:
    """Reads one file of checks.

    beside: the folder of the files that checks include.  folder: where they will lie.
    """

    draft: Draft
    file: str
    text: str
    beside: Path | None = None
    folder: str = ""
    _part: str = ""
    _asked: set[str] = field(default_factory=set)
    """The files that must be there."""
    _ran: dict[str, set[str]] = field(default_factory=dict)
    """By check, the student's modules that ran in it or before it, in the same folder."""
    _large: set[str] = field(default_factory=set)
    """The files that are too large for a case, and lie in every case's folder."""

    def read(self) -> None:
        if self.file.endswith((".yaml", ".yml")):
            self._simple()
        else:
            self._functions()

    def _functions(self) -> None:
        tree = ast.parse(self.text)
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        found = {name: _decorators(node) for name, node in functions.items()}
        helpers = {name: functions[name] for name, (check, _) in found.items() if check is None}
        # What a check changes is followed, and each check has a process of its own.
        top = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
        constants = file_constants(ast.Module(top, []))
        ids: dict[str, str] = {}
        included: dict[str, list[str]] = {}
        for name, function in functions.items():
            check, hidden = found[name]
            if check is None:
                continue
            needed = check.args[0].id if check.args and isinstance(check.args[0], ast.Name) else ""
            body = CheckBody(helpers, constants, [*included.get(needed, ())], beside=self.beside)
            self._part = name
            try:
                body.follow(function.body)
                included[name] = body.included
                self._asked |= {*body.exists}
                if body.exists and not body.chains:
                    # That the program is missing is said by every case.
                    if len(body.exists) > 1:
                        reason = f"{name}: that `{body.exists[1][:40]}` is there is not asked for"
                        self.draft.remark(self.file, function.lineno, Meaning.KINDER, reason)
                    ids[name] = ""
                    continue
                self._part = self.draft.offer(name, Fraction(1))
                self.draft.assertions += 1
                if not body.chains:
                    raise Unconvertible("it runs no program")
                self._rely(name, needed, body.chains)
                self.draft.assertions += len(body.chains) - 1
                needs = self._needs(check, ids)
                title = ast.get_docstring(function) or ""
                self._add(name, title, body.chains, function.lineno, hidden, needs)
                if not hidden:
                    ids[name] = self.draft.questions[-1].id
            except Unconvertible as error:
                if self._part not in self.draft.offered:
                    self._part = self.draft.offer(name, Fraction(1))
                    self.draft.assertions += 1
                included.setdefault(name, body.included)
                self._ran.setdefault(
                    name, {each.module for each in body.chains} | self._ran.get(needed, set())
                )
                self.draft.remark(self.file, function.lineno, Meaning.LEFT_OUT, f"{name}: {error}")

    def _rely(self, name: str, needed: str, chains: list[Chain]) -> None:
        """Refuse a check that gets its files from a check of another program.  Raises `Unconvertible`."""
        before, own = self._ran.get(needed, set()), {self._module(chain)[0] for chain in chains}
        self._ran[name] = before | own
        if others := sorted(before - own):
            raise Unconvertible(f"it relies on what `{others[0]}.py` left in the check before it")

    def _needs(self, check: ast.Call, ids: dict[str, str]) -> str:
        match check.args:
            case []:
                return ""
            case [ast.Name(id=name)] if name in ids:
                return ids[name]
        reason = "it runs even if the check that it depends on fails, which was left out or is hidden"
        self.draft.remark(self.file, check.lineno, Meaning.KINDER, reason)
        return ""

    def _simple(self) -> None:
        try:
            described = yaml.load(self.text, Loader=_Loose)["check50"]["checks"]
            pairs = [(str(name), check) for name, check in described.items()]
        except (yaml.YAMLError, KeyError, TypeError, AttributeError, RecursionError):
            # Settings alone, where the checks are Python beside it.
            if self.beside is None or not (self.beside / "__init__.py").is_file():
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
        module, harness = self._module(chain)
        keys: dict[str, str | Raw] = {"program": Raw(module)}
        if harness:
            keys["harness"] = harness
        if chain.arguments:
            keys["arguments"] = Raw(list_in_quotes(chain.arguments))
        self._lay(chain, keys)
        if chain.rejects and chain.is_plain:
            # A prompt is any character but a line end, as check50 expects it.
            turns = ", ".join(
                f"{{says: {{pattern: '.'}}, answer: {in_quotes(text)}}}"
                if prompt
                else f"{{answer: {in_quotes(text)}}}"
                for text, prompt in chain.inputs
            )
            keys["dialogue"] = Raw(f"[{turns}, {{stop: here}}]")
        elif chain.inputs and chain.is_plain:
            turns = ", ".join(f"{{answer: {in_quotes(text)}}}" for text, _ in chain.inputs)
            keys["dialogue"] = Raw(f"[{turns}]")
        elif chain.inputs:
            lines = [text for text, _ in chain.inputs][: -1 if chain.ended else None]
            keys["player"] = f"typed(lines={literal(lines)})"
        if chain.rejects:
            reason = "the program must ask again; check50 is content if it is still running"
            self.draft.remark(self.file, line, Meaning.STRICTER, reason)
        self._expect(chain, keys)
        return WrittenCase(keys, module, self.file, line)

    def _module(self, chain: Chain) -> tuple[str, str]:
        """Return the student's module, and the path of the checks' own program that uses it, if one runs."""
        name = f"{chain.module}.py"
        if name not in chain.files and name not in chain.written:
            return chain.module, ""
        assert self.beside is not None, "no file could be included"
        source = self.beside / name
        if name not in chain.written and not is_plain_file(source):
            raise Unconvertible(f"`{name[:60]}`, which it includes, is no plain file beside it")
        text = chain.written.get(name) or read_text(source, "the file")
        modules = [each for each in _imports(text) if f"{each}.py" in self._asked]
        if not modules:
            raise Unconvertible(f"it runs `{name}` of its own, which imports no module of the student's")
        path = f"{self.folder}/{self._part}/{name}" if name in chain.written else f"{self.folder}/{name}"
        self.draft.files[path] = text.encode()
        return modules[0], path

    def _expect(self, chain: Chain, keys: dict[str, str | Raw]) -> None:
        """Add the checker, and the exit code."""
        prompts = [prompt for _, prompt in chain.inputs]
        # Without an input the program has an empty one, so where it asks, it raises; 0 is no exit of that.
        ends = not chain.inputs and (chain.exit_code not in ("", "0") or chain.fails)
        more = {"ends": ends, "asks": chain.rejects, "fails": chain.fails}
        judges = not chain.is_plain or (not chain.rejects and (chain.outputs or any(prompts) or ends))
        said = "".join(f", {key}=True" for key, value in more.items() if value)
        expected = literal([tuple(output) for output in chain.outputs])
        said = f"expected={expected}, prompts={literal(prompts)}{said}"
        if chain.own:
            name = f"judged_{len(self.draft.checkers) + 1}"
            self.draft.checkers[name] = own_checker(name, self._part, said, chain.own)
            keys["check"] = f"{name}()"
        elif judges:
            keys["check"] = f"said({said})"
        if chain.keeps:
            keys["leaves"] = Raw(list_in_quotes([*dict.fromkeys(chain.keeps)]))
        if not chain.rejects or not chain.is_plain:
            keys["exit"] = Raw(chain.exit_code or "any")

    def _lay(self, chain: Chain, keys: dict[str, str | Raw]) -> None:
        """Put the files that a check includes beside the spec.  Raises `Unconvertible`."""
        pairs = []
        for name in chain.files:
            source = self.beside / name if self.beside is not None else Path()
            if f"{chain.module}.py" == name:
                continue
            if (
                source.is_dir()
                and not source.is_symlink()
                and re.fullmatch(r"\w{1,99}", name, flags=re.ASCII)
            ):
                pairs += [(f"{name}/{each.name}", each) for each in sorted(source.iterdir())[:_MOST_FILES]]
            elif not name.endswith((".py", ".pyc")) or name in chain.arguments:
                pairs.append((name, source))
        for name, source in pairs:
            if not is_plain_file(source):
                raise Unconvertible(f"`{name[:60]}`, which it includes, is no plain file beside it")
            self.draft.files[f"{self.folder}/{name}"] = source.read_bytes()
        large = {name for name, source in pairs if source.stat().st_size > _LARGEST_OF_CASE_B}
        if large:
            # A copy for all cases: it is too large for one.
            self._large |= large
            self.draft.settings["files"] = self._named(sorted(self._large))
        if small := [name for name, _ in pairs if name not in large]:
            keys["files"] = self._named(small)

    def _named(self, names: Sequence[str]) -> Raw:
        named = (f"{in_quotes(name)}: {{from: {in_quotes(f'{self.folder}/{name}')}}}" for name in names)
        return Raw(f"{{{', '.join(named)}}}")


class _Loose(yaml.SafeLoader):
    """Reads check50's own tags, such as `!include`, as nothing."""


_Loose.add_multi_constructor("!", lambda *_: None)


def _simple_chain(step: Any) -> Chain:
    """Return the chain of a simple check: no prompt is asked for, and texts are no patterns."""
    if not isinstance(step, dict) or not set(step) <= {"run", "stdin", "stdout", "exit"} or "run" not in step:
        raise Unconvertible("a step has other keys than run, stdin, stdout and exit")
    chain = Chain()
    take_command(step["run"], chain)
    if "stdin" in step:
        # A block of YAML ends with a line end, after which no further line is typed.
        block = str(step["stdin"]).removesuffix("\n").split("\n")
        lines = step["stdin"] if isinstance(step["stdin"], list) else block
        chain.inputs = [(line_of(str(line)), False) for line in lines]
    if "stdout" in step:
        parts = step["stdout"] if isinstance(step["stdout"], list) else [step["stdout"]]
        chain.outputs = [(len(chain.inputs), "\n".join(map(str, parts)), False)]
    chain.exit_code = exit_of(step.get("exit"))
    return chain


def _imports(text: str) -> list[str]:
    """Return the modules that a program imports at its top."""
    found: list[str] = []
    for node in ast.parse(text).body:
        match node:
            case ast.Import(names=names):
                found += [each.name for each in names]
            case ast.ImportFrom(module=str() as module, level=0):
                found.append(module)
    return found


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
