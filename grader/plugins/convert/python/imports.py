"""What imports give to names: modules and functions of the student's, and parts of other packages."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass

_PACKAGES = {"pytest", "gradescope_utils", "otter", "nose", "hypothesis", "parameterized", "check50", "numpy"}
_PACKAGES |= {"pandas", "scipy", "matplotlib", "sklearn", "seaborn", "sympy", "requests", "IPython", "bs4"}
_PACKAGES |= {"timeout_decorator", "func_timeout", "wrapt_timeout_decorator", "flaky", "faker", "freezegun"}


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import gives to a name.

    module: dotted.  attribute: what is taken of the module, `*` for all; empty for the module itself.
    """

    name: str
    module: str
    attribute: str = ""

    @property
    def is_foreign(self) -> bool:
        return is_foreign(self.module)


def is_foreign(module: str) -> bool:
    """Tell whether a module is Python's own or a well-known package, and so no student's."""
    package = module.partition(".")[0]
    return package in sys.stdlib_module_names or package in _PACKAGES


def imported_by(statement: ast.stmt) -> Iterator[Imported]:
    """Yield what a statement imports.  A module that stands beside the file has a dot before its name."""
    match statement:
        case ast.Import(names=names):
            for each in names:
                package, _, inner = each.name.partition(".")
                if each.asname or not inner or is_foreign(package):
                    yield Imported(each.asname or package, each.name if each.asname else package)
        case ast.ImportFrom(module=module, names=names, level=level):
            for each in names:
                if module:
                    yield Imported(each.asname or each.name, "." * level + module, each.name)
                else:
                    yield Imported(each.asname or each.name, "." * level + each.name)


def students_modules(tree: ast.Module) -> set[str]:
    """Return the modules of the student's that a file imports anywhere, dotted, without leading dots."""
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    found = {each.module for one in statements for each in imported_by(one) if not each.is_foreign}
    return {module.lstrip(".") for module in found}
