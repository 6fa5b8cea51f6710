"""Small sources looked at by one static rule, as the box does it."""

from textwrap import dedent
from typing import Any

from grader.rules.program import check


def findings(kind: str, *texts: str, **options: Any) -> list[tuple[str, int, str]]:
    """Return the findings of a rule in modules `one`, `two`, …: module, line and message."""
    names = ("one", "two", "three")[: len(texts)]
    files = {name: (f"{name}.py", dedent(text)) for name, text in zip(names, texts, strict=True)}
    problems, _, ((found, unchecked, _),) = check(files, [(kind, list(names), True, options)])
    assert not problems
    assert not unchecked
    return found


def messages(kind: str, *texts: str, **options: Any) -> list[str]:
    """Return the messages alone."""
    return [message for _, _, message in findings(kind, *texts, **options)]
