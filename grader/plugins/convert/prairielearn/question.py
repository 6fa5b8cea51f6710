"""Makes the draft of a spec from a question of PrairieLearn."""

import ast
import json
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from grader.authoring.written import Keys, Raw, WrittenCase, WrittenQuestion
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible, slug_of
from grader.plugins.convert.prairielearn.around import Around, Known, code_around, known_of, packages_in
from grader.plugins.convert.prairielearn.cases import cases_of
from grader.plugins.convert.prairielearn.drawing import Drawing
from grader.plugins.convert.prairielearn.expressions import Expressions
from grader.plugins.convert.prairielearn.folder import QuestionFolder, read_folder
from grader.plugins.convert.prairielearn.method import Method
from grader.plugins.convert.prairielearn.suite import Suite, points_of_test, read_suite, title_of
from grader.yamlfile.quoting import in_quotes

_FILE = "tests/test.py"
_FILE_NAME = re.compile(r"[A-Za-z_][\w. -]{0,99}\.(py|ipynb)", flags=re.ASCII)
_STOPS = "other tests and values count also where a call raises, at which PrairieLearn ends"
_DRAWN = "its values are drawn once, for the spec; PrairieLearn draws others each time"
_SAME_FOR_ALL = "what it draws is the same for all students; PrairieLearn draws anew each time"


def read_question(path: Path, module: str, folder: str) -> Draft:
    """Return what a question comes to.

    folder: the name of the one beside the spec in which its files will lie.  Raises `UsageError`.
    """
    question = read_folder(path)
    suite = read_suite(question.tests, str(path / _FILE))
    draft = Draft(module=module, noun="test", title=question.title, counted="tests")
    worth = {method.name: points_of_test(method, suite, str(path / _FILE)) for method in suite.methods}
    parts = {name: draft.offer(name, points or Fraction(0)) for name, points in worth.items()}
    draft.assertions = len(suite.methods)
    stem = suite.file.rpartition(".")[0]
    name = re.sub(r"\W", "_", stem, flags=re.ASCII)
    try:
        if not _FILE_NAME.fullmatch(suite.file) or not name.isidentifier():
            raise Unconvertible(f"`{suite.file}` is no module or notebook")
        around = code_around(question)
    except Unconvertible as error:
        draft.remark(_FILE, 1, Meaning.LEFT_OUT, str(error))
        return draft
    for reason in around.kinder:
        draft.remark("tests", 1, Meaning.KINDER, reason)
    if around.later:
        reason = f"`{around.later[0]}` must be there, which trailing_code.py needs only when it is called"
        draft.remark("tests/trailing_code.py", 1, Meaning.STRICTER, reason)
    if suite.rounds > 1:
        reason = f"`total_iters`: its tests run once, not {suite.rounds} times"
        draft.remark(_FILE, 1, Meaning.KINDER, reason)
    if around.draws:
        draft.remark("tests/setup_code.py", 1, Meaning.KINDER, _SAME_FOR_ALL)
    tests = Tests(draft, question, suite, around, known_of(question.reference), name, folder)
    for method in suite.methods:
        tests.read(method, worth[method.name], parts[method.name])
    calls = sum("call" in case.keys for one in draft.questions for case in one.cases)
    if calls > 1 and "call_user" in question.tests:
        draft.remark(_FILE, 1, Meaning.KINDER, _STOPS)
    packages = {
        *tests.packages,
        *packages_in(question.reference, around.before, around.after, question.starter),
    }
    files = {name: suite.file, **{each: f"{each}.py" for each in question.modules}}
    listed = ", ".join(f"{each}: {in_quotes(file)}" for each, file in files.items())
    draft.settings["modules"] = Raw(f"{{{listed}}}")
    if packages:
        draft.settings["packages"] = Raw(f"[{', '.join(sorted(packages))}]")
    if question.data:
        pairs = (f"{in_quotes(each)}: {{from: {in_quotes(f'{folder}/{each}')}}}" for each in question.data)
        draft.settings["files"] = Raw(f"{{{', '.join(pairs)}}}")
    _lay(draft, question, suite, around, folder)
    return draft


