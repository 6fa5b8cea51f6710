"""The rule on headers: what the comment or docstring at the top of a module must say."""

import ast
import io
import re
import tokenize

from grader.rules.findings import Found, Module
from grader.rules.trees import AS_BYTES

_SKIPPED = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.INDENT})
_MAX_CHARACTERS = 10_000
"""Longer headers are looked at up to here: a pattern of the spec may be slow on a long text."""


def header(modules: list[Module], fields: dict[str, str]) -> list[Found]:
    """Find fields that are missing; `fields` maps a field's name to the pattern of it."""
    found = []
    for module in modules:
        text = header_text(module.text, module.tree)
        missing = [name for name, pattern in fields.items() if not re.search(pattern, text, re.MULTILINE)]
        if missing:
            start = "the header lacks" if text.strip() else "there is no header, so it lacks"
            found.append(Found(module.name, 1, f"{start}: {', '.join(missing)}"))
    return found


def header_text(text: str, tree: ast.Module) -> str:
    """Return the comments before the first statement, and the docstring, as plain lines."""
    lines: list[str] = []
    text = text.removeprefix(AS_BYTES).encode("utf-8", "replace").decode()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                lines.append(token.string.lstrip("#").strip())
            elif token.type not in _SKIPPED and token.type != tokenize.STRING:
                break
    except (tokenize.TokenError, SyntaxError):
        # What stands before the place that it stumbled over is still the top.
        lines.append("")
    lines += (ast.get_docstring(tree) or "").split("\n")
    return "\n".join(lines)[:_MAX_CHARACTERS]
