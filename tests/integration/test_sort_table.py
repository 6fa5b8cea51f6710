"""What becomes of each sort of value in each of its places: an answer, or a refusal by name.

A sort without a row fails.  One spec holds all rows, so that a place costs one run.  `make test` has some.
"""
# ruff: noqa: E501  # A row of a table stands on one line.

import html
import json
import re
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import pytest
from support.command_line import grader, reproducible, results
from support.installed import needs
from support.rows import first_of
from support.smallest import NOT_DATA, SORTS, VALUES, function_of, write_sorts
from support.sort_rows import NO_LITERAL, REFUSED, ROWS, SHOWN

from grader.values import sort

needs("pandas")


SOME = (
    "none",
    "long-int",
    "nan",
    "list",
    "set-of-mixed",
    "date",
    "record-of-record",
    "enum-in-dict",
    "table",
    "array",
)
EVERY = tuple(ROWS)
of_some = pytest.mark.parametrize(
    "run",
    [pytest.param(SOME, id="some"), pytest.param(EVERY, id="all", marks=pytest.mark.acceptance)],
    indirect=True,
)
of_all = pytest.mark.parametrize(
    "run", [pytest.param(EVERY, id="all", marks=pytest.mark.acceptance)], indirect=True
)

CHECKERS = """

def seen(answer, text):
    name = type(answer).__name__
    if name == "DataFrame":
        found = f"{name} {[list(answer[column]) for column in answer]}"
    elif name == "Series":
        found = f"{name} {list(answer)}"
    elif name in ("set", "frozenset"):
        found = f"{name} {sorted(answer, key=repr)}"
    else:
        found = f"{answer.bit_length()} bits, {answer % 1000}" if name == "int" and answer > 10**99 else repr(answer)
    return None if found == text else f"it sees {found}"
"""
SPOIL = """
from copy import deepcopy


def spoil(x):
    if isinstance(x, list):
        x.append(0)
    elif isinstance(x, set):
        x.add(0)
    elif isinstance(x, dict):
        x["z"] = 0
    elif isinstance(x, Point):
        x.y = 0
    elif type(x).__name__ == "DataFrame":
        x["z"] = 0
    elif type(x).__name__ == "Series":
        x[0] = 9
"""


def cases_of(name: str) -> dict[str, str]:
    sort, function = SORTS[name], function_of(name)
    quoted = sort.text.replace("'", "''")
    cases = {
        "answer": f"{{call: make_{function}(1), returns: same as reference}}",
        "each": f"{{each: make_{function}(i), over: {{i: range(2)}}, returns: same as reference}}",
        "unordered": f"{{call: both_{function}(1), returns: same as reference, unordered: true}}",
        "checked": f"{{call: make_{function}(1), check: {json.dumps(f'seen(text={ROWS[name].seen!r})')}}}",
    }
    if sort.text:
        cases["argument"] = (
            f"{{call: 'pass_{function}({quoted}, 1)', returns: same as reference, unchanged: true}}"
        )
    if sort.text and not sort.made:
        cases["literal"] = f"{{call: 'give_{function}(1)', returns: '{quoted}'}}"
    return cases


def writable(names: Collection[str]) -> list[str]:
    return [name for name in names if SORTS[name].text]


def scenario_of(names: Collection[str]) -> str:
    """Return a question that makes an argument of each sort."""
    text = "  - id: all\n    title: all\n    marks: 1\n    cases:\n      - scenario:\n"
    calls = (cases_of(name)["argument"].replace(", unchanged: true", "") for name in writable(names))
    return text + "".join(f"          - {call}\n" for call in calls)


def told_of(name: str, key: str) -> str:
    """Return what the message about the near value has in a case."""
    row = ROWS[name]
    shown = SHOWN.get(name, SORTS[name].text)
    return {
        "each": f"make_{function_of(name)}(0): {row.told}",
        "unordered": f"items: expected {shown} {'3 times, got it twice' if name == 'none' else 'twice, got it once'}",
        "checked": "it sees ",
        "argument": f"argument 1 was changed: {row.spoilt}" if row.spoilt else row.told,
    }.get(key, row.told)


