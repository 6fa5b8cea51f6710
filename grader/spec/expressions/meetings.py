"""What an expression may compute on an answer: it reads the answer, and lets it meet nothing else.

The expression is computed beside the student's code, so an object of the student's answers `f(3) == 9`,
`f(3) - 9` and `f(3).startswith("x")` as it likes.  The lists here say what is allowed; all else is refused.
"""

import ast
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction

from grader.model.formula import Formula
from grader.spec.expressions.lambdas import bound_names


class Word(Enum):
    """Whose word a part is: the spec's, an object's that a class of the program makes, or an answer's.

    MIXED: a list or the like that the expression builds around an answer.
    """

    DATA = 0
    OWN = 1
    ANSWER = 2
    MIXED = 3


STUDENTS = (Word.ANSWER, Word.MIXED)
_DISPLAYS = ("list", "tuple", "items", "dict")
_APART = frozenset(
    {"all", "any", "bool", "enumerate", "len", "list", "next", "repr", "reversed", "str", "tuple", "type",
     "zip"}
)  # fmt: skip
"""Functions that let none of their items meet."""
_WITH_DATA = frozenset(
    {"round", "int", "next", "isinstance", "issubclass", "hasattr", "format", "str", "bytes", "enumerate"}
)
"""Functions whose further arguments say how the first is read."""
_ORDERING = frozenset({"sorted", "max", "min"})
_READING = frozenset(
    {"append", "add", "appendleft", "clear", "close", "copy", "encode", "decode", "extend", "get", "insert",
     "isoformat", "items", "keys", "most_common", "pop", "popitem", "popleft", "read", "readline", "reverse",
     "rsplit", "send", "sort", "split", "splitlines", "strftime", "tolist", "update", "values", "write"}
)  # fmt: skip
"""Methods that read or change an object of Python's, and compare it with nothing."""
_READING_ALONE = frozenset(
    {"as_integer_ratio", "bit_count", "bit_length", "capitalize", "casefold", "conjugate", "date", "elements",
     "hex", "isocalendar", "isoweekday", "lower", "lstrip", "rstrip", "strip", "swapcase", "time",
     "timestamp", "timetuple", "title", "toordinal", "total_seconds", "upper", "weekday"}
)  # fmt: skip
"""Methods that do so without arguments."""
_TAKING = frozenset({"join", "format", "fromkeys", "fromhex", "fromisoformat", "from_float", "from_bytes"})
"""Methods of data that read an answer."""
_OF_PYTHON = frozenset(
    name
    for kind in (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range,
                 memoryview, datetime, timedelta, Decimal, Fraction)
    for name in dir(kind)
    if callable(getattr(kind, name))
)  # fmt: skip
_DUNDERS = {
    "==": "eq", "!=": "eq ne", "<": "lt gt", "<=": "le ge", ">": "gt lt", ">=": "ge le", "+": "add radd",
    "-": "sub rsub", "*": "mul rmul", "/": "truediv rtruediv", "//": "floordiv rfloordiv", "%": "mod rmod",
    "**": "pow rpow", "@": "matmul rmatmul", "&": "and rand", "|": "or ror", "^": "xor rxor",
    "<<": "lshift rlshift", ">>": "rshift rrshift",
}  # fmt: skip


