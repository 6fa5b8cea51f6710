"""What there is of each family: ours, what plugins bring, and what is left out with a reason."""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest
from support.perl import Perl
from support.plugged import small_plugin

from grader.api.keys import INTEGER, OF_EVERY, CaseForm, Key, KindKeys
from grader.cli import run
from grader.judge.messages import failed_build
from grader.judge.traces import exception_in
from grader.languages import toolchain
from grader.languages.language import Trace
from grader.registry.groups import IN_MARKS, OURS, STATED, WANTED, Group
from grader.registry.installed import Entry, Plugin, installed_entries
from grader.registry.registry import API, PluginFailed, Registry
from grader.registry.shapes import misfit
from grader.spec.keys.case import _OF_KINDS, _clash

PLUGIN = Plugin("shapes", "2.0", api=API, package="support")
RIVAL = Plugin("forms", "0.1", api=API, package="support")


def entry(group: Group, name: str, value: str, plugin: Plugin = PLUGIN) -> Entry:
    return Entry(group, name, value, plugin)


PERL = entry(Group.LANGUAGES, "perl", "support.perl:LANGUAGE")


def faults(*entries: Entry) -> list[str]:
    """Return the reasons why entries are left out, when all of their families are looked at."""
    known = Registry(entries)
    for group in Group:
        known.names(group)
    return [str(fault) for fault in known.faults]


def test_each_family_says_what_type_it_wants() -> None:
    assert WANTED.keys() == set(Group)
    for value in WANTED.values():
        module, _, name = value.partition(":")
        assert isinstance(getattr(import_module(module), name), type)


@pytest.mark.parametrize(("group", "name"), [(group, name) for group in OURS for name in OURS[group]])
def test_each_of_ours_is_found(group: Group, name: str) -> None:
    if group is not Group.MACHINES:  # they need the cluster extra
        assert Registry([]).load(group, name) is not None


def test_each_command_of_ours_has_a_line_in_the_help() -> None:
    assert list(run._SUMMARIES) == list(OURS[Group.COMMANDS])


def test_what_a_plugin_brings_comes_after_ours() -> None:
    known = Registry([PERL])
    assert known.names(Group.LANGUAGES) == [*OURS[Group.LANGUAGES], "perl"]
    assert known.load(Group.LANGUAGES, "perl").title == "Perl"
    assert (known.faults, known.plugins) == ([], (PLUGIN,))


@pytest.mark.parametrize(
    ("made_for", "reason"),
    [
        ("1.0", ""),
        ("", "it does not say for which version of grader.api it is made"),
        ("1", "'1' is no version of grader.api, which are like 1.0"),
        ("1.x", "'1.x' is no version of grader.api, which are like 1.0"),
        ("1.99", "it is made for version 1.99 of grader.api, and this grader has 1.0"),
        ("2.0", "it is made for version 2.0 of grader.api, and this grader has 1.0"),
        (f"1.{'9' * 5000}", f"'1.{'9' * 5000}' is no version of grader.api, which are like 1.0"),
        ("0.9", "it is made for version 0.9 of grader.api, and this grader has 1.0"),
    ],
)
def test_a_plugin_says_for_which_version_it_is_made(made_for: str, reason: str) -> None:
    told = faults(entry(Group.LANGUAGES, "perl", PERL.value, Plugin("shapes", "2.0", made_for, "support")))
    assert told == ([f"plugin shapes 2.0: perl (languages) is left out: {reason}"] if reason else [])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("support.nowhere:X", "cannot be imported: ModuleNotFoundError: No module named 'support.nowhere'"),
        ("support.perl:X", "AttributeError: module 'support.perl' has no attribute 'X'"),
        ("support.perl", "support.perl is of type module, and not Language"),
        ("support.perl:Perl", "support.perl:Perl is of type ABCMeta, and not Language"),
        ("os:getcwd", "os:getcwd is not in its package support"),
    ],
)
def test_what_is_no_language_is_left_out(value: str, reason: str) -> None:
    (told,) = faults(entry(Group.LANGUAGES, "perl", value))
    assert reason in told


@pytest.mark.parametrize("package", ["os", "grader", "a.b", ""])
def test_a_plugin_has_a_package_of_its_own(package: str) -> None:
    plugin = Plugin("shapes", "2.0", API, package)
    (told,) = faults(entry(Group.LANGUAGES, "perl", f"{package}.perl:LANGUAGE", plugin))
    assert "the package that it names" in told


def test_threads_may_share_a_registry() -> None:
    known = Registry([PERL, entry(Group.LANGUAGES, "raku", "support.nowhere:X")])
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: known.names(Group.LANGUAGES), range(64)))
    assert {tuple(names) for names in found[-8:]} == {(*OURS[Group.LANGUAGES], "perl")}
    assert len(known.faults) == 1


