"""Where a test asks, for ways that lead to objects in one place and to data in another.

`work.find()` can give an object once and a number the next time.  An object of the program's counts there
only where the reference has one, so each answer by such a way has a *place*: the test, what was asked with
which data, and where in the answer it stands.  What is asked twice may be answered otherwise (`queue.get()`),
so the kinds of all answers at a place are noted, one after another.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b

OBJECT, DATA, NOTHING = "o", "d", "n"
"""The kinds of answers.  Nothing is None, in whose place an object may stand."""
ALL = "[*]"
"""Ends the place of what a container holds that is data throughout."""
_MOST = 50_000
_DIGEST_B = 12


class Places:
    """The kinds of the reference's answers.

    mixed: the kinds at each place, for ways that lead to both; while the reference is at work they are noted.
    """

    def __init__(self, mixed: Mapping[str, Mapping[str, str]], *, learns: bool) -> None:
        self._learns = learns
        self._mixed = mixed
        self._kinds: dict[tuple[str, str], str] = {}
        self._met: Counter[tuple[str, str]] = Counter()
        self._test = ""

    def begin(self, test: str) -> None:
        """Begin another test, of this name."""
        self._test = test
        self._met.clear()

    def learned(self, mixed: Collection[str]) -> dict[str, dict[str, str]]:
        """Return what was noted of these ways, as plain data."""
        found: dict[str, dict[str, str]] = {source: {} for source in sorted(mixed)}
        for (source, place), kinds in self._kinds.items():
            if source in found:
                found[source][place] = kinds[0] if len(set(kinds)) == 1 else kinds
        return found

    def of(self, operation: Sequence[object]) -> str:
        """Return the place of the answer to an operation; empty if no place counts."""
        if not (self._learns or self._mixed):
            return ""
        return blake2b(f"{self._test} {_text(operation)}".encode(), digest_size=_DIGEST_B).hexdigest()

    def note(self, sources: Sequence[str], place: str, kind: str) -> None:
        """Note the kind of an answer of the reference's."""
        for source in sources:
            key = source, place
            if key in self._kinds or len(self._kinds) < _MOST:
                self._kinds[key] = self._kinds.get(key, "") + kind

    def expected(self, sources: Sequence[str], place: str) -> set[str]:
        """Return the kinds that the next answer at a place can have, by each way that leads to both.

        Empty if the reference was not asked so.
        """
        found: set[str] = set()
        for source in sources:
            if source in self._mixed:
                kinds = self._at(source, place)
                number = self._met[source, place]
                self._met[source, place] += 1
                found.update(kinds if len(kinds) < 2 else kinds[number : number + 1])
        return found

    def _at(self, source: str, place: str) -> str:
        places = self._mixed[source]
        if place in places:
            return places[place]
        parts = place.split("[")
        above = ("[".join(parts[:number]) + ALL for number in range(len(parts) - 1, 0, -1))
        return next((places[each] for each in above if each in places), "")


def _text(part: object) -> str:
    """Return an operation as a text, the same in each process: without the numbers of objects."""
    match part:
        case ["h", int()]:
            return "h"
        case ["c", int(), str(name)]:
            return f"c {name}"
        case list() | tuple():
            return f"[{','.join(map(_text, part))}]"
        case set() | frozenset():
            return f"{{{','.join(sorted(map(_text, part)))}}}"
        case dict():
            return f"{{{','.join(f'{_text(key)}:{_text(value)}' for key, value in part.items())}}}"
    return repr(part)
