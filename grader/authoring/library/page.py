"""The page of a task in a library: its heading, and the list below `## About`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

PRACTISES, LEVEL, TIME, MARKS = "Practises", "Level", "Time", "Marks"
LICENCE, AUTHOR, SOURCE, VERSION = "Licence", "Author", "Source", "Version"
VALIDATION, COPIED = "Validation", "Copied from"
KEYS = (PRACTISES, LEVEL, TIME, MARKS, LICENCE, AUTHOR, SOURCE, VERSION, VALIDATION, COPIED)
"""What the list can say, in its order."""
NEEDED = (PRACTISES, LICENCE, AUTHOR)
"""What a person has to write.  `MARKS` and `VALIDATION` are written by `grader library check --write`."""
SHARED = (LICENCE, AUTHOR)
"""What a `README.md` of the library can say for the tasks whose pages do not say it."""
UNKNOWN = "unknown"
"""The licence of what nobody may pass on before they have asked."""

_HEADING = re.compile(r"# +(.*\S)")
_ABOUT = re.compile(r"## +About\s*")
_ENTRY = re.compile(r"- ([A-Z][A-Za-z ]*): *(.*)")
_MORE = re.compile(r"  +\S")


@dataclass(frozen=True, slots=True)
class Page:
    """The text of a page.

    title: its heading.  about: what the list says, or the library for it, each text on one line.
    problems: lines that are no entry, in words.
    """

    text: str
    title: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    _rows: tuple[tuple[str, int, int], ...] = ()
    """Key, first line and the line after the last one of each entry."""
    _end: int = 0
    """The line at which an entry can be added; 0 where there is no list."""

    def with_entry(self, key: str, text: str) -> "Page":
        """Return the page with an entry of the list added or changed; with a list if it has none."""
        lines = self.text.splitlines()
        entry = f"- {key}: {text}"
        rows = [row for row in self._rows if row[0] == key]
        if rows:
            _, first, after = rows[0]
            lines[first:after] = [entry]
        elif self._end:
            later = KEYS[KEYS.index(key) + 1 :] if key in KEYS else ()
            lines.insert(
                min((first for name, first, _ in self._rows if name in later), default=self._end), entry
            )
        else:
            lines += ["", "## About", "", entry]
        return read_page("\n".join(lines) + "\n")

    def with_shared(self, about: Mapping[str, str]) -> "Page":
        """Return the page with what its library says for it; the text stays as it is."""
        shared = {key: about[key] for key in SHARED if about.get(key)}
        return replace(self, about={**shared, **self.about})

    def by_itself(self) -> "Page":
        """Return the page of a copy, which has no library around it: what that said stands in the text."""
        page = self
        for key in SHARED:
            if key in self.about and not any(name == key for name, _, _ in page._rows):
                page = page.with_entry(key, self.about[key])
        return page

    def with_more(self, key: str, text: str) -> "Page":
        """Return the page with one more entry, at the end of the list, whatever it says already."""
        if not self._end:
            return self.with_entry(key, text)
        lines = self.text.splitlines()
        lines.insert(self._end, f"- {key}: {text}")
        return read_page("\n".join(lines) + "\n")


def read_page(text: str) -> Page:
    """Return what a page says.  The last of several entries with one key counts."""
    lines = text.splitlines()
    title = next((found[1] for line in lines if (found := _HEADING.fullmatch(line))), "")
    start = next((number for number, line in enumerate(lines, 1) if _ABOUT.fullmatch(line)), 0)
    about: dict[str, str] = {}
    rows: list[tuple[str, int, int]] = []
    problems: list[str] = []
    end = start
    for number, line in enumerate(lines[start:], start) if start else ():
        if line.startswith("#"):
            break
        if found := _ENTRY.fullmatch(line.rstrip()):
            about[found[1]] = found[2]
            rows.append((found[1], number, number + 1))
        elif rows and _MORE.match(line) and number == rows[-1][2]:
            key, first, _ = rows[-1]
            about[key] = f"{about[key]} {line.strip()}".strip()
            rows[-1] = (key, first, number + 1)
        elif line.strip():
            problems.append(f"line {number + 1} is no entry such as `- {LICENCE}: MIT`")
            continue
        else:
            continue
        end = number + 1
    if start and not rows:
        # Below the heading and the empty line after it.
        end = start + (start < len(lines) and not lines[start].strip())
    return Page(text, title, about, tuple(problems), tuple(rows), end)
