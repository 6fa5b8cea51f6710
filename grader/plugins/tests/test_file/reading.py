"""A case that runs a test file: one case for each of its test functions."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from grader.model.case import Case, FileOfTests, TestFunction, Visibility
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import is_python_name
from grader.spec.reference.files import read_attached, text_of
from grader.spec.reference.test_files import FoundTest, all_names, find_tests, imported_names, refusals
from grader.spec.reference.test_slices import Slices
from grader.spec.reference.uncounted import uncounted_tests
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable

_MOST_FILES = 100


def read_tests(context: Context, fields: Fields, key: str) -> tuple[FileOfTests, list[FoundTest]]:
    """Return the test file that a key names, and its tests.  Raises Unusable."""
    content = read_attached(fields, key, context.attached)
    path = Path(os.path.normpath(context.attached.path / fields[key]))
    texts: dict[str, str] = {}
    try:
        texts[path.stem] = text_of(content)
        found = find_tests(texts[path.stem], path.name)
        texts |= _beside(context, path, texts)
        names = all_names(texts[path.stem], path.name)
        refused = [(each, file) for file in texts for each in refusals(texts[file], f"{file}.py")]
    except (SyntaxError, UnicodeDecodeError) as error:
        line = f" (line {error.lineno})" if isinstance(error, SyntaxError) and error.lineno else ""
        fields.report(key, f"{shown(path.name)} can't be read as Python: {error}{line}")
        raise Unusable from None
    except OSError as error:
        fields.report(key, f"a file beside the tests can't be read: {error.strerror}")
        raise Unusable from None
    for refusal, name in refused:
        fields.report(key, f"{shown(name)}.py:{refusal.line}: {refusal.message}", refusal.hint)
    if refused:
        raise Unusable
    if path.suffix != ".py" or not is_python_name(path.stem):
        fields.report(key, f"`{shown(path.name)}` is not the file of a Python module", "such as test_leap.py")
        raise Unusable
    if path.stem in dict(context.modules):
        message = f"the test file has the name of the task's module `{shown(path.stem)}`"
        fields.report(key, message, "rename it, such as test_leap.py")
        raise Unusable
    if not found:
        fields.report(key, f"{shown(path.name)} has no test function", "pytest finds functions named test_…")
        raise Unusable
    return FileOfTests(module=path.stem, texts=tuple(texts.items()), tests=tuple(names)), found


def _beside(context: Context, path: Path, texts: dict[str, str]) -> dict[str, str]:
    """Return conftest.py, and the files beside that the tests import.  Raises `OSError`, `SyntaxError`."""
    found: dict[str, str] = {}
    waiting = ["conftest", *imported_names(texts[path.stem], path.name)]
    while waiting and len(found) < _MOST_FILES:
        name = waiting.pop(0)
        file = path.with_name(f"{name}.py")
        if name in found or name == path.stem or name in dict(context.modules) or not file.is_file():
            continue
        content = file.read_bytes()
        context.attached.contents[os.path.relpath(file, context.attached.path)] = content
        found[name] = text_of(content)
        waiting += imported_names(found[name], file.name)
    return found


def decode_tests(context: Context, fields: Fields, common: Case) -> list[Case]:
    """Return a case for each test function.  Raises Unusable."""
    file, found = read_tests(context, fields, "pytest")
    chosen = [*_chosen(fields, found)]
    _refuse_uncounted(fields, file)
    cases = []
    slices = Slices(dict(file.texts), file.module)
    for number, test in enumerate(chosen, 1):
        texts = slices.of(test.name)
        names = tuple(all_names(texts[file.module], f"{file.module}.py"))
        own = FileOfTests(module=file.module, texts=tuple(texts.items()), tests=names)
        case = replace(
            common,
            id=f"{common.id}.{number}" if common.id else "",
            text=f"{file.module}.py::{test.name.replace('.', '::')}",
            what=TestFunction(file=own, name=test.name, proven=context.has_reference),
            weight=common.weight * (1 if test.points is None else test.points),
            visibility=_stricter(common.visibility, test.visibility or Visibility.PUBLIC),
            title=common.title or test.title,
        )
        cases.append(case)
    return cases


def _refuse_uncounted(fields: Fields, file: FileOfTests) -> None:
    """Report each test that pytest would run, and that is no case.  Raises Unusable.

    Where `tests` names those that count, the others are left out on purpose.
    """
    wanted = {scalar.text for scalar in fields["tests"]}
    is_refused = False
    for name, refusal in uncounted_tests(dict(file.texts), file.module):
        if not wanted or not wanted.isdisjoint((name, name.partition(".")[0])):
            place = f"{shown(file.module)}.py:{refusal.line}"
            fields.report("pytest", f"{place}: {refusal.message}", refusal.hint)
            is_refused = True
    if is_refused:
        raise Unusable


def _stricter(one: Visibility, other: Visibility) -> Visibility:
    """Return the one of which students see less."""
    order = (Visibility.PUBLIC, Visibility.AFTER_DUE, Visibility.HIDDEN)
    return max(one, other, key=order.index)


def _chosen(fields: Fields, found: list[FoundTest]) -> Iterator[FoundTest]:
    """Yield the tests that `tests` names, all without it; report a name that the file lacks."""
    wanted = [(scalar.text, scalar.span) for scalar in fields["tests"]]
    groups = {test.name.partition(".")[0] for test in found}
    known = [*dict.fromkeys([*groups, *(test.name for test in found)])]
    for name, span in wanted:
        if name not in known:
            hint = fields.reporter.nearest_or_all(name, known)
            fields.reporter.report(span, f"the test file has no test `{shown(name)}`", hint)
            raise Unusable
    names = {name for name, _ in wanted}
    for test in found:
        if not names or test.name in names or test.name.partition(".")[0] in names:
            yield test
