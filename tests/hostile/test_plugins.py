"""Plugins that are broken, or try to be more than they are: each is told by name, and nothing is lost."""

import socket
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import pytest
from support.command_line import Done, cases_of, environment, results, run, submissions
from support.plugged import EXAMPLE, grader_with, small_plugin
from support.rows import first_of

from grader.registry.groups import Group
from grader.registry.installed import Entry, Plugin
from grader.registry.registry import Registry
from grader.registry.watch import PluginWatch
from grader.sandbox.waiting import Deadline, receive

pytestmark = pytest.mark.acceptance  # each starts a process that finds a plugin of its own

SPEC = """\
task: small
title: A small task
marks: 2
modules: {work: work.py}
reference: reference
questions:
  - id: 1
    title: Double
    module: work
    marks: 2
    cases:
"""
PLAIN = "      - call: double(4)\n        returns: 8\n"
PICTURED = "      - call: double(4)\n        returns: 8\n        picture: {by: odd(), always: true}\n"
STABLE = "      - stable: double(3)\n"
WORK = "def double(n):\n    return 2 * n\n"
KIND = {"kinds/stable": "odd.kind:KIND"}
OURS = {
    "keys": (EXAMPLE / "grader_example" / "stable" / "keys.py").read_text(),
    "kind": (EXAMPLE / "grader_example" / "stable" / "kind.py").read_text(),
}


def with_judge(body: str) -> Mapping[str, str]:
    """Return the modules of the example's kind with another judge."""
    line = f"\n\nStableCases.judge = lambda self, case, outcome, expected, oracle: {body}\n"
    return {**OURS, "kind": OURS["kind"] + line}


ODD_FINDINGS = [
    f"Finding(verdict=Verdict.{about})"
    for about in (
        "WRONG_ANSWER, message=5",
        "WRONG_ANSWER, message=None",
        "WRONG_ANSWER, steps=(1,)",
        "WRONG_ANSWER, raised=3",
        "WRONG_ANSWER, message='x' * 30_000_000",
        "WRONG_ANSWER, score=1",
        "ACCEPTED",
        "PARTIAL, score=1",
    )
]


def task(folder: Path, cases: str) -> Path:
    (folder / "reference").mkdir(parents=True)
    (folder / "reference" / "work.py").write_text(WORK)
    for number in (1, 2):
        work = folder / "works" / f"student-0{number}"
        work.mkdir(parents=True)
        (work / "work.py").write_text(f"{WORK}# {number}\n")
    (folder / "small.yaml").write_text(SPEC + cases)
    return folder


def marked(folder: Path, plugin: Path, cases: str = PLAIN, *options: str) -> Done:
    home = task(folder / "task", cases)
    return grader_with(plugin, "mark", "small.yaml", "works", "-o", "out", *options, cwd=home)


@pytest.mark.parametrize(
    ("modules", "brings", "reason"),
    first_of(
        [
            (
                {**OURS, "kind": "1 / 0"},
                KIND,
                "odd.kind:KIND cannot be imported: ZeroDivisionError: division by zero",
            ),
            (
                {**OURS, "kind": "raise SystemExit(0)"},
                KIND,
                "odd.kind:KIND cannot be imported: SystemExit: 0",
            ),
            ({**OURS, "kind": "KIND = 3"}, KIND, "odd.kind:KIND is of type int, and not Kind"),
            ({**OURS, "keys": "KEYS = {}"}, KIND, "its KEYS are no KindKeys with a form"),
            (
                {**OURS, "keys": "import nothing"},
                KIND,
                "odd.keys:KEYS cannot be imported: ModuleNotFoundError",
            ),
            (
                {**OURS, "keys": OURS["keys"].replace('"times"', '"returns"')},
                KIND,
                "`returns` is a key already, and means something else",
            ),
            (
                {**OURS, "keys": OURS["keys"].replace('"stable"', '"call"')},
                KIND,
                "`call` is a key already, and means something else",
            ),
            ({}, {"kinds/calls": "odd.kind:KIND"}, "the grader has one of this name itself"),
            ({}, {"commands/mark": "odd.kind:mark"}, "the grader has one of this name itself"),
            ({}, {"kinds/stable": "os:path"}, "os:path is not in its package odd"),
            (
                {"sort": "from grader.values.sorts.plain import Int\nSORT = Int()"},
                {"values/Whole": "odd.sort:SORT"},
                "values of int have a sort already",
            ),
            (
                {"rule": "RULE = 'no recursion'"},
                {"rules/no fun": "odd.rule:RULE"},
                "is of type str, and not NamedRule",
            ),
        ],
        several=True,
    ),
)
def test_what_is_broken_is_left_out_and_all_else_works(
    tmp_path: Path, modules: Mapping[str, str], brings: Mapping[str, str], reason: str
) -> None:
    plugin = small_plugin(tmp_path / "site", modules, brings)
    done = marked(tmp_path, plugin)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert [one["mark"] for one in results(tmp_path / "task" / "out")["submissions"]] == ["2", "2"]
    listed = grader_with(plugin, "plugins", cwd=tmp_path)
    assert listed.returncode == 1
    told = [line for line in listed.stderr.splitlines() if "odd-plugin 1.0" in line]
    assert [reason in line for line in told] == [True], listed.stderr
    assert "left out" in listed.stdout


