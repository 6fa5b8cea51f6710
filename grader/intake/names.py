"""Names that students chose: which are junk, how they are shown, how they become ids.

A shown name is still hostile text: it is cut and made encodable here, and the code that prints it
escapes it.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

ID_MAX_CHARACTERS = 100
ID_MAX_B = 200
"""File systems allow 255 bytes; the rest is for endings such as `.html`."""
SHOWN_MAX = 80
_NAME_MAX = 300
EMPTY_ID = "submission"
_DIGEST_CHARACTERS = 10

_JUNK = frozenset({"__macosx", "__pycache__", "node_modules", "thumbs.db", "desktop.ini", "ehthumbs.db"})
_OF_STUDENT = re.compile(r"\.\.[^.]|.*_assignsubmission_|.* - ", re.DOTALL)
_DEVICES = frozenset({"con", "prn", "aux", "nul", "conin$", "conout$"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"
}
NOTEBOOK = ".ipynb"
_ARCHIVES = (".7z", ".rar", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".tbz2", ".txz")


def is_junk(name: str) -> bool:
    """Tell whether a file or folder was left by a machine or is hidden.

    A student's name can begin with a dot, and so the name that an LMS makes of it; macOS's begin with `._`.
    """
    is_hidden = name.startswith(".") and (name.startswith("._") or not _OF_STUDENT.match(name))
    return is_hidden or name.casefold() in _JUNK


def is_device(name: str) -> bool:
    """Tell whether Windows takes a file of this name for a device of its own: `aux`, `Con.txt`, `nul .py`."""
    return name.partition(".")[0].rstrip(" ").casefold() in _DEVICES


def kept_on_windows(name: str) -> str:
    """Return what Windows keeps of a file's name, which ends in no dot and no blank there."""
    return name.rstrip(". ") or name


def is_python(name: str) -> bool:
    """Tell whether a file's name ends as a Python source's does, or a notebook's."""
    return kept_on_windows(name).casefold().endswith((".py", NOTEBOOK))


def is_notebook(name: str) -> bool:
    return kept_on_windows(name).casefold().endswith(NOTEBOOK)


def main_sources(names: Iterable[str]) -> list[str]:
    """Return the Python files among names; a single notebook beside them is no work of its own."""
    python = [name for name in names if is_python(name)]
    plain = [name for name in python if not is_notebook(name)]
    return plain if plain and len(python) - len(plain) < 2 else python


def with_other_endings(name: str) -> tuple[str, ...]:
    """Return a file's name, and the name under which its code can come too: `a.py` and `a.ipynb`."""
    for one, other in ((".py", NOTEBOOK), (NOTEBOOK, ".py")):
        if name.casefold().endswith(one):
            return name, f"{name[: -len(one)]}{other}"
    return (name,)


def is_zip(name: str) -> bool:
    return kept_on_windows(name).casefold().endswith(".zip")


def is_other_archive(name: str) -> bool:
    """Tell whether a file's name is that of an archive which is not read here."""
    return kept_on_windows(name).casefold().endswith(_ARCHIVES)


def is_archive(name: str) -> bool:
    """Tell whether a file's name is that of an archive, read here or not."""
    return is_zip(name) or is_other_archive(name)


def is_work(name: str) -> bool:
    """Tell whether a file can be a submission by itself: Python, or an archive."""
    return is_python(name) or is_archive(name)


def stem(name: str) -> str:
    """Return a file's name without its ending; `a.tar.gz` gives `a`."""
    bare = re.sub(r"\.tar\.\w+$", "", name, flags=re.IGNORECASE)
    return bare if bare != name else re.sub(r"(?<=.)\.(?:\w*|[cC]\+\+)$", "", name)


def folded_file(name: str) -> str:
    """Return what the names of two files have in common if a Mac or Windows takes them for one."""
    return folded(kept_on_windows(name))


def folded(name: str) -> str:
    """Return what two names have in common if a Mac or Windows takes them for one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def readable(name: str) -> str:
    """Return a name that can be encoded: undecodable bytes become U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", name)


