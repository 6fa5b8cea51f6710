"""Assigns the files that were handed in to modules, and says in words what is missing.

It works on names alone and reads no files.
"""

import keyword
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import islice

from grader.intake.layouts.plain import COMPARED_NAMES, Expected
from grader.intake.names import (
    folded_file,
    is_notebook,
    is_python,
    kept_on_windows,
    listed,
    main_sources,
    shown,
    stem,
    with_other_endings,
)
from grader.model.task import AskedFiles
from grader.wire.source_text import OF_PYTHON

BESIDE_MAX = 64
"""Files that are read beside a program in another language than Python."""
_BESIDE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}")
"""Their names: a compiler takes others for options or lists of files."""
_NAMES_HINT = "begin with a letter or digit, and use letters without accents, digits, `_`, `-`, `+` and `.`"


@dataclass(frozen=True, slots=True)
class Match:
    """Modules and the files they are read from: the task's in its order, then helpers by name.

    Helpers in another language than Python have their file's name for a module's.

    problems, notes: as in `Submission`.
    """

    files: dict[str, str]
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def match(names: Collection[str], modules: Mapping[str, str]) -> Match:
    """Assign the files of one folder to modules.

    names: all files that lie in the folder; modules: module name -> file name.
    """
    expected = Expected(modules)
    instead = modules.others if isinstance(modules, AskedFiles) else {}
    built = {folded_file(name) for others in instead.values() for name in others}
    python = sorted(name for name in names if is_python(name) or folded_file(name) in built)
    clear, problems = _without_twins(python, expected)
    capitals = modules.capitals if isinstance(modules, AskedFiles) else ()
    files, notes = _wanted(clear, modules, instead, capitals)
    others = [name for name in clear if name not in files.values()]
    unread = [name for name in others if folded_file(name) in built]
    if unread:
        be = "was" if len(unread) == 1 else "were"
        notes.append(f"{listed(unread)} {be} not read: another file counts")
        others = [name for name in others if name not in unread]
    missing = [file for module, file in modules.items() if module not in files]
    endings = tuple(modules.beside) if isinstance(modules, AskedFiles) else ()
    only = main_sources(python) or [name for name in names if endings and folded_file(name).endswith(endings)]
    if missing and len(modules) == 1 and len(only) == 1:
        (module,) = modules
        files[module] = only[0]
        notes.append(f"{shown(only[0])} was taken as {missing[0]}, the only file that the task asks for")
        others = [name for name in others if name != only[0]]
    elif missing:
        problems.append(_absence(names, python, missing, expected, instead))
    helpers, remarks = _helpers(others, modules)
    if isinstance(modules, AskedFiles):
        left = [name for name in names if name not in python and name not in files.values()]
        beside, more = _beside(left, files.values(), modules.beside)
        helpers, remarks = helpers | beside, remarks + more
    return Match(files | helpers, tuple(problems), tuple(notes + remarks))


def _without_twins(python: list[str], expected: Expected) -> tuple[list[str], list[str]]:
    """Leave out names that a Mac or Windows takes for one, but for the one that is asked for."""
    groups: dict[str, list[str]] = {}
    for name in python:
        groups.setdefault(folded_file(name), []).append(name)
    clear, problems = [], []
    for group in groups.values():
        exact = [name for name in group if name in expected.files]
        plain = [name for name in group if kept_on_windows(name) == name]
        # `utils.py` counts, beside `utils.py.` and `utils.py ` alone.
        exact = exact or (plain if len(plain) == 1 else [])
        if len(group) == 1 or exact:
            clear += exact or group
        if len(group) > 1:
            kept = f"only {exact[0]} was read" if exact else "none of them was read"
            problems.append(f"{listed(group)} are the same name on some systems; {kept}")
    return sorted(clear), problems