def test_an_object_has_the_name_of_its_entry() -> None:
    (told,) = faults(entry(Group.LANGUAGES, "raku", PERL.value))
    assert told.endswith("support.perl:LANGUAGE calls itself 'perl'")


def test_nobody_takes_a_name_of_ours() -> None:
    known = Registry([entry(Group.LANGUAGES, "c", PERL.value)])
    assert known.load(Group.LANGUAGES, "c").title == "C"
    assert "the grader has one of this name itself" in str(known.faults[0])


def test_two_that_claim_one_name_are_both_left_out() -> None:
    told = faults(PERL, entry(Group.LANGUAGES, "perl", PERL.value, RIVAL))
    reason = "shapes 2.0 and forms 0.1 claim this name, so neither gets it"
    assert told == [f"plugin {who}: perl (languages) is left out: {reason}" for who in (PLUGIN, RIVAL)]


def test_a_fault_is_told_once_and_at_once() -> None:
    known = Registry([entry(Group.LANGUAGES, "perl", "support.nowhere:X")])
    told: list[object] = []
    known.tell = told.append
    for _ in range(3):
        known.names(Group.LANGUAGES)
    assert len(told) == 1


def test_what_raises_in_an_attempt_is_left_out() -> None:
    known = Registry([PERL])
    assert known.attempt(Group.LANGUAGES, "perl", lambda: 1 // 0) is None
    assert "it raised ZeroDivisionError" in str(known.faults[0])
    with pytest.raises(ZeroDivisionError):
        known.attempt(Group.LANGUAGES, "c", lambda: 1 // 0)


def test_a_missing_name_is_no_fault_of_a_plugin() -> None:
    with pytest.raises(KeyError):
        Registry([PERL]).load(Group.LANGUAGES, "cobol")


def test_loading_what_failed_says_why() -> None:
    known = Registry([entry(Group.LANGUAGES, "perl", "support.nowhere:X")])
    with pytest.raises(PluginFailed, match=r"shapes 2\.0: perl"):
        known.load(Group.LANGUAGES, "perl")


OBJECTS = """\
from dataclasses import replace

from support.perl import Perl

from grader.api.exports import Format
from grader.api.renderers import Renderer
from grader.api.values import Sort


class Skipped(BaseException):
    pass


class Silent(Exception):
    def __str__(self):
        return 1 // 0


class NoEndings(Perl):
    endings = None


class Raising(Perl):
    @property
    def name(self):
        raise Skipped


class OfThree(Sort):
    classes = (3,)
    key = shown = text = difference = None


OfThree.__abstractmethods__ = frozenset()
NO_TITLE = Format(None, "x", print)
NO_FILE = Format("x", b"x", print)
NO_CALL = Format("x", "x", 3)
PROBLEM = Renderer(print, "", None)
NO_ENDINGS, RAISING, OF_THREE = NoEndings(), Raising(), OfThree()


def __getattr__(name):
    raise Skipped if name == "SKIPPED" else Silent
"""


@pytest.mark.parametrize(
    ("group", "name", "reason"),
    [
        (Group.EXPORTS, "NO_TITLE", "`title` of its Format is not of the right type, but None"),
        (Group.EXPORTS, "NO_FILE", "`file` of its Format is not of the right type, but bytes"),
        (Group.EXPORTS, "NO_CALL", "`write` of its Format is not of the right type, but 3"),
        (Group.RENDERERS, "PROBLEM", "`problem` of its Renderer is not of the right type, but None"),
        (Group.LANGUAGES, "NO_ENDINGS", "`endings` of its NoEndings is not of the right type, but None"),
        (Group.LANGUAGES, "RAISING", "raised Skipped"),
        (Group.VALUES, "OF_THREE", "`classes` of its OfThree is not of the right type, but tuple"),
        (Group.LAYOUTS, "SKIPPED", "cannot be imported: Skipped"),
        (Group.LAYOUTS, "SILENT", "cannot be imported: Silent: it cannot say what"),
    ],
)
def test_what_does_not_fit_its_class_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: Group, name: str, reason: str
) -> None:
    """Else it would fail in code of ours, far from the plugin, and for every command of that family."""
    (tmp_path / "oddities.py").write_text(OBJECTS)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        (told,) = faults(entry(group, "odd", f"oddities:{name}", Plugin("odd", "1", API, "oddities")))
    finally:
        # It raises whatever one asks of it, so it must not stay for other tests.
        sys.modules.pop("oddities", None)
    assert reason in told


def test_all_of_ours_fit_their_classes() -> None:
    known = Registry([])
    for group, names in OURS.items():
        for name in names if group not in (Group.MACHINES, Group.RULES) else ():
            assert misfit(known.load(group, name), STATED.get(group, ())) == ""


def test_who_counts_in_marks_is_the_same_whatever_was_imported() -> None:
    """Else a run and its `replay`, or two machines, would differ by what each happened to look at."""
    known = Registry([PERL, entry(Group.LAYOUTS, "odd", "support.nowhere:X", RIVAL)])
    before = [known.claimed(group) for group in IN_MARKS]
    for group in Group:
        known.names(group)
    assert known.foreign(Group.LAYOUTS) == []
    assert [known.claimed(group) for group in IN_MARKS] == before


class Eager(Perl):  # type: ignore[misc]
    """A language that takes every line for its own."""

    name, endings = "eager", (".eager",)

    def like_gcc(self, line: str) -> str:
        return f"Main.java:9: error: {line}"

    def trace_at(self, lines: Sequence[str]) -> int:
        return len(lines)

    def trace(self, lines: Sequence[str], shown: int) -> Trace:
        return Trace("KeyError", "no", ())


class Raising(Eager):
    def like_gcc(self, line: str) -> str:
        raise ValueError(line)

    def trace_at(self, lines: Sequence[str]) -> int:
        raise SystemExit


EAGER, RAISING = Eager(), Raising()


@pytest.mark.parametrize("name", ["EAGER", "RAISING"])
def test_a_language_says_nothing_about_programs_of_ours(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = Plugin("shapes", "2.0", API, __name__.partition(".")[0])
    known = Registry([Entry(Group.LANGUAGES, "eager", f"{__name__}:{name}", plugin)])
    monkeypatch.setattr(toolchain, "registry", lambda: known)
    java = 'Exception in thread "main" java.lang.IllegalStateException: x\n\tat Main.main(Main.java:4)\n'
    raised = exception_in(java)
    assert raised is not None
    assert raised.raised.type_name == "IllegalStateException"
    built = failed_build(["Main.java"], "Main.java:3: error: ';' expected\n").raised
    assert built is not None
    assert (built.message, built.frames[0].line) == ("';' expected", 3)
    told = failed_build(["Main.java"], "something else\n").raised
    assert told is not None
    assert told.message == "something else"
    assert [str(fault.entry) for fault in known.faults] == ["eager (languages)"] * (name == "RAISING")


# -- the keys of a kind ----


def _key(**about: object) -> Key:
    return Key(**{"name": "zap", "kind": INTEGER, **about})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (KindKeys((_key(),), {"zap": CaseForm(OF_EVERY)}), ""),
        (KindKeys(None, {"zap": CaseForm(OF_EVERY)}), "`keys` of its KindKeys"),  # type: ignore[arg-type]
        (KindKeys((_key(kind=None),), {"zap": CaseForm(())}), "`keys` of its KindKeys"),
        (KindKeys((_key(),), {"zap": CaseForm(None)}), "`forms` of its KindKeys"),  # type: ignore[arg-type]
        (KindKeys((_key(),), {"zap": CaseForm(())}, 3), "`only_with` of its KindKeys"),  # type: ignore[arg-type]
        (KindKeys((_key(required=True),), {"zap": CaseForm(())}), "`zap` would be required in each case"),
        (KindKeys((_key(name="a<b>"),), {"a<b>": CaseForm(())}), "'a<b>' is no name for a key of a case"),
        (KindKeys((_key(name="r\u0435turns"),), {"r\u0435turns": CaseForm(())}), "is no name for a key"),
        (KindKeys((_key(), _key(name="expected")), {"zap": CaseForm(())}), "'expected' is no name for a key"),
        (
            KindKeys((_key(),), {"zap": CaseForm(())}, {"returns": ("zap", "")}),
            "`returns` is not its own key, so it cannot say what goes with it",
        ),
    ],
)
def test_the_keys_of_a_kind_disturb_no_other(keys: KindKeys, reason: str) -> None:
    told = _clash(keys, _OF_KINDS)
    assert reason in told
    assert bool(told) == bool(reason)


