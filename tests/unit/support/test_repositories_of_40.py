"""The git repositories of the class of 40 have the commits, and their traps go off for a careless reader."""

import subprocess
from pathlib import Path

import pytest
from support.class_of_40.layouts import repositories
from support.class_of_40.layouts.repositories import git
from support.class_of_40.people import BY_KEY

SOME = [BY_KEY[key] for key in ("s01", "s25", "s31", "s36", "s37", "s38", "s40")]


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of some clones."""
    return repositories.render(tmp_path_factory.mktemp("clones"), SOME).path


def test_each_attempt_is_a_commit_at_its_time(clones: Path) -> None:
    clone = clones / "homework_3-figures-octo-25"
    log = git(clone, "log", "--reverse", "--format=%cI %an %s").splitlines()
    assert log == [
        "2026-10-24T20:00:00+00:00 github-classroom[bot] Initial commit",
        "2026-10-31T20:00:00+00:00 octo-25 attempt 1",
        "2026-11-01T20:00:00+00:00 octo-25 attempt 2",
        "2026-11-02T01:00:00+00:00 octo-25 attempt 3",
    ]
    last = git(clone, "rev-list", "-1", "--before=2026-11-01T22:00:00Z", "HEAD")
    second = BY_KEY["s25"].attempts[1].work["shapes.py"]
    assert git(clone, "show", f"{last}:shapes.py") == second.decode().strip()
    assert git(clone, "ls-tree", "--name-only", "HEAD").split() == ["README.md", "shapes.py", "words.py"]


def test_there_is_a_clone_for_each_person_or_team(clones: Path) -> None:
    slug = "homework_3-figures-"
    people = [f"{slug}octo-{number:02}" for number in (1, 25, 31, 40)]
    assert sorted(path.name for path in clones.iterdir()) == [*people, f"{slug}team_a-1-2"]
    alone = clones / f"{slug}octo-31"
    assert len(git(alone, "log", "--format=%h").split()) == 1
    assert git(alone, "remote", "get-url", "origin") == f"https://github.com/cs101/{slug}octo-31.git"
    assert "in-pack: 3" in git(alone, "count-objects", "-v")


def test_plain_repositories_are_named_after_people(tmp_path: Path) -> None:
    rendered = repositories.render(tmp_path, SOME[:2], by_hand=True)
    assert sorted(path.name for path in rendered.path.iterdir()) == ["Thea Three", "Zoë Brontë"]
    assert git(rendered.path / "Zoë Brontë", "remote") == ""
    assert "in-pack: 0" in git(rendered.path / "Zoë Brontë", "count-objects", "-v")


def test_the_layout_tells_who_is_missing(tmp_path: Path) -> None:
    rendered = repositories.render(tmp_path, SOME)
    assert rendered.missing == ("s31",)
    assert [entry.number for entry in rendered.of("s25")] == [1, 2, 3]
    assert rendered.of("s38")[0].students == ("s36", "s37", "s38")


@pytest.mark.parametrize(
    "careless",
    [
        ["status"],
        ["checkout", "--quiet", "--force", "HEAD"],
        ["diff", "HEAD~1", "HEAD", "--ext-diff"],
        ["-c", "core.pager=cat", "diff", "HEAD~1", "HEAD"],
    ],
)
def test_the_traps_go_off_for_a_careless_reader(careless: list[str], tmp_path: Path) -> None:
    clone = repositories.render(tmp_path, [BY_KEY["s01"]]).path / "homework_3-figures-octo-01"
    canary = tmp_path / "canary"
    repositories.set_traps(clone, canary)
    (clone / "shapes.py").write_text("changed\n")
    subprocess.run(["git", *careless], cwd=clone, capture_output=True)
    assert canary.exists()


def test_the_traps_stay_quiet_for_one_who_reads_objects_alone(tmp_path: Path) -> None:
    clone = repositories.render(tmp_path, [BY_KEY["s01"]]).path / "homework_3-figures-octo-01"
    canary = tmp_path / "canary"
    repositories.set_traps(clone, canary)
    shown = subprocess.run(
        ["git", "cat-file", "blob", "HEAD:shapes.py"], cwd=clone, capture_output=True, check=True
    )
    assert shown.stdout == BY_KEY["s01"].attempts[0].work["shapes.py"]
    assert not canary.exists()


def test_the_hostile_commit_has_a_link_a_submodule_and_attributes(tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.write_text("not yours\n")
    clone = repositories.render_hostile(tmp_path, BY_KEY["s01"], outside)
    tree = {row.split("\t")[1]: row.split()[0] for row in git(clone, "ls-tree", "HEAD").splitlines()}
    assert tree["words.py"] == "120000"
    assert tree["lib"] == "160000"
    assert tree.keys() >= {".gitattributes", ".gitmodules", "shapes.py"}
    archive = subprocess.run(
        ["git", "archive", "--format=tar", "HEAD"], cwd=clone, capture_output=True, check=True
    )
    assert b"def area" not in archive.stdout  # export-ignore hides the work
