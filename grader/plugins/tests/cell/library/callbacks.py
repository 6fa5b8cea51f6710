"""What the program gets to know of a function of the tests', which it can call."""

import builtins
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import BuiltinFunctionType, FunctionType, MethodType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from grader.plugins.tests.cell.handles import handle_of
from grader.wire.nodes import Node

_LONGEST = 2_000


def identity_of(function: object) -> object:
    """Return what is the same for each object that stands for one function: Python makes methods anew."""
    if isinstance(function, MethodType):
        return id(function.__self__), id(function.__func__)
    if isinstance(function, BuiltinFunctionType):
        return id(function.__self__), function.__name__
    return id(function)


def told_of_function(function: object, *, has_doc: bool) -> list[Any]:
    """Return its name, its docstring, and whether a class that has it makes it a method, unlike a Mock.

    Of a function in Python follow its parameters and annotations.
    """
    is_function = isinstance(function, FunctionType)
    name = getattr(function, "__name__", "") if is_function else ""
    doc = getattr(function, "__doc__", "") if is_function and has_doc else ""
    told = [name or "function", doc[:_LONGEST] if isinstance(doc, str) else "", is_function]
    if not is_function:
        return told
    return [*told, _parameters_of(function), _annotations_of(function, has_texts=has_doc)]


def _parameters_of(function: Any) -> list[Any]:
    """Return how many go by place alone, the names, how many have defaults, `*name`, those by name, `**name`.

    The values of defaults stay here: one may be what a test expects.
    """
    code = function.__code__
    names, count, has = list(code.co_varnames), code.co_argcount, function.__kwdefaults__ or {}
    named, further = names[count : count + code.co_kwonlyargcount], names[count + code.co_kwonlyargcount :]
    star = further.pop(0) if code.co_flags & CO_VARARGS else ""
    stars = further[0] if code.co_flags & CO_VARKEYWORDS else ""
    defaults = len(function.__defaults__ or ())
    by_name = [[name, name in has] for name in named]
    return [code.co_posonlyargcount, names[:count], defaults, star, by_name, stars]


def _annotations_of(function: Any, *, has_texts: bool) -> list[list[Any]]:
    """Return names with annotations, of those that cross.

    has_texts: texts do too, which the library makes types of by running them.
    """
    nodes = []
    for name, value in function.__annotations__.items():
        node = ["v", value] if has_texts and type(value) is str else _annotation(value)
        nodes += [[name, node]] if node is not None else []
    return nodes


def _annotation(value: Any) -> Node | None:
    """Return a type as a node: Python's own, one of the program's, or such as `int | None`, `list[int]`."""
    origin = get_origin(value)
    if origin is not None:
        is_union = origin in (Union, UnionType)
        parts = [_annotation(part) for part in (*([] if is_union else [origin]), *get_args(value))]
        return None if None in parts else ["|" if is_union else "[]", parts]
    if value is None or value is NoneType:
        return ["v", None]
    if hasattr(type(value), "stands_for_class"):
        path = handle_of(value).path
        return None if path is None else ["f", *path]
    name = value.__name__ if isinstance(value, type) and value is not type else ""
    return ["b", name] if vars(builtins).get(name) is value else None
