"""`grader plugins`: what is installed, what it brings, and what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence

import click

import grader.spec.keys.case  # noqa: F401  it finds kinds whose keys are others' already
from grader.cli.exit_code import ExitCode
from grader.cli.output import print_json, print_lines
from grader.registry.groups import OURS, Group
from grader.registry.imports import InsideImport, inside_imports
from grader.registry.installed import Entry, Plugin
from grader.registry.registry import API, registry
from grader.reports.escape import plain
from grader.reports.terminal.lines import Line, StyledText, line, wrapped
from grader.reports.tone import Tone
from grader.spec.decode.of_task.rules import broken_rules
from grader.values.sort import plugin_sorts

_WIDTH = 80
_INDENT = 12


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print what is found as JSON.")
def plugins(as_json: bool) -> int:
    """Tell which plugins are installed, what they bring, and what is wrong with them.

    A plugin is a Python package beside the grader that brings kinds of cases, sorts of values, languages,
    layouts, formats, renderers, rules, commands or clusters.  All that it brings is imported, as the command
    that needs it does.  Exits with 1 where something cannot be used.

    GRADER_PLUGINS=none in the environment leaves all plugins out.
    """
    for group in Group:
        registry().names(group)
    plugin_sorts()  # it finds those whose classes have sorts already
    for name, mistake in broken_rules().items():
        registry().refuse(registry().entries(Group.RULES)[name], f"its text is no rule of a spec: {mistake}")
    reasons = {fault.entry: fault.reason for fault in registry().faults}
    brought: dict[Plugin, list[Entry]] = {}
    for entry in registry().installed:
        assert entry.plugin is not None
        brought.setdefault(entry.plugin, []).append(entry)
    inside = {plugin: inside_imports(plugin) for plugin in brought}
    if as_json:
        print_json(_document(brought, reasons, inside), indent=2)
    else:
        print_lines(_lines(brought, reasons, inside))
    return ExitCode.NOT_MET if reasons else ExitCode.DONE


def _lines(
    brought: Mapping[Plugin, Sequence[Entry]],
    reasons: Mapping[Entry, str],
    inside: Mapping[Plugin, Sequence[InsideImport]],
) -> Iterator[Line]:
    ours = ", ".join(f"{len(names)} {_short(group)}" for group, names in OURS.items())
    yield from _wrapped(f"The grader itself, with version {API} of grader.api: {ours}.")
    if not brought:
        yield line("No plugin is installed.")
    for plugin, entries in brought.items():
        yield line()
        made_for = f"for grader.api {plugin.api}" if plugin.api else "for no version of grader.api"
        yield from _wrapped(plain(f"{plugin}, {made_for}, in {plugin.place}"))
        for entry in entries:
            reason = reasons.get(entry, "")
            word = StyledText("left out", Tone.BAD) if reason else StyledText("usable  ", Tone.GOOD)
            kind = _short(entry.group)
            text = plain(f"{kind:<10} {entry.name}  {reason or entry.value}")
            first, *others = wrapped(text, _WIDTH - _INDENT, breaks_words=False)
            yield line("  ", word, "  ", first)
            yield from (line(" " * _INDENT, each) for each in others)
        for each in inside[plugin]:
            where = f"{each.file}:{each.line}"
            text = f"{where} imports {each.module}, which any release of the grader may change"
            yield from _wrapped(plain(f"  {text}"), "    ")


def _short(group: Group) -> str:
    return group.removeprefix("grader.")


def _wrapped(text: str, indent: str = "  ") -> Iterator[Line]:
    return map(line, wrapped(text, _WIDTH, indent, breaks_words=False))


def _document(
    brought: Mapping[Plugin, Sequence[Entry]],
    reasons: Mapping[Entry, str],
    inside: Mapping[Plugin, Sequence[InsideImport]],
) -> dict[str, object]:
    return {
        "api": API,
        "ours": {str(group): dict(names) for group, names in OURS.items()},
        "plugins": [
            {
                "name": plugin.name,
                "version": plugin.version,
                "api": plugin.api,
                "place": plugin.place,
                "brings": [
                    {
                        "group": str(entry.group),
                        "name": entry.name,
                        "value": entry.value,
                        "fault": reasons.get(entry),
                    }
                    for entry in entries
                ],
                "inside_imports": [
                    {"file": each.file, "line": each.line, "module": each.module} for each in inside[plugin]
                ],
            }
            for plugin, entries in brought.items()
        ],
    }
