"""`grader doctor`: the guarantees of this host, tested by attacks."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from grader.cli.exit_code import ExitCode
from grader.cli.options import python_option
from grader.cli.output import print_json, print_lines, width_of_terminal
from grader.doctor.doctor import Examination, examine
from grader.doctor.host import Host, look, ways_to_landlock, ways_to_namespaces
from grader.reports.escape import plain
from grader.reports.terminal.lines import Line, StyledText, line, wrapped
from grader.reports.tone import Tone
from grader.sandbox.driver import LADDER, Driver, Guarantee
from grader.sandbox.interpreter import find_interpreter

_COLUMN = 11


@click.command()
@python_option
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(python: str, as_json: bool) -> int:
    """Tell what the sandbox can guarantee on this host.

    Tries small attacks through every driver, from the strongest down; that takes some seconds.
    grader mark takes the first driver that works. Where something is open it says by which attack, and
    what would close it. Exits with 6 if no driver is strong enough for marking.
    """

    interpreter = find_interpreter(python)
    host = look()
    found = [examine(driver, interpreter, thorough=True) for driver in LADDER]
    taken = next((examination for examination in found if not examination.failure), None)
    fit = taken is not None and LADDER.index(taken.driver) <= LADDER.index(Driver.LANDLOCK)
    if as_json:
        print_json(_document(host, found, taken, fit, interpreter.version), indent=2)
    else:
        head = f"Submissions run on Python {interpreter.version} ({interpreter.command})."
        print_lines([line(head), line(host.in_words()), line(), *_table(found), line()])
        print_lines(_advice(host, found, taken, fit))
    return ExitCode.DONE if fit else ExitCode.SANDBOX


def _document(
    host: Host, found: Sequence[Examination], taken: Examination | None, fit: bool, python: str
) -> dict[str, object]:
    return {
        "driver": str(taken.driver) if taken else None,
        "fit_for_marking": fit,
        "python": python,
        "host": asdict(host),
        "advice": list(_ways(host, found)),
        "drivers": {
            str(examination.driver): {
                "failure": examination.failure,
                "guarantees": {str(name): held for name, held in examination.held.items()},
                "attempts": [
                    {"guarantee": str(attack.guarantee), "attempt": attack.words, "held": held}
                    for attack, held in examination.attacks.items()
                ],
            }
            for examination in found
        },
    }


def _table(found: Sequence[Examination]) -> Iterator[Line]:
    """Yield a row for each guarantee: a column for each driver or, where it is narrow, those that hold."""
    width = max(len(name) for name in Guarantee) + 2
    if width_of_terminal() < width + _COLUMN * len(found):
        for guarantee in Guarantee:
            holding = [str(each.driver) for each in found if each.held.get(guarantee)]
            told = ", ".join(holding) if holding else "OPEN"
            tone = Tone.GOOD if holding else Tone.BAD
            row = wrapped(f"{guarantee:<{width}}{told}", max(width_of_terminal(), 40), indent=" " * width)
            yield from (line(StyledText(part, tone)) for part in row)
        return
    yield line(" " * width, *(f"{examination.driver:>{_COLUMN}}" for examination in found))
    for guarantee in Guarantee:
        cells = []
        for examination in found:
            held = examination.held.get(guarantee)
            word, tone = {True: ("held", Tone.GOOD), False: ("OPEN", Tone.BAD), None: ("-", Tone.IDLE)}[held]
            cells.append(StyledText(f"{word:>{_COLUMN}}", tone))
        yield line(f"{guarantee:<{width}}", *cells)


def _ways(host: Host, found: Sequence[Examination]) -> Iterator[str]:
    """Yield advice that would make stronger drivers work on this host."""

    ways = {Driver.NAMESPACES: ways_to_namespaces, Driver.LANDLOCK: ways_to_landlock}
    for examination in found:
        if examination.failure and examination.driver in ways:
            for way in ways[examination.driver](host):
                yield f"for {examination.driver}: {way}"


def _advice(host: Host, found: Sequence[Examination], taken: Examination | None, fit: bool) -> Iterator[Line]:
    """Yield the drivers that fail, the one for marking, its open guarantees, and advice."""

    for examination in found:
        if examination.failure:
            yield line(plain(f"{examination.driver} does not work here: {examination.failure}"))
    for way in _ways(host, found):
        yield line(f"  {way}")
    if taken is None:
        yield line("No sandbox works on this host.")
        return
    yield line(f"grader mark will use: {taken.driver}")
    for guarantee, held in taken.held.items():
        if not held:
            yield line(f"  {guarantee} is open, by: {'; '.join(taken.succeeded(guarantee))}")
    if taken.driver is Driver.LANDLOCK and host.is_root:
        yield line("  where Python lies in root's home, student code runs as root, though with no rights")
    if not fit:
        yield line(f"That is too weak for marking, unless you say --require {taken.driver}.")
