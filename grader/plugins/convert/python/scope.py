"""What the names that a test uses stand for: nothing, where no more is known than that they are bound."""

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from grader.model.values import Value
from grader.plugins.convert.python.imports import Imported, imported_by
from grader.plugins.convert.python.names import bound_by, declared, simply_bound
from grader.values.walk import parts

_MUTABLE = (list, dict, set)
_OF_NOTEBOOKS = {"np": "numpy", "numpy": "numpy", "math": "math", "pytest": "pytest"}
_OF_NOTEBOOKS |= {name: f"nose.tools.{name}" for name in ("assert_equal", "assert_almost_equal")}
_OF_NOTEBOOKS |= {name: f"nose.tools.{name}" for name in ("assert_true", "assert_false", "assert_raises")}
_OF_NOTEBOOKS |= {"raises": "pytest.raises", "approx": "pytest.approx"}
"""What usual names stand for in a cell that binds them in none of its lines."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function of the student's, with literal arguments."""

    text: str
    module: str
    function: str


@dataclass(slots=True)
class ConvertedScope:
    """The names that a test can use.

    functions: the module of each imported function, and its name there.  modules: the module behind each
    name.  foreign: what names of Python's own and of packages stand for, dotted.  values, calls: names of
    literals, and of answers.  spent: those of lists and the like that something may have changed, as a call
    that had them.  bound: all names that the file or the test binds; none of them is Python's own.
    odd: those that the test binds otherwise than by plain assignments, or by one import.
    notebook: the module that any other name is a function of; empty if there is none.
    """

    functions: dict[str, tuple[str, str]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    calls: dict[str, Call] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)
    notebook: str = ""
    foreign: dict[str, str] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)
    odd: set[str] = field(default_factory=set)

    def inner(self, body: Sequence[ast.stmt], parameters: Iterable[str] = ()) -> "ConvertedScope":
        """Return a scope for one test: what its body binds is local in all of it, and nothing before that."""
        scope = ConvertedScope(
            dict(self.functions),
            dict(self.modules),
            dict(self.values),
            dict(self.calls),
            set(self.spent),
            self.notebook,
            dict(self.foreign),
            set(self.bound),
        )
        given = [*parameters]
        made = Counter([*bound_by(body), *given])
        simply = Counter(name for each in body for name in simply_bound(each))
        imported = {each.name for statement in body for each in imported_by(statement)}
        scope.odd = {*declared(body)}
        scope.odd |= {
            name
            for name, times in made.items()
            if (name not in given or times > 1)
            and (times != simply[name] or (name in imported and times > 1))
        }
        for name in {*made, *scope.odd}:
            scope.bind(name)
        return scope

    def bind(self, name: str) -> None:
        """Forget what a name stood for: it gets something else."""
        for names in (self.calls, self.values, self.functions, self.modules, self.foreign):
            names.pop(name, None)
        self.spent.discard(name)
        self.bound.add(name)

    def learn(self, imported: Imported) -> None:
        """Note what an import gives to a name."""
        self.bind(imported.name)
        module = imported.module.rpartition(".")[2]
        if imported.is_foreign:
            self.foreign[imported.name] = ".".join(filter(None, (imported.module, imported.attribute)))
        elif imported.attribute:
            self.functions[imported.name] = (module, imported.attribute)
        else:
            self.modules[imported.name] = module

    def is_pythons(self, name: str) -> bool:
        """Tell whether a name is one of Python's own."""
        return hasattr(builtins, name) and not {name, "*"} & self.bound

    def theirs(self, name: str) -> tuple[str, str] | None:
        """Return the module and the name there of something of the student's; None for any other name."""
        if name in self.functions:
            return self.functions[name]
        if not self.notebook or name in self.bound or hasattr(builtins, name):
            return None
        return self.notebook, name

    def stands_for(self, node: ast.AST) -> str:
        """Return the whole name of a part of a package, such as `math.isclose`; empty for all else."""
        match node:
            case ast.Name(id=name) if name in self.foreign:
                return self.foreign[name]
            case ast.Name(id=name) if self.notebook and name not in self.bound:
                return _OF_NOTEBOOKS.get(name, "")
            case ast.Attribute(value=value, attr=attr) if before := self.stands_for(value):
                return f"{before}.{attr}"
        return ""

    def spend(self, node: ast.expr) -> None:
        """Note that a call has what a node is, and may change it."""
        self.spent |= {name for name in names_in(node) if is_mutable(self.values.get(name))}


def is_mutable(value: Value) -> bool:
    return any(isinstance(part, _MUTABLE) for part in parts(value))


def names_in(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))
