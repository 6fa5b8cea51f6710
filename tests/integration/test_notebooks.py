"""Notebooks as submissions: cells that raise, messages and pages, rules, programs, similar works."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.command_line import grader, results
from support.marking import HEAD, cases, mark, verdicts
from support.rows import first_of
from support.trees import MakeTree
from support.works import Here

from grader.engine.submission.sources import kept_sources
from grader.intake import digest, discover, read
from grader.model.results import SubmissionResult
from grader.reports.views.case.source import Lines, sources_view
from grader.sandbox.driver import Driver
from grader.spec import load_task
from grader.wire.notebook import joined

MODULES = {"work": "work.py"}
SPEC = """
questions:
  - id: "1"
    title: First
    marks: 1
    award: each
    cases:
      - {call: f(2), returns: 4}
      - {call: g(2), returns: 8}
"""
F, G = "def f(x):\n    return x * 2", "def g(x):\n    return f(x) * 2"


def of(*sources: str) -> str:
    return joined(enumerate(sources, 1))


def messages(result: SubmissionResult) -> list[str]:
    return [case.message for case in cases(result).values()]


# -- cells that raise --------------------------------------------------------------------------------

STOPPED = "; what was defined before is marked"
RAISING = [
    ("x = 1\ny = 1 / 0", "stopped at line 2 with ZeroDivisionError: division by zero"),
    ("def g(x:\n    pass", "stopped at line 1 with SyntaxError: '(' was never closed"),
    ("'''", "stopped at line 1 with SyntaxError: unterminated triple-quoted string literal"),
    ("exit()", "ended itself at line 1"),
    ("x = input()", "stopped at line 1 with EOFError: EOF when reading a line"),
    ("raise KeyboardInterrupt", "stopped at line 1 with KeyboardInterrupt"),
    ("raise ValueError('no')\ndef g(x):\n    return 8", "stopped at line 1 with ValueError: no"),
    (
        "import seaborn_of_nobody",
        "stopped at line 1 with ModuleNotFoundError: No module named 'seaborn_of_nobody'",
    ),
]


@pytest.mark.parametrize(("source", "told"), RAISING)
def test_a_cell_that_raises_is_told_with_its_line(source: str, told: str, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": of(F, source)})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "missing"}
    (note,) = result.notes
    assert note.startswith(f"cell 2 of work.ipynb {told}")
    assert note.endswith(STOPPED)


def test_what_a_cell_bound_before_it_raised_stays_as_in_jupyter(tmp_path: Path) -> None:
    cells = of("1 / 0", f"{F}\nbase = 2\nassert f(1) == 3\nbase = 3", f"{G}\nz = y\ndef f(x):\n    return 0")
    result = mark(tmp_path, SPEC, {"work": cells})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    places = [note.partition(" with ")[0] for note in result.notes]
    assert places == [
        f"cell {number} of work.ipynb stopped at line {line}" for number, line in ((1, 1), (2, 4), (3, 3))
    ]


def test_one_cell_that_raises_at_its_end_is_enough(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": of(f"{F}\n{G}\n1 / 0")})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    assert len(result.notes) == 1


def test_cells_that_do_not_raise_have_no_note(tmp_path: Path) -> None:
    assert mark(tmp_path, SPEC, {"work": of(F, G)}).notes == ()


AWAITED = [
    ("import asyncio\nawait asyncio.sleep(0.001)\n{0}",),
    (
        "import asyncio\n\nasync def two():\n    await asyncio.sleep(0.001)\n    return 2",
        "two_ = await two()\n{0}",
    ),
    (
        "import asyncio\nseen = []\n\nasync def go_on():\n    await asyncio.sleep(0)\n    seen.append(1)",
        "task = asyncio.create_task(go_on())",
        "await task\nassert seen == [1]\n{0}",
    ),
    (
        "async def numbers():\n    yield 1\n    yield 2",
        "x = [n async for n in numbers()]\nx[1]\n{0}",
    ),
    ("import asyncio\n\nasync def two():\n    return 2", "assert asyncio.run(two()) == 2\n{0}"),
    (
        "import asyncio\nasync def w():\n    return 2",
        "l = asyncio.get_event_loop()",
        "await l.create_task(w())\n{0}",
    ),
    ("import asyncio\nasync def w():\n    return 2", "t = asyncio.gather(w())", "await t\n{0}"),
    (
        "import asyncio\nasync def w():\n    return 2\n\ndef start():\n    return asyncio.create_task(w())",
        "t = start()",
        "await t\n{0}",
    ),
    (
        "import asyncio\nasync def w():\n    return 2",
        "await w()",
        "asyncio.get_event_loop().run_until_complete(w())",
        "assert asyncio.run(w()) == 2\nt = asyncio.create_task",
        "t = t(w())\nassert await t == 2\n{0}",
    ),
]


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
@pytest.mark.parametrize("cells", AWAITED, ids=range(len(AWAITED)))
def test_a_cell_can_await(cells: tuple[str, ...], driver: Driver, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": of(*(cell.format(F) for cell in cells), G)}, driver=driver)
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}, result.notes
    assert result.notes == ()


def test_the_linter_takes_what_jupyter_allows(tmp_path: Path) -> None:
    spec = SPEC.replace("questions:", "rules: [{linter: {penalty: 1}}]\nquestions:", 1)
    cells = ("async def w():\n    return 2", "r = await w()", "1;", f"{F}\n", f"{G}\n", "r;")
    found = []
    for place, more in (("right", ()), ("wrong", ("import os",))):
        (tmp_path / place).mkdir()
        result = mark(tmp_path / place, spec, {"work": of(*cells, *more)})
        found.append([each.message[:4] for rule in result.rules for each in rule.findings])
    assert found == [[], ["F401"]]


def test_a_function_that_awaits_wrongly_is_still_refused(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": of(F, "def g(x):\n    return await f(x)", G)})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    assert "SyntaxError: 'await' outside async function" in result.notes[0]


def test_a_python_file_cannot_await(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": f"import asyncio\nawait asyncio.sleep(0)\n{F}\n{G}\n"})
    assert set(verdicts(result).values()) == {"load-error"}


SHOWN = (
    "display({0}(2))",
    "display()\ndisplay(1, {0}(2), display_id=True)",
    "get_ipython().run_line_magic('matplotlib', 'inline')",
    "x = 'google.colab' in str(get_ipython())",
    "from IPython.display import HTML, display, clear_output\nclear_output(wait=True)\ndisplay(HTML('<b>'))",
    "import IPython\nfrom IPython import get_ipython\nIPython.display.display({0}(2))",
    "import IPython.display as show\nshow.Markdown('# x')\nshow.set_matplotlib_formats('svg')",
)


@pytest.mark.parametrize("shown", SHOWN)
def test_what_jupyter_has_costs_a_cell_nothing(shown: str, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": of(f"{F}\n{shown.format('f')}", f"{G}\n{shown.format('g')}")})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}, messages(result)


def test_libraries_find_no_jupyter(tmp_path: Path) -> None:
    """matplotlib would draw by it."""
    spec = """
