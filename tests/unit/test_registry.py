"""What there is of each family: ours, what plugins bring, and what is left out with a reason."""

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest
from support.plugged import small_plugin

from grader.cli import run
from grader.registry.groups import IN_MARKS, OURS, WANTED, Group
from grader.registry.installed import Entry, Plugin, installed_entries
from grader.registry.registry import API, PluginFailed, Registry

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


@pytest.mark.parametrize(
    "content", [b"", b"\xff[grader.kinds", b"[grader.kinds]\nmaze", b"[grader.odd]\na = b"]
)
def test_metadata_without_sense_brings_nothing(tmp_path: Path, content: bytes) -> None:
    small_plugin(tmp_path, {}, {})
    (tmp_path / "odd_plugin-1.0.dist-info" / "entry_points.txt").write_bytes(content)
    assert installed_entries([str(tmp_path)]) == []


def test_marks_depend_on_all_families_but_what_only_reads_or_starts_them() -> None:
    assert set(Group) - set(IN_MARKS) == {Group.EXPORTS, Group.COMMANDS, Group.MACHINES}
