"""A program whose exception only has the name of the one that is asked for."""

from pathlib import Path

from support.declared import mark_folders

from grader.spec import load_task

SPEC = """\
task: roots
title: Roots
marks: 4
reference: reference
modules: {roots: roots.py}
questions:
  - id: "1"
    title: Roots
    marks: 4
    award: each
    cases:
      - {call: root(-1), raises: ValueError}
      - {call: root(-1), returns: same as reference}
      - scenario:
          - {call: root(-1), raises: {type: ValueError, message: negative}}
      - {call: "root(n)", given: {n: "integers(-5, -1)"}, raises: ValueError}
"""
RAISES = "\n\ndef root(x):\n    raise ValueError('negative')\n"
OWN = "class ValueError(Exception):\n    pass\n" + RAISES
PROGRAMS = {
    "plain": (RAISES, 4),
    "derived": ("class ValueError(ValueError):\n    pass\n" + RAISES, 4),
    "own": (OWN, 0),
    "put_in_its_place": ("import builtins\n" + OWN + "builtins.ValueError = ValueError\n", 0),
    "said_to_be_a_built_in": (OWN.replace("pass", "__module__ = 'builtins'", 1), 0),
    "renamed": (
        "class E(BaseException):\n    pass\nE.__name__ = E.__qualname__ = 'ValueError'\nValueError = E\n"
        + RAISES,
        0,
    ),
    "by_a_name_that_lies": (
        "class Name(str):\n    __hash__ = lambda self: 1\n    __eq__ = lambda self, other: False\n"
        "ValueError = type(Name('ValueError'), (Exception,), {})\n" + RAISES,
        0,
    ),
}
OF_THE_REFERENCE = OWN.replace("ValueError", "TimeoutError")


def marks(folder: Path, spec: str, reference: str, programs: dict[str, str]) -> dict[str, int]:
    (folder / "spec.yaml").write_text(spec)
    for name, text in (("reference", reference), *programs.items()):
        (folder / name).mkdir()
        (folder / name / "roots.py").write_text(text)
    results = mark_folders(load_task(folder / "spec.yaml"), [folder / name for name in programs])
    return {name: int(result.mark or 0) for name, result in results.items()}


def test_a_name_alone_is_no_class_of_pythons(tmp_path: Path) -> None:
    programs = {name: text for name, (text, _) in PROGRAMS.items()}
    expected = {name: marks for name, (_, marks) in PROGRAMS.items()}
    assert marks(tmp_path, SPEC, RAISES, programs) == expected


def test_the_reference_can_have_a_class_of_such_a_name(tmp_path: Path) -> None:
    spec = SPEC.replace("ValueError", "TimeoutError")
    assert marks(tmp_path, spec, OF_THE_REFERENCE, {"right": OF_THE_REFERENCE}) == {"right": 4}