packages: [matplotlib]
questions:
  - id: "1"
    title: First
    marks: 1
    cases:
      - {call: f(2), plot: {title: "A", lines: "[[(0, 2)]]"}}
"""
    first = (
        "import IPython\nfrom IPython.display import display\nimport matplotlib.pyplot as plt\nplt.figure()"
    )
    draw = "def f(x):\n    plt.plot([x])\n    plt.title('A')\n    display(plt.gcf())"
    result = mark(tmp_path, spec, {"work": of(first, draw)})
    assert verdicts(result) == {"1.1": "accepted"}, messages(result)


def test_no_command_of_jupyters_runs(tmp_path: Path) -> None:
    run = "get_ipython().run_cell('def g(x): return 8')\nget_ipython().system('touch here')"
    result = mark(tmp_path, SPEC, {"work": of(F, run)})
    assert verdicts(result) == {"1.1": "accepted", "1.2": "missing"}


def test_a_python_file_has_nothing_of_jupyters(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": f"{F}\n{G}\ndisplay(1)\n"})
    assert verdicts(result) == {"1.1": "load-error", "1.2": "load-error"}


def test_the_cells_around_a_broken_one_work_together(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": of(F, "'''", G, "1 / 0")})
    assert set(verdicts(result).values()) == {"accepted"}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ('{"cells": [', "work.ipynb is no notebook: it is not valid JSON"),
        (json.dumps({"cells": [], "x": "y" * 10_500_000}), "work.ipynb is larger than 10 MiB, the most that"),
    ],
)
def test_a_notebook_that_is_not_read_is_told_as_such_and_not_as_missing(
    data: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "in" / "student-01").mkdir(parents=True)
    (tmp_path / "in" / "student-01" / "work.ipynb").write_text(data)
    spec = HEAD.replace("work.py", "work.ipynb") + SPEC
    for language in ("en", "de"):
        (tmp_path / "task.yaml").write_text(f"language: {language}\n{spec}")
        done = grader("mark", "task.yaml", "in", "-o", "out", cwd=tmp_path)
        assert f"no code was read: {why}" in " ".join(done.stderr.split())
        assert "missing" not in done.stderr
        assert f"the module could not be loaded: no code was read: {why}" in str(results(tmp_path / "out"))
        page = (tmp_path / "out" / "students" / "student-01.html").read_text()
        assert "there is no" not in page
        assert ("Problems with what" if language == "en" else "Probleme mit der") not in page
        assert ("o code was read:" if language == "en" else "s wurde kein Code gelesen:") in page


def test_a_missing_name_is_told_by_the_cell_that_has_it(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": of("1 / 0", F, f"z = y\n{G}")})
    assert "line 1 of cell 3 of work.ipynb raised NameError: name 'y' is not defined" in messages(result)[1]


def test_a_cell_that_does_not_name_it_is_not_the_reason(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": of("1 / 0", F)})
    assert "raised" not in messages(result)[1]


def test_a_missing_name_is_no_exception_that_a_case_expects(tmp_path: Path) -> None:
    spec = SPEC.replace("{call: g(2), returns: 8}", "{call: g(2), raises: ZeroDivisionError}")
    assert verdicts(mark(tmp_path, spec, {"work": of(F, "1 / 0\ndef g(x): pass")}))["1.2"] == "missing"


def test_where_all_cells_raise_the_module_does(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": of("import no_such_module", "1 / 0")})
    assert set(verdicts(result).values()) == {"load-error"}
    assert "no_such_module" in messages(result)[0]
    assert "(line 1 of cell 1 of work.ipynb)" in messages(result)[0]


def test_features_of_the_future_hold_for_the_cells_below(tmp_path: Path) -> None:
    later = "def f(x: undefined) -> unknown:\n    return x * 2"
    result = mark(tmp_path, SPEC, {"work": of("from __future__ import annotations", later, G)})
    assert set(verdicts(result).values()) == {"accepted"}


def test_an_exception_is_told_by_cell_and_line(tmp_path: Path) -> None:
    work = of(
        "import math", "def f(x):\n    y = x\n    return y / 0", "def g(x):\n    while True:\n        pass"
    )
    spec = SPEC.replace("returns: 8}", "returns: 8, limits: {time: 100ms}}")
    result = mark(tmp_path, spec, {"work": work})
    raised, stopped = cases(result).values()
    assert raised.raised is not None
    (frame,) = raised.raised.frames
    assert (frame.file, frame.line, frame.source) == ("cell 2 of work.ipynb", 3, "return y / 0")
    assert "(line 3 of cell 2 of work.ipynb)" in raised.message
    assert stopped.stopped_at is not None
    assert stopped.stopped_at.file == "cell 3 of work.ipynb"
    assert stopped.stopped_at.source in ("while True:", "pass")


def test_a_program_shows_cells_in_its_traceback_and_ends_at_the_first(tmp_path: Path) -> None:
    spec = """
    questions:
      - id: "1"
        title: First
        marks: 1
        cases:
          - {program: work, stdout: "one\\n", stderr: no, exit: 1}
    """
    result = mark(tmp_path, spec, {"work": of("print('one')", "x = 1\n1 / 0", "print('two')")})
    (case,) = cases(result).values()
    text = repr(case)
    assert "two" not in text
    assert 'File "cell 2 of work.ipynb", line 2, in <module>' in text.replace("\\", "")
    assert "1 / 0" in text


# -- rules, pages, similar works ---------------------------------------------------------------------


def ruled(tmp_path: Path, rule: str, *sources: str) -> tuple[str, list[tuple[str, int]]]:
    spec = f"""
    questions:
      - id: "1"
        title: First
        marks: 1
        cases:
          - {rule}
    """
    (case,) = cases(mark(tmp_path, spec, {"work": of(*sources)})).values()
    return str(case.verdict), [(found.file, found.line) for found in case.findings or ()]


RULES = [
    "rule: no recursion",
    "rule: {forbidden names: {names: [sorted]}}",
    "rule: {forbidden constructs: {constructs: [while]}}",
    "rule: {forbidden constructs: {patterns: ['sorted($X)']}}",
    "rule: {linter: {select: [E711]}}",
]


def test_the_linter_knows_what_jupyter_has(tmp_path: Path) -> None:
    rule = "rule: {linter: {select: [E4, F, B]}}"
    cells = ("import math", "x = math.pi\ndisplay(x)\nx", "import re\nget_ipython().magic(re.escape('x'))")
    assert ruled(tmp_path, rule, *cells) == ("accepted", [])
    assert ruled(tmp_path, rule, *cells, "displayed(x)")[0] == "rule-broken"


BAD = "x = 1\ndef h(x):\n    while sorted(x) == None: return h(x)"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("around", first_of(["'''", "y = 2", "if ("]))
def test_rules_see_each_cell(rule: str, around: str, tmp_path: Path) -> None:
    verdict, found = ruled(tmp_path, rule, around, BAD, around)
    assert verdict == "rule-broken"
    # The submission of the helper calls its file work.py.
    assert {file for file, _ in found} == {"cell 2 of work.py.ipynb"}
    assert {line for _, line in found} <= {2, 3}


def test_a_notebook_of_nothing_but_broken_cells_is_no_python(tmp_path: Path) -> None:
    assert ruled(tmp_path, "rule: no recursion", "'''", "if (")[0] == "load-error"


def test_pages_show_each_cell_with_its_own_lines(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    cells = [{"cell_type": "code", "source": each} for each in ("x = 1", "def f(x):\n    return x / 0")]
    (tmp_path / "a" / "work.ipynb").write_text(json.dumps({"cells": cells}))
    (tmp_path / "sample.yaml").write_text(HEAD + SPEC)
    task = load_task(tmp_path / "sample.yaml")
    (candidate,) = discover([tmp_path / "a"], dict(task.modules))
    work = read(candidate, dict(task.modules))
    (tmp_path / "m").mkdir()
    result = mark(tmp_path / "m", SPEC, {"work": work.files["work"].text})
    result = replace(result, sources=kept_sources(task, work))
    first, second = sources_view(result, Lines(result.sources))
    assert (first.file, first.faults) == ("cell 1 of work.ipynb", 0)
    assert (second.file, second.faults) == ("cell 2 of work.ipynb", 1)
    (stretch,) = second.stretches
    assert [(line.number, line.text, bool(line.notes)) for line in stretch.lines] == [
        (1, "def f(x):", False),
        (2, "    return x / 0", True),
    ]


def test_similar_works_are_seen_behind_a_cell_that_opens_a_string() -> None:
    scanner = Here()
    source = "def f(numbers):\n    return [number * 2 for number in numbers]\n"
    text = of("'''", source).removeprefix("\udc01")
    plain, hidden = scanner.scan(source), scanner.scan(text, [3, 5])
    assert plain.codes in hidden.codes
    assert list(hidden.lines)[-1] == 6


# -- where they come from ----------------------------------------------------------------------------

WORK = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": "def f(x): return x"}]})
OTHER = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": "def f(x): return 0"}]})
LAYOUTS = {
    "folders": {"ada/work.ipynb": WORK, "bob/work.ipynb": WORK},
    "files": {"ada.ipynb": WORK, "bob.ipynb": WORK},
    "mixed files": {"ada.ipynb": WORK, "bob.ipynb": WORK, "cy.py": "def f(x): return x"},
    "doubles": {"ada.ipynb": OTHER, "ada.py": "def f(x): return x", "bob.py": "def f(x): return x"},
    "canvas": {"adamsamy_1234_56789_work.ipynb": WORK, "bobbyb_1235_56790_work.ipynb": WORK},
    "moodle": {
        "Ada A_1_assignsubmission_file_/work.ipynb": WORK,
        "Bob B_2_assignsubmission_file_/My work.ipynb": WORK,
    },
    "one below": {"ada/src/work.ipynb": WORK, "bob/work.ipynb": WORK},
}


@pytest.mark.parametrize("files", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("zipped", [False, True])
def test_notebooks_are_found_where_python_files_are(
    files: dict[str, str], zipped: bool, make_folder: MakeTree, make_zip: MakeTree
) -> None:
    root = make_zip("batch.zip", files) if zipped else make_folder("batch", files)
    found = [read(each, MODULES) for each in discover([root], MODULES)]
    assert len(found) == len({name.removesuffix(".ipynb").removesuffix(".py") for name in files})
    for each in found:
        assert not each.problems
        assert "def f(x): return x" in each.files["work"].text


def test_a_single_notebook_and_one_students_folder_are_one_work(make_folder: MakeTree) -> None:
    folder = make_folder("mine", {"work.ipynb": WORK, "notes.ipynb": OTHER, "helper.py": ""})
    for path in (folder, folder / "work.ipynb"):
        (each,) = [read(found, MODULES) for found in discover([path], MODULES)]
        assert "def f(x): return x" in each.files["work"].text


def test_a_notebook_too_many_is_told_and_not_read(make_folder: MakeTree) -> None:
    folder = make_folder("mine", {"work.py": "def f(x): return x", "work.ipynb": "[" * 1000})
    (each,) = [read(found, MODULES) for found in discover([folder], MODULES)]
    assert each.files["work"].text == "def f(x): return x"
    assert not each.problems
    assert each.notes == ("work.ipynb was not read; a notebook is, where the task asks for its name",)


@pytest.mark.parametrize("content", ["[" * 1000, "x" * 11_000_000, "{}"], ids=["deep", "long", "no cells"])
def test_a_notebook_that_is_none_is_no_module_and_told(content: str, make_folder: MakeTree) -> None:
    (each,) = [
        read(found, MODULES) for found in discover([make_folder("a", {"work.ipynb": content})], MODULES)
    ]
    assert not each.files
    assert any("work.ipynb" in problem for problem in each.problems)


def test_the_digest_of_a_notebook_is_known_without_its_code(make_folder: MakeTree) -> None:
    (found,) = discover([make_folder("a", {"work.ipynb": WORK})], MODULES)
    assert digest(found, MODULES) == read(found, MODULES).sha256


# -- a notebook as the reference -----------------------------------------------------------------------


def notebook(*cells: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "metadata": {}, "source": cell} for cell in cells]})


ASKED = SPEC.replace("returns: 8", "returns: same as reference")
OWN = f"{HEAD.replace('work.py', 'work.ipynb')}reference: reference\n{ASKED}"


@pytest.fixture
def by_notebook(tmp_path: Path) -> Path:
    (tmp_path / "reference").mkdir()
    start = "%matplotlib inline\nimport asyncio\nawait asyncio.sleep(0)\ndisplay(1)"
    (tmp_path / "reference" / "work.ipynb").write_text(notebook(start, F, G))
    (tmp_path / "task.yaml").write_text(OWN)
    (tmp_path / "in" / "student-01").mkdir(parents=True)
    (tmp_path / "in" / "student-01" / "work.ipynb").write_text(notebook(F, G))
    return tmp_path


def test_a_reference_can_be_a_notebook(by_notebook: Path) -> None:
    done = grader("mark", "task.yaml", "in", "-o", "out", cwd=by_notebook)
    assert done.returncode == 0, done.stderr
    assert "1 of 1" in done.stdout
    assert "unchanged" in grader("mark", "task.yaml", "in", "-o", "out", cwd=by_notebook).stderr
    assert "verdict as recorded" in grader("replay", "out", "student-01", "1.2", cwd=by_notebook).stdout
    reference = by_notebook / "reference" / "work.ipynb"
    reference.write_text(reference.read_text().replace("f(x) * 2", "f(x) * 3"))
    again = grader("mark", "task.yaml", "in", "-o", "out", cwd=by_notebook)
    assert "0.5 of 1" in again.stdout
    assert "unchanged" not in again.stderr


def test_a_handout_of_it_has_its_answers(by_notebook: Path) -> None:
    done = grader("bundle", "task.yaml", "-o", "hand", cwd=by_notebook)
    assert done.returncode == 0, done.stderr
    assert "returns: 8" in (by_notebook / "hand" / "sample.yaml").read_text()


def test_a_python_file_beside_it_is_the_reference(by_notebook: Path) -> None:
    (by_notebook / "reference" / "work.py").write_text(f"{F}\n\n\n{G.replace('* 2', '* 5')}\n")
    done = grader("mark", "task.yaml", "in", "-o", "out", cwd=by_notebook)
    assert "0.5 of 1" in done.stdout


def test_a_reference_that_is_none_is_a_mistake_in_the_spec(by_notebook: Path) -> None:
    for text, told in (
        ("{", "work.ipynb is no notebook: it is not valid JSON"),
        (notebook("def f(x:"), "not valid Python"),
        (notebook("1 / 0", F, G), "ZeroDivisionError"),
    ):
        (by_notebook / "reference" / "work.ipynb").write_text(text)
        done = grader("mark", "task.yaml", "in", "-o", "out", cwd=by_notebook)
        assert done.returncode == 3, done.stdout
        assert told in done.stderr
        assert "Traceback" not in done.stderr