class Run(NamedTuple):
    """A marked batch of a right work and one with near values.  out: its results."""

    names: tuple[str, ...]
    spec: Path
    out: Path

    @property
    def works(self) -> Path:
        return self.spec.parent / "works"


def functions(name: str, both: str, near: str = "") -> str:
    f = function_of(name)
    text = f"\n\nkept_{f} = make_{f}\n\n\ndef both_{f}(n):\n    return {both.format(v=f'kept_{f}(1)', w=f'make_{f}(1)')}\n"
    text += f"\n\ndef give_{f}(n):\n    return make_{f}(1)\n"
    if near:
        text += f"\n\ndef make_{f}(n):\n    return {near}\n"
        text += f"\n\ndef pass_{f}(x, n):\n    before = deepcopy(x)\n    spoil(x)\n    return {'before' if ROWS[name].spoilt else near}\n"
    return text


@pytest.fixture(scope="session")
def runs() -> dict[tuple[str, ...], Run]:
    return {}


@pytest.fixture
def run(request, runs, tmp_path_factory) -> Run:
    """Return the run of some rows, which is made once."""
    if request.param not in runs:
        runs[request.param] = marked(request.param, tmp_path_factory.mktemp("sorts"))
    return runs[request.param]


def marked(names: tuple[str, ...], folder: Path) -> Run:
    spec = write_sorts(folder, names, cases_of, CHECKERS)
    questions = spec.read_text().replace(f"marks: {len(names)}\n", f"marks: {len(names) + 1}\n", 1)
    spec.write_text(questions + scenario_of(names))
    work = folder / "reference" / "work.py"
    base = work.read_text()
    work.write_text(base + "".join(functions(name, "[{v}, None, {v}]") for name in names))
    for student, both in (("right", "[None, {v}, {v}]"), ("near", "[None, {v}, {w}]")):
        (folder / "works" / student).mkdir(parents=True)
        own = (functions(name, both, ROWS[name].near if student == "near" else "") for name in names)
        (folder / "works" / student / "work.py").write_text(base + SPOIL + "".join(own))
    ended = grader("mark", spec, folder / "works", "-o", folder / "out")
    assert ended.returncode == 0, ended.stderr[-3000:]
    return Run(names, spec, folder / "out")


def cases(document: Any, student: str) -> dict[str, Any]:
    (submission,) = (each for each in document["submissions"] if each["id"] == student)
    questions = [question for question in submission["questions"] if question["id"] in SORTS]
    return {case["id"]: case for question in questions for case in question["cases"]}


def wrong_cells(cases: dict[str, Any], *, near: bool) -> list[str]:
    """Return the cells that are not as the table says."""
    found = []
    for place, case in cases.items():
        name, _, key = place.rpartition(".")
        right = SHOWN.get(name, SORTS[name].text)
        if not near:
            fits = case["verdict"] == "accepted" and (
                key not in ("answer", "literal") or case["actual"] == right
            )
        else:
            fits = case["verdict"] == "wrong-answer" and told_of(name, key) in case["message"]
            if key == "answer":
                fits &= case["expected"] == right and (case["actual"] != right or name == "huge-int")
        if not fits:
            found.append(f"{place}: {case['verdict']} {case['message']} {case['expected']} {case['actual']}")
    return found


def test_each_sort_has_a_row() -> None:
    assert {**ROWS, **REFUSED}.keys() == SORTS.keys()
    assert {name for name in SORTS if name.startswith(NOT_DATA)} == REFUSED.keys()
    made: dict[str, Any] = {}
    exec(VALUES, made)
    classes = {type(eval(row.expression, made)) for name, row in SORTS.items() if name not in REFUSED}
    known = {kind for kind in sort.SORTS if not kind.__module__.startswith("grader.")}
    # A stand-in of ours stands for what a row makes: a record, a table.  A path crosses as a pure one.
    assert known - classes == {object, PurePosixPath}


@of_some
@pytest.mark.parametrize("student", first_of(["right", "near"]))
@pytest.mark.acceptance
def test_a_value_is_itself_in_each_place_and_no_other_is(run: Run, student: str) -> None:
    found = cases(results(run.out), student)
    assert found.keys() == {f"{name}.{key}" for name in run.names for key in cases_of(name)}
    assert wrong_cells(found, near=student == "near") == []


