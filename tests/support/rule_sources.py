"""Small sources looked at by one static rule, as the box does it."""

from textwrap import dedent
from typing import Any

from grader.rules.program import check


def checked(
    kind: str, *texts: str, **options: Any
) -> tuple[list[tuple[str, int, str]], list[tuple[str, int, str]]]:
    """Return where modules `one`, `two`, … break a rule, and where that is not decidable."""
    names = ("one", "two", "three")[: len(texts)]
    files = {name: (f"{name}.py", dedent(text)) for name, text in zip(names, texts, strict=True)}
    problems, _, _, ((found, undecided, unchecked, _),) = check(files, [(kind, list(names), True, options)])
    assert not problems
    assert not unchecked
    return found, undecided


def findings(kind: str, *texts: str, **options: Any) -> list[tuple[str, int, str]]:
    """Return what a rule finds: module, line and message."""
    return checked(kind, *texts, **options)[0]


def messages(kind: str, *texts: str, **options: Any) -> list[str]:
    """Return the messages alone."""
    return [message for _, _, message in findings(kind, *texts, **options)]
