"""A case that runs a program: its arguments and input, its dialogue, and the output that is expected."""

from dataclasses import replace
from typing import Any

from grader.kinds.program.command import command, quoted
from grader.kinds.program.keys import PROGRAM_INPUTS, TURN_END
from grader.model.case import Case, Check, Comparison, Exchange, Player, Produces, ProgramRun
from grader.spec.decode.answers.expectations import decode_check, decode_text
from grader.spec.decode.answers.files import decode_content, decode_files, decode_leaves
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Unusable
from grader.spec.keys.values import ANY_EXIT
from grader.yamlfile.nodes import Mapping, Node, Scalar
from grader.yamlfile.table import Fields, open_fields

_MOST_ARGUMENTS = 100
_LONGEST_ARGUMENT = 10_000


def decode_program(fields: Fields, common: Case, context: Context) -> Case | None:
    """Return a case with the program that it runs; None if a part was reported."""
    inputs = fields.present(*PROGRAM_INPUTS)
    for key in inputs[1:]:
        message = f"a program can't have both `{inputs[0]}` and `{key}`: each is all of its input"
        fields.report_key(key, message)
    module: str | None = fields["program"]
    if module is not None and not context.is_module(module, fields.span("program")):
        module = None
    player = _checker(fields, context, "player")
    leaves = decode_leaves(fields, context)
    check = _checker(fields, context, "check")
    found: dict[str, Any] = {
        "arguments": _arguments(fields),
        "stdin": _stdin(fields, context),
        "files": decode_files(fields, context),
        "dialogue": decode_dialogue(fields, context),
        "player": player,
        "leaves": leaves,
        "stdout": decode_text(fields, "stdout", context),
        "stderr": decode_text(fields, "stderr", context),
        "check": check,
        "exit": fields["exit"],
    }
    _check_purpose(fields)
    if module is None or any(value is None and fields.has(key) for key, value in found.items()):
        return None
    produces = Produces(
        stdout=found["stdout"],
        stderr=found["stderr"],
        exit_code=None if found["exit"] == ANY_EXIT else found["exit"] or 0,
        files=leaves.texts if leaves is not None else (),
    )
    run = ProgramRun(
        module=module,
        arguments=found["arguments"] or (),
        stdin=found["stdin"] or "",
        files=found["files"] or (),
        keeps=leaves.names if leaves is not None else (),
        dialogue=found["dialogue"] or (),
        player=Player(player.checker, player.arguments) if player is not None else None,
        expect=produces,
        check=check,
    )
    text = command(f"python {quoted(dict(context.modules)[module])}", run)
    return replace(common, text=text, what=run)


def _check_purpose(fields: Fields) -> None:
    """Report a program case that judges nothing but a normal end."""
    judged = fields.present("stdout", "stderr", "leaves", "dialogue", "check")
    if not judged and fields["exit"] in (None, ANY_EXIT):
        message = "this program would be accepted whatever it prints"
        hint = "say what it prints (`stdout`), `leaves` or ends with (`exit`), or name a `check`"
        fields.report_key("program", message, hint)


def _arguments(fields: Fields) -> tuple[str, ...] | None:
    nodes: tuple[Node, ...] | None = fields["arguments"]
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


MOST_TURNS = 500
"""The most turns of one dialogue."""

_END = "end"


def decode_dialogue(fields: Fields, context: Context) -> tuple[Exchange, ...] | None:
    """Return the turns; None if there are none or a part was reported."""
    stated: list[Fields | None] | None = fields["dialogue"]
    if not stated:
        return None
    if len(stated) > MOST_TURNS:
        fields.report("dialogue", f"a dialogue can have at most {MOST_TURNS} turns")
        return None
    decoded = [_turn(turn, context) if turn is not None else None for turn in stated]
    for turn, following in zip(decoded[:-1], stated[1:], strict=True):
        if turn is not None and turn.answer is None and following is not None:
            after, last = ("stop: here", "say") if turn.stops else ("the end of the input", "be answered by")
            message = f"this turn comes after {f'`{after}`' if turn.stops else after}"
            end = "stop: here" if turn.stops else "end"
            context.reporter.report(following.place, message, f"only the last turn can {last} `{end}`")
    if decoded[-1] is not None and decoded[-1].stops:
        for key in fields.present("stdout", "stderr", "exit", "leaves", "check"):
            fields.report_key(key, f"`{key}` has no effect: the dialogue ends with `stop: here`")
    turns = tuple(turn for turn in decoded if turn is not None)
    return turns if len(turns) == len(stated) else None


def _turn(fields: Fields, context: Context) -> Exchange | None:
    says = decode_text(fields, "says", context)
    is_end, line = _answer(fields, context)
    stops = fields["stop"] is not None
    if fields.has("answer") == fields.has("stop") and not fields.meant:
        message, hint = "`answer` is missing in a turn of a dialogue", "or, in the last turn, `stop: here`"
        if fields.has("stop"):
            message, hint = "a turn of a dialogue can't have both `answer` and `stop`", ""
        context.reporter.report(fields.place, message, hint)
        return None
    if (says is None and fields.has("says")) or (line is None and not is_end and not stops):
        return None
    return Exchange(says, line, stops)


def _answer(fields: Fields, context: Context) -> tuple[bool, str | None]:
    """Return whether the input ends here, and the line of input."""
    node: Node | None = fields["answer"]
    if isinstance(node, Mapping):
        inner = open_fields(node, TURN_END, context.reporter)
        is_end = inner["end"] if inner is not None else None
        if inner is not None and is_end is False:
            inner.report("end", "`end` can only be true")
        return bool(is_end), None
    if node is None:
        return False, None
    if not isinstance(node, Scalar) or (not node.style and node.value is None):
        fields.misfit("answer", node, "for an empty line, write two quotes")
        return False, None
    if node.text == _END and not node.style:
        return True, None
    # The newline at the end of a block scalar is the line's own end.
    text = node.text.removesuffix("\n")
    if "\n" in text:
        fields.report("answer", "an answer is a single line", "write a turn for each line")
        return False, None
    return False, text
