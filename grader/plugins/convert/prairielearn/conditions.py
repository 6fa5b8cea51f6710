"""What a test asks of an answer, as keys of a case; `Feedback.check_…` and `==` of PrairieLearn's tests.

The defaults are those of PrairieLearn's `code_feedback.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.authoring.written import Keys, Raw
from grader.plugins.convert.comparisons import equal_to
from grader.plugins.convert.draft import Unconvertible

_SAME = Raw("same as reference")
_REL, _ABS = 1e-5, 1e-8
_OF_CALLER = {"report_success", "report_failure", "display_input"}
"""They change what students read, and no score."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program answers: the student's, or the reference's.

    text: the call as it is written, or the name that is read.
    """

    text: str
    is_call: bool
    of_student: bool


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that must hold of an answer.

    keys: of the value.  asked: attributes of it that must be those of the reference's answer, too.
    must_be: expressions of it, as `isinstance(_, list)`, and what they must be.
    plots: it is about what is drawn.  keeps: the call must leave its arguments as they were.
    """

    text: str
    is_call: bool
    keys: tuple[tuple[str, str | Raw], ...] = ()
    asked: tuple[str, ...] = ()
    must_be: tuple[tuple[str, str], ...] = ()
    plots: bool = False
    keeps: bool = False
    packages: frozenset[str] = frozenset()

    def case(self) -> Keys:
        """Return the keys of its case."""
        keys = dict(self.keys)
        if self.plots:
            return keys
        if self.keeps:
            keys["unchanged"] = Raw("true")
        if self.is_call and not self.asked and not self.must_be:
            return {"call": self.text, **keys}
        steps: list[Keys] = []
        subject = "answer" if self.is_call else self.text
        if self.is_call:
            steps.append({"call": self.text, "as": Raw("answer"), **keys})
        elif keys:
            steps.append({"read": Raw(self.text), **keys})
        steps += [{"call": each.replace("_", subject), "returns": Raw(value)} for each, value in self.must_be]
        steps += [{"call": each.replace("_", subject), "returns": _SAME} for each in self.asked]
        return {"scenario": steps}


def equality(left: Answer, right: Any) -> Condition:
    """Return the condition of `left == right`, for an answer of the student's."""
    if isinstance(right, Answer):
        _same_place(left, right)
        keys: Mapping[str, str | Raw] = {"returns": _SAME, "equality": Raw("python")}
    else:
        keys = equal_to(right)
    return Condition(left.text, left.is_call, tuple(keys.items()))


def unchanged(before: Condition) -> Condition:
    """Return a condition that holds where one does, and the call left its arguments as they were."""
    if before.asked or before.must_be:
        raise Unconvertible("whether an argument is changed is asked of a call that makes an array")
    return replace(before, keeps=True)


def near(values: list[Any], options: dict[str, Any]) -> Condition:
    """Return the condition of `numpy.allclose` and `numpy.isclose` of two answers."""
    if len(values) != 2 or not set(options) <= {"rtol", "atol"}:
        raise Unconvertible("`allclose` has options that are not known here")
    student, other = sorted(values, key=lambda each: not (isinstance(each, Answer) and each.of_student))
    if not isinstance(student, Answer) or not isinstance(other, Answer):
        raise Unconvertible("`allclose` compares other than two answers")
    _same_place(student, other)
    keys = {"returns": _SAME, "equality": Raw("python"), **_tolerances(options)}
    return Condition(student.text, student.is_call, tuple(keys.items()), packages=frozenset({"numpy"}))


def sane_array(values: list[Any]) -> Condition:
    """Return the condition of `Feedback.check_numpy_array_sanity`; the kind of numbers is not asked."""
    match values:
        case [_, int() as axes, Answer() as student] if student.of_student and 0 <= axes <= 32:
            must_be = (("len(_.shape)", str(axes)),)
            return Condition(student.text, student.is_call, must_be=must_be, packages=frozenset({"numpy"}))
    raise Unconvertible(
        "`Feedback.check_numpy_array_sanity` looks at what is no answer of the student's alone"
    )


