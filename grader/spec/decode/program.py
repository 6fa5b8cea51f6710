"""A case that runs a program: what goes in, who answers it, and what is to come out."""

from dataclasses import dataclass

from grader.model.case import Check, Comparison, Player, Produces, ProgramRun
from grader.spec.decode.dialogue import decode_dialogue
from grader.spec.decode.expectations import decode_check
from grader.spec.decode.files import decode_content, decode_files, decode_leaves
from grader.spec.decode.shell import command
from grader.spec.decode.text import decode_text
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Unusable
from grader.spec.keys import PROGRAM_ONLY
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields

_ALLOWED = (
    *("program", "check", *PROGRAM_ONLY),
    *("name", "weight", "group", "hint", "visibility", "needs", "limits", "picture"),
)
_MOST_ARGUMENTS = 100
_LONGEST_ARGUMENT = 10_000
_LARGEST_EXIT_CODE = 255


@dataclass(frozen=True, slots=True)
class DecodedProgram:
    """What a case with a program runs and expects.  text: the command as one would type it."""

    program: ProgramRun
    produces: Produces
    check: Check | None
    text: str


def decode_program(fields: Fields, context: Context) -> DecodedProgram | None:
    """Return the program of a case; None where something of it was reported."""
    for key in fields.table.names:
        if fields.has(key) and key not in _ALLOWED:
            context.reporter.report(fields.key_span(key), f"`{key}` does not go with `program`")
    for key in fields.present("stdin", "dialogue", "player")[1:]:
        first = fields.present("stdin", "dialogue", "player")[0]
        message = f"a program can't have both `{first}` and `{key}`: each is all of its input"
        context.reporter.report(fields.key_span(key), message)
    module = _module(fields, context)
    arguments = _arguments(fields)
    stdin = _stdin(fields, context)
    files = decode_files(fields, context)
    dialogue = decode_dialogue(fields, context)
    player = _checker(fields, context, "player")
    leaves = decode_leaves(fields, context)
    stdout, stderr = decode_text(fields, "stdout", context), decode_text(fields, "stderr", context)
    check = _checker(fields, context, "check")
    is_any, exit_code = _exit_code(fields)
    _check_purpose(fields, context, exit_code)
    found = {
        **{"program": module, "arguments": arguments, "stdin": stdin, "files": files, "leaves": leaves},
        **{"dialogue": dialogue, "player": player, "stdout": stdout, "stderr": stderr, "check": check},
        "exit": is_any or exit_code,
    }
    if module is None or any(value is None and fields.has(key) for key, value in found.items()):
        return None
    run = ProgramRun(
        module=module,
        arguments=arguments or (),
        stdin=stdin or "",
        files=files or (),
        keeps=leaves.names if leaves is not None else (),
        dialogue=dialogue or (),
        player=Player(player.checker, player.arguments) if player is not None else None,
    )
    produces = Produces(
        stdout=stdout,
        stderr=stderr,
        exit_code=None if is_any else exit_code or 0,
        files=leaves.texts if leaves is not None else (),
    )
    text = command(dict(context.modules)[module], run.arguments, run.stdin)
    return DecodedProgram(run, produces, check, text)


def _check_purpose(fields: Fields, context: Context, exit_code: int | None) -> None:
    """Report a program that nothing is expected of but to end well."""
    judged = fields.present("stdout", "stderr", "leaves", "dialogue", "check")
    if not judged and not (fields.has("exit") and exit_code is not None):
        message = "this program would be accepted whatever it prints"
        hint = "say what it prints (`stdout`), `leaves` or ends with (`exit`), or name a `check`"
        context.reporter.report(fields.key_span("program"), message, hint)


def _module(fields: Fields, context: Context) -> str | None:
    name = fields.text("program")
    names = [name for name, _ in context.modules]
    if name is None or name in names:
        return name
    hint = context.reporter.nearest_or_all(name, names)
    fields.report("program", f"`{shown(name)}` is not among the task's `modules`", hint)
    return None


def _arguments(fields: Fields) -> tuple[str, ...] | None:
    nodes = fields.items("arguments")
    if nodes is None:
        return None
    texts = [node.text for node in nodes if isinstance(node, Scalar)]
    if len(texts) < len(nodes):
        fields.report("arguments", "`arguments` must be a list of texts, each on its own")
        return None
    if len(texts) > _MOST_ARGUMENTS or any(len(text) > _LONGEST_ARGUMENT for text in texts):
        message = f"`arguments` can be {_MOST_ARGUMENTS} texts of {_LONGEST_ARGUMENT:,} characters at most"
        fields.report("arguments", message)
        return None
    if not all(map(_is_writable, texts)):
        fields.report("arguments", "`arguments` holds a character that no argument can have")
        return None
    return tuple(texts)


def _is_writable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _stdin(fields: Fields, context: Context) -> str | None:
    content = decode_content(fields, "stdin", context)
    if content is None:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        fields.report("stdin", "the input must be UTF-8 text")
        return None


def _checker(fields: Fields, context: Context, key: str) -> Check | None:
    if not fields.has(key):
        return None
    try:
        return decode_check(fields, Comparison(), context, key)
    except Unusable:
        return None


def _exit_code(fields: Fields) -> tuple[bool, int | None]:
    """Return whether any exit code will do, and the one that is expected."""
    scalar = fields.scalar("exit")
    if scalar is None:
        return False, None
    if scalar.text == "any":
        return True, None
    if type(scalar.value) is not int or not 0 <= scalar.value <= _LARGEST_EXIT_CODE:
        fields.misfit("exit", scalar)
        return False, None
    return False, scalar.value
