"""Reads a call that is more than a function with data: operators, built-in functions, nested calls.

The list of forms is closed.  Each part without a name of the module, an object of an earlier step or a
built-in function is data: it becomes a slot, which is evaluated as any argument.  See `grader.model.formula`.
"""

import ast
from collections.abc import Collection, Iterator, Sequence

from grader.model.formula import SYMBOLS, Formula
from grader.model.values import EnumMember, EnumType, Record
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import FUNCTIONS
from grader.spec.expressions.library import CONSTRUCTORS
from grader.spec.expressions.meetings import Meetings
from grader.spec.expressions.parse import Expression
from grader.spec.expressions.scope import Scope
from grader.spec.expressions.tables import TABLES
from grader.worker.box.formulas import BUILT_IN
from grader.yamlfile.source import shown
from grader.yamlfile.unusable import Unusable

_READABLE = ("__name__", "__doc__")
"""The names with two underscores that a formula can read."""
_SHORT = {"np": "numpy", "pd": "pandas"}
"""The names by which packages are mostly imported."""
_KINDS = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "items"}


class FormulaReader:
    """Reads one expression; `slots` has the parts that are data, in order."""

    def __init__(self, expression: Expression, context: Context, scope: Scope) -> None:
        self._expression = expression
        self._context = context
        self._scope = scope
        self._data = {*context.names, *context.types}
        self._failed = False
        self.slots: list[ast.expr] = []
        self._meetings = Meetings(
            self.slots,
            is_class=lambda name: name in context.types or scope.is_class(name),
            makes=lambda name: name in context.types or scope.is_class(name, is_called=True),
            is_answer=scope.is_answer,
            is_record=self._holds_record,
            beyond=lambda node: scope.beyond(node, self._data),
            members_of=self._members_of,
            members=scope.known.members if scope.known is not None else None,
            is_open=scope.is_open,
        )

    def is_plain(self, call: ast.Call) -> bool:
        """Tell whether all arguments of a call are data or functions, so that it needs no formula."""
        parts = (*call.args, *(keyword.value for keyword in call.keywords))
        inner = call.func
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        if self._kind_of(inner) == "package":
            return False
        if self._kind_of(call.func) == "python" and any(map(self._holds_record, parts)):
            return False
        return not any(self._is_computed(part) and not self._is_function(part) for part in parts)

    def may_call(self, call: ast.Call) -> bool:
        """Report a method of an answer that an expression may not call; tell whether all is well."""
        if isinstance(call.func, ast.Attribute):
            # A method that a class of the reference defines can have two underscores here.
            method = Formula("attribute", call.func.attr, (self._holder(call.func.value),))
            names, arguments = self._arguments(call)
            self._judged(call, Formula("call", names, (method, *arguments)))
        return not self._failed

    @property
    def has_records(self) -> bool:
        """Tell whether instances of classes of `types` are among the data."""
        return any(map(self._holds_record, self.slots))

    def read(self) -> Formula:
        """Return the formula of the expression or statement.  Raises Unusable."""
        statement, tree = self._expression.statement, self._expression.tree
        formula = self._operation(tree) if statement is None else self._changed(statement)
        return self._finished(formula)

    def _changed(self, statement: ast.Assign | ast.Delete) -> Formula:
        """Return the formula of `a.x = 3`, `a[i] = 3` or `del a[i]`."""
        (target,) = statement.targets
        if not isinstance(target, ast.Attribute | ast.Subscript):
            hint = "a step keeps its answer by `as`" if isinstance(statement, ast.Assign) else ""
            return self._refuse(target, "only an attribute or an item of an object can be changed", hint)
        holder = self._operation(target)
        if isinstance(statement, ast.Delete):
            return Formula("delete", "", (holder,))
        return Formula("set", "", (holder, self._node(statement.value)))

    def looked_at(self, inner: Formula, looks: Sequence[Expression]) -> Formula:
        """Return a formula with what is read of its value.  Raises Unusable."""
        self._meetings.it = self._meetings.word(inner)
        found = [Formula("look", ast.unparse(look.tree), (self._look(look),)) for look in looks]
        return self._finished(Formula("reads", "", (inner, *found)))

    def _finished(self, formula: Formula) -> Formula:
        if self._failed:
            raise Unusable
        return formula

    def _refuse(self, node: ast.AST, message: str, hint: str = "") -> Formula:
        self._context.reporter.report(self._expression.span(node), message, hint)
        self._failed = True
        return Formula("")

    def _judged(self, node: ast.expr, formula: Formula) -> Formula:
        """Return the formula of a node; report an answer that it lets meet something else."""
        if self._failed or (answer := self._meetings.meeting(formula)) is None:
            return formula
        texts = [ast.unparse(slot) for slot in self.slots]
        told = answer.written(texts, exact=True)
        data = [part for part in formula.parts if part is not answer and part.kind == "slot"]
        returns = "`returns` or `check`"
        if formula.text == "==" and data:
            returns = f"`returns: {shown(data[0].written(texts, exact=True))}`"
        key = "read" if answer.kind in ("kept", "module") else "call"
        hint = f"compare outside: `{key}: {shown(told)}` with {returns}"
        if any(part.kind == "python" for part in formula.parts) and formula.kind == "operator":
            hint = "classes are compared by `is`"
        elif answer.kind == "slot" or any(part.kind == "it" for part in answer.walk()):
            hint = "compare outside, with `returns` or `check`"
        message = "this lets the student's own answer decide the result; an answer can only be read here"
        return self._refuse(node, message, hint)

    def _members_of(self, node: Formula) -> frozenset[str] | None:
        """Return the members of the class that makes an object."""
        match node:
            case Formula("call", _, (Formula("module", name), *_)):
                return self._scope.members_of(name)
            case Formula("kept", name):
                return self._scope.members_of(self._scope.kept[name])
        return None

    # -- what is data ----------------------------------------------------------------------------------

    def _kind_of(self, name: ast.AST) -> str:
        if not isinstance(name, ast.Name):
            return ""
        kind = self._scope.kind_of(name.id, self._data)
        # What a module imports under that name is the package, and another one may not import it.
        is_package = kind in ("", "module") and _SHORT.get(name.id, name.id) in self._context.packages
        return "package" if is_package else kind

    def _is_function(self, node: ast.expr) -> bool:
        """Tell whether a node is a function that goes into a call by itself, or an object of a step."""
        named = isinstance(node, ast.Name)
        return isinstance(node, ast.Lambda) or (
            named and (self._is_callback(node) or self._kind_of(node) == "kept")
        )

    def _is_class(self, node: ast.Name) -> bool:
        """Tell whether a name is one of Python's whose calls are data."""
        taken = {*self._data, *self._scope.own, *self._scope.kept, *self._scope.callbacks}
        return node.id in (*FUNCTIONS, *CONSTRUCTORS) and node.id not in taken

    def _is_callback(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self._scope.callbacks

    def _is_computed(self, node: ast.expr) -> bool:
        """Tell whether a part is more than data."""
        match node:
            case ast.Name():
                kinds = ("module", "kept", "python", "package")
                return self._is_callback(node) or self._is_class(node) or self._kind_of(node) in kinds
            case ast.Lambda():
                return True
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict() | ast.Subscript() | ast.Slice():
                return any(map(self._is_computed, _below(node)))
            case ast.Attribute(value=ast.Name(id=name), attr=member) if name in self._context.types:
                declared = self._context.types[name]
                return not isinstance(declared, EnumType) or member not in declared.members
            case ast.Attribute(value=inner):
                unknown = isinstance(inner, ast.Name) and not self._kind_of(inner)
                return unknown or self._is_computed(inner) or self._is_record(inner)
            case ast.Call(func=ast.Name() as function):
                kind = self._kind_of(function)
                return kind != "data" or any(map(self._is_computed, _below(node, but=function)))
            case ast.Call(func=function):
                return self._is_computed(function) or any(map(self._is_computed, _below(node, but=function)))
            case ast.UnaryOp() | ast.BinOp() | ast.Compare():
                return any(self._is_computed(part) or self._is_record(part) for part in _below(node))
        # A form that no expression of a spec has: the evaluation of a slot says so.
        return any(self._kind_of(part) in ("module", "kept") for part in ast.walk(node))

    def _is_record(self, node: ast.expr) -> bool:
        """Tell whether a part is an instance of a class of `types`, whose operators are the student's."""
        match node:
            case ast.Name(id=name) if name in self._context.names:
                return isinstance(self._context.names[name][0], Record | EnumMember)
            case ast.Call(func=ast.Name(id=name)) | ast.Attribute(value=ast.Name(id=name)):
                return name in self._context.types
        return False

    def _holds_record(self, node: ast.expr) -> bool:
        return any(isinstance(part, ast.expr) and self._is_record(part) for part in ast.walk(node))

    # -- reading ---------------------------------------------------------------------------------------

    def _node(self, node: ast.expr) -> Formula:
        if not self._is_computed(node):
            return self._slot(node)
        return self._operation(node)

    def _slot(self, node: ast.expr) -> Formula:
        self.slots.append(node)
        return Formula("slot", str(len(self.slots) - 1))

    def _operation(self, node: ast.expr) -> Formula:
        """Return the formula of a node that is more than data, or whose parts may be."""
        return self._judged(node, self._unjudged(node))

    def _unjudged(self, node: ast.expr) -> Formula:
        match node:
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                return self._container(node)
            case ast.Attribute(value=inner, attr=attribute):
                return Formula("attribute", self._attribute(node, attribute), (self._holder(inner),))
            case ast.Subscript(value=inner, slice=index):
                return Formula("operator", "[]", (self._holder(inner), self._index(index)))
            case ast.Call():
                return self._call(node)
            case ast.UnaryOp(op=op, operand=operand):
                return Formula("operator", SYMBOLS[type(op)], (self._node(operand),))
            case ast.BinOp(left=left, op=op, right=right):
                return Formula("operator", SYMBOLS[type(op)], (self._node(left), self._node(right)))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return Formula("operator", SYMBOLS[type(op)], (self._node(left), self._node(right)))
            case ast.Compare():
                return self._refuse(node, "one comparison is computed at a time here", "write two cases")
        return self._slot(node)

    def _name(self, node: ast.Name, name: str) -> Formula:
        kind = self._kind_of(node)
        if kind == "package":
            return Formula(kind, _SHORT.get(name, name))
        if kind in ("module", "kept", "python"):
            return Formula(kind, name)
        return Formula("python", name) if self._is_class(node) else self._slot(node)

    def _container(self, node: ast.List | ast.Tuple | ast.Set | ast.Dict) -> Formula:
        if not isinstance(node, ast.Dict):
            return Formula(_KINDS[type(node)], "", tuple(map(self._item, node.elts)))
        parts: list[Formula] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                return self._refuse(value, "`**` can't unpack here", "write the items out")
            parts += self._item(key), self._item(value)
        return Formula("dict", "", tuple(parts))

    def _item(self, node: ast.expr) -> Formula:
        if isinstance(node, ast.Starred):
            return self._refuse(node, "`*` can't unpack here", "write the values out")
        return self._node(node)

    def _holder(self, node: ast.expr) -> Formula:
        """Return an object of which something is read or called."""
        if isinstance(node, ast.Name):
            self._attribute(node, node.id)
        if isinstance(node, ast.Name) and node.id in self._context.types:
            return Formula("module", node.id)
        if isinstance(node, ast.Name) and not self._kind_of(node):
            other = "made by an earlier step" if self._scope.kept else "known here"
            return self._unknown(node, node.id, other)
        return self._node(node)

    def _attribute(self, node: ast.AST, name: str) -> str:
        if name.startswith("__") and name not in _READABLE:
            hint = f"only {' and '.join(_READABLE)} can; operators are written as such, a + b"
            self._refuse(node, f"`{shown(name)}` can't be used in an expression", hint)
        return name

    def _index(self, node: ast.expr) -> Formula:
        if not isinstance(node, ast.Slice):
            return self._node(node)
        parts = (node.lower, node.upper, node.step)
        none = Formula("python", "None")
        return Formula("slice", "", tuple(none if part is None else self._node(part) for part in parts))

    def _call(self, node: ast.Call) -> Formula:
        names, arguments = self._arguments(node)
        return Formula("call", names, (self._function(node.func), *arguments))

    def _arguments(self, node: ast.Call) -> tuple[str, tuple[Formula, ...]]:
        """Return the keywords of the last arguments, and all arguments."""
        starred = next((part for part in node.args if isinstance(part, ast.Starred)), None)
        unpacked = next((keyword for keyword in node.keywords if keyword.arg is None), None)
        if starred is not None or unpacked is not None:
            message = "`*` and `**` can't unpack arguments here"
            self._refuse(starred or unpacked or node, message, "write the arguments out")
            return "", ()
        names = [keyword.arg or "" for keyword in node.keywords]
        if repeated := next((each for each in node.keywords if names.count(each.arg or "") > 1), None):
            self._refuse(repeated, f"`{shown(repeated.arg or '')}` is given twice")
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        return " ".join(names), tuple(map(self._node, arguments))

    def _function(self, node: ast.expr) -> Formula:
        if not isinstance(node, ast.Name):
            return self._node(node) if not isinstance(node, ast.Attribute) else self._operation(node)
        kind = self._kind_of(node)
        if not kind:
            return self._unknown(node, node.id, also=(*FUNCTIONS, *CONSTRUCTORS, *BUILT_IN))
        if kind == "data":
            if node.id in self._context.types:
                return Formula("module", node.id)
            if node.id in (*FUNCTIONS, *CONSTRUCTORS, *TABLES):
                return Formula("python", node.id)
            return self._slot(node)
        return Formula(kind, node.id)

    def _unknown(
        self,
        node: ast.AST,
        name: str,
        other: str = "a function that can be used here",
        also: Collection[str] = (),
    ) -> Formula:
        if any(name == module for module, _ in self._context.modules):
            return self._refuse(node, f"`{name}` is a module; its functions are called by their plain names")
        known = {*self._scope.kept, *self._scope.own, *self._scope.others, *self._data, *also}
        hint = self._context.reporter.nearest(name, sorted(known))
        return self._refuse(node, f"`{shown(name)}` is neither in the reference's module nor {other}", hint)

    def _look(self, look: Expression) -> Formula:
        """Return what is read of a value: the innermost name is an attribute of it, or `_` for the value."""
        outer, self._expression = self._expression, look
        try:
            return self._of_value(look.tree)
        finally:
            self._expression = outer

    def _of_value(self, node: ast.expr) -> Formula:
        return self._judged(node, self._unjudged_look(node))

    def _unjudged_look(self, node: ast.expr) -> Formula:
        match node:
            case ast.Name(id="_"):
                return Formula("it", "it")
            case ast.Name(id=name):
                return Formula("attribute", self._attribute(node, name), (Formula("it", "it"),))
            case ast.Attribute(value=inner, attr=name):
                return Formula("attribute", self._attribute(node, name), (self._of_value(inner),))
            case ast.Subscript(value=inner, slice=index):
                return Formula("operator", "[]", (self._of_value(inner), self._index(index)))
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in BUILT_IN:
                return Formula("call", "", (Formula("python", name), self._of_value(argument)))
            case ast.Call(func=ast.Name() | ast.Attribute() as function):
                names, arguments = self._arguments(node)
                return Formula("call", names, (self._of_value(function), *arguments))
        hint = "such as size, head.value, items[0], total() or len(_)"
        return self._refuse(node, "`reads` has what one would type after the answer and a dot", hint)


def _below(node: ast.AST, but: ast.AST | None = None) -> Iterator[ast.expr]:
    """Yield the expressions right below a node."""
    for part in ast.iter_child_nodes(node):
        if part is but:
            continue
        if isinstance(part, ast.keyword):
            yield part.value
        elif isinstance(part, ast.expr):
            yield part
