"""What intake says about the files of a submission, in the language of the page.

Results hold these sentences in English.  In another language a sentence is taken apart by the texts below
and said again with its names.  One that is not among them stays in English.
"""

import re
from string import Formatter

from grader.reports.words import English, is_english, say, word

_SENTENCES = (
    word("there is no {file} in the submission"),
    word("no Python file was found; expected {names}"),
    word("no program was found; expected {names}, or in its place {others}"),
    word("what was found can't be taken for it: {names}"),
    word("{names} is missing; found {found} — did you mean {meant}?"),
    word("{names} are missing; found {found} — did you mean {meant}?"),
    word("{names} is missing"),
    word("{names} are missing"),
    word("found {found}; expected {names} — did you mean {meant}?"),
    word("found {found}; expected {names}"),
    word("{folder} holds {name}, which is a damaged zip; perhaps its upload was cut off"),
    word("{name} is a damaged zip; perhaps its upload was cut off"),
    word("{name} is not a zip"),
    word("{name} is empty"),
    word("{name} is a zip inside a zip, which is not opened"),
    word("{name} is an archive of a kind that is not read; a zip, a folder or a .py file is"),
    word("{name} is no notebook: it is not valid JSON"),
    word("{name} is no notebook: it has no cells"),
    word("{name} is a link, and links are not followed"),
    word("{name} is larger than {n} MiB, the most that is read"),
    word("{name} was taken as {file}: the code of its cells"),
    word("{name} was taken as {file}: upper and lower case differ"),
    word("{name} was taken as {file}"),
    word("{file} ended itself at line {n}; what was defined before is marked"),
    word("{file} stopped at line {n} with {exception}; what was defined before is marked"),
    word("Python files in {names} were not read; only those outside of folders are"),
    word("Python files in {names} were not read; only those in {folder} are"),
    word("Python files in {names} were not read: which folder counts is not sure"),
)
"""The longer of two that begin alike comes first."""
_LEADS = (word("the module could not be loaded: {reason}"), word("no code was read: {reason}"))
"""What can stand before one of them."""
_LISTED = re.compile(r"((?:\S+, )*\S+) and (?:(\d+) more|(\S+))")
"""Names as intake lists them.  Where one has a space, nobody can tell where it ends."""
_LONGEST = 2_000


def of_files(text: str) -> str:
    """Return a sentence about the files of a submission in the language that is spoken."""
    if is_english() or len(text) > _LONGEST:
        return English(text)
    for lead in _LEADS:
        parts = _parts(lead, text)
        reason = of_files(parts["reason"]) if parts else English()
        if not isinstance(reason, English):
            return say(lead, reason=reason)
    for sentence in _SENTENCES:
        parts = _parts(sentence, text)
        if parts:
            return say(sentence, **{name: _names(part) for name, part in parts.items()})
    return English(text)


def _parts(sentence: str, text: str) -> dict[str, str]:
    """Return the parts with which a sentence makes a text; empty if it does not."""
    pieces = [(literal, name) for literal, name, _, _ in Formatter().parse(sentence)]
    if pieces[-1][1] is not None:
        pieces.append(("", None))
    found: dict[str, str] = {}
    (start, open_name), *rest = pieces
    if not text.startswith(start):
        return {}
    text = text[len(start) :]
    for literal, name in rest:
        is_last = name is None
        end = len(text) - len(literal) if is_last else text.find(literal)
        if end <= 0 or not text.startswith(literal, end):
            return {}
        assert open_name is not None
        found[open_name] = text[:end]
        text, open_name = text[end + len(literal) :], name
    return found


def _names(part: str) -> str:
    listed = _LISTED.fullmatch(part)
    if listed is None:
        return part
    names, more, last = listed.groups()
    return say("{names} and {n} more", names=names, n=more) if more else f"{names} {say('and')} {last}"
