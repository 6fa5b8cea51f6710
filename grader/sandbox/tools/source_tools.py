"""The linter and the search for patterns: which findings a tool has on one text."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from grader.model.errors import Fault, UsageError
from grader.model.rule import Rule, RuleKind
from grader.sandbox.budget import UNBILLED
from grader.sandbox.tools.rule_box import Place
from grader.sandbox.tools.tool import Tool, ToolRun, find_tool, run_tool
from grader.sandbox.zygote import SandboxFailure

LINTER, PATTERNS = "ruff", "ast-grep"

_MAX_PLACES = 50
_SYNTAX = "invalid-syntax"
_OF_NOTEBOOKS = (
    "--config",
    'builtins = ["display", "get_ipython"]',
    "--ignore",
    "E402,B018,E703,F704,PLE1142",
)
"""Jupyter has names of its own; a cell may have imports and `await`, and end with a value, shown or not."""


Runner: TypeAlias = Callable[[list[str], str], ToolRun]
"""Runs a command with a text as its input: `run_tool`, or a cell's."""
_UNBILLED: Runner = partial(run_tool, purse=UNBILLED)


class NoSight(Exception):
    """A tool could not look at the text: it crashed, met a limit, or does not take it for Python."""


def tools_for(rules: list[Rule]) -> list[Tool]:
    """Return the tools that rules need, each tried out with the rules' options.

    Raises `UsageError` for a tool that is missing, and for rules and patterns that it does not know.
    """
    found = {}
    for rule in rules:
        if rule.kind is RuleKind.LINTER:
            found[LINTER] = find_tool(LINTER)
            _try_out(_lint(rule, "empty.py", ""), rule)
        for pattern in rule.patterns:
            found[PATTERNS] = find_tool(PATTERNS)
            run = _search(pattern, "")
            if run.status not in (0, 1) or "ERROR node" in run.stderr:
                message = f"{PATTERNS} does not take this pattern for Python: {pattern}"
                raise UsageError(
                    Fault(message, hint="see https://ast-grep.github.io/guide/pattern-syntax.html")
                )
    return list(found.values())


def lint(
    rule: Rule, module: str, file: str, text: str, runner: Runner, *, of_notebook: bool = False
) -> list[Place]:
    """Return the linter's findings.  Raises `NoSight`, `SandboxFailure`, and what the runner raises."""
    run = _lint(rule, file, text, runner, _OF_NOTEBOOKS if of_notebook else ())
    _require_a_run(run, found_status=1)
    places = set()
    for found in _lines(run):
        code = str(found.get("code"))
        if code == _SYNTAX:
            raise NoSight
        row = found["location"]["row"]
        # What weighs most comes first, so that many findings that cost nothing hide no other one.
        places.add((-rule.weight_of(code), Place(module, row, f"{code}: {found['message']}")))
    return sorted(place for _, place in sorted(places)[:_MAX_PLACES])


def search(pattern: str, module: str, text: str, runner: Runner) -> list[Place]:
    """Return the places of a pattern.  Raises `NoSight`, `SandboxFailure`, and what the runner raises."""
    run = _search(pattern, text, runner)
    _require_a_run(run, found_status=0)
    lines = {found["range"]["start"]["line"] + 1 for found in _lines(run)}
    return [Place(module, line, f"`{pattern}`") for line in sorted(lines)[:_MAX_PLACES]]


def _lint(rule: Rule, file: str, text: str, runner: Runner = _UNBILLED, more: Sequence[str] = ()) -> ToolRun:
    command = [find_tool(LINTER).path, "check", "--isolated", "--no-cache", "--quiet", "--ignore-noqa"]
    command += ["--output-format", "json-lines", "--select", ",".join(rule.select)]
    if rule.ignore:
        command += ["--ignore", ",".join(rule.ignore)]
    command += more
    if rule.line_length:
        command += ["--line-length", str(rule.line_length)]
    return runner([*command, "--stdin-filename", file, "-"], text)


def _search(pattern: str, text: str, runner: Runner = _UNBILLED) -> ToolRun:
    command = [find_tool(PATTERNS).path, "run", "--pattern", pattern, "--lang", "python", "--json=stream"]
    return runner([*command, "--stdin"], text)


def _try_out(run: ToolRun, rule: Rule) -> None:
    if run.status not in (0, 1):
        lines = [line.strip() for line in run.stderr.splitlines() if "Cause:" in line]
        reason = lines[0].removeprefix("Cause: ") if lines else run.stderr.strip()[:200]
        raise UsageError(Fault(f"{LINTER} does not accept the rules of the spec: {reason}", hint=rule.text))


def _require_a_run(run: ToolRun, *, found_status: int) -> None:
    """Raise `NoSight` if a tool failed over the text, and `SandboxFailure` if it did not run at all.

    found_status: the exit status with which the tool reports findings; the other one of 0 and 1 means none.
    A Python that cannot build the cell ends with 1 as well, so the status alone proves nothing.
    """
    if run.status not in (0, 1):
        raise NoSight
    said = run.stderr.strip()[:300]
    if (run.status == found_status) != bool(run.stdout) or (said and not run.stdout):
        raise SandboxFailure(f"a tool did not run: {said or 'it said nothing'}")


def _lines(run: ToolRun) -> Iterator[dict[str, Any]]:
    for line in run.stdout.splitlines():
        found = json.loads(line)
        if isinstance(found, dict):
            yield found
