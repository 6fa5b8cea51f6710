"""The environment in which every page is rendered: escaping, style, and the policy of what a page may load.

Every page is one file without any outside resource.  Its content security policy names the digest of its
style sheet (and script) and allows nothing else.  All text goes through `escape.visible` by jinja2's
`finalize`, then through its autoescape.
"""

import base64
import hashlib
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.reports.escape import visible
from grader.reports.html.compiled import CompiledTemplates
from grader.reports.views.anchor import case_anchor
from grader.reports.words import English, is_english, language, many, say

_TEMPLATES = Path(__file__).parent / "templates"


_COMPILED = CompiledTemplates(_TEMPLATES)


def templates(*sheets: str) -> Environment:
    """Return the environment of the templates.  sheets: styles beyond those of every page."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_COMPILED,
    )
    css = own_files("page.css", *sheets)
    environment.globals.update(css=css, policy=policy(style=css))
    environment.globals.update(in_items=_in_items, say=say, many=many, language=language)
    environment.filters.update(anchor=case_anchor)
    return environment


def own_files(*names: str) -> Markup:
    """Return files of our own, the only text that reaches a page as markup."""
    return Markup("".join((_TEMPLATES / name).read_text("utf-8") for name in names))


def templates_digest() -> str:
    """Return the digest of all templates, styles and scripts."""
    files = (path for path in sorted(_TEMPLATES.iterdir()) if path.is_file())
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _in_items(text: str) -> Markup:
    """Return the lines of a text as items of a list, all escaped at once: most lines of a page are folded."""
    return Markup("<li>" + str(escape(visible(text))).replace("\n", "</li><li>") + "</li>")


def _shown(value: Any) -> Any:
    # Markup is our own; of the other types only text can hold misleading characters.
    if isinstance(value, English) and not is_english():
        return Markup('<span lang="en">{}</span>').format(visible(value))
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def policy(style: str, script: str = "", images: str = "") -> str:
    """Return the content security policy of a page with that style and script, and images from `images`."""
    sources = f"default-src 'none'; style-src {_digest(style)}; base-uri 'none'; form-action 'none'"
    sources += f"; img-src {images}" if images else ""
    return f"{sources}; script-src {_digest(script)}" if script else sources


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
