"""Cases that a person has to complete: what a question needs where the reference's answers are not known."""

from collections.abc import Iterator, Sequence

from grader.authoring.new.drafts import NewQuestion
from grader.authoring.new.source import Class, Function, Module, Parameter


def sketch(draft: NewQuestion, modules: Sequence[Module]) -> tuple[str, ...]:
    """Return the lines of cases for a question, with dots where a person has to write something."""
    for module in modules:
        if module.name != draft.module:
            continue
        if draft.title == f"the program {module.name}.py":
            return (f"- program: {module.name}", '  stdin: "..."', '  stdout: "..."')
        for function in module.functions:
            if function.name == draft.title:
                return tuple(_of_function(function))
        for made in module.classes:
            if draft.title == f"the class {made.name}":
                return tuple(_of_class(made))
    return ("- call: ...", "  returns: ...")


def _of_function(function: Function) -> Iterator[str]:
    yield f"- call: {function.name}({_names(function.parameters)})"
    yield "  returns: ..."


def _of_class(made: Class) -> Iterator[str]:
    name = made.name.lower()
    yield "- scenario:"
    yield f"    - {{new: {made.name}({_names(made.init)}), as: {name}}}"
    for method in made.methods:
        if method.is_property:
            yield f"    - {{read: {name}.{method.name}, returns: ...}}"
        else:
            yield f"    - {{call: {name}.{method.name}({_names(method.parameters)}), returns: ...}}"


def _names(parameters: Sequence[Parameter]) -> str:
    return ", ".join(each.name for each in parameters)