@of_some
@pytest.mark.acceptance  # `make test` has their verdicts
def test_pages_show_both_values_again(run: Run) -> None:
    before = (run.out / "results.json").read_bytes()
    assert grader("report", run.out).returncode == 0
    assert (run.out / "results.json").read_bytes() == before
    texts = {
        name: html.unescape("\n".join(path.read_text() for path in (run.out / name).rglob("near*.html")))
        for name in ("staff", "students")
    }
    texts["junit"] = html.unescape((run.out / "junit.xml").read_text())
    texts["explain"] = grader("explain", run.out, "near").stdout
    found = cases(results(run.out), "near")
    lost = [
        (name, page)
        for name in run.names
        for page, text in texts.items()
        if not all(words(found[f"{name}.answer"][side]) in words(text) for side in ("expected", "actual"))
    ]
    assert lost == []


def words(text: str) -> str:
    return re.sub(r"<[^>]*>|\W", "", text)


@of_all
def test_check_and_the_handout_say_the_same(run: Run, tmp_path: Path) -> None:
    ended = grader("bundle", run.spec, "-o", tmp_path / "handout")
    assert ended.returncode == 0, ended.stderr
    left_out = [line for line in ended.stderr.splitlines() if "left out" in line]
    for name, why in NO_LITERAL.items():
        assert any(f"{name}.answer" in line and why in line for line in left_out)
    for spec, handed_out in ((run.spec, False), (tmp_path / "handout" / "sorts.yaml", True)):
        for student in ("right", "near"):
            done = grader("check", spec, run.works / student, "--json")
            document = json.loads(done.stdout)
            found = cases({"submissions": [document["submission"]]}, student)
            lacking = NO_LITERAL if handed_out else ()
            wanted = {f"{name}.{key}" for name in run.names if name not in lacking for key in cases_of(name)}
            wanted -= {f"{name}.checked" for name in run.names if handed_out}
            assert found.keys() == wanted
            assert wrong_cells(found, near=student == "near") == []


@of_all
def test_kept_evidence_gives_the_same_results(run: Run) -> None:
    before = reproducible(results(run.out))
    assert grader("mark", run.spec, run.works, "-o", run.out).returncode == 0
    assert reproducible(results(run.out)) == before


@of_all
def test_the_script_of_replay_makes_each_argument(run: Run, tmp_path: Path) -> None:
    made = "from pandas import DataFrame, Series\n"
    made += "".join(f"print(repr({SORTS[name].text}))\n" for name in writable(run.names))
    ended = grader("replay", run.out, "right", "all.1", "--to", tmp_path / "all")
    assert ended.returncode == 0, ended.stderr
    script = (tmp_path / "all" / "grader_replay.py").read_text()
    assert plain(script, tmp_path / "all").splitlines() == plain(VALUES + made).splitlines()


def plain(program: str, folder: Path | None = None) -> str:
    """Return what a program prints under plain Python."""
    command = [sys.executable, "-B", "-c", program]
    env = {"PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8:surrogatepass"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True).stdout


def test_what_is_no_data_is_refused_by_name(tmp_path: Path) -> None:
    spec = write_sorts(tmp_path / "own", tuple(REFUSED))
    ended = grader("mark", spec, spec.parent / "reference", "-o", tmp_path / "out")
    assert ended.returncode == 3
    for name, (why, _) in REFUSED.items():
        assert f"the reference does not pass {name}.checked: the answer holds {why}" in ended.stderr
    work = spec.parent / "reference" / "work.py"
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "work.py").write_text(work.read_text())
    work.write_text(
        VALUES + "".join(f"\n\ndef make_{function_of(name)}(n):\n    return 0\n" for name in REFUSED)
    )
    spec.write_text(re.sub(r"check: stands\(\)", "returns: 0", spec.read_text()))
    assert grader("mark", spec, tmp_path / "odd", "-o", tmp_path / "out").returncode == 0
    found = cases(results(tmp_path / "out"), "odd")
    messages = {name: found[f"{name}.checked"]["message"] for name in REFUSED}
    assert messages == {name: f"expected 0 (int), got {shown}" for name, (_, shown) in REFUSED.items()}
