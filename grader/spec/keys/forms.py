"""What the keys of a kind of case are, and which of them go together.

A package of `grader.kinds` has them in its module `keys`, as `KEYS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.yamlfile.table import Key, KeyTable


@dataclass(frozen=True, slots=True)
class CaseForm:
    """A form of case, which one key shows, such as `call` or `rule`.

    goes_with: the keys that can stand beside that key.
    hints: for some of the other keys, a hint.  otherwise: the hint for all others.
    makes_calls: its key is a call, and no other such key can stand beside it.
    kind: the name of its kind, as `grader.model.kinds` has it.
    """

    goes_with: tuple[str, ...]
    hints: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = ""
    makes_calls: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class KindKeys:
    """The keys of a kind of case.

    keys: in the order of the documentation, without those of every case.
    forms: by the key that shows it.
    only_with: for keys that go with one other alone, that one and a hint.
    also_with: for some of these, keys with which they go all the same.
    tables: the tables of the mappings that its keys hold.
    """

    keys: tuple[Key, ...]
    forms: Mapping[str, CaseForm]
    only_with: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    also_with: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tables: tuple[KeyTable, ...] = ()


OF_EVERY = ("name", "title", "number", "weight", "group", "hint", "visibility", "needs", "limits", "seed")
"""The keys of every case that runs code."""
