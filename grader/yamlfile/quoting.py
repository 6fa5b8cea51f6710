"""Texts as YAML reads them back, for YAML that the grader writes for people."""

import json
import re

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def quoted(text: str) -> str:
    """Return a text as a scalar on one line, without quotes where nothing could be misread."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS:
        return text
    written = json.dumps(text, ensure_ascii=False)
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in written)
