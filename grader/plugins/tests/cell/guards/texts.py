"""Keeps the program's texts from being run as code beside the tests.

A test can hand an answer to `eval`, `exec` or `pickle`, and that answer would then be code in the process
that decides.  So the test files get functions of these names that run what stands in the files themselves.
Any other text is no code: `eval` works out what such a text can say of data and of the program's own objects,
and all else ends the test.  Python's audit events tell of every other way to run a text.
"""

import ast
import builtins
import sys
from collections.abc import Callable, Mapping
from types import CodeType, FrameType, ModuleType
from typing import Any, NoReturn

from grader.plugins.tests.cell.classes import ProxyClass, Stand
from grader.plugins.tests.cell.handles import handle_of
from grader.plugins.tests.cell.link import ProgramConnection
from grader.plugins.tests.cell.proxies import Proxy

_MAY_EXEC = frozenset({"importlib", "_frozen_importlib", "_frozen_importlib_external"}) | {
    *("collections", "dataclasses", "unittest", "zipimport"),
}
"""Modules of the library that run texts which they make themselves."""
_RUN_ARGUMENTS = frozenset({"IPython", "asteval", "cloudpickle", "dill", "numexpr", "sympy"})
"""Other packages that run what they are given."""
_TYPES = (set, frozenset, list, tuple, dict, int, float, complex, str, bytes, bytearray, bool, range)
_LIBRARY = frozenset({"collections", "datetime", "decimal", "fractions", "uuid"})
"""Modules whose classes make data of data."""
_UNPICKLED = frozenset({*(each.__name__ for each in _TYPES), "object", "slice"})


