"""Generated cases: a call with `given`, from the names' strategies to a call and a step for each input."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.model.case import Calls, Case, Expectation, Generated, Text
from grader.spec.decode.answers.expectations import (
    check_classes,
    decode_expectation,
    decode_optional_expectation,
    decode_text,
)
from grader.spec.decode.calling.arguments import WrittenArgument, written_arguments
from grader.spec.decode.calling.calls import CaseCalls
from grader.spec.decode.calling.inputs import (
    Inputs,
    names_in,
    own_functions,
    parts_of,
    recorded_rows,
    seed_of,
)
from grader.spec.decode.calling.written import WrittenCall, module_names, normal, read_written, with_given
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import FUNCTIONS, sized
from grader.spec.expressions.from_file import is_from_file
from grader.spec.expressions.library import CONSTRUCTORS
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.of_yaml import refuse_split_expression, sized_value_of, value_of
from grader.spec.expressions.parse import Expression, parse
from grader.spec.expressions.tables import TABLES
from grader.spec.given.drawing import Row, draw_rows
from grader.spec.given.strategies import STRATEGIES, DrawStopped, bind, keywords, written
from grader.spec.reference.definitions import Definitions
from grader.spec.reference.signatures import GivenArgument
from grader.spec.reference.signatures import bind as bind_own
from grader.values.python_text import literal
from grader.yamlfile import nodes
from grader.yamlfile.nodes import Node, Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting, if_usable

MAX_ROWS = 1000
_ALONE = ("watch", "pace", "picture", "plot")
"""Keys of a call that do not go with `given`."""


# -- reading -------------------------------------------------------------------------------------------


def decode_given(
    fields: Fields,
    common: Case,
    context: Context,
    definitions: Definitions | None,
) -> Case:
    """Return a case with inputs that are drawn or listed.  Raises Unusable."""
    for key in fields.present(*_ALONE):
        fields.report_key(key, f"`{key}` does not go with `given`")
    node: Node | None = fields["given"]
    with collecting() as take:
        names, given, rows = take(_given, fields, node, context) or ((), (), None)
        if fields.has("watch"):
            # The names of `watch` stand in the call, where they would be told as unknown.
            raise Unusable
        call = take(read_written, fields, "call", with_given(context, names), definitions)
    answer = answer_text(fields, context)
    check_uses(fields, node, names, call.arguments, answer, context)
    reader = CaseReader(fields, context, definitions, names, given, call, answer)
    if rows is None and common.id in context.recorded:
        rows = recorded_rows(context.recorded[common.id], context)
    elif rows is None:
        rows = reader.drawn()
    return reader.case(common, rows, drawn=isinstance(node, nodes.Mapping))


def _given(
    fields: Fields, node: Node | None, context: Context
) -> tuple[tuple[str, ...], tuple[Expression, ...], list[Row] | None]:
    """Return the names, their expressions, and the inputs that are listed.  Raises Unusable."""
    if isinstance(node, nodes.Mapping) and node.pairs:
        refuse_split_expression(context, node)
        return tuple(key.text for key, _ in node.pairs), expressions_of(node, context), None
    if isinstance(node, nodes.Sequence) and node.items:
        rows = _listed(fields, node, context)
        first = node.items[0]
        assert isinstance(first, nodes.Mapping)
        return tuple(key.text for key, _ in first.pairs), (), rows
    if node is not None and not isinstance(node, nodes.Broken):
        message = "`given` must be a mapping of names, or a list of mappings"
        fields.report("given", message, "such as {n: 'integers(1, 8)'}")
    raise Unusable


def expressions_of(node: nodes.Mapping, context: Context) -> tuple[Expression, ...]:
    """Return the expressions of the names.  Raises Unusable."""
    taken = context.taken()
    with collecting() as take:
        return tuple(take(_expression, key, value, taken, context) for key, value in node.pairs)


def _expression(key: Scalar, node: Node, taken: dict[str, str], context: Context) -> Expression:
    """Return the expression of a name, which is taken then.  Raises Unusable."""
    if not check_new_name(key, taken, context.reporter):
        raise Unusable
    taken[key.text] = "a name of `given`"
    expression = parse(_scalar(node, context), context.reporter)
    if not _are_strategies(expression, context):
        raise Unusable
    return expression


def _scalar(node: Node, context: Context) -> Scalar:
    """Return the text of a strategy; a value that YAML reads by itself as Python text.  Raises Unusable."""
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return node
    value, _ = sized_value_of(context, node)
    return Scalar(node.span, literal(value))


def _are_strategies(expression: Expression, context: Context) -> bool:
    """Report calls of things that are no strategy, and arguments that do not fit."""
    own, reporter = own_functions(context), context.reporter
    sound = True
    for call in ast.walk(expression.tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        name = call.func.id
        if name in STRATEGIES:
            problem = bind(call)
            if isinstance(problem, str):
                words = [word.arg or "" for word in call.keywords]
                wrong = next((word for word in words if word not in keywords(name)), "")
                hint = reporter.nearest(wrong, keywords(name)) if wrong else ""
                message = f"`{name}`: {problem}"
                reporter.report(expression.span(call), message, hint or f"it is {written(name)}")
                sound = False
        elif name in own:
            sound &= _fits(call, name, expression, context)
        elif (
            name not in own and name not in context.types and name not in (*FUNCTIONS, *CONSTRUCTORS, *TABLES)
        ):
            hint = reporter.nearest(name, [*STRATEGIES, *own])
            known = "there is " + ", ".join(STRATEGIES)
            message = f"`{shown(name)}` is neither a strategy nor a function of the checkers file"
            reporter.report(expression.span(call.func), message, hint or known)
            sound = False
    return sound


def _fits(call: ast.Call, name: str, expression: Expression, context: Context) -> bool:
    """Report arguments that a function of the checkers file does not take; tell whether they fit."""
    if context.checkers is None:
        return True
    arguments = if_usable(written_arguments, context, expression, call)
    if arguments is None:
        return False
    given = [GivenArgument(each.keyword, None, expression.span(each.place)) for each in arguments]
    own = Reporter(context.reporter.source)
    parameters, place = context.checkers.functions[name], expression.span(call.func)
    bind_own(name, parameters, given, place, own, noun="function", first="a random.Random")
    context.reporter.take_over(own)
    return not own.found_any


def _listed(fields: Fields, node: nodes.Sequence, context: Context) -> list[Row]:
    """Return the inputs of a list.  Raises Unusable."""
    if len(node.items) > MAX_ROWS:
        fields.report("given", f"`given` can list at most {MAX_ROWS:,} inputs")
        raise Unusable
    if fields.has("examples"):
        fields.report_key("examples", "`examples` has no effect: the inputs are listed")
    first = next((item for item in node.items if _is_input(item)), None)
    keys = [key for key, _ in first.pairs] if isinstance(first, nodes.Mapping) else []
    taken = context.taken()
    if not all(check_new_name(key, taken, context.reporter) for key in keys):
        raise Unusable
    with collecting() as take:
        return [take(_input, item, [key.text for key in keys], context) for item in node.items]


def _is_input(item: Node) -> bool:
    return isinstance(item, nodes.Mapping) and bool(item.pairs)


def _input(item: Node, names: list[str], context: Context) -> Row:
    """Return the values of one input, in the order of the names.  Raises Unusable."""
    if not isinstance(item, nodes.Mapping) or not item.pairs:
        context.reporter.report(item.span, "an input must be a mapping", "such as {n: 3}")
        raise Unusable
    by_name = {key.text: value for key, value in item.pairs}
    if sorted(by_name) != sorted(names):
        message = f"this input names {', '.join(by_name)}; the first names {', '.join(names)}"
        context.reporter.report(item.span, message, "each input has the same names")
        raise Unusable
    return tuple(sized_value_of(context, by_name[name])[0] for name in names)


def answer_text(fields: Fields, context: Context) -> Expression | None:
    """Return the text of the expected answer, or of the checker's call, where it is an expression."""
    key = next(iter(fields.present("returns", "check")), "")
    node = fields.node(key) if key else None
    if isinstance(node, nodes.Sequence | nodes.Mapping) and key == "returns":
        return _of_parts(node, bool(fields["reads"]), context)
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or node.text.startswith("same "):
        return None
    return if_usable(parse, node, context.reporter)


