"""What the program gets to know of a function of the tests', which it can call."""

from types import BuiltinFunctionType, FunctionType, MethodType

_LONGEST = 2_000


def identity_of(function: object) -> object:
    """Return what is the same for each object that stands for one function: Python makes methods anew."""
    if isinstance(function, MethodType):
        return id(function.__self__), id(function.__func__)
    if isinstance(function, BuiltinFunctionType):
        return id(function.__self__), function.__name__
    return id(function)


def told_of_function(function: object, *, has_doc: bool) -> tuple[str, str, bool]:
    """Return its name, its docstring, and whether a class that has it makes it a method, unlike a Mock."""
    is_function = isinstance(function, FunctionType)
    name = getattr(function, "__name__", "") if is_function else ""
    doc = getattr(function, "__doc__", "") if is_function and has_doc else ""
    return name or "function", doc[:_LONGEST] if isinstance(doc, str) else "", is_function