class Meetings:
    """Finds where an answer would meet something else.

    is_class: tells whether a name of the module is a class; makes: whether its calls make objects.
    is_answer: tells whether an object of an earlier step is an answer.
    is_record: tells whether data holds instances of classes of `types`.
    beyond: returns the names in a lambda that are the module's or an earlier step's.
    members_of: returns the members of the class that made an object, None if they are not known.
    members: the names that classes of the reference define, None without one.  is_open: there may be more.
    """

    def __init__(
        self,
        slots: Sequence[ast.expr],
        *,
        is_class: Callable[[str], bool],
        makes: Callable[[str], bool],
        is_answer: Callable[[str], bool],
        is_record: Callable[[ast.expr], bool],
        beyond: Callable[[ast.Lambda], Collection[str]],
        members_of: Callable[[Formula], frozenset[str] | None],
        members: Collection[str] | None,
        is_open: bool,
    ) -> None:
        self._slots = slots
        self.it = Word.ANSWER
        self._is_class = is_class
        self._makes = makes
        self._is_answer = is_answer
        self._is_record = is_record
        self._beyond = beyond
        self._members_of = members_of
        self._members = members
        self._is_open = is_open

    def word(self, node: Formula) -> Word:
        """Return whose word the value of a node is."""
        match node:
            case Formula("slot"):
                return self._of_slot(self._slot(node))
            case Formula("kept", name):
                return Word.ANSWER if self._is_answer(name) else Word.OWN
            case Formula("module", name):
                return Word.DATA if self._is_class(name) else Word.ANSWER
            case Formula("python" | "package"):
                return Word.DATA
            case Formula("call", _, (Formula("module", name), *_)):
                return Word.OWN if self._makes(name) else Word.ANSWER
            case Formula("it"):
                return self.it
            case Formula("attribute", _, (Formula("module"),)):
                return Word.ANSWER
        words = {self.word(part) for part in node.parts}
        if node.kind in _DISPLAYS:
            return words.pop() if words in ({Word.OWN}, {Word.DATA}) else Word.MIXED if words else Word.DATA
        is_pythons = node.kind != "call" or node.parts[0].kind == "python"
        if Word.MIXED in words and is_pythons and node.kind != "attribute":
            return Word.MIXED
        return Word.DATA if words <= {Word.DATA} else Word.ANSWER

    def meeting(self, node: Formula) -> Formula | None:
        """Return the answer that meets something else right at a node, None if none does."""
        match node:
            case Formula("operator", "[]", (holder, index)):
                if self.word(holder) is Word.OWN or self.word(index) not in STUDENTS:
                    return None
                return index
            case Formula("operator", symbol, (left, right)) if symbol not in ("is", "is not"):
                return self._of_operator(symbol, left, right)
            case Formula("attribute", name, (holder,)) if self.word(holder) is Word.ANSWER:
                known = _READING | _READING_ALONE | frozenset(self._members or ())
                return holder if name in _OF_PYTHON - known and not _is_dunder(name) else None
            case Formula("items", _, keys) if len(keys) > 1:
                return self._students(keys)
            case Formula("dict", _, parts) if len(parts) > 2:
                return self._students(parts[::2])
            case Formula("call", names, (function, *arguments)):
                return self._of_call(function, arguments, names.split())
        return None

    def _students(self, parts: Sequence[Formula]) -> Formula | None:
        return next((part for part in parts if self.word(part) in STUDENTS), None)

    def _slot(self, node: Formula) -> ast.expr:
        return self._slots[int(node.text)]

    def _of_slot(self, node: ast.expr) -> Word:
        if isinstance(node, ast.Lambda):
            return Word.ANSWER if self._words(node) else Word.DATA
        return Word.OWN if self._is_record(node) else Word.DATA

    def _of_operator(self, symbol: str, left: Formula, right: Formula) -> Formula | None:
        found = self._students((left, right))
        if found is None:
            return None
        words = {self.word(left): left, self.word(right): right}
        if symbol in ("in", "not in"):
            return None if self.word(right) is Word.OWN else found
        if Word.MIXED in words or Word.DATA in words:
            return found
        if Word.OWN in words and self._members_of(words[Word.OWN]) is None:
            return None
        # Where no class of the reference defines the operator, these are no objects of its classes.
        is_defined = any(self._defines(f"__{each}__") for each in _DUNDERS[symbol].split())
        return None if is_defined else found

    def _defines(self, name: str) -> bool:
        """Tell whether a class of the reference defines a name, or may do so."""
        return self._members is None or name in self._members

    def _of_call(
        self, function: Formula, arguments: Sequence[Formula], names: Sequence[str]
    ) -> Formula | None:
        match function:
            case Formula("python", name):
                return self._of_python(name, arguments, names)
            case Formula("attribute", name, (holder,)):
                return self._of_method(name, holder, arguments)
            case Formula("module" | "kept"):
                return None
        # A lambda of the spec that is called, or a function out of a list.
        return self._students(arguments) if self.word(function) is not Word.ANSWER else None

    def _of_python(self, name: str, arguments: Sequence[Formula], names: Sequence[str]) -> Formula | None:
        found = self._students(arguments)
        if found is None:
            return None
        if name in ("map", "filter"):
            return self._of_mapped(arguments[0], arguments[1:])
        first, *more = arguments
        if name == "zip":
            return None
        if self.word(first) is Word.MIXED and name not in _APART:
            return first
        if name in _ORDERING and len(more) == len(names):
            options = dict(zip(names, more, strict=True))
            key = options.pop("key", None)
            met = self._of_mapped(key, [first]) if key is not None else None
            return met or self._students([*options.values()])
        if not more:
            return found if names else None
        if name in _WITH_DATA or (name == "sum" and all(map(self._is_nothing, more))):
            return self._students(more)
        return found

    def _is_nothing(self, node: Formula) -> bool:
        """Tell whether a part is 0 or `[]`, with which a sum starts."""
        slot = self._slot(node) if node.kind == "slot" else None
        return (isinstance(slot, ast.Constant) and slot.value == 0) or (
            isinstance(slot, ast.List) and not slot.elts
        )

    def _of_mapped(self, function: Formula, arguments: Sequence[Formula]) -> Formula | None:
        """Return the answer that meets something where a function is called with items of the arguments."""
        given = self._students(arguments)
        match function:
            case Formula("slot") if isinstance(node := self._slot(function), ast.Lambda):
                return (given or function) if self._lambda_compares(node, given is not None) else None
            case Formula("slot") | Formula("python", "None"):
                # A callback of `watch`, whose calls are evidence.
                return None
        return self._of_call(function, arguments, ())

    def _of_method(self, name: str, holder: Formula, arguments: Sequence[Formula]) -> Formula | None:
        if holder.kind == "module" and self._is_class(holder.text):
            return None
        word = self.word(holder)
        if word is Word.OWN:
            return None
        found = self._students(arguments)
        if word is Word.DATA:
            is_kind = holder.kind == "python"
            reads = name in _TAKING or (is_kind and self._reads(name, is_alone=len(arguments) < 2))
            return None if found is None or reads else found
        if word is Word.MIXED:
            return holder
        if _is_dunder(name):
            meets_data = any(self.word(each) in (Word.DATA, Word.MIXED) for each in arguments)
            return holder if arguments and (meets_data or not self._defines(name)) else None
        return None if self._reads(name, is_alone=not arguments) else holder

    def _reads(self, name: str, *, is_alone: bool) -> bool:
        """Tell whether a method reads an answer.  is_alone: nothing else is given to it."""
        if name in _READING or name in (self._members or ()):
            return True
        if name in _OF_PYTHON:
            return is_alone and name in _READING_ALONE
        return is_alone or self._is_open

    # -- lambdas ---------------------------------------------------------------------------------------

    def _words(self, node: ast.Lambda) -> set[str]:
        """Return the names in a lambda that are the student's word."""
        return {name for name in self._beyond(node) if not self._is_class(name)}

    def _lambda_compares(self, node: ast.Lambda, is_given_answers: bool) -> bool:
        """Tell whether answers meet something in a lambda that Python's functions call."""
        words = self._words(node)
        own = {each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
        if words or is_given_answers:
            words |= bound_names(node) - own
        if is_given_answers or node.args.defaults or node.args.kw_defaults:
            words |= own
        return any(self._meets(part, words) for part in ast.walk(node.body))

    def _meets(self, part: ast.AST, words: Collection[str]) -> bool:
        def touches(*nodes: ast.AST) -> bool:
            names = (each for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name))
            return any(name.id in words for name in names)

        match part:
            case ast.Compare(left=left, ops=ops, comparators=others):
                is_identity = all(isinstance(op, ast.Is | ast.IsNot) for op in ops)
                return not is_identity and touches(left, *others)
            case ast.BinOp():
                return touches(part)
            case ast.Subscript(slice=index):
                return touches(index)
            case ast.Set(elts=[_, _, *_]) | ast.Dict(keys=[_, _, *_]):
                return touches(part)
            case ast.Call(func=ast.Attribute(value=holder, attr=name), args=args, keywords=named):
                reads = name in _TAKING or self._reads(name, is_alone=not (args or named))
                return touches(part) and not reads and not self._is_object(holder)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=named):
                if name in words or self._makes(name):
                    return False
                is_alone = len(args) == 1 and not named and not isinstance(args[0], _BUILT)
                return touches(*args, *named) and not is_alone and name not in _APART | _WITH_DATA
        return False

    def _is_object(self, node: ast.expr) -> bool:
        """Tell whether a part of a lambda is a class of the reference or a new object of one."""
        inner = node.func if isinstance(node, ast.Call) else node
        return isinstance(inner, ast.Name) and self._is_class(inner.id)


def _is_dunder(name: str) -> bool:
    return name.startswith("__")


_BUILT = (ast.List, ast.Tuple, ast.Set, ast.Dict)