def test_a_spec_whose_kind_cannot_be_used_says_which(tmp_path: Path) -> None:
    plugin = small_plugin(tmp_path / "site", {**OURS, "kind": "1 / 0"}, KIND)
    done = marked(tmp_path, plugin, STABLE)
    assert done.returncode == 3
    assert "small.yaml:12:9: plugin odd-plugin 1.0: stable (kinds) is left out" in done.stderr
    assert "ZeroDivisionError" in done.stderr


def test_a_kind_may_import_all_of_the_surface(tmp_path: Path) -> None:
    """A spec's keys are read before the rest of the grader is imported."""
    rooms = ("commands", "exports", "kinds", "languages", "layouts", "machines", "renderers", "values")
    head = "".join(f"import grader.api.{room}\n" for room in rooms)
    plugin = small_plugin(tmp_path / "site", {**OURS, "kind": head + OURS["kind"]}, KIND)
    done = marked(tmp_path, plugin, STABLE)
    assert done.returncode == 0, done.stderr


def test_an_import_changes_nothing_for_the_grader(tmp_path: Path) -> None:
    """It is a script's line: the works would be looked for elsewhere, and the pages be nobody's to read."""
    lines = (
        "import os, signal, sys\n"
        "print('from a plugin')\n"
        "os.chdir('/')\n"
        "os.umask(0o777)\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "sys.setrecursionlimit(sys.getrecursionlimit() // 2)\n"
        "sys.path.clear()\n"
    )
    checks = "import click, os, signal, sys\n\n\n@click.command()\ndef look():\n" + "".join(
        f"    click.echo({what})\n"
        for what in (
            "os.getcwd()",
            "os.umask(0o22)",
            "signal.getsignal(signal.SIGINT) is signal.SIG_IGN",
            "sys.getrecursionlimit()",
        )
    )
    plugin = small_plugin(
        tmp_path / "site", {"look": f"{lines}{checks}"}, {**KIND, "commands/look": "odd.look:look"}
    )
    look = grader_with(plugin, "look", cwd=tmp_path)
    assert look.stdout.split() == [str(tmp_path.resolve()), "18", "False", "1000"], look.stderr
    small_plugin(tmp_path / "site", {**OURS, "kind": lines + OURS["kind"]}, KIND)
    done = marked(tmp_path, plugin, STABLE)
    assert done.returncode == 0, done.stderr
    assert "from a plugin" not in done.stdout
    assert "from a plugin" in done.stderr


def test_a_warning_comes_once_where_a_spec_is_read(tmp_path: Path) -> None:
    plugin = small_plugin(tmp_path / "site", {"keys": "1 / 0"}, KIND)
    done = marked(tmp_path, plugin, PLAIN, "--jobs", "2")
    assert done.stderr.count("warning: plugin odd-plugin 1.0: stable (kinds) is left out") == 1


def test_a_kind_that_raises_costs_its_own_case_alone(tmp_path: Path) -> None:
    plugin = small_plugin(tmp_path / "site", with_judge("1 // 0"), KIND)
    done = marked(tmp_path, plugin, PLAIN + STABLE, "--anyway")
    assert done.returncode == 5, done.stderr
    out = tmp_path / "task" / "out"
    assert {one["status"] for one in submissions(out).values()} == {"pending"}
    cases = cases_of(out, "student-01")
    assert [case["verdict"] for case in cases.values()] == ["accepted", "internal-error"]
    assert "plugin odd-plugin 1.0: ZeroDivisionError" in cases["1.2"]["message"]


def test_a_kind_whose_run_raises_costs_its_own_case_alone(tmp_path: Path) -> None:
    line = "\n\ndef run(self, turns, lab):\n    raise OSError('no')\n\n\nStableCases.run = run\n"
    plugin = small_plugin(tmp_path / "site", {**OURS, "kind": OURS["kind"] + line}, KIND)
    done = marked(tmp_path, plugin, STABLE + PLAIN, "--anyway")
    assert done.returncode == 5, done.stderr
    cases = cases_of(tmp_path / "task" / "out", "student-02")
    assert [case["verdict"] for case in cases.values()] == ["internal-error", "accepted"]
    assert "plugin odd-plugin 1.0: OSError: no" in cases["1.1"]["message"]


@pytest.mark.parametrize(
    "change",
    first_of(
        [
            "def judge(*_):\n    raise SystemExit(0)\n\n\nStableCases.judge = judge",
            "class Odd(BaseException):\n    pass\n\n\n"
            "def judge(*_):\n    raise Odd\n\n\nStableCases.judge = judge",
            "StableCases.expected_text = lambda *_: 1 // 0",
            "StableCases.expected_text = lambda *_: None",
            "StableCases.with_given = lambda *_: None",
            "StableCases.with_given = lambda s, c, result, *_: replace(result, score=0)",
            "StableCases.run = lambda *_: None",
            "StableCases.run = lambda *_: []",
            "StableCases.run = lambda *_: ['x']",
        ],
    ),
)
@pytest.mark.parametrize("jobs", first_of(["1", "2"]))
def test_a_kind_that_fails_in_any_way_costs_its_own_case_alone(
    tmp_path: Path, change: str, jobs: str
) -> None:
    plugin = small_plugin(tmp_path / "site", {**OURS, "kind": f"{OURS['kind']}\n\n{change}\n"}, KIND)
    done = marked(tmp_path, plugin, STABLE + PLAIN, "--anyway", "--jobs", jobs)
    assert (done.returncode, "Traceback" in done.stderr) == (5, False), done.stderr
    for student in ("student-01", "student-02"):
        cases = cases_of(tmp_path / "task" / "out", student)
        assert [case["verdict"] for case in cases.values()] == ["internal-error", "accepted"]
        assert "plugin odd-plugin 1.0" in cases["1.1"]["message"]


def test_a_kind_that_cannot_name_what_to_draw_costs_the_picture_alone(tmp_path: Path) -> None:
    line = "\n\nStableCases.subjects = lambda *_: 1 // 0\n"
    plugin = small_plugin(tmp_path / "site", {**OURS, "kind": OURS["kind"] + line}, KIND)
    done = marked(tmp_path, plugin, STABLE)
    assert done.returncode == 0, done.stderr
    case = cases_of(tmp_path / "task" / "out", "student-01")["1.1"]
    assert "plugin odd-plugin 1.0: ZeroDivisionError" in case["picture_note"]


@pytest.mark.parametrize("cases", first_of(["None", "[]", "['x']", "[replace(common, what=3)]"]))
def test_a_kind_that_reads_no_case_is_told_at_its_place(tmp_path: Path, cases: str) -> None:
    line = f"\n\nStableCases.read = lambda self, fields, common, *_: {cases}\n"
    plugin = small_plugin(tmp_path / "site", {**OURS, "kind": OURS["kind"] + line}, KIND)
    done = marked(tmp_path, plugin, STABLE)
    assert (done.returncode, "Traceback" in done.stderr) == (3, False), done.stderr
    assert "small.yaml:12:9: plugin odd-plugin 1.0: its kind stable read no case here" in done.stderr


@pytest.mark.parametrize(
    "body", first_of(["raise SystemExit(0)", "__import__('pytest').skip('no', allow_module_level=True)"])
)
def test_a_plugin_cannot_end_a_command_in_silence(tmp_path: Path, body: str) -> None:
    """Its module asks pytest to skip it, for example: that is no `Exception`."""
    line = f"\n\ndef read(*_):\n    {body}\n\n\nStableCases.read = read\n"
    plugin = small_plugin(tmp_path / "site", {**OURS, "kind": OURS["kind"] + line}, KIND)
    done = marked(tmp_path, plugin, STABLE)
    assert (done.returncode, "Traceback" in done.stderr) == (5, False), done.stderr
    assert "error: plugin odd-plugin 1.0: S" in done.stderr
    small_plugin(tmp_path / "site", {**OURS, "kind": body}, KIND)
    done = grader_with(plugin, "check", "small.yaml", "works/student-01", cwd=tmp_path / "task")
    assert (done.returncode, "Traceback" in done.stderr) == (3, False), done.stderr
    assert "warning: plugin odd-plugin 1.0: stable (kinds) is left out" in done.stderr


def test_a_command_of_a_plugin_may_end_as_it_likes(tmp_path: Path) -> None:
    text = "import click\n\n\n@click.command()\ndef zap():\n    raise SystemExit(7)\n"
    plugin = small_plugin(tmp_path / "site", {"zap": text}, {"commands/zap": "odd.zap:zap"})
    assert grader_with(plugin, "zap", cwd=tmp_path).returncode == 7


@pytest.mark.parametrize("score", first_of(["5", "-1", "10**400", "float('nan')"]))
def test_no_kind_gives_more_than_there_is(tmp_path: Path, score: str) -> None:
    plugin = small_plugin(
        tmp_path / "site", with_judge(f"Finding(verdict=Verdict.ACCEPTED, score={score})"), KIND
    )
    done = marked(tmp_path, plugin, PLAIN + STABLE, "--anyway")
    assert done.returncode == 5, done.stderr
    assert {one["status"] for one in submissions(tmp_path / "task" / "out").values()} == {"pending"}


@pytest.mark.parametrize(
    "body", first_of(["None", "'accepted'", "Finding(verdict='accepted', score=1)", *ODD_FINDINGS])
)
def test_a_finding_is_a_finding(tmp_path: Path, body: str) -> None:
    plugin = small_plugin(tmp_path / "site", with_judge(body), KIND)
    done = marked(tmp_path, plugin, PLAIN + STABLE, "--anyway")
    assert "Traceback" not in done.stderr
    assert {one["status"] for one in submissions(tmp_path / "task" / "out").values()} == {"pending"}


def test_a_spec_that_a_plugin_cannot_read_is_told_with_its_name(tmp_path: Path) -> None:
    line = "\n\nStableCases.read = lambda *_: 1 // 0\n"
    plugin = small_plugin(tmp_path / "site", {**OURS, "kind": OURS["kind"] + line}, KIND)
    done = marked(tmp_path, plugin, STABLE)
    assert (done.returncode, "Traceback" in done.stderr) == (5, False)
    assert "error: plugin odd-plugin 1.0: ZeroDivisionError" in done.stderr
    assert "GRADER_PLUGINS=none" in done.stderr


def test_a_layout_that_raises_loses_nobody(tmp_path: Path) -> None:
    text = (
        "from grader.api.layouts import Layout\n\n\n"
        "def piece(name, is_folder):\n    raise ValueError(name)\n\n\n"
        "ODD = Layout(name='odd', title='odd', example='a', piece=piece)\n"
    )
    plugin = small_plugin(tmp_path / "site", {"layout": text}, {"layouts/odd": "odd.layout:ODD"})
    done = marked(tmp_path, plugin)
    assert done.returncode == 0, done.stderr
    assert len(submissions(tmp_path / "task" / "out")) == 2
    assert "odd (layouts) is left out: it raised ValueError" in done.stderr


def test_a_renderer_that_raises_costs_the_picture_alone(tmp_path: Path) -> None:
    text = (
        "from grader.api.renderers import Renderer\n\n\n"
        "def draw(actual, expected):\n    raise ValueError('no')\n\n\n"
        "ODD = Renderer(draw)\n"
    )
    plugin = small_plugin(tmp_path / "site", {"draw": text}, {"renderers/odd": "odd.draw:ODD"})
    drawn = PLAIN.replace("returns: 8", "returns: 8\n        picture: {by: odd(), always: true}")
    done = marked(tmp_path, plugin, drawn)
    assert done.returncode == 0, done.stderr
    out = tmp_path / "task" / "out"
    assert [one["mark"] for one in submissions(out).values()] == ["2", "2"]
    assert "odd could not draw this" in cases_of(out, "student-01")["1.1"]["picture_note"]


@pytest.mark.parametrize(
    "body",
    first_of(
        [
            "return ['x']",
            "raise SystemExit(0)",
            "return [Picture(None, None, Grid(float('nan'), 2, ()))]",
            "return [Picture('t', 'x', Raster(1, 1, ((1, 2, 'x'),), b''))]",
            "return [Picture('t', 'x', 'content')]",
        ]
    ),
)
def test_what_is_no_picture_costs_the_picture_alone(tmp_path: Path, body: str) -> None:
    done = drawn_by(tmp_path, body, PICTURED)
    assert done.returncode == 0, done.stderr
    out = tmp_path / "task" / "out"
    assert [one["mark"] for one in submissions(out).values()] == ["2", "2"]
    assert "plugin odd-plugin 1.0" in cases_of(out, "student-01")["1.1"]["picture_note"]


def test_a_renderer_cannot_change_what_is_expected(tmp_path: Path) -> None:
    """It sorts the expected answer in place, for example: the next student would be compared with that."""
    case = "      - call: double([2, 1])\n        returns: [2, 1, 2, 1]\n"
    picture = "        picture: {by: odd(), always: true}\n"
    done = drawn_by(tmp_path, "expected and expected.sort(); return []", case + picture)
    assert done.returncode == 0, done.stderr
    assert [one["mark"] for one in submissions(tmp_path / "task" / "out").values()] == ["2", "2"]


def drawn_by(folder: Path, body: str, cases: str) -> Done:
    """Mark with a plugin's renderer of this body."""
    text = f"from grader.api.renderers import *\n\n\ndef draw(actual, expected):\n    {body}\n\n\n"
    modules = {"draw": f"{text}ODD = Renderer(draw)\n"}
    plugin = small_plugin(folder / "site", modules, {"renderers/odd": "odd.draw:ODD"})
    return marked(folder, plugin, cases, "--jobs", "1")


@pytest.mark.parametrize(
    ("piece", "completed", "status"),
    first_of(
        [
            ("'x'", "pieces", 0),
            ("raise_(SystemExit)", "pieces", 0),
            ("Piece(entry='../x', owner='x', people=())", "pieces", 0),
            ("Piece(entry=name, owner=None, people=())", "pieces", 0),
            ("Piece(entry=name, owner=name, people=())", "None", 5),
            ("Piece(entry=name, owner=name, people=())", "['x']", 5),
        ],
        several=True,
    ),
)
def test_what_is_no_piece_of_a_download_is_told(
    tmp_path: Path, piece: str, completed: str, status: int
) -> None:
    text = (
        "from grader.api.layouts import Layout, Piece\n\n\n"
        "def raise_(error):\n    raise error\n\n\n"
        f"def piece(name, is_folder):\n    return {piece}\n\n\n"
        f"def completed(pieces, *_):\n    return {completed}\n\n\n"
        "ODD = Layout(name='odd', title='odd', example='a', piece=piece, completed=completed)\n"
    )
    plugin = small_plugin(tmp_path / "site", {"layout": text}, {"layouts/odd": "odd.layout:ODD"})
    done = marked(tmp_path, plugin)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
    assert "plugin odd-plugin 1.0" in done.stderr
    if status == 0:
        assert [one["mark"] for one in submissions(tmp_path / "task" / "out").values()] == ["2", "2"]


def test_a_format_and_a_command_that_are_broken_cost_nothing_else(tmp_path: Path) -> None:
    text = (
        "import click\nfrom grader.api.exports import Format\n\n\n"
        "class Odd(click.Command):\n    def get_short_help_str(self, *_):\n        return None\n\n\n"
        "class Raising(click.Command):\n    def get_short_help_str(self, *_):\n        1 // 0\n\n\n"
        "ODD, RAISING = Odd('odd'), Raising('raising')\n"
        "SILENT = Format('x', 'x', lambda job: None)\n"
        "ENDING = Format('x', 'x', lambda job: exit(0))\n"
    )
    names = {
        "commands/odd": "ODD",
        "commands/raising": "RAISING",
        "exports/silent": "SILENT",
        "exports/ending": "ENDING",
    }
    plugin = small_plugin(
        tmp_path / "site", {"all": text}, {place: f"odd.all:{name}" for place, name in names.items()}
    )
    shown = grader_with(plugin, "--help", cwd=tmp_path)
    assert (shown.returncode, "Commands of plugins" in shown.stdout) == (0, True), shown.stderr
    assert "raising (commands) is left out: it raised ZeroDivisionError" in shown.stderr
    assert marked(tmp_path, plugin).returncode == 0
    for name in ("silent", "ending"):
        done = grader_with(plugin, "export", "out", "--to", name, cwd=tmp_path / "task")
        assert (done.returncode, "Traceback" in done.stderr) == (5, False), done.stderr
        assert "error: plugin odd-plugin 1.0: " in done.stderr


def test_a_kind_whose_tool_has_no_version_is_told(tmp_path: Path) -> None:
    line = "\n\nStableCases.tools = lambda *_: {'x': lambda: 5}\n"
    plugin = small_plugin(tmp_path / "site", {**OURS, "kind": OURS["kind"] + line}, KIND)
    done = marked(tmp_path, plugin, STABLE)
    assert (done.returncode, "Traceback" in done.stderr) == (5, False), done.stderr
    assert "plugin odd-plugin 1.0: its kind stable does not say the version of x" in done.stderr


@pytest.mark.parametrize(
    ("rule", "reason"),
    first_of(
        [
            ("{no recursion: ", "small.yaml"),
            ("no fun", "`no fun` is no kind of rule"),
            ("{no fun: {}}", "a rule of a plugin's is one of the grader's own kinds"),
            ("{forbidden names: {names: eval, modules: work}}", "knows no module of a task"),
            ("{forbidden names: {}}", "`names` is missing"),
        ],
        several=True,
    ),
)
def test_a_rule_without_sense_is_a_mistake_at_its_place(tmp_path: Path, rule: str, reason: str) -> None:
    text = f"from grader.api.rules import NamedRule\n\nRULE = NamedRule({rule!r}, 'x')\n"
    plugin = small_plugin(tmp_path / "site", {"rule": text}, {"rules/no fun": "odd.rule:RULE"})
    home = task(tmp_path / "task", PLAIN)
    spec = home / "small.yaml"
    spec.write_text(spec.read_text().replace("questions:", "rules: [no fun]\nquestions:"))
    done = grader_with(plugin, "mark", "small.yaml", "works", "-o", "out", cwd=home)
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert "plugin odd-plugin 1.0, rule `no fun`:1:" in done.stderr
    assert reason in done.stderr or reason == "small.yaml"


def test_a_forged_version_marks_again(tmp_path: Path) -> None:
    """The code counts, and not the number that its author writes."""
    plugin = small_plugin(tmp_path / "site", dict(OURS), KIND)
    assert marked(tmp_path, plugin, STABLE).returncode == 0
    small_plugin(tmp_path / "site", with_judge("Finding(verdict=Verdict.WRONG_ANSWER)"), KIND)
    again = grader_with(plugin, "mark", "small.yaml", "works", "-o", "out", "--anyway", cwd=tmp_path / "task")
    assert "unchanged" not in again.stderr
    assert [one["mark"] for one in submissions(tmp_path / "task" / "out").values()] == ["0", "0"]


def test_a_run_whose_plugin_is_gone_is_read_and_its_name_told(tmp_path: Path) -> None:
    plugin = small_plugin(tmp_path / "site", dict(OURS), KIND)
    assert marked(tmp_path, plugin, STABLE).returncode == 0
    home, gone = tmp_path / "task", tmp_path / "empty"
    for command in (["report", "out"], ["export", "out", "--to", "csv"], ["diff", "out", "out"]):
        assert grader_with(gone, *command, cwd=home).returncode == 0
    told = "note: this run had odd-plugin 1.0, which cannot be used here; see `grader plugins`"
    for command, status in (
        (["explain", "out", "student-01"], 0),
        (["replay", "out", "student-01", "1.1"], 3),
    ):
        done = grader_with(gone, *command, cwd=home)
        assert (done.returncode, told in done.stderr) == (status, True), done.stderr


def test_inside_imports_are_told(tmp_path: Path) -> None:
    plugin = small_plugin(
        tmp_path / "site", {**OURS, "other": "def f():\n    from grader.engine import run\n"}, KIND
    )
    listed = grader_with(plugin, "plugins", cwd=tmp_path)
    told = " ".join(listed.stdout.split())
    assert "odd/other.py:2 imports grader.engine, which any release of the grader may change" in told


def test_names_of_plugins_cannot_draw_on_the_terminal(tmp_path: Path) -> None:
    plugin = small_plugin(tmp_path / "site", {}, {"kinds/x": "odd.kind:KIND"}, name="a-plugin")
    (metadata,) = plugin.glob("*.dist-info")
    (metadata / "METADATA").write_bytes(b"Metadata-Version: 2.1\nName: a\x1b[2Jb\nVersion: 1\x07\n")
    listed = grader_with(plugin, "plugins", cwd=tmp_path)
    assert "\x1b" not in listed.stdout + listed.stderr
    assert "\x07" not in listed.stdout + listed.stderr


# -- a sort of value -----------------------------------------------------------------------------------

ANGLE = (EXAMPLE / "grader_example" / "angle.py").read_text()
SORT = {"values/Angle": "odd.angle:ANGLE"}


@pytest.mark.parametrize(
    ("case", "change", "reason"),
    first_of(
        [
            (
                "call: double(Angle(4))\n        returns: 8",
                "",
                "`Angle` is neither in the reference's module nor a function",
            ),
            (
                "call: double([x])\n        returns: 8",
                "",
                "13:22: a value of `Angle` is for what is expected; a call takes plain data",
            ),
            (
                "call: double(4)\n        returns: Angle(8)",
                "AngleSort.meets = lambda self, expected, actual, rules: type(actual) is int",
                "this `Angle` is not equal to itself",
            ),
            (
                "call: double(4)\n        returns: [Angle(8)]\n        unordered: true",
                "AngleSort.has_keys = False",
                "`unordered` does not go with Angle(8)",
            ),
            (
                "call: double(4)\n        returns: '{Angle(8)}'",
                "AngleSort.has_keys = False",
                "a Angle can't be in a set or be a key",
            ),
            ("call: double(4)\n        returns: Angle('8')", "", "an angle is one number of degrees"),
            (
                "call: double(4)\n        returns: Angle(8)",
                "AngleSort.build = lambda self, args, named: 8",
                "`Angle` made a int, which is not of its sort",
            ),
        ],
        several=True,
    ),
)
def test_what_a_sort_cannot_do_is_a_mistake_at_its_place(
    tmp_path: Path, case: str, change: str, reason: str
) -> None:
    plugin = small_plugin(tmp_path / "site", {"angle": f"{ANGLE}\n\n{change}\n"}, SORT)
    home = task(tmp_path / "task", f"      - {case}\n")
    spec = home / "small.yaml"
    spec.write_text(spec.read_text().replace("questions:", "let: {x: Angle(3)}\nquestions:", 1))
    done = grader_with(plugin, "mark", "small.yaml", "works", "-o", "out", cwd=home)
    assert (done.returncode, "Traceback" in done.stderr) == (3, False), done.stderr
    assert reason in done.stderr


@pytest.mark.parametrize(
    ("change", "told"),
    first_of(
        [
            (
                "difference = lambda s, e, a, *_: None if a == e else True",
                "`difference` of its sort Angle gave a bool",
            ),
            ("shown = lambda *_: None", "`shown` of its sort Angle gave a NoneType"),
            ("meets = lambda s, e, a, *_: 'no' if a != e else True", "`meets` of its sort Angle gave a str"),
            ("difference = lambda s, e, a, *_: None if a == e else 1 // 0", "ZeroDivisionError"),
        ],
        several=True,
    ),
)
def test_a_sort_that_answers_what_it_should_not_costs_its_own_case_alone(
    tmp_path: Path, change: str, told: str
) -> None:
    plugin = small_plugin(tmp_path / "site", {"angle": f"{ANGLE}\n\nAngleSort.{change}\n"}, SORT)
    case = "      - call: double(4)\n        returns: Angle(9)\n"
    done = marked(tmp_path, plugin, case + PLAIN, "--anyway")
    assert (done.returncode, "Traceback" in done.stderr) == (5, False), done.stderr
    assert "odd-plugin 1.0" in done.stderr + done.stdout + str(results(tmp_path / "task" / "out"))
    cases = cases_of(tmp_path / "task" / "out", "student-01")
    assert [each["verdict"] for each in cases.values()] == ["internal-error", "accepted"]
    assert told in cases["1.1"]["message"]


def test_a_rule_that_is_none_is_listed_so(tmp_path: Path) -> None:
    text = "from grader.api.rules import NamedRule\n\nRULE = NamedRule('{nonsense: 3}', 'x')\n"
    plugin = small_plugin(tmp_path / "site", {"rule": text}, {"rules/no fun": "odd.rule:RULE"})
    listed = grader_with(plugin, "plugins", cwd=tmp_path)
    assert listed.returncode == 1
    assert "its text is no rule of a spec: `nonsense` is not a key of a rule" in listed.stderr


# -- a student's folder --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", first_of([":/nowhere", ".", ""]))
def test_nothing_in_the_current_folder_is_imported(tmp_path: Path, path: str) -> None:
    """It is a student's, and `PYTHONPATH` has an empty part, as `$PYTHONPATH:/home/me/lib` often has."""
    home = task(tmp_path / "task", PLAIN)
    work = home / "works" / "student-01"
    stamp = tmp_path / "stamp"
    small_plugin(work, {"kind": f"open({str(stamp)!r}, 'w')"}, KIND)
    for module in ("click", "yaml", "signal", "secrets", "odd2"):
        (work / f"{module}.py").write_text(f"open({str(stamp)!r}, 'w')\n")
    for command in (["-m", "grader"], ["-c", "from grader.cli import main; main()"]):
        done = run(
            [sys.executable, *command, "check", "../../small.yaml", "."],
            cwd=work,
            env=environment(PYTHONPATH=path),
        )
        assert "Mark: 2 of 2" in done.stdout, done.stderr
        assert not stamp.exists()


# -- one that hangs ------------------------------------------------------------------------------------


def test_one_that_waits_for_the_grader_is_not_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its kind runs a student's program, which may wait for minutes."""
    small_plugin(tmp_path, {"calling": "def work(wait):\n    wait()\n"}, {}, package="patient")
    monkeypatch.syspath_prepend(tmp_path)
    entry = Entry(Group.KINDS, "x", "patient.calling:KIND", Plugin("odd-plugin", "1.0", "1.0", "patient"))
    told: list[str] = []
    watch = PluginWatch(Registry([entry]), told.append)
    from patient.calling import work  # type: ignore[import-not-found]

    ours, theirs = socket.socketpair()
    worker = Thread(target=work, args=(partial(receive, theirs, 1, Deadline(20)),))
    worker.start()
    try:
        now = monotonic()
        for after_s in (0, 20, 40):
            watch.look(now + after_s)
        assert told == []
    finally:
        ours.send(b"x")
        worker.join()
        ours.close()
        theirs.close()


def test_who_is_at_work_for_long_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def work(over):\n    over.wait(20)\n"
    small_plugin(tmp_path, {"slow": text}, {"kinds/x": "hanging.slow:KIND"}, package="hanging")
    monkeypatch.syspath_prepend(tmp_path)
    entry = Entry(Group.KINDS, "x", "hanging.slow:KIND", Plugin("odd-plugin", "1.0", "1.0", "hanging"))
    told: list[str] = []
    watch = PluginWatch(Registry([entry]), told.append)
    from hanging.slow import work  # type: ignore[import-not-found]

    over = Event()
    worker = Thread(target=work, args=(over,))
    worker.start()
    try:
        now = monotonic()
        for after_s in (0, 5, 9.9):
            watch.look(now + after_s)
        assert told == []
        for after_s in (10, 11, 60):
            watch.look(now + after_s)
        (sentence,) = told
        assert "plugin odd-plugin 1.0 has been at work for 10 s" in sentence
        assert "slow.py" in sentence
    finally:
        over.set()
        worker.join()


@pytest.mark.acceptance
@pytest.mark.parametrize("place", ["import", "judge"])
def test_one_that_hangs_is_told_and_can_be_interrupted(tmp_path: Path, place: str) -> None:
    hang = "__import__('time').sleep(14)"
    modules = (
        {**OURS, "kind": f"{hang}\n{OURS['kind']}"} if place == "import" else with_judge(f"{hang} or 1 // 0")
    )
    plugin = small_plugin(tmp_path / "site", modules, KIND)
    done = marked(tmp_path, plugin, STABLE, "--anyway", "--jobs", "1")
    assert "note: plugin odd-plugin 1.0 has been at work for 1" in done.stderr
    assert "kind.py" in done.stderr