# -- what is installed ---------------------------------------------------------------------------------


def test_metadata_is_read_without_an_import(tmp_path: Path) -> None:
    small_plugin(tmp_path, {"__init__": "raise SystemExit"}, {"kinds/maze": "odd.maze:KIND"})
    (found,) = installed_entries([str(tmp_path)])
    assert (found.group, found.name, found.value) == (Group.KINDS, "maze", "odd.maze:KIND")
    assert found.plugin == Plugin("odd-plugin", "1.0", "1.0", "odd")
    assert "odd" not in sys.modules


def test_the_first_of_two_installations_counts(tmp_path: Path) -> None:
    for place, version in (("a", "1.0"), ("b", "2.0")):
        small_plugin(tmp_path / place, {}, {"kinds/maze": "odd.maze:KIND"}, version=version)
    (found,) = installed_entries([str(tmp_path / "b"), str(tmp_path / "a")])
    assert str(found.plugin) == "odd-plugin 2.0"


def test_the_current_folder_is_nobodys_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It can be a student's, who lays metadata there."""
    small_plugin(tmp_path, {}, {"kinds/maze": "odd.maze:KIND"})
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert [each.name for each in installed_entries()].count("maze") == 1
    monkeypatch.chdir(tmp_path)
    assert [each.name for each in installed_entries()].count("maze") == 0


