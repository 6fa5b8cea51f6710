"""What in an answer the spec's own code can't be given: all that is not data."""

from collections.abc import Iterable

from grader.model.values import (
    Cycle,
    DeclaredType,
    EnumMember,
    OddSet,
    Opaque,
    Record,
    RecordType,
    Value,
    parts,
)


def first_foreign(value: Value, types: Iterable[DeclaredType] = ()) -> str:
    """Return words for the first part of `value` that is no data, or "".

    Records and enum members are data where they are as one of `types` says.
    """
    known = {each.name: each for each in types}
    for part in parts(value):
        match part:
            case Opaque(type_name=name):
                return f"a {name} object, which is not plain data"
            case Record(type_name=name, fields=fields):
                declared = known.get(name)
                if not isinstance(declared, RecordType) or declared.fields != tuple(n for n, _ in fields):
                    return f"a {name} object, which is not plain data"
            case EnumMember(type_name=name):
                declared = known.get(name)
                if declared is None or isinstance(declared, RecordType) or part.name not in declared.members:
                    return f"{name}.{part.name}, which is not plain data"
            case OddSet(type_name=name):
                return f"a {name} with items that are equal by their fields, or that have no hash"
            case Cycle():
                return "a container that holds itself, which is not plain data"
    return ""