def _of_parts(node: Node, is_read: bool, context: Context) -> Expression | None:
    """Return a list or mapping of YAML as one expression; None where a part is wrong, which is told later.

    is_read: the keys are the texts of `reads`.
    """

    def text(part: Node) -> str:
        match part:
            case Scalar(value=str()):
                return f"({ast.unparse(ast.parse(part.text.strip(), mode='eval'))})"
            case nodes.Sequence():
                return f"[{', '.join(map(text, part.items))}]"
            case nodes.Mapping() if not is_from_file(part):
                return f"{{{', '.join(f'{name(key, part)}: {text(value)}' for key, value in part.pairs)}}}"
        return literal(value_of(context, part))

    def name(key: Scalar, of: nodes.Mapping) -> str:
        return repr(normal(key.text)) if is_read and of is node else text(key)

    try:
        return parse(Scalar(node.span, text(node)), context.reporter)
    except (Unusable, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def check_uses(
    fields: Fields,
    node: Node | None,
    names: Sequence[str],
    arguments: Iterable[WrittenArgument],
    answer: Expression | None,
    context: Context,
) -> None:
    """Report names that nothing uses."""
    used = set[str]().union(*(argument.names for argument in arguments))
    if answer is not None:
        used |= names_in(answer.tree)
    pairs = node.pairs if isinstance(node, nodes.Mapping) else ()
    for _, value in pairs:
        expression = if_usable(parse, value, context.reporter) if isinstance(value, Scalar) else None
        used |= names_in(expression.tree) if expression is not None else set()
    first = node.items[0] if isinstance(node, nodes.Sequence) else node
    places = {key.text: key.span for key, _ in getattr(first, "pairs", ())}
    for name in names:
        if name not in used:
            span = places.get(name, fields.key_span("grow"))
            context.reporter.report(span, f"`{shown(name)}` does not occur in the call")


class CaseReader:
    """Makes the calls and steps of a case, with its parts read."""

    def __init__(
        self,
        fields: Fields,
        context: Context,
        definitions: Definitions | None,
        names: tuple[str, ...],
        given: tuple[Expression, ...],
        call: WrittenCall,
        answer: Expression | None,
    ) -> None:
        self._fields = fields
        self._context = context
        self._definitions = definitions
        self._given = given
        varies = answer is not None and not names_in(answer.tree).isdisjoint(names)
        self._inputs = Inputs(context, names, given, call, None, None, answer if varies else None, ())

    def drawn(self) -> list[Row]:
        """Draw the inputs.  Raises Unusable."""
        fields, generators, count = self._fields, self._context.generators, self._fields.usable("examples")
        seed = seed_of(self._generated(()), self._context.seed)
        try:
            rows = draw_rows(self._inputs.strategy(generators), count, seed)
        except DrawStopped:
            raise Unusable from None
        if not rows:
            message = "nothing can be drawn: no input meets what its strategies ask for"
            fields.report("given", message, "such as a set that must be larger than its elements allow")
            raise Unusable
        return rows

    def case(self, common: Case, rows: Sequence[Row], *, drawn: bool) -> Case:
        """Return the case with these inputs.  Raises Unusable."""
        if not rows:
            raise Unusable
        expect, prints = self._expected(rows[0])
        parts = parts_of(expect, self._inputs.answer)
        inputs = replace(self._inputs, expect=expect, prints=prints, expected=parts)
        if not self._context.value_budget.spend_calls(len(rows)):
            self._fields.report("given", "with this, the cases make too many calls together")
            raise Unusable
        steps = tuple(map(inputs.of_row, rows))
        if self._context.types and expect is not None:
            calls = CaseCalls(tuple(step.call for step in steps), "", None)
            check_classes(calls, expect, self._definitions, self._fields.key_span("call"), self._context)
        how = f"{len(rows)} input{'s' if len(rows) > 1 else ''}"
        return replace(
            common,
            text=f"{' '.join(inputs.call.expression.text.split())} for {how}",
            what=Calls(
                steps=steps,
                apart=True,
                goes_on=self._fields["goes on"],
                unchanged=self._fields["unchanged"],
                generated=replace(self._generated(rows), drawn=drawn),
            ),
        )

    def _expected(self, row: Row) -> tuple[Expectation | None, Text | None]:
        """Return what is expected of one input.  Raises Unusable, with all that is wrong with it reported."""
        values = dict(zip(self._inputs.names, map(sized, row), strict=True))
        context = self._context.with_names({**self._context.names, **values})
        fields = self._fields
        with collecting() as take:
            prints = take(decode_text, fields, "prints", context)
            decode = decode_optional_expectation if fields.has("prints") else decode_expectation
            expect = take(decode, fields, None, context, self._definitions)
        return expect, prints

    def _generated(self, rows: Sequence[Row]) -> Generated:
        inputs = self._inputs
        texts = [expression.text for expression in self._given]
        answer = inputs.answer.text if inputs.answer is not None else ""
        trees: list[ast.AST] = [inputs.call.expression.tree, *(expression.tree for expression in self._given)]
        if inputs.answer is not None:
            trees.append(inputs.answer.tree)
        used = set[str]().union(*map(names_in, trees))
        known = self._context.names
        return Generated(
            given=tuple(zip(inputs.names[-len(texts) :], texts, strict=True)) if texts else (),
            call=inputs.call.expression.text,
            expects=answer,
            module_names=module_names(inputs.call, with_given(self._context, inputs.names)),
            names=tuple((name, known[name][0]) for name in sorted(used) if name in known),
            rows=tuple(rows),
        )