def checked(kind: str, arguments: list[Any], options: dict[str, Any]) -> tuple[Condition, bool]:
    """Return the condition of `Feedback.check_…`, and whether all ends where it fails."""
    if kind == "check_numpy_array_sanity" and not options:
        return sane_array(arguments), True
    if kind not in _CHECKS:
        raise Unconvertible(f"`Feedback.{kind}` has no counterpart that is certain")
    names = _CHECKS[kind]
    given = dict(zip(("name", "ref", "data", *names), arguments, strict=False)) | options
    critical = given.pop("accuracy_critical", False)
    known = {"name", "ref", "data", *names}
    if odd := sorted(set(given) - known - _OF_CALLER):
        raise Unconvertible(f"`{odd[0]}` of `Feedback.{kind}` has no counterpart that is certain")
    reference, student = given.get("ref"), given.get("data")
    if not isinstance(student, Answer) or not student.of_student:
        raise Unconvertible(f"`Feedback.{kind}` looks at what is no answer of the student's alone")
    if isinstance(reference, Answer):
        _same_place(student, reference)
        found = _condition(kind, student, given)
    elif kind == "check_scalar" and isinstance(reference, int | float):
        keys = {"returns": Raw(repr(reference)), "equality": Raw("python"), **_tolerances(given)}
        found = Condition(student.text, student.is_call, tuple(keys.items()))
    else:
        raise Unconvertible(f"`Feedback.{kind}` compares with a value that the test computes")
    return found, bool(critical)


_CHECKS = {
    "check_scalar": ("accuracy_critical", "rtol", "atol"),
    "check_list": ("entry_type", "accuracy_critical"),
    "check_tuple": ("accuracy_critical",),
    "check_dict": (),
    "check_numpy_array_features": ("accuracy_critical",),
    "check_numpy_array_allclose": ("accuracy_critical", "rtol", "atol"),
    "check_dataframe": ("subset_columns", "check_values", "allow_order_variance"),
    "check_plot": ("check_axes_scale", "accuracy_critical"),
}
"""By check, its parameters after `name`, `ref` and `data`, in their order, that change a score."""


def _condition(kind: str, student: Answer, given: dict[str, Any]) -> Condition:
    keys: dict[str, str | Raw] = {"returns": _SAME}
    text, is_call = student.text, student.is_call
    match kind:
        case "check_scalar":
            keys |= {"equality": Raw("python"), **_tolerances(given)}
        case "check_list":
            if given.get("entry_type") is not None:
                raise Unconvertible("`entry_type` of `Feedback.check_list` has no counterpart")
            return Condition(text, is_call, asked=("len(_)",), must_be=(("isinstance(_, list)", "true"),))
        case "check_numpy_array_features":
            return Condition(text, is_call, asked=("_.shape", "_.dtype.kind"), packages=frozenset({"numpy"}))
        case "check_numpy_array_allclose":
            keys |= _tolerances(given)
            return Condition(
                text, is_call, tuple(keys.items()), ("_.dtype.kind",), packages=frozenset({"numpy"})
            )
        case "check_dataframe":
            return _table(student, given)
        case "check_plot":
            return _plot(student, given)
    return Condition(text, is_call, tuple(keys.items()))


def _table(student: Answer, given: dict[str, Any]) -> Condition:
    if given.get("subset_columns") or not given.get("check_values", True):
        raise Unconvertible("`Feedback.check_dataframe` looks at a part of a table")
    keys: dict[str, str | Raw] = {"returns": _SAME}
    if given.get("allow_order_variance", True):
        keys |= {"columns": Raw("any"), "unordered": Raw("true")}
    keys |= _tolerances({})
    return Condition(student.text, student.is_call, tuple(keys.items()), packages=frozenset({"pandas"}))


def _plot(student: Answer, given: dict[str, Any]) -> Condition:
    if student.is_call:
        raise Unconvertible("`Feedback.check_plot` looks at what a call returns")
    scales = given.get("check_axes_scale") or ""
    if scales not in ("", "x", "y", "xy"):
        raise Unconvertible("`check_axes_scale` is none of x, y and xy")
    parts = ["lines", *(f"{axis}scale" for axis in scales)]
    plot = ", ".join(f"{part}: same as reference" for part in parts)
    keys = {"plot": Raw(f"{{{plot}}}"), **_tolerances({})}
    return Condition(student.text, False, tuple(keys.items()), plots=True, packages=frozenset({"matplotlib"}))


def _tolerances(given: dict[str, Any]) -> dict[str, Raw]:
    """Return `rel` and `abs` for `rtol` and `atol`, of which None stands for no such tolerance."""
    found = {}
    for key, name, default in (("rel", "rtol", _REL), ("abs", "atol", _ABS)):
        value = given.get(name, default)
        if value is None or value == 0:
            continue
        if type(value) not in (int, float) or not 0 < value < (1 if key == "rel" else 1e300):
            raise Unconvertible(f"`{name}` is no tolerance")
        found[key] = Raw(repr(float(value)))
    return found


def _same_place(student: Answer, reference: Answer) -> None:
    if reference.of_student or not student.of_student:
        raise Unconvertible("it compares the student's program with itself")
    if (student.text, student.is_call) != (reference.text, reference.is_call):
        reason = f"it compares `{student.text[:40]}` with `{reference.text[:40]}` of the reference"
        raise Unconvertible(reason)