class Guard:
    """Stands before `eval`, `exec`, `compile` and the like in test files.

    link: tells which test cannot be run.  texts: of the test files, by module name.
    """

    def __init__(self, link: ProgramConnection, texts: Mapping[str, str]) -> None:
        self._link = link
        self._files = {f"{name}.py" for name in texts}
        self._names: dict[str, Callable[..., Any]] = {
            "eval": self._eval,
            "exec": self._exec,
            "compile": self._compile,
            "__import__": self._import,
        }
        self._is_asked_for = any(name in text for text in texts.values() for name in self._names)
        self._own: dict[int, str] = {}
        """Texts in the code of the test files, by identity: an answer can be equal to one."""
        self._said: set[str] = set()
        """Texts that the program said."""

    def names(self) -> dict[str, Callable[..., Any]]:
        """Return the functions for a test file, by the names that they have there."""
        return self._names if self._is_asked_for else {}

    def hear(self, reply: Any) -> None:
        """Note the texts in what the program said."""
        waiting = [reply] if self._is_asked_for else []
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                self._said.add(one)
            elif isinstance(one, dict):
                waiting += (*one, *one.values())
            elif isinstance(one, list | tuple | set | frozenset):
                waiting += one

    def install(self) -> None:
        """Look at every text that is run in this process from now on."""
        sys.addaudithook(self._audit)

    def _is_own(self, source: object) -> bool:
        """Tell whether a text stands in the test files, or is code, which only such a text can be."""
        if type(source) is not str:
            return isinstance(source, CodeType)
        # Texts of one character are the same object everywhere.
        return id(source) in self._own and len(source) > 1 and source not in self._said

    def _refuse(self, what: str) -> NoReturn:
        self._link.cannot(f"{what} would run a text that is not in the test file", is_answer=True)

    def _eval(self, source: Any, names: Any = None, inner: Any = None, /, **named: Any) -> Any:
        frame = sys._getframe(1)
        names = named.get("globals", names)
        inner = named.get("locals", inner)
        if names is None:
            names, inner = frame.f_globals, frame.f_locals if inner is None else inner
        if self._is_own(source):
            return eval(source, names, inner)
        if not isinstance(source, str):
            self._refuse("eval")
        tree = ast.parse(str(source).lstrip(" \t"), "<answer>", "eval")
        return self._value(tree.body, {**vars(builtins), **names, **(inner or {})})

    def _exec(self, source: Any, names: Any = None, inner: Any = None, /, **named: Any) -> None:
        if not self._is_own(source):
            self._refuse("exec")
        frame = sys._getframe(1)
        names = named.get("globals", names)
        inner = named.get("locals", inner)
        if names is None:
            names, inner = frame.f_globals, frame.f_locals if inner is None else inner
        exec(source, names, inner)

    def _compile(self, source: Any, *args: Any, **named: Any) -> Any:
        if not self._is_own(source):
            self._refuse("compile")
        return compile(source, *args, **named)

    def _import(self, name: Any, *args: Any, **named: Any) -> Any:
        if not self._is_own(name) and name in self._said:
            self._link.cannot("__import__ would import what the program names", is_answer=True)
        return __import__(name, *args, **named)

    # -- what a text can say ---------------------------------------------------------------------------

    def _value(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        """Return the value of an expression about data and what the program's modules have."""

        def value(inner: ast.expr) -> Any:
            return self._value(inner, names)

        match node:
            case ast.Constant(value=constant):
                return constant
            case ast.List(elts=parts):
                return [*map(value, parts)]
            case ast.Tuple(elts=parts):
                return (*map(value, parts),)
            case ast.Set(elts=parts):
                return {*map(value, parts)}
            case ast.Dict(keys=keys, values=values) if None not in keys:
                return {value(key): value(each) for key, each in zip(keys, values, strict=True) if key}
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=constant)):
                if isinstance(constant, int | float | complex):
                    return -constant
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=ast.Constant(value=constant)):
                real = value(left)
                if isinstance(constant, complex) and isinstance(real, int | float):
                    return real + constant if isinstance(sign, ast.Add) else real - constant
            case ast.Name(id=name):
                if name not in names:
                    raise NameError(f"name '{name}' is not defined")
                if _may_be_named(names[name]):
                    return names[name]
            case ast.Attribute(value=ast.Name() | ast.Attribute() as holder, attr=name) if name[0] != "_":
                found = getattr(value(holder), name)
                if isinstance(found, Stand | BaseException) or _may_be_named(found):
                    return found
            case ast.Call(func=ast.Name() | ast.Attribute() as function, args=args, keywords=keywords):
                made = value(function)
                if not isinstance(made, ModuleType) and all(word.arg for word in keywords):
                    given = {str(word.arg): value(word.value) for word in keywords}
                    return made(*map(value, args), **given)
        self._refuse("eval")

    # -- every other way -------------------------------------------------------------------------------

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "exec":
            self._learn(args[0])
            name = _caller(sys._getframe(1))
            if name in _RUN_ARGUMENTS or (name in sys.stdlib_module_names and name not in _MAY_EXEC):
                self._refuse(name)
            if sys._getframe(1).f_code.co_filename in self._files:
                self._refuse("eval")
        elif event == "pickle.find_class":
            module, name = args
            is_data = name in _UNPICKLED if module == "builtins" else module in (*_LIBRARY, "copyreg")
            if not is_data:
                self._refuse("pickle")
        elif event == "marshal.loads" and sys._getframe(1).f_code.co_filename in self._files:
            self._refuse("marshal")

    def _learn(self, code: object) -> None:
        """Note the texts in the code of a test file."""
        waiting = [code] if isinstance(code, CodeType) and code.co_filename in self._files else []
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                self._own[id(one)] = one
            elif isinstance(one, CodeType):
                waiting += one.co_consts
            elif isinstance(one, tuple | frozenset):
                waiting += one


def _may_be_named(found: object) -> bool:
    """Tell whether a text may name something: what the program's modules have, or a type for data.

    Never what the test made or knows, such as the object that the text is to describe, or what is expected.
    """
    if isinstance(found, ModuleType):
        return hasattr(type(found), "stands_for") or found.__name__ in _LIBRARY
    if isinstance(found, Proxy | ProxyClass):
        return handle_of(found).path is not None
    return isinstance(found, type) and (
        found in _TYPES or found.__module__ in _LIBRARY or issubclass(found, BaseException)
    )


def _caller(frame: FrameType) -> str:
    """Return the first part of the name of the module that a frame belongs to."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
