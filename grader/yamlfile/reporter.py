"""Collects the mistakes of a file and sorts them by place."""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

from grader.model.errors import Fault, SpecError, UsageError
from grader.yamlfile.source import Source, Span, shown

MAX_FAULTS = 200
"""Further mistakes are only counted."""

_LONGEST_NAME = 60
_MOST_COMPARED = 1000
_MOST_LISTED = 12


class Reporter:
    """The mistakes found so far in a spec and in the files that it names.

    was_named: a person named the file; if not, it can be anybody's.
    """

    def __init__(self, source: Source, *, was_named: bool = True) -> None:
        self.source = source
        self.was_named = was_named
        self._found: dict[tuple[int, int, str], Fault] = {}
        self._files: list[str] = [source.name]
        self._not_kept = 0

    @property
    def found_any(self) -> bool:
        """Whether there is a mistake."""
        return bool(self._found)

    @property
    def full(self) -> bool:
        """Whether further mistakes are only counted."""
        return len(self._found) >= MAX_FAULTS

    def report(self, span: Span, message: str, hint: str = "", source: Source | None = None) -> None:
        """Note a mistake at a place of the spec, or of another file; the same one is noted once."""
        source = source or span.source or self.source
        if source.name not in self._files:
            self._files.append(source.name)
        key = (self._files.index(source.name), span.start, message)
        if key in self._found:
            return
        if self.full:
            self._not_kept += 1
            return
        self._found[key] = source.fault(span, message, hint)

    def report_once(self, span: Span, message: str, hint: str = "") -> None:
        """Note a mistake of the whole spec at the first place where it shows."""
        if all(text != message for _, _, text in self._found):
            self.report(span, message, hint)

    def beside(self, source: Source) -> "Reporter":
        """Return a reporter for another file that notes its mistakes among these."""
        other = Reporter(source)
        other._found, other._files = self._found, self._files
        return other

    def take_over(self, other: "Reporter") -> None:
        """Note the mistakes that another reporter found in its own file."""
        for (_, start, message), fault in other._found.items():
            if other.source.name not in self._files:
                self._files.append(other.source.name)
            if not self.full:
                self._found[(self._files.index(other.source.name), start, message)] = fault

    def raise_if_any(self, error: type[SpecError | UsageError] = SpecError) -> None:
        """Raise an error with every mistake, sorted by place, if there is one."""
        if not self._found:
            return
        faults = [self._found[key] for key in sorted(self._found)]
        if self._not_kept:
            faults.append(Fault(f"{self._not_kept} more mistakes are not shown", where=self.source.name))
        raise error(*faults)

    def nearest(self, name: str, known: Iterable[str]) -> str:
        """Return a hint with the valid name nearest to `name`; empty if none is near."""
        near = self.near(name, known)
        return f"did you mean `{shown(near)}`?" if near else ""

    def near(self, name: str, known: Iterable[str]) -> str:
        """Return the valid name nearest to `name`; empty if none is near."""
        if self.full or len(name) > _LONGEST_NAME:
            return ""
        return next(iter(get_close_matches(name, list(islice(known, _MOST_COMPARED)), n=1)), "")

    def nearest_or_all(self, name: str, known: Iterable[str]) -> str:
        """Return a hint with the nearest valid name, or with all of them if none is near."""
        names = list(dict.fromkeys(known))
        hint = self.nearest(name, names)
        if hint or not names or len(names) > _MOST_LISTED:
            return hint
        return "there is " + ", ".join(f"`{shown(n)}`" for n in names)