def test_all_can_be_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_plugin(tmp_path, {}, {"kinds/maze": "odd.maze:KIND"})
    monkeypatch.setenv("GRADER_PLUGINS", "none")
    assert installed_entries([str(tmp_path)]) == []


@pytest.mark.parametrize("content", [b"", b"\xff[grader.kinds", b"[grader.odd]\na = b"])
def test_metadata_without_sense_brings_nothing(tmp_path: Path, content: bytes) -> None:
    small_plugin(tmp_path, {}, {})
    (tmp_path / "odd_plugin-1.0.dist-info" / "entry_points.txt").write_bytes(content)
    assert installed_entries([str(tmp_path)]) == []


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("METADATA", b"Name: od\xe4\nVersion: 1\n", "its METADATA is not UTF-8"),
        ("METADATA", b"Version: 1\n", "its METADATA does not state a name of a distribution"),
        ("METADATA", b"Name: a b\nVersion: 1\n", "its METADATA does not state a name of a distribution"),
        ("METADATA", b"Name: odd-plugin\n\nVersion: 1\n", "its METADATA does not state a version"),
        ("METADATA", None, "its METADATA cannot be read: No such file or directory"),
        ("entry_points.txt", b"[grader.kinds]\nmaze = x\n\xff = y\n", "its entry_points.txt is not UTF-8"),
        (
            "entry_points.txt",
            b"[grader.api]\n1.0 = odd\n[grader.kinds]\nmaze\n",
            "'' is not of the form module:object",
        ),
        ("entry_points.txt", b"[grader.api]\n1.0 = odd\n[grader.kinds]\n = odd.kind:KIND\n", "'' is no name"),
        (
            "entry_points.txt",
            b"[grader.api]\n1.0 = odd\n2.0 = odd\n[grader.kinds]\nmaze = odd.maze:KIND\n",
            "it says 2 times for which grader.api it is made",
        ),
    ],
)
def test_a_plugin_with_damaged_metadata_is_told(
    tmp_path: Path, file: str, content: bytes | None, reason: str
) -> None:
    small_plugin(tmp_path, {}, {"kinds/maze": "odd.maze:KIND"})
    path = tmp_path / "odd_plugin-1.0.dist-info" / file
    path.unlink() if content is None else path.write_bytes(content)
    known = Registry(installed_entries([str(tmp_path)]))
    assert reason in {fault.reason for fault in known.faults}
    assert str(known.faults[0]).startswith("plugin odd")


def test_one_distribution_has_one_name_however_it_is_written(tmp_path: Path) -> None:
    for place, name in (("a", "Odd.Plugin"), ("b", "odd-plugin")):
        small_plugin(tmp_path / place, {}, {"kinds/maze": "odd.maze:KIND"}, name=name)
    (found,) = installed_entries([str(tmp_path / "a"), str(tmp_path / "b")])
    assert found.plugin is not None
    assert found.plugin.name == "Odd.Plugin"


def test_what_an_interrupted_installer_left_brings_nothing(tmp_path: Path) -> None:
    small_plugin(tmp_path, {}, {"kinds/maze": "odd.maze:KIND"})
    (tmp_path / "odd_plugin-1.0.dist-info").rename(tmp_path / "~dd_plugin-1.0.dist-info")
    assert installed_entries([str(tmp_path)]) == []


def test_a_name_that_is_claimed_twice_by_one_is_told_so() -> None:
    told = faults(PERL, entry(Group.LANGUAGES, "perl", "support.perl:OTHER"))
    assert set(told) == {f"plugin {PLUGIN}: perl (languages) is left out: it claims this name twice"}


def test_marks_depend_on_all_families_but_what_only_reads_or_starts_them() -> None:
    assert set(Group) - set(IN_MARKS) == {Group.EXPORTS, Group.COMMANDS, Group.MACHINES}
