"""The key `toolchains`: languages besides Python in which programs may be handed in."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from grader.languages.toolchain import MEMORY, SOURCE, Toolchain, language_names, toolchain_named
from grader.model.kinds import kind_of
from grader.spec.decode.drafts import QuestionDraft
from grader.spec.keys.task import OWN_TOOLCHAIN
from grader.yamlfile.nodes import Mapping, Node, Scalar
from grader.yamlfile.nodes import Sequence as Items
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, opened
from grader.yamlfile.unusable import Unusable, collecting, if_usable


def decode_toolchains(
    fields: Fields, questions: Sequence[QuestionDraft], folder: Path
) -> tuple[Toolchain, ...]:
    """Return the toolchains; report those that are not known, and what no built program can do.

    folder: the spec's own.
    """
    node = fields.node("toolchains")
    items: tuple[Node, ...] = node.items if isinstance(node, Items) else (node,) if node is not None else ()
    read = (if_usable(_toolchain, fields, item, folder) for item in items)
    found = [toolchain for toolchain in read if toolchain is not None]
    if not found:
        return ()
    if fields.has("rules"):
        message = "a task with `toolchains` can't have `rules`, which read Python"
        fields.report_key("toolchains", message)
    for draft in (case for question in questions for case in question.cases):
        reason = kind_of(draft.case).python_alone(draft.case) if draft.case is not None else ""
        if reason:
            message = f"this case {reason}, which a program of `toolchains` can't do"
            fields.reporter.report(draft.span, message)
    by_ending: dict[str, Toolchain] = {}
    for each in found:
        for ending in each.endings:
            other = by_ending.setdefault(ending, each)
            if other != each:
                message = f"`{ending}` is the ending of `{other.name}` and of `{each.name}`"
                fields.report("toolchains", message)
    return tuple(dict.fromkeys(found))


def _toolchain(fields: Fields, node: Node, folder: Path) -> Toolchain:
    if isinstance(node, Mapping):
        return _own(opened(node, OWN_TOOLCHAIN, fields.reporter), folder)
    if not isinstance(node, Scalar):
        fields.misfit("toolchains", node)
        raise Unusable
    if node.text in language_names():
        return toolchain_named(node.text)
    hint = (
        f"the toolchains are {', '.join(f'`{name}`' for name in language_names())}, or a mapping with `run`"
    )
    fields.reporter.report(node.span, f"`{shown(node.text)}` is no toolchain", hint)
    raise Unusable


def _own(fields: Fields, folder: Path) -> Toolchain:
    with collecting() as take:
        name, ending = take(fields.needed, "language"), take(fields.needed, "ending")
        build = take(_words, fields, "build") if fields.has("build") else ()
        run = take(_words, fields, "run")
        _check_reads(fields, folder)
        if name in language_names():
            fields.report("language", f"the commands of `{name}` are known", "give yours another name")
    if not build and run[0].startswith("./"):
        fields.report("run", "without `build` there is no such program", "such as `perl {file}`")
    if SOURCE not in " ".join(build or run):
        fields.report("build" if build else "run", f"the command does not name `{SOURCE}`, the source file")
    elif build and SOURCE in " ".join(run):
        fields.report("run", f"`{SOURCE}` is not there any more when what `build` left runs")
    return Toolchain(name, (ending,), build, run, tuple(scalar.text for scalar in fields["reads"]))


def _check_reads(fields: Fields, folder: Path) -> None:
    """Report folders that can't be shown to programs of students."""
    reads = tuple(scalar.text for scalar in fields["reads"])
    for path in reads:
        if not _can_be_read(path, folder):
            hint = "name a folder below /usr, /opt or /etc"
            fields.report("reads", f"`{shown(path)}` can't be shown to programs of students", hint)


def _can_be_read(path: str, folder: Path) -> bool:
    """Tell whether it is a folder of the system's, and holds nothing of the spec's."""
    place = Path(os.path.realpath(path))
    top = place.parts[1:2]
    is_of_system = path.startswith("/") and top in (("usr",), ("opt",), ("etc",)) and len(place.parts) > 2
    return is_of_system and place != folder and place not in folder.parents and folder not in place.parents


def _words(fields: Fields, key: str) -> tuple[str, ...]:
    """Return the words of a command.  Raises Unusable."""
    text: str = fields.needed(key)
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        fields.report(key, f"`{key}` is no command: {str(error).casefold()}")
        raise Unusable from None
    for word in words:
        rest = word.replace(SOURCE, "").replace(MEMORY, "")
        if "{" in rest and "}" in rest:
            fields.report(key, f"`{shown(word)}` names something else than `{SOURCE}` and `{MEMORY}`")
            raise Unusable
    if SOURCE in words[0] or "/" in words[0].removeprefix("./"):
        fields.report(
            key, f"`{shown(words[0])}` is not the name of a program", "such as `perl`, or `./program`"
        )
        raise Unusable
    if key == "build" and words[0].startswith("./"):
        fields.report(key, f"`{shown(words[0])}` is not a program of the host")
        raise Unusable
    return words
