"""Where a test asks, for ways that lead to objects in one place and to data in another.

`work.find()` can give an object once and a number the next time.  So each answer has a *place*: the test,
what was asked with which data and for which time, and where in the answer it stands.  An object of the
program's counts where the reference has one at that place, and is none where the reference has data.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

OBJECT, DATA, NOTHING = "o", "d", "n"
"""The kinds of answers.  Nothing is None, in whose place an object may stand."""
ALL = "[*]"
"""Ends the path to what a container holds that is data throughout."""
_MOST = 50_000
_DIGEST_B = 12

Answer = dict[str, str]
"""The kinds at each path within an answer."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands.

    asked: a digest.  number: so many times was the same asked before.  is_loose: the program, too, decides
    what stands there, as by the order of a set's items.
    """

    asked: str = ""
    number: int = 0
    path: str = ""
    is_loose: bool = False

    def within(self, step: str, *, is_loose: bool = False) -> "Place":
        if not self.asked:
            return self
        return replace(self, path=self.path + step, is_loose=self.is_loose or is_loose)


NOWHERE = Place()


class Places:
    """The kinds of the reference's answers.

    mixed: for ways that lead to both, the answers each time that something was asked; one if all are alike.
    learns: they are noted.
    """

    def __init__(self, mixed: Mapping[str, Mapping[str, Sequence[Answer]]], *, learns: bool) -> None:
        self._learns = learns
        self._mixed = mixed
        self.ways = frozenset(mixed)
        self._noted: dict[str, dict[str, dict[int, Answer]]] = {}
        self._left = _MOST
        self._times: Counter[str] = Counter()
        self._test = ""

    def begin(self, test: str) -> None:
        """Begin another test, of this name."""
        self._test = test
        self._times.clear()

    def learned(self, mixed: Collection[str]) -> dict[str, dict[str, list[Answer]]]:
        """Return what was noted of these ways, as plain data."""
        return {
            source: {asked: _alike(answers) for asked, answers in self._noted[source].items()}
            for source in sorted(mixed)
            if source in self._noted
        }

    def of(self, operation: Sequence[object], *, is_loose: bool = False) -> Place:
        """Return the place of the answer to an operation."""
        if not (self._learns or self._mixed):
            return NOWHERE
        text = f"{self._test} {text_of(operation)}"
        asked = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_B).hexdigest()
        number = self._times[asked]
        self._times[asked] += 1
        return Place(asked, number, is_loose=is_loose)

    def note(self, sources: Sequence[str], place: Place, kind: str) -> None:
        """Note the kind of an answer of the reference's."""
        for source in sources:
            answer = (
                self._noted.setdefault(source, {}).setdefault(place.asked, {}).setdefault(place.number, {})
            )
            before = answer.get(place.path, "")
            if kind not in before and self._left > 0:
                self._left -= 1
                answer[place.path] = before + kind

    def expected(self, sources: Sequence[str], place: Place) -> set[str]:
        """Return the kinds that an answer may have at a place; empty if the reference was not asked so."""
        found: set[str] = set()
        for source in sources:
            answers = self._mixed.get(source, {}).get(place.asked, ())
            number = place.number if len(answers) > 1 else 0
            if number < len(answers):
                found.update(_kinds(answers[number], place.path))
        return found | {OBJECT} if found and place.is_loose else found


def _alike(answers: Mapping[int, Answer]) -> list[Answer]:
    """Return the answers to what was asked several times; one if they are alike."""
    found = [answers.get(number, {}) for number in range(max(answers) + 1)]
    return found[:1] if all(each == found[0] for each in found) else found


def _kinds(answer: Answer, path: str) -> str:
    if path in answer:
        return answer[path]
    parts = path.split("[")
    above = ("[".join(parts[:number]) + ALL for number in range(len(parts) - 1, 0, -1))
    return next((answer[each] for each in above if each in answer), "")


def text_of(part: object) -> str:
    """Return a node as a text that is the same in each process: an object is an object."""
    match part:
        case ["h", int()]:
            return "h"
        case ["c", int(), str(name), *_]:
            return f"c {name}"
        case list() | tuple():
            return f"[{','.join(map(text_of, part))}]"
        case set() | frozenset():
            return f"{{{','.join(sorted(map(text_of, part)))}}}"
        case dict():
            return f"{{{','.join(f'{text_of(key)}:{text_of(value)}' for key, value in part.items())}}}"
    return repr(part)
