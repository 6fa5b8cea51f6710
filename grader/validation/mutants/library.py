"""The operators of mutmut that fit, on the text of a unit.  They need the extra `validate`.

Only operators are used, not mutmut's runner.  Left out are operators that put None for arguments and values,
because most of these raise at once, and operators on texts, because they change messages that nobody
compares.
"""

import ast
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec

from grader.validation.mutants.code import Edit, Fault, ModuleText, Unit

_NAMES = {
    "operator_swap_op": "operator",
    "operator_keywords": "keyword",
    "operator_number": "number",
    "operator_name": "constant",
    "operator_remove_unary_ops": "operator",
    "operator_augmented_assignment": "assignment",
    "operator_symmetric_string_methods_swap": "text-method",
    "operator_unsymmetrical_string_methods_swap": "text-method",
}
"""Functions of `mutmut.mutation.mutators`, with the names of operators in reports."""


def is_installed() -> bool:
    """Tell whether mutmut is there; without it only operators of our own run."""
    return find_spec("mutmut") is not None and find_spec("libcst") is not None


def library_faults(unit: Unit) -> Iterator[Fault]:
    """Yield the faults that mutmut makes of the nodes that are to be mutated; none if it is not installed."""
    if not is_installed():
        return
    spans = [unit.module.span(node) for node in unit.nodes if isinstance(node, ast.expr | ast.stmt)]
    left_alone = _left_alone(unit)
    inside = (min(start for start, _ in spans), max(end for _, end in spans)) if spans else (0, 0)
    for fault in _faults_of_module(unit.module):
        start, end = fault.edits[0].start, fault.edits[0].end
        is_inside = inside[0] <= start and end <= inside[1]
        if is_inside and not any(first <= start and end <= last for first, last in left_alone):
            yield fault


def _left_alone(unit: Unit) -> list[tuple[int, int]]:
    """Return the outermost spans of the unit whose inside is not mutated."""
    kept = {id(node) for node in unit.nodes if not isinstance(node, ast.JoinedStr)}
    found = []
    waiting: list[ast.AST] = list(unit.body)
    while waiting:
        node = waiting.pop()
        if id(node) in kept:
            waiting.extend(ast.iter_child_nodes(node))
        elif isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword):
            found.append(unit.module.span(node))
        else:
            waiting.extend(ast.iter_child_nodes(node))
    return found


@lru_cache(maxsize=8)
def _faults_of_module(module: ModuleText) -> list[Fault]:
    import libcst
    from libcst.metadata import MetadataWrapper, PositionProvider
    from mutmut.mutation.mutators import mutation_operators

    try:
        wrapper = MetadataWrapper(libcst.parse_module(module.text), unsafe_skip_copy=True)
    except libcst.ParserSyntaxError:  # newer Python than this libcst knows
        return []
    chosen = [
        (kind, operator, _NAMES[operator.__name__])
        for kind, operator in mutation_operators
        if operator.__name__ in _NAMES
    ]
    found = []
    for node, place in wrapper.resolve(PositionProvider).items():
        start = module.offset_of_character(place.start.line, place.start.column)
        end = module.offset_of_character(place.end.line, place.end.column)
        for kind, operator, name in chosen:
            for new in operator(node) if isinstance(node, kind) else ():
                edit = Edit(start, end, wrapper.module.code_for_node(new))
                found.append(Fault(name, (edit,)))
    return found
