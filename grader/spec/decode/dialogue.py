"""A program's dialogue: turn by turn, what it says and what it is then answered."""

from grader.model.case import Exchange
from grader.spec.decode.text import decode_text
from grader.spec.expressions.context import Context
from grader.spec.keys import TURN, TURN_END
from grader.yamlfile.nodes import Mapping, Node, Scalar
from grader.yamlfile.table import Fields, open_fields

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
