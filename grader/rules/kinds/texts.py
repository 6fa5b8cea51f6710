"""Rules on the text of a module: its header, and the compiler's warnings."""

import ast
import io
import re
import tokenize
import warnings
from contextlib import suppress

from grader.rules.source.modules import Module, RuleHit, pieces
from grader.wire import notebook
from grader.wire.source_text import source_of

_SKIPPED = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.INDENT})
_MAX_CHARACTERS = 10_000
"""The most characters of a header that are examined: a pattern of the spec may be slow on a long text."""


def header(modules: list[Module], fields: dict[str, str]) -> list[RuleHit]:
    """Find missing fields; `fields` maps a field's name to its pattern."""
    found = []
    for module in modules:
        text = header_text(module.text, module.tree)
        missing = [name for name, pattern in fields.items() if not re.search(pattern, text, re.MULTILINE)]
        if missing:
            start = "the header lacks" if text.strip() else "there is no header, so it lacks"
            found.append(RuleHit(module.name, 1, f"{start}: {', '.join(missing)}"))
    return found


def header_text(text: str, tree: ast.Module) -> str:
    """Return the comments before the first statement, and the docstring, as plain lines."""
    lines: list[str] = []
    text = text.removeprefix(notebook.MARK).encode("utf-8", "replace").decode()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                lines.append(token.string.lstrip("#").strip())
            elif token.type not in _SKIPPED and token.type != tokenize.STRING:
                break
    except (tokenize.TokenError, SyntaxError):
        # The tokens before the faulty place are still the top of the file.
        lines.append("")
    lines += (ast.get_docstring(tree) or "").split("\n")
    return "\n".join(lines)[:_MAX_CHARACTERS]


def no_warnings(modules: list[Module]) -> list[RuleHit]:
    """Find the compiler's warnings; a comment cannot turn them off."""
    found = []
    for module in modules:
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if notebook.cells_of(module.text) else 0
        with warnings.catch_warnings(record=True, action="always") as caught:
            for text in pieces(module.text):
                # The compiler refuses some texts that the parser takes.
                with suppress(SyntaxError, ValueError):
                    compile(source_of(text), module.file, "exec", flags, dont_inherit=True)
        found += [RuleHit(module.name, each.lineno, str(each.message)) for each in caught]
    return found