def shown(name: str) -> str:
    """Return a name for a sentence: readable, and cut where it is very long."""
    text = readable(name)
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"


def named(name: str) -> str:
    """Return a person's name for reports: readable, and cut where it is longer than any name."""
    text = readable(name)
    return text if len(text) <= _NAME_MAX else text[: _NAME_MAX - 1] + "…"


def listed(names: Iterable[str], most: int = 8) -> str:
    """Return names as people list them: `a, b and c`, cut after `most`."""
    every = [shown(name) for name in names]
    if len(every) > most:
        every = [*every[: most - 1], f"{len(every) - most + 1} more"]
    return " and ".join(filter(None, (", ".join(every[:-1]), *every[-1:])))


def safe_id(name: str) -> str:
    """Return a name that is safe as a file name on Linux, macOS and Windows.

    Letters, digits and marks of any script stay, and `-`, `_`, `.` inside; all else
    becomes a hyphen.  Not unique by itself: see `unique_ids`.
    """
    text = unicodedata.normalize("NFC", readable(name[: 4 * ID_MAX_CHARACTERS]))
    kept = "".join(c if c in "-_." or unicodedata.category(c)[0] in "LNM" else "-" for c in text)
    bare = re.sub(r"-{2,}", "-", kept).strip("-.")
    return _cut(f"_{bare}" if is_device(bare) else bare)


def _cut(text: str, ending: str = "") -> str:
    """Return a text and its ending within the limits of an id."""
    text = text[: ID_MAX_CHARACTERS - len(ending)]
    while len((text + ending).encode("utf-8")) > ID_MAX_B:
        text = text[:-1]
    return (text.rstrip("-.") or EMPTY_ID) + ending


@dataclass(frozen=True, slots=True)
class Claim:
    """A name that wants an id.

    own: its exact form.  parts: of the path to it.  about: what tells it from others at the same path.
    is_sure: a person chose it who is no student, so it keeps its id.
    """

    name: str
    own: str
    parts: tuple[str, ...] = ()
    about: str = ""
    is_sure: bool = False

    def exact(self, round_: int) -> str:
        """Return what tells it from others of that name: its exact form, then ever more of its path.

        No more than is needed, so that an id is the same where the whole batch lies elsewhere.
        """
        if not round_:
            return self.own
        if round_ < len(self.parts):
            return f"{'/'.join(self.parts[-round_ - 1 :])}\0{self.own}"
        return f"{'/'.join(self.parts)}\0{self.about}\0{round_}"


def apart(name: str, exact: str) -> str:
    """Return an id with a digest of the exact name, for a name that others have too.

    No id of a name alone holds `~`, so nobody takes it by a name of their own.
    """
    digest = hashlib.sha256(exact.encode("utf-8", "surrogatepass")).hexdigest()
    return _cut(safe_id(name), f"~{digest[:_DIGEST_CHARACTERS]}")


def unique_ids(claims: Sequence[Claim]) -> list[str]:
    """Return an id for each claim, no two of which are the same file on any system.

    Where several claims want one id, each gets a digest of its own exact name.  So an id depends on no order,
    and nobody who chooses another's name becomes that other.
    """
    ids = [safe_id(claim.name) for claim in claims]
    longest = max((len(claim.parts) for claim in claims), default=0)
    for round_ in range(longest + len(claims) + 1):
        twins = _twins(ids, claims if round_ == 0 else ())
        for place in twins:
            exact = claims[place].exact(round_)
            ids[place] = apart(claims[place].name, exact if round_ <= longest else f"{exact}\0{place}")
        if not twins:
            break
    return ids


def _twins(ids: Sequence[str], claims: Sequence[Claim] = ()) -> list[int]:
    """Return the places of ids that others have too, but for the one of each that is sure."""
    places: dict[str, list[int]] = {}
    for place, each in enumerate(ids):
        places.setdefault(folded(each), []).append(place)
    found: list[int] = []
    for same in places.values():
        sure = [place for place in same if claims and claims[place].is_sure]
        if len(same) > 1:
            found += [place for place in same if sure != [place]]
    return found
