"""The validator of a case: a program of the instructor's that judges what a student's program printed."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path, PurePosixPath

from grader.kinds.program.reading_arguments import decode_arguments
from grader.languages.toolchain import language_named, language_names
from grader.model.case import ProgramRun, Text
from grader.model.own_code import Interactor, Protocol, Validator
from grader.spec.expressions.context import Context
from grader.spec.reference.files import lies_inside, read_attached_at, text_of
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable

_PYTHON = (".py",)
_MOST_FILES = 64


def decode_validator(fields: Fields, context: Context, key: str) -> Validator | None:
    """Return the validator that a key names, None for none.  Raises Unusable."""
    if not fields.has(key):
        return None
    stated: Fields | str = fields.needed(key)
    if isinstance(stated, str):
        file, texts, language = _program(fields, key, context)
        return Validator(file, texts, language)
    file, texts, language = _program(stated, "file", context)
    protocol = Protocol(stated["protocol"] or Protocol.KATTIS)
    passes, full = _passes_and_score(stated, protocol)
    whole = _all_arguments(stated, protocol)
    return Validator(file, texts, language, decode_arguments(stated), protocol, passes, full, whole)


def _all_arguments(stated: Fields, protocol: Protocol) -> tuple[str, ...] | None:
    """Return the arguments that stand for those of the protocol, None for none.  Raises Unusable."""
    if not stated.has("all_arguments"):
        return None
    if protocol is Protocol.KATTIS:
        told = "a validator of the protocol `kattis` reads the output from its standard input"
        stated.report("all_arguments", told, "name another protocol, such as `dmoj`")
        raise Unusable
    if stated.has("arguments"):
        stated.report("all_arguments", "`arguments` follow those of the protocol, which this key replaces")
        raise Unusable
    return decode_arguments(stated, "all_arguments")


def _passes_and_score(stated: Fields, protocol: Protocol) -> tuple[int, Fraction]:
    """Return how often a program runs at most, and the full score; 0 for none.  Raises Unusable."""
    passes, full = stated["passes"], stated["score"]
    if passes is not None and protocol is not Protocol.KATTIS:
        stated.report(
            "passes", "passes go with the protocol `kattis` alone, which has a file for the next input"
        )
        raise Unusable
    if full is not None and protocol not in (Protocol.KATTIS, Protocol.TESTLIB):
        gives = "no scores" if protocol is Protocol.DMOJ else "a share, whatever the full score is"
        stated.report("score", f"a validator of the protocol `{protocol}` gives {gives}")
        raise Unusable
    return passes or 1, Fraction(full or 0)


def check_validated(fields: Fields, run: ProgramRun) -> None:
    """Report what cannot stand beside a validator."""
    if run.validator is None:
        return
    stdout = run.expect.stdout
    if stdout is not None and stdout != Text(stdout.value):
        message = "a validator compares in its own way, so `stdout` is a whole text beside it"
        fields.report("stdout", message, "give options of the comparison to the validator, as `arguments`")
    for key in fields.present("dialogue", "player"):
        fields.report_key(key, f"`{key}` does not go with `validator`, which is given the whole output")


def with_interactor(fields: Fields, run: ProgramRun, program: Validator) -> ProgramRun:
    """Return a program's run with the interactor, which gets the input and the answer in its place."""
    stdout = run.expect.stdout
    if stdout is not None and (stdout != Text(stdout.value) or stdout.value is None):
        fields.report("stdout", "beside an interactor, `stdout` is a whole text: the answer that it is given")
    for key in fields.present("dialogue", "player", "validator"):
        fields.report_key(key, f"`{key}` does not go with `interactor`, which does its work")
    if program.protocol is Protocol.PEG:
        fields.report("interactor", "the protocol `peg` has no interactors")
    answer = (stdout.value if stdout is not None else None) or ""
    interactor = Interactor(program, run.stdin, answer)
    return replace(run, stdin="", interactor=interactor, expect=replace(run.expect, stdout=None))


def _program(fields: Fields, key: str, context: Context) -> tuple[str, tuple[tuple[str, str], ...], str]:
    """Return the name of a program's file, all of its source files, and its language.  Raises Unusable."""
    path = PurePosixPath(fields.needed(key))
    if not lies_inside(fields, key, context.attached):
        raise Unusable
    language = _language_of(fields, key, path.name)
    endings = language_named(language).beside if language else _PYTHON
    names = _names_beside(fields, key, context.attached.path / path, endings) if path.parts[1:] else []
    texts = []
    for name in (path.name, *(each for each in names if each != path.name)):
        content = read_attached_at(fields, key, str(path.parent / name), context.attached)
        try:
            texts.append((name, _text_of(content, not language)))
        except (SyntaxError, UnicodeDecodeError) as error:
            fields.report(key, f"{shown(name)} can't be read: {error}")
            raise Unusable from None
    return path.name, tuple(texts), language


@lru_cache(_MOST_FILES)
def _text_of(content: bytes, is_python: bool) -> str:
    """Return a source's text, one object for all cases: the task that workers get then has it once."""
    return text_of(content) if is_python else content.decode()


def _language_of(fields: Fields, key: str, file: str) -> str:
    """Return the name of a file's language, empty for Python.  Raises Unusable for one that is not taken."""
    if file.endswith(_PYTHON):
        return ""
    # A language with a runtime would need a sandbox of its own.
    built = [name for name in language_names() if not language_named(name).headroom_mib]
    for name in built:
        if file.endswith(language_named(name).endings):
            return name
    titles = " or ".join(language_named(name).title for name in built)
    fields.report(key, f"a validator is a program in Python, {titles}, and {shown(file)} is none")
    raise Unusable


def _names_beside(fields: Fields, key: str, path: Path, endings: tuple[str, ...]) -> list[str]:
    """Return the names of the source files in a program's folder.  Raises Unusable."""
    try:
        names = sorted(
            each.name for each in path.parent.iterdir() if each.name.endswith(endings) and each.is_file()
        )
    except OSError:
        return []  # `read_attached_at` tells it
    if len(names) > _MOST_FILES:
        fields.report(key, f"more than {_MOST_FILES} source files lie beside the validator")
        raise Unusable
    return names
