"""The user's own folder of proofs: nobody else may have a say in it."""

import os
import stat
from pathlib import Path

import pytest

from grader.runtime.user_cache import UserCache

KEY = "0123abcd"


def test_what_was_added_is_there(tmp_path: Path) -> None:
    kept = UserCache(tmp_path / "a" / "b")
    assert not kept.has(KEY)
    kept.add(KEY)
    assert kept.has(KEY)
    assert not kept.has("4567")


def test_only_the_user_can_write_to_it(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    UserCache(folder).add(KEY)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / KEY).stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_to_does_not_count(tmp_path: Path, mode: int) -> None:
    UserCache(tmp_path).add(KEY)
    tmp_path.chmod(mode)
    assert not UserCache(tmp_path).has(KEY)
    UserCache(tmp_path).add("4567")
    assert not (tmp_path / "4567").exists()


def test_a_file_that_others_can_write_to_does_not_count(tmp_path: Path) -> None:
    UserCache(tmp_path).add(KEY)
    (tmp_path / KEY).chmod(0o666)
    assert not UserCache(tmp_path).has(KEY)


def test_a_link_does_not_count(tmp_path: Path) -> None:
    real = tmp_path / "real"
    UserCache(real).add(KEY)
    (tmp_path / "link").symlink_to(real)
    assert not UserCache(tmp_path / "link").has(KEY)
    (real / "4567").symlink_to(real / KEY)
    assert not UserCache(real).has("4567")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_does_not_count(tmp_path: Path) -> None:
    folder = tmp_path / "given"
    UserCache(folder).add(KEY)
    os.chown(folder, 65534, 65534)
    assert not UserCache(folder).has(KEY)


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = UserCache(tmp_path / "file" / "below")
    kept.add(KEY)
    assert not kept.has(KEY)


def test_it_does_not_grow_without_end(tmp_path: Path) -> None:
    kept = UserCache(tmp_path)
    for number in range(300):
        kept.add(f"{number:04}")
    assert len(list(tmp_path.iterdir())) <= 256
    assert kept.has("0299")


def test_it_lies_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    UserCache().add(KEY)
    assert (tmp_path / "grader" / "proven" / KEY).is_file()


def test_a_relative_path_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    UserCache().add(KEY)
    assert (tmp_path / ".cache" / "grader" / "proven" / KEY).is_file()
