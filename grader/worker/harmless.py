"""What is known to keep no state by itself: modules, built-ins, methods, literals, annotations.

Lists, and questions that they answer.  What a piece of code does with all this is not looked at
here but in `grader.worker.stateless`, which also tells why the lists are as short as they are.
"""

import __future__

import ast
from collections import Counter, deque


class Doubt(Exception):
    """Something that is not known to be harmless."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


EXPORTS: dict[str, frozenset[str] | None] = {
    # Not its public names, one of which is a list.
    "__future__": frozenset(__future__.all_feature_names),
    "bisect": None,
    "heapq": None,
    "itertools": None,
    "math": None,
    "collections": _words("deque Counter defaultdict OrderedDict namedtuple"),
    "copy": _words("copy deepcopy"),
    "fractions": _words("Fraction"),
    "functools": _words("reduce partial cmp_to_key"),
    "operator": _words("itemgetter add sub mul mod floordiv truediv neg lt le eq ne gt ge"),
    "collections.abc": _words("Callable Iterable Iterator Generator Sequence Mapping"),
    "typing": _words(
        "Any Callable Dict FrozenSet Generator Iterable Iterator List Literal Mapping Optional "
        "Sequence Set Tuple TypeAlias Union"
    ),
}
"""Modules that keep no state, and what may be taken from them; None: every public name."""

BUILTINS = _words(
    "abs all any bin bool bytes chr complex dict divmod enumerate filter float frozenset hex int "
    "isinstance issubclass iter len list map max min next oct ord pow print range repr reversed "
    "round set slice sorted str sum tuple zip True False None NotImplemented "
    "ArithmeticError AssertionError AttributeError Exception IndexError KeyError LookupError "
    "NotImplementedError OverflowError RecursionError RuntimeError StopIteration TypeError "
    "ValueError ZeroDivisionError"
)
READERS = _words("len enumerate zip sorted any all list tuple set frozenset reversed map filter")
"""Built-ins that look into an argument and hand out only its items."""
CHOOSERS = _words("min max sum")
"""Built-ins that do the same with a single argument; of several they may hand out one itself."""
TYPES_ONLY = _words("typing")
"""Modules whose names belong into annotations: they cache what is made of them."""

METHODS = frozenset(
    name
    for kind in (list, dict, set, frozenset, tuple, str, bytes, int, float, complex, deque, Counter)
    for name in dir(kind)
    if not name.startswith("_")
) - {"format_map"}
"""What may be asked of a value.  `format` is looked at more closely."""

IN_ANNOTATIONS = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp,
    ast.BitOr, ast.Load,
)  # fmt: skip


def exported(module: str, name: str) -> bool:
    """Whether `name` may be taken from `module`."""
    if module not in EXPORTS or name.startswith("_") or name == "*":
        return False
    names = EXPORTS[module]
    return names is None or name in names


def check_annotation(annotation: ast.expr) -> None:
    if not all(isinstance(node, IN_ANNOTATIONS) for node in ast.walk(annotation)):
        raise Doubt


def immutable(node: ast.expr) -> bool:
    """Whether `node` is a literal of immutable values all through."""
    match node:
        case ast.Constant():
            return True
        case ast.Tuple():
            return all(map(immutable, node.elts))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
            return immutable(node.operand)
        case ast.BinOp():
            return immutable(node.left) and immutable(node.right)
    return False


def literal_container(node: ast.expr) -> bool:
    """Whether `node` is a list, set or dict display of immutable literals."""
    if isinstance(node, ast.Dict):
        return all(key is not None and immutable(key) for key in node.keys) and all(
            map(immutable, node.values)
        )
    return isinstance(node, (ast.List, ast.Set)) and all(map(immutable, node.elts))
