"""A case that runs a program: its arguments and input, its dialogue, and the output that is expected."""

from dataclasses import replace

from grader.kinds.program.command import command, quoted
from grader.kinds.program.keys import PROGRAM_INPUTS, TURN_END
from grader.kinds.program.reading_arguments import decode_arguments
from grader.kinds.program.reading_validator import check_validated, decode_validator, with_interactor
from grader.model.case import Case, Check, Comparison, Exchange, Player, Produces, ProgramRun
from grader.model.own_code import Harness
from grader.spec.decode.answers.expectations import LARGEST_TEXT_B, decode_check, decode_text
from grader.spec.decode.answers.files import decode_content, decode_files, decode_leaves
from grader.spec.decode.cases.harness import decode_harness
from grader.spec.expressions.context import Context
from grader.spec.keys.values import ANY_EXIT
from grader.yamlfile.nodes import Mapping, Node, Scalar
from grader.yamlfile.table import Fields, opened
from grader.yamlfile.unusable import Unusable, collecting, if_usable


def decode_program(fields: Fields, common: Case, context: Context) -> Case:
    """Return a case with the program that it runs.  Raises Unusable."""
    inputs = fields.present(*PROGRAM_INPUTS)
    for key in inputs[1:]:
        message = f"a program can't have both `{inputs[0]}` and `{key}`: each is all of its input"
        fields.report_key(key, message)
    with collecting() as take:
        module = take(_module, fields, context)
        player = take(_checker, fields, context, "player")
        leaves = take(decode_leaves, fields, context)
        check = take(_checker, fields, context, "check")
        arguments = take(decode_arguments, fields)
        stdin = take(_stdin, fields, context)
        files = take(decode_files, fields, context)
        dialogue = take(decode_dialogue, fields, context)
        stdout = take(decode_text, fields, "stdout", context)
        stderr = take(decode_text, fields, "stderr", context)
        validator = take(decode_validator, fields, context, "validator")
        interactor = take(decode_validator, fields, context, "interactor")
        exit_code = take(_exit_code, fields)
        harness = take(_harness, fields, context)
        _check_purpose(fields)
        for key in fields.present("dialogue", "player", "interactor") if fields["prompts"] else ():
            message = f"`prompts` does not go with `{key}`, where they are what is said"
            fields.report_key("prompts", message, "a turn without `says` compares none")
    run = ProgramRun(
        module=module,
        arguments=arguments,
        stdin=stdin,
        files=files,
        keeps=leaves.names,
        dialogue=dialogue,
        player=Player(player.checker, player.arguments) if player is not None else None,
        expect=Produces(stdout=stdout, stderr=stderr, exit_code=exit_code, files=leaves.texts),
        check=check,
        silent=fields["prompts"] is not None,
        validator=validator,
        harness=harness,
    )
    if interactor is not None:
        run = with_interactor(fields, run, interactor)
    check_validated(fields, run)
    file = dict(context.modules)[module] if harness is None else f"{harness.module}.py"
    text = command(f"python {quoted(file)}", run)
    return replace(common, text=text, what=run)


def _module(fields: Fields, context: Context) -> str:
    module: str = fields.needed("program")
    if not context.is_module(module, fields.span("program")):
        raise Unusable
    return module


def _harness(fields: Fields, context: Context) -> Harness | None:
    read = decode_harness(fields, context)
    return read.harness if read is not None else None


def _exit_code(fields: Fields) -> int | None:
    """Return the exit code that is expected; None for any."""
    code: int | str | None = fields.usable("exit")
    return None if code == ANY_EXIT else int(code or 0)


def _check_purpose(fields: Fields) -> None:
    """Report a program case that judges nothing but a normal end."""
    judged = fields.present("stdout", "validator", "interactor", "stderr", "leaves", "dialogue", "check")
    if not judged and fields["exit"] in (None, ANY_EXIT):
        message = "this program would be accepted whatever it prints"
        hint = "say what it prints (`stdout`), `leaves` or ends with (`exit`), or name a `check`"
        fields.report_key("program", message, hint)


def _stdin(fields: Fields, context: Context) -> str:
    if not fields.has("stdin"):
        return ""
    content = decode_content(fields, "stdin", context, LARGEST_TEXT_B)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        fields.report("stdin", "the input must be UTF-8 text")
        raise Unusable from None


def _checker(fields: Fields, context: Context, key: str) -> Check | None:
    return decode_check(fields, Comparison(), context, key) if fields.has(key) else None


MOST_TURNS = 500
"""The most turns of one dialogue."""

_END = "end"


def decode_dialogue(fields: Fields, context: Context) -> tuple[Exchange, ...]:
    """Return the turns.  Raises Unusable."""
    if not fields.has("dialogue"):
        return ()
    stated: list[Fields | None] = fields.needed("dialogue")
    if not stated:
        raise Unusable
    if len(stated) > MOST_TURNS:
        fields.report("dialogue", f"a dialogue can have at most {MOST_TURNS} turns")
        raise Unusable
    decoded = [if_usable(_turn, turn, context) if turn is not None else None for turn in stated]
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
    if len(turns) < len(stated):
        raise Unusable
    return turns


def _turn(fields: Fields, context: Context) -> Exchange:
    with collecting() as take:
        says = take(decode_text, fields, "says", context)
        line = take(_answer, fields, context) if fields.has("answer") else None
        _check_end(fields, context)
    return Exchange(says, line, fields["stop"] is not None)


def _check_end(fields: Fields, context: Context) -> None:
    """Refuse a turn without exactly one of `answer` and `stop`.  Raises Unusable."""
    stops = fields["stop"] is not None
    if fields.has("answer") == fields.has("stop") and not fields.meant:
        message, hint = "`answer` is missing in a turn of a dialogue", "or, in the last turn, `stop: here`"
        if fields.has("stop"):
            message, hint = "a turn of a dialogue can't have both `answer` and `stop`", ""
        context.reporter.report(fields.place, message, hint)
        raise Unusable
    if not fields.has("answer") and not stops:
        raise Unusable


def _answer(fields: Fields, context: Context) -> str | None:
    """Return the line of input; None where the input ends.  Raises Unusable."""
    node: Node = fields.needed("answer")
    if isinstance(node, Mapping):
        inner = opened(node, TURN_END, context.reporter)
        if not inner.needed("end"):
            inner.report("end", "`end` can only be true")
            raise Unusable
        return None
    if not isinstance(node, Scalar) or (not node.style and node.value is None):
        fields.misfit("answer", node, "for an empty line, write two quotes")
        raise Unusable
    if node.text == _END and not node.style:
        return None
    # The newline at the end of a block scalar is the line's own end.
    text = node.text.removesuffix("\n")
    if "\n" in text:
        fields.report("answer", "an answer is a single line", "write a turn for each line")
        raise Unusable
    return text
