"""The server's library is asked for before anything begins, and in words that say what to install."""

from importlib.metadata import PackageNotFoundError

import pytest

from grader.model.errors import UsageError
from grader.serving.needed import need_tornado


def test_an_installed_library_is_enough() -> None:
    need_tornado("--watch")


@pytest.mark.parametrize("found", ["6.6", "6.6.1", "6.10", "7.0b1", "unknown"])
def test_a_newer_one_is_taken(monkeypatch: pytest.MonkeyPatch, found: str) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: found)
    need_tornado("--watch")


@pytest.mark.parametrize("found", ["6.5", "6.5.9", "5.9"])
def test_an_older_one_is_told(monkeypatch: pytest.MonkeyPatch, found: str) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: found)
    with pytest.raises(UsageError) as caught:
        need_tornado("grader review")
    assert str(caught.value) == (
        f"grader review needs tornado 6.6 or newer, and {found} is installed\n"
        "hint: pip install 'grader-harness[pages]'"
    )


def test_a_missing_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    with pytest.raises(UsageError, match="needs tornado, which is not installed"):
        need_tornado("--watch")
