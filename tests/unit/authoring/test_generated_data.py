"""Data that `generators.yaml` describes, and generators of DMOJ's: what is said without running anything."""

import textwrap
from pathlib import Path

import pytest

from grader.model.case import ProgramRun
from grader.model.errors import UsageError
from grader.plugins.convert import read_tests, written
from grader.plugins.convert.draft import Draft
from grader.spec import load_task


def lay(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {"problem.yaml": "name: P\n", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return folder


def converted(folder: Path, rules: str, **files: str) -> tuple[Draft, dict[str, tuple[str, str]]]:
    """Return the draft, and the input and the answer of each test by its name."""
    named = {name.replace("__", "/").replace("_DOT_", "."): text for name, text in files.items()}
    package = lay(folder / "package", {"generators/generators.yaml": rules, **named})
    draft = read_tests(package, "problem-package", "main", "spec")
    written(draft, folder / "spec.yaml", "p", "problem-package")
    found = {}
    for case in load_task(folder / "spec.yaml").cases:
        assert isinstance(case.what, ProgramRun)
        stdout = case.what.expect.stdout
        found[case.id.partition(".")[2]] = case.what.stdin, str(stdout.value) if stdout is not None else ""
    return draft, found


def test_texts_numbers_and_groups(tmp_path: Path) -> None:
    rules = """\
    data:
      sample:
        data:
          - '': {in: "1", ans: "2"}
      secret:
        data:
          - plain: {in: "3\\n4", ans: ""}
          - inner:
              test_group.yaml: {output_validator_args: [case_sensitive]}
              data:
                - same: {in: "5", ans: "6", count: 2}
                - last: {in: "7", ans: "8"}
        include: [sample]
      invalid_input:
        data: [{odd: {in: "9"}}]
    """
    draft, found = converted(tmp_path, rules)
    assert found == {
        "sample-1": ("1\n", "2\n"),
        "secret-1": ("1\n", "2\n"),
        "secret-2-plain": ("3\n4\n", ""),
        "secret-1-inner-3-same-1": ("5\n", "6\n"),
        "secret-1-inner-4-same-2": ("5\n", "6\n"),
        "secret-1-inner-5-last": ("7\n", "8\n"),
    }
    assert (draft.converted, draft.assertions) == (6, 6)
    assert (tmp_path / "spec.yaml").read_text().count("ignores: case") == 3


def test_what_programs_would_make_is_left_out_and_told(tmp_path: Path) -> None:
    rules = """\
    solution: /submissions/accepted/a.py
    data:
      secret:
        data:
          made: gen.py {seed}
          answered: {in: "1"}
          there: {in: "1", ans: "1"}
    """
    draft, found = converted(tmp_path, rules)
    assert [*found] == ["secret-there"]
    told = sorted(str(remark) for remark in draft.remarks if "left out" in str(remark))
    assert (
        "data/secret/answered.in:1: left out: a solution makes its answer: with `--run-generators`" in told[0]
    )
    assert "data/secret/made.in:1: left out: a generator makes its data: with `--run-generators`" in told[1]
    assert (draft.converted, draft.assertions) == (1, 3)


def test_copies_and_what_was_made_before(tmp_path: Path) -> None:
    rules = "data: {secret: {data: {by_hand: {copy: hand/one}}}, sample: {data: {made: gen.py}}}\n"
    files = {
        "generators__hand__one_DOT_in": "1\n",
        "generators__hand__one_DOT_ans": "2\n",
        "data__sample__made_DOT_in": "3\n",
        "data__sample__made_DOT_ans": "4\n",
    }
    _, found = converted(tmp_path, rules, **files)
    assert found == {"sample-made": ("3\n", "4\n"), "secret-by_hand": ("1\n", "2\n")}


def test_data_that_is_there_is_taken_as_it_is(tmp_path: Path) -> None:
    rules = "data: {secret: {data: {other: {in: x, ans: y}}}}\n"
    files = {"data__secret__1_DOT_in": "1\n", "data__secret__1_DOT_ans": "2\n"}
    assert converted(tmp_path, rules, **files)[1] == {"secret-1": ("1\n", "2\n")}


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("data: {secret: {data: {../../x: {in: a, ans: b}}}}", "no name of one"),
        ("data: {secret: {data: {a: {copy: ../../../../etc/passwd}}}}", "its rule makes no input"),
        ("data: {secret: {data: {a: {copy: out}}}}", "its rule makes no input"),
        ("data: {secret: {data: {a: {in: [1]}}}}", "its `in` is no text"),
        ("data: {secret: {data: {a: {in: x}}}}", "no solution makes one"),
        ("data: {secret: {data: {a: {in: x, ans: y, count: 100000000}}}}", "has not from 1 to 100 numbers"),
        ("data: {secret: {data: {a: {in: x, ans: y, count: 1..=999999999}}}}", "has not from 1 to 100"),
        ("data: {secret: {data: {a: 7}}}", "is no rule of a test"),
        ("data: 7", "this package has no tests"),
        ("data: {secret: {data: [7, [8]]}}", "this package has no tests"),
    ],
)
def test_rules_that_say_nothing(tmp_path: Path, rules: str, told: str) -> None:
    package = lay(tmp_path / "package", {"generators/generators.yaml": f"{rules}\n"})
    (tmp_path / "secret.in").write_text("secret\n")
    (package / "generators" / "out.in").symlink_to(tmp_path / "secret.in")
    with pytest.raises(UsageError) as caught:
        written(read_tests(package, "problem-package", "main", "spec"), tmp_path / "s.yaml", "p", "x")
    assert told in str(caught.value)
    assert not list(tmp_path.glob("s.yaml"))
    assert not (tmp_path.parent / "x.in").exists()


def test_anchors_do_not_multiply(tmp_path: Path) -> None:
    """Groups that include groups end at the most tests of a package."""
    lines = ["data:", "  secret:", "    data:", "      g0: {data: {a: {in: x, ans: y}}}"]
    lines += [f"      g{n}: {{data: {{}}, include: [g{n - 1}, g{n - 1}]}}" for n in range(1, 40)]
    package = lay(tmp_path / "package", {"generators/generators.yaml": "\n".join(lines)})
    draft = read_tests(package, "problem-package", "main", "spec")
    assert draft.assertions <= 2_000


def test_names_of_yaml_do_not_multiply(tmp_path: Path) -> None:
    lines = ["data:", "  sample: {data: {a: {in: x, ans: y}}}", "g0: &g0 {data: {}}"]
    lines += [f"g{n}: &g{n} {{data: {{a: *g{n - 1}, b: *g{n - 1}}}}}" for n in range(1, 40)]
    lines += [
        "again: &again {data: [*g39]}",
        "data:",
        "  secret: *g39",
        "  sample: {data: {a: {in: x, ans: y}}}",
    ]
    package = lay(tmp_path / "package", {"generators/generators.yaml": "\n".join(lines)})
    assert read_tests(package, "problem-package", "main", "spec").converted == 1
