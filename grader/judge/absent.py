"""What a module lacks, in words.

The box says what it did not find, and a box can say anything: only what the case needs is repeated.
"""

from grader.judge.values.atoms import visible
from grader.model.case import Case
from grader.model.values import EnumMember, Record, parts

_NAME_LIMIT = 300


def absent_message(case: Case, claimed: str) -> str:
    """Return what the module lacks; claimed: the name that was not found, by the box's own word."""
    functions = [call.function for call in case.calls]
    if claimed not in functions:
        for call in case.calls:
            for part in (p for value in (*call.args, *(v for _, v in call.kwargs)) for p in parts(value)):
                if isinstance(part, Record | EnumMember) and part.type_name == claimed:
                    return f"the module has no class {claimed}"
                if isinstance(part, EnumMember) and f"{part.type_name}.{part.name}" == claimed:
                    return f"the module's class {part.type_name} has no {part.name}"
        claimed = functions[0] if functions else ""
    if any(call.function == claimed and call.bind for call in case.calls):
        return f"the module has no class {visible(claimed, _NAME_LIMIT)}"
    return f"the module has no function {visible(claimed, _NAME_LIMIT)}"
