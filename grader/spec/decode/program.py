"""A case that runs a program: what goes in, who answers it, and what is to come out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.case import Check, Comparison, Exchange, Player, Produces, ProgramRun
from grader.spec.decode.expectations import decode_check, decode_text
from grader.spec.decode.files import decode_content, decode_files, decode_leaves
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Unusable
from grader.spec.keys import PROGRAM_ONLY, TURN, TURN_END
from grader.yamlfile.nodes import Mapping, Node, Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, open_fields

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


MOST_TURNS = 500
"""Turns of one dialogue."""

_END = "end"


def decode_dialogue(fields: Fields, context: Context) -> tuple[Exchange, ...] | None:
    """Return the turns; None where there are none or something of them was reported."""
    nodes = fields.items("dialogue")
    if not nodes:
        return None
    if len(nodes) > MOST_TURNS:
        fields.report("dialogue", f"a dialogue can have at most {MOST_TURNS} turns")
        return None
    decoded = [_turn(node, context) for node in nodes]
    turns = [turn for turn in decoded if turn is not None]
    for turn, node in zip(decoded[:-1], nodes[1:], strict=True):
        if turn is not None and turn.answer is None:
            message = "this turn comes after the end of the input"
            context.reporter.report(node.span, message, "only the last turn can be answered by `end`")
    return tuple(turns) if len(turns) == len(nodes) else None


def _turn(node: Node, context: Context) -> Exchange | None:
    fields = open_fields(node, TURN, context.reporter)
    if fields is None:
        return None
    says = decode_text(fields, "says", context)
    is_end, line = _answer(fields, context)
    if (says is None and fields.has("says")) or (line is None and not is_end):
        return None
    return Exchange(says, line)


def _answer(fields: Fields, context: Context) -> tuple[bool, str | None]:
    """Return whether the input ends here, and the line that is answered."""
    node = fields.node("answer")
    if node is None:
        return False, None
    if isinstance(node, Mapping):
        inner = open_fields(node, TURN_END, context.reporter)
        is_end = inner is not None and inner.boolean("end")
        if inner is not None and is_end is False:
            inner.report("end", "`end` can only be true")
        return bool(is_end), None
    if not isinstance(node, Scalar) or (not node.style and node.value is None):
        fields.misfit("answer", node, "for an empty line, write two quotes")
        return False, None
    if node.text == _END and not node.style:
        return True, None
    # A block scalar ends with a newline, which is the line's own end.
    text = node.text.removesuffix("\n")
    if "\n" in text:
        fields.report("answer", "an answer is a single line", "write a turn for each line")
        return False, None
    return False, text


_LONGEST_INPUT = 300
"""Characters of an input that are written out; a longer one is named only."""
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "%": "%%"}


def command(file_name: str, arguments: Sequence[str], stdin: str) -> str:
    """Return the command line: `printf '8\\na0\\n' | python main.py --fast`."""
    line = " ".join(["python", _quoted(file_name), *map(_quoted, arguments)])
    if not stdin:
        return line
    if len(stdin) > _LONGEST_INPUT or not stdin.replace("\n", "").replace("\t", "").isprintable():
        return f"{line} < input.txt"
    escaped = "".join(_ESCAPES.get(character, character) for character in stdin)
    return f"printf {_quoted(escaped)} | {line}"


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