def _wanted(
    clear: list[str],
    modules: Mapping[str, str],
    instead: Mapping[str, tuple[str, ...]],
    capitals: tuple[str, ...],
) -> tuple[dict[str, str], list[str]]:
    """Return the files of modules.  instead, capitals: as `others` and `capitals` of `AskedFiles`."""
    by_name = {folded_file(name): name for name in clear}
    files, notes = {}, []
    for module, file in modules.items():
        names = (*with_other_endings(file), *instead.get(module, ()))
        wanted = next((each for each in names if folded_file(each) in by_name), None)
        if wanted is None:
            continue
        files[module] = found = by_name[folded_file(wanted)]
        if wanted in names[1:] and wanted not in instead.get(module, ()):
            cells = ": the code of its cells" if is_notebook(found) else ""
            notes.append(f"{shown(found)} was taken as {file}{cells}")
        elif found != wanted and not wanted.endswith(capitals):
            if kept_on_windows(found) != found:
                notes.append(f"{shown(found)!r} was taken as {wanted}: its name ends in a dot or a blank")
            else:
                notes.append(f"{shown(found)} was taken as {wanted}: upper and lower case differ")
    return files, notes


def _beside(
    names: list[str], programs: Collection[str], endings: Mapping[str, tuple[str, ...]]
) -> tuple[dict[str, str], list[str]]:
    """Return the files that lie beside programs in other languages, and notes on those that are left out."""
    wanted = {
        beside
        for ending, others in endings.items()
        if any(folded_file(name).endswith(ending) for name in programs)
        for beside in others
    }
    if not wanted:
        return {}, []
    found = sorted(name for name in names if folded_file(name).endswith(tuple(wanted)))
    plain = [name for name in found if _BESIDE.fullmatch(name)]
    notes, odd = [], [name for name in found if name not in plain]
    if odd:
        be = "was" if len(odd) == 1 else "were"
        notes.append(f"{listed(odd)} {be} left out: {_NAMES_HINT}")
    if len(plain) > BESIDE_MAX:
        notes.append(f"only {BESIDE_MAX} of the {len(plain)} files beside the program were read")
    return {name: name for name in plain[:BESIDE_MAX]}, notes


def _helpers(others: list[str], modules: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    helpers, notes, unusable = {}, [], []
    notebooks = [name for name in others if is_notebook(name)]
    if notebooks:
        be = "was" if len(notebooks) == 1 else "were"
        notes.append(f"{listed(notebooks)} {be} not read; a notebook is, where the task asks for its name")
    for name in others:
        if is_notebook(name):
            continue
        # As Python does with an identifier.
        module = unicodedata.normalize("NFKC", stem(kept_on_windows(name)))
        if not module.isidentifier() or keyword.iskeyword(module) or module in modules or module in helpers:
            unusable.append(name)
            continue
        helpers[module] = name
        if module in OF_PYTHON:
            notes.append(
                f"{shown(name)} has the name of a module of Python's standard library, so `import {module}`"
                " can mean either; give the file another name"
            )
    if unusable:
        notes.append(f"{listed(unusable)} can't be imported under that name, and was left out")
    return helpers, notes


def _absence(
    names: Collection[str],
    python: list[str],
    missing: list[str],
    expected: Expected,
    instead: Mapping[str, tuple[str, ...]],
) -> str:
    slips: dict[str, str] = {}
    for name in islice(sorted(names, key=lambda name: (not is_python(name), name)), COMPARED_NAMES):
        meant = expected.nearest(name)
        if folded_file(name) not in expected.folded and meant in missing:
            slips.setdefault(meant, name)
    question = f" — did you mean {listed(slips)}?" if slips else ""
    if not python and not slips:
        if instead:
            every = [name for others in instead.values() for name in others]
            return f"no program was found; expected {listed(missing)}, or in its place {listed(every)}"
        return f"no Python file was found; expected {listed(missing)}"
    if len(missing) < len(expected.files) or not python:
        found = f"; found {listed(slips.values())}" if slips else ""
        return f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing{found}{question}"
    return f"found {listed(python)}; expected {listed(expected.files)}{question}"
