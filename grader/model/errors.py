"""Mistakes of users, in a form that every front end can print without a traceback."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One mistake of a user's.

    message: what is wrong and what was expected, without a full stop at the end.
    where: `file:line:column`, `file` or empty.
    excerpt: the line in question, without its newline; empty where there is none.
    column: 1-based column of the caret under the excerpt; 0 for none.
    width: characters under which the caret line runs.
    hint: what to do about it; empty for none.
    """

    message: str
    where: str = ""
    excerpt: str = ""
    column: int = 0
    width: int = 1
    hint: str = ""

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.message}" if self.where else self.message]
        if self.excerpt:
            lines.append(f"    {self.excerpt}")
            if self.column:
                lines.append("    " + " " * (self.column - 1) + "^" * max(1, self.width))
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


class UsageError(Exception):
    """The command can't be carried out as given: a missing path, an unknown option."""

    exit_code = 2

    def __init__(self, *faults: Fault) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


class SpecError(UsageError):
    """The spec is invalid; holds every mistake that was found in it."""

    exit_code = 3


class SpecNotProven(SpecError):
    """The reference does not pass its own spec; holds every fault."""

    advice = "nothing was marked: mend the spec or the reference, or see --anyway"


class NothingToMark(UsageError):
    """There is no submission where one was looked for."""

    exit_code = 4


class NoSandbox(UsageError):
    """This host has no sandbox that is strong enough for what was asked."""

    exit_code = 6
