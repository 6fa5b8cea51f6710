"""`import: keep`: of a module that raises while it is imported, what it defined before counts."""

from pathlib import Path

import pytest
from support.command_line import Done, grader, results
from support.kind_rows import Work, write_work
from support.marking import cases, mark, verdicts
from support.smallest import KINDS, write_kinds

SPEC = """
import: keep
questions:
  - id: "1"
    title: First
    marks: 1
    award: each
    cases:
      - {call: f(2), returns: 4}
      - {call: g(2), returns: 8}
"""
WHOLE = SPEC.replace("import: keep\n", "")
F = "def f(x):\n    return x * 2\n\n\n"
G = "def g(x):\n    return f(x) * 2\n"
NOTE = "work.py stopped at line {} with {}; what was defined before is marked"

STOPS = [
    ("raise ValueError('no')\n", "ValueError: no"),
    ("x = input()\n", "EOFError: EOF when reading a line"),
    ("import pandas_of_nobody\n", "ModuleNotFoundError: No module named 'pandas_of_nobody'"),
    ("assert f(2) == 5\n", "AssertionError"),
    ("raise KeyboardInterrupt\n", "KeyboardInterrupt"),
    ("undefined\n", "NameError: name 'undefined' is not defined"),
]


@pytest.mark.parametrize(("stop", "told"), STOPS)
def test_what_was_defined_before_counts(stop: str, told: str, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": F + stop + G})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "missing"}
    message = cases(result)["1.2"].message
    assert message == f"the module has no function g; line 5 of work.py raised {told}" or told in message
    (note,) = result.notes
    start, _, end = NOTE.format(5, told).partition(";")
    assert note.startswith(start)
    assert note.endswith(end)


def test_a_program_that_ends_itself(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": F + G + "exit()\n"})
    assert set(verdicts(result).values()) == {"accepted"}
    assert result.notes == ("work.py ended itself at line 7; what was defined before is marked",)


def test_a_whole_module_has_no_note(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": F + G})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    assert result.notes == ()


def test_without_the_key_nothing_is_kept(tmp_path: Path) -> None:
    result = mark(tmp_path, WHOLE, {"work": F + G + "raise ValueError('no')\n"})
    assert set(verdicts(result).values()) == {"load-error"}
    assert result.notes == ()


@pytest.mark.parametrize("text", ["raise ValueError('no')\n" + F, "'a text'\nimport nobody_has_this\n" + F])
def test_where_nothing_was_defined_the_module_does_not_load(text: str, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": text})
    assert set(verdicts(result).values()) == {"load-error"}
    assert result.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        F + "def g(x)\n",
        F + "import os\nos._exit(0)\n",
        pytest.param(F + "while True:\n    pass\n", marks=pytest.mark.acceptance),
        F + "import os\nos.abort()\n",
        F + "x = 'x'\nwhile True:\n    x = x + x\n",
    ],
    ids=["syntax", "exit", "time", "abort", "memory"],
)
def test_what_ends_the_process_or_cannot_be_read_is_a_load_error(text: str, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": text})
    assert set(verdicts(result).values()) == {"load-error"}, [case.message for case in result.cases]
    assert result.notes == ()


def test_a_file_beside_is_kept_too(tmp_path: Path) -> None:
    helper = "def double(x):\n    return x * 2\n\n\n1 / 0\n"
    work = (
        "from helper import double\n\n\ndef f(x):\n    return double(x)\n\n\n" + G + "\n\nraise ValueError\n"
    )
    result = mark(tmp_path, SPEC, {"work": work, "helper": helper})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    assert set(result.notes) == {
        NOTE.replace("work", "helper").format(5, "ZeroDivisionError: division by zero"),
        NOTE.format(12, "ValueError"),
    }


def test_the_line_of_the_file_is_told_and_not_that_of_a_function(tmp_path: Path) -> None:
    text = "def f(x):\n    return x * 2\n\n\ndef main():\n    raise ValueError('deep')\n\n\nmain()\n"
    result = mark(tmp_path, SPEC, {"work": text})
    assert result.notes == (NOTE.format(9, "ValueError: deep"),)


NAMES = tuple(name for name in KINDS if not {*KINDS[name].needs} & {"numpy", "pandas", "ast-grep", "tables"})
SOME = ("call", "given", "scenario", "prints", "harness", "test-file", "time", "program", "rule")
ACCEPTANCE = pytest.mark.acceptance
RAISES = "\n\nraise ValueError('<b>no</b>')\n"


def write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def told(folder: Path, *arguments: str | Path, code: int = 0) -> Done:
    done = grader(*arguments, cwd=folder)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


HEAD = "task: t\ntitle: T\nmarks: 3\nreference: ref\nmodules: {work: work.py}\n"


@pytest.fixture(
    scope="module", params=[pytest.param(SOME, id="some"), pytest.param(NAMES, id="all", marks=ACCEPTANCE)]
)
def kinds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a marked work, all of whose modules that cases import raise at their end."""
    folder = tmp_path_factory.mktemp("kinds")
    spec = write_kinds(folder, request.param)
    spec.write_text(spec.read_text().replace("title:", "import: keep\ntitle:", 1))
    write_work(spec, Work({}), folder / "in" / "ann")
    for name in ("work", "chart"):
        path = folder / "in" / "ann" / f"{name}.py"
        if path.exists():
            path.write_text(path.read_text() + RAISES)
    told(folder, "mark", "kinds.yaml", "in", "-o", "out", "-q", "-j", "1")
    return folder


@pytest.mark.acceptance
def test_every_kind_of_case_that_imports_a_module(kinds: Path) -> None:
    (ann,) = results(kinds / "out")["submissions"]
    found = {case["id"]: (case["verdict"], case["message"]) for q in ann["questions"] for case in q["cases"]}
    assert {name: each for name, each in found.items() if each[0] != "accepted"} == {}
    told_of = {note.partition(" stopped")[0] for note in ann["notes"] if note.endswith("is marked")}
    imported = {"work.py"} | ({"chart.py"} if (kinds / "in/ann/chart.py").exists() else set())
    assert told_of == imported
    assert all("with ValueError: <b>no</b>;" in note for note in ann["notes"])


@pytest.mark.acceptance
def test_the_pages_and_later_runs_say_so(kinds: Path) -> None:
    for page in ("students/ann.html", "staff/ann.html"):
        text = (kinds / "out" / page).read_text()
        assert "with ValueError: &lt;b&gt;no&lt;/b&gt;; what was defined before is marked" in text
    before = results(kinds / "out")["submissions"][0]["notes"]
    # The evidence of the run before is enough, so no box opens.
    spec = kinds / "kinds.yaml"
    spec.write_text(spec.read_text().replace("title:", "title: More", 1))
    told(kinds, "mark", "kinds.yaml", "in", "-o", "out", "-q", "-j", "1")
    assert results(kinds / "out")["submissions"][0]["notes"] == before
    told(kinds, "remark", "out", "-q", "-o", "again")
    assert results(kinds / "again")["submissions"][0]["notes"] == before


@pytest.mark.acceptance
def test_check_replay_and_bundle(kinds: Path, tmp_path: Path) -> None:
    done = told(kinds, "check", "kinds.yaml", "in/ann")
    assert "what was defined before is marked" in " ".join(done.stdout.split())
    done = told(kinds, "replay", "out", "ann", "call.1")
    assert "raises while it is imported" in done.stderr
    told(kinds, "bundle", "kinds.yaml", "-o", tmp_path / "handout")
    assert any("import: keep" in path.read_text() for path in (tmp_path / "handout").rglob("*.yaml"))


def test_the_index_names_the_works(tmp_path: Path) -> None:
    spec = "task: t\ntitle: T\nmarks: 1\nmodules: {work: work.py}\n" + SPEC
    works = {"in/ann/work.py": F + "raise ValueError('no')\n", "in/bob/work.py": F + G}
    write(tmp_path, {"t.yaml": spec, **works})
    done = told(tmp_path, "mark", "t.yaml", "in", "-o", "out", "-q")
    assert "! 1 work raised at import; what was defined before is marked: ann" in done.stdout
    assert "1 work raised at import" in (tmp_path / "out/index.html").read_text()
    assert "do not load" not in done.stderr


def test_in_german(tmp_path: Path) -> None:
    spec = "task: t\ntitle: T\nmarks: 1\nlanguage: de\nmodules: {work: work.py}\n" + SPEC
    write(tmp_path, {"t.yaml": spec, "in/ann/work.py": F + "raise ValueError('no')\n"})
    told(tmp_path, "mark", "t.yaml", "in", "-o", "out", "-q")
    page = (tmp_path / "out/students/ann.html").read_text()
    assert "work.py brach in Zeile 5 mit ValueError: no ab; bewertet wird, was davor definiert ist" in page


def test_a_reference_that_raises_is_not_kept(tmp_path: Path) -> None:
    spec = HEAD.replace("marks: 3", "marks: 1") + SPEC
    write(tmp_path, {"t.yaml": spec, "ref/work.py": F + G + "raise ValueError('no')\n", "in/ann/work.py": F})
    done = told(tmp_path, "mark", "t.yaml", "in", "-o", "out", "-q", code=3)
    assert "ValueError: no" in done.stderr


@pytest.mark.parametrize("case", ["{program: work, stdout: hi}", "{rule: no recursion}"])
def test_where_nothing_is_imported_the_key_is_refused(case: str, tmp_path: Path) -> None:
    spec = (
        "task: t\ntitle: T\nmarks: 1\nmodules: {work: work.py}\nimport: keep\n"
        f'questions:\n  - id: "1"\n    title: A\n    marks: 1\n    cases:\n      - {case}\n'
    )
    write(tmp_path, {"t.yaml": spec, "in/ann/work.py": F})
    done = told(tmp_path, "mark", "t.yaml", "in", "-o", "out", "-q", code=3)
    assert "`import: keep` has no effect: no case imports a module of a submission" in done.stderr


def test_another_word_is_a_mistake(tmp_path: Path) -> None:
    write(tmp_path, {"t.yaml": HEAD + SPEC.replace("import: keep", "import: kept"), "in/ann/work.py": F})
    done = told(tmp_path, "mark", "t.yaml", "in", "-o", "out", "-q", code=3)
    assert "keep" in done.stderr


# -- modules that others import -----------------------------------------------------------------------

TRIES = [
    "try:\n    import fast\nexcept ImportError:\n    fast = None\n",
    "def load():\n    import fast\n    return fast\n\n\n"
    "try:\n    fast = load()\nexcept Exception:\n    fast = None\n",
    "try:\n    from fast import square\n    fast = 1\nexcept (ImportError, OSError):\n    fast = None\n",
]
USES = "\n\ndef f(x):\n    return fast.square(x) if fast else x * 2\n\n\ndef g(x):\n    return x * 4\n"
FAST = "STEP = 2\nimport numpy_of_nobody\n\n\ndef square(x):\n    return x * 2\n"


@pytest.mark.parametrize("tried", TRIES)
def test_what_the_importer_catches_reaches_it(tried: str, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": tried + USES, "fast": FAST})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    assert result.notes == ()


@pytest.mark.parametrize("spec", [SPEC, WHOLE])
def test_such_a_work_counts_as_much_as_without_the_key(spec: str, tmp_path: Path) -> None:
    assert set(verdicts(mark(tmp_path, spec, {"work": TRIES[0] + USES, "fast": FAST})).values()) == {
        "accepted"
    }


@pytest.mark.parametrize("start", ["import fast\n", "try:\n    import fast\nfinally:\n    pass\n"])
def test_what_nobody_catches_is_kept(start: str, tmp_path: Path) -> None:
    uses = "\n\ndef f(x):\n    return fast.STEP * x\n\n\ndef g(x):\n    return x * 4\n"
    result = mark(tmp_path, SPEC, {"work": start + uses, "fast": FAST})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    assert result.notes[0].startswith("fast.py stopped at line 2 with ModuleNotFoundError: ")


@pytest.mark.parametrize("handler", ["ImportError", "(ImportError, OSError)", "Nothing", "KeyError"])
def test_what_its_handler_does_not_take_is_kept(handler: str, tmp_path: Path) -> None:
    fast = "STEP = 2\nint('a')\n\n\ndef square(x):\n    return x * 2\n"
    uses = f"try:\n    from fast import STEP\nexcept {handler}:\n    STEP = 7\n"
    uses += "\n\ndef f(x):\n    return STEP * x\n\n\ndef g(x):\n    return x * 4\n"
    result = mark(tmp_path, SPEC, {"work": uses, "fast": fast})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    assert result.notes[0].startswith("fast.py stopped at line 2 with ValueError")


@pytest.mark.parametrize("handler", ["ValueError", "(KeyError, ValueError)", "Exception", ""])
def test_what_its_handler_takes_reaches_it(handler: str, tmp_path: Path) -> None:
    fast = "STEP = 7\nint('a')\n"
    uses = f"try:\n    from fast import STEP\nexcept {handler}:\n    STEP = 2\n"
    uses += "\n\ndef f(x):\n    return STEP * x\n\n\ndef g(x):\n    return x * 4\n"
    result = mark(tmp_path, SPEC, {"work": uses, "fast": fast})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    assert result.notes == ()
