"""Plugins that are broken, or try to be more than they are: each is told by name, and nothing is lost."""

import socket
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import pytest
from support.command_line import Done, cases_of, results, submissions
from support.plugged import EXAMPLE, grader_with, small_plugin
from support.rows import first_of

from grader.registry.groups import Group
from grader.registry.installed import Entry, Plugin
from grader.registry.registry import Registry
from grader.registry.watch import PluginWatch
from grader.sandbox.waiting import Deadline, receive

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


@pytest.mark.parametrize("score", first_of(["5", "-1", "10**400", "float('nan')"]))
def test_no_kind_gives_more_than_there_is(tmp_path: Path, score: str) -> None:
    plugin = small_plugin(
        tmp_path / "site", with_judge(f"Finding(verdict=Verdict.ACCEPTED, score={score})"), KIND
    )
    done = marked(tmp_path, plugin, PLAIN + STABLE, "--anyway")
    assert done.returncode == 5, done.stderr
    assert {one["status"] for one in submissions(tmp_path / "task" / "out").values()} == {"pending"}


@pytest.mark.parametrize("body", first_of(["None", "'accepted'", "Finding(verdict='accepted', score=1)"]))
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


def test_a_rule_that_is_none_is_listed_so(tmp_path: Path) -> None:
    text = "from grader.api.rules import NamedRule\n\nRULE = NamedRule('{nonsense: 3}', 'x')\n"
    plugin = small_plugin(tmp_path / "site", {"rule": text}, {"rules/no fun": "odd.rule:RULE"})
    listed = grader_with(plugin, "plugins", cwd=tmp_path)
    assert listed.returncode == 1
    assert "its text is no rule of a spec: `nonsense` is not a key of a rule" in listed.stderr


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