def _lay(draft: Draft, question: QuestionFolder, suite: Suite, around: Around, folder: str) -> None:
    """Put the files of a question beside its spec."""
    texts = {
        "setup.py": around.before,
        "after.py": around.after,
        f"reference/{suite.file}": _as_file(around.reference, suite.file),
        f"handout/{suite.file}": question.starter if suite.file.endswith(".py") else "",
    }
    draft.files |= {f"{folder}/{name}": text.encode() for name, text in texts.items() if text.strip()}
    draft.files |= {f"{folder}/{name}": content for name, content in question.data.items()}
    for name, text in question.modules.items():
        draft.files[f"{folder}/reference/{name}.py"] = text.encode()
    if around.reference.strip():
        draft.reference = f"{folder}/reference"


def _as_file(text: str, name: str) -> str:
    """Return code as the file that students hand in: a module, or a notebook of one cell."""
    if not name.endswith(".ipynb"):
        return text
    cell: dict[str, object] = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": text,
    }
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1) + "\n"


@dataclass(slots=True)
class Tests:
    """Turns the tests of a question into questions of a spec."""

    draft: Draft
    question: QuestionFolder
    suite: Suite
    around: Around
    known: Known
    module: str
    folder: str
    packages: set[str] = field(default_factory=set)
    _halting: list[str] = field(default_factory=list)
    """The ids of earlier questions that must be right, else nothing more is tried."""

    def read(self, method: ast.FunctionDef, points: Fraction | None, part: str) -> None:
        """Add the question of a test, or tell why it is left out."""
        try:
            if points is None:
                raise Unconvertible("it has no `@points`, and counts beside the total")
            found = Expressions(
                drawing=Drawing(f"{self.suite.file} {method.name}"),
                imports=self.suite.imports,
                taken=frozenset(self.question.from_user),
                known=self.known.values,
                calls=self.known.calls,
                params=self.question.params,
            )
            score = Method(found).score(method.body, self.suite.names)
            cases, award = cases_of(score, found.conditions)
        except (Unconvertible, RecursionError) as error:
            reason = str(error) if isinstance(error, Unconvertible) else "it is too deep"
            self.draft.remark(_FILE, method.lineno, Meaning.LEFT_OUT, f"{method.name}: {reason}")
            return
        self.packages |= found.packages
        if found.drawing.has_drawn:
            self._kinder(method, _DRAWN)
        if any(each.plots for each in found.conditions):
            self._kinder(method, "it looks at all that is drawn, under whatever name it is kept")
        used = {index for term in score.terms for index in term}
        critical = found.critical_of_test & used
        if critical and critical != used:
            self._kinder(method, "PrairieLearn ends where a part of it fails; here the later tests count")
        kept = tuple(WrittenCase(keys, self.module, _FILE, method.lineno) for keys in cases)
        question = WrittenQuestion(
            id=slug_of(method.name.removeprefix("test").strip("_")) or "test",
            title=title_of(method),
            marks=points,
            cases=kept,
            award=award,
            needs=tuple(self._halting),
            part=part,
            around=_around(self.around, self.question, self.module, self.folder),
        )
        self.draft.add(question)
        self.draft.converted += 1
        if critical and critical == used:
            self._halting.append(self.draft.questions[-1].id)

    def _kinder(self, method: ast.FunctionDef, reason: str) -> None:
        self.draft.remark(_FILE, method.lineno, Meaning.KINDER, f"{method.name}: {reason}")


def _around(around: Around, question: QuestionFolder, module: str, folder: str) -> Keys:
    keys: dict[str, str | Raw] = {}
    if question.modules:
        keys |= {"module": module, "beside": Raw(f"[{', '.join(question.modules)}]")}
    if around.before.strip():
        keys |= {"before": f"{folder}/setup.py", "gives": Raw(f"[{', '.join(around.gives)}]")}
    if around.after.strip():
        keys |= {"after": f"{folder}/after.py", "takes": Raw(f"[{', '.join(around.takes)}]")}
    return keys
