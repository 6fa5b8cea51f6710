"""Starts a task: its spec, a handout, a wrong program and the reference, all at once or not at all."""

import ast
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from grader.authoring.bench import TrialRunner, programs_of
from grader.authoring.left_out import told_in_points
from grader.authoring.new.again import exact, not_passed_again
from grader.authoring.new.answers import answered, asked, stated
from grader.authoring.new.declaring import declaration
from grader.authoring.new.drafts import NewCase, NewQuestion, Note
from grader.authoring.new.examples import Examples, read_examples
from grader.authoring.new.reading import python_name, question_drafts, read_modules
from grader.authoring.new.sketches import sketch
from grader.authoring.new.source import Module, read_module
from grader.authoring.new.stubs import stub_of, stub_of_calls
from grader.authoring.programs import EXPECTED, WRONG
from grader.authoring.written import WrittenCase, WrittenQuestion, WrittenSpec, spec_text
from grader.engine.self_check import with_cases
from grader.marking.rounding import format_mark
from grader.model.errors import Fault, SpecError, UsageError
from grader.model.events import TellPhase
from grader.model.task import TASK_ID_WORDS, Task, is_task_id
from grader.spec import load_task

_STEPS = [Fraction(1), *(Fraction(text) for text in ("0.5", "0.25", "0.1", "0.05", "0.01"))]
_MOST_GUESSED = 3
_HANDOUT = "handout"
WRONG_NAME = "returns-nothing"
_HEAD = """\
# {title}: started by `grader new` from {origin}.
#
# Each answer is the reference's, as it was when this file was written.  Please read every case and edit it:
# - `marks` of the task is the sum of its questions' marks;
# - cases that say "guessed" come from a signature alone: give them inputs that tell right from wrong;
# - `visibility: hidden` keeps a case from students, and `hint: ...` helps them with it;
# - 2 is no answer where 2.0 is expected: `equality: python` takes both, and `rel: 1e-9` allows for rounding;
# - `award: each` counts cases in proportion; `award: all` asks for all of them.
"""
_HEAD_OF_EXAMPLES = """\
# {title}: started by `grader new` from {origin}.
#
# There is no reference yet, so the examples' own answers count.  Put a solution into reference/{task}/ and
# write `reference: ../reference/{task}`; then `grader try` checks every case against it.
# - `marks` of the task is the sum of its questions' marks;
# - `visibility: hidden` keeps a case from students, and `hint: ...` helps them with it;
# - 2 is no answer where 2.0 is expected: `equality: python` takes both, and `rel: 1e-9` allows for rounding;
# - `award: each` counts cases in proportion; `award: all` asks for all of them.
"""
SAMPLE = '''\
"""What this module is about, for students.  Replace it with your own solution."""


def count_vowels(text: str) -> int:
    """Return how many of the letters a, e, i, o and u a text has.

    >>> count_vowels("hello")
    2
    >>> count_vowels("")
    0
    """
    return sum(letter in "aeiou" for letter in text.lower())
'''


@dataclass(frozen=True, slots=True)
class NewTask:
    """The task to start.  source: a module or a folder.  marks: None for one a question."""

    task: str
    folder: Path
    source: Path | None = None
    examples: Path | None = None
    marks: Fraction | None = None

    @property
    def targets(self) -> tuple[Path, Path, Path]:
        """The spec, its folder, and the reference's."""
        return (
            self.folder / "specs" / f"{self.task}.yaml",
            self.folder / "specs" / self.task,
            self.folder / "reference" / self.task,
        )


def start_task(wish: NewTask, note: Note, tell: TellPhase) -> list[Path]:
    """Write a new task; return the paths that are new.  Raises `UsageError`, before anything is written.

    note: called with sentences for people.  tell: called with each phase.
    """
    _check(wish)
    tell("reading the reference")
    modules = _modules(wish, note)
    examples = read_examples(wish.examples, note) if wish.examples is not None else Examples(())
    try:
        wish.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".grader-new-", dir=wish.folder) as work:
            made = _Maker(replace(wish, folder=Path(work)), modules, note, tell)
            made.write(question_drafts(modules, examples, note), examples)
            return _moved(made.wish.targets, wish.targets)
    except OSError as error:
        raise UsageError(Fault(f"the task can't be written: {error.strerror}", str(wish.folder))) from error


def _modules(wish: NewTask, note: Note) -> list[Module]:
    if wish.source is not None:
        return read_modules(wish.source, note)
    return [] if wish.examples is not None else [read_module(Path(), python_name(wish.task), SAMPLE)]


def _check(wish: NewTask) -> None:
    if not is_task_id(wish.task):
        stem = wish.task.removesuffix(".py")
        hint = f"{TASK_ID_WORDS}, such as leap-years"
        if stem != wish.task and is_task_id(stem) and wish.source is None:
            hint = f"to start a task from it: grader new {stem} --from {wish.task}"
        raise UsageError(Fault(f"{wish.task!r} is not the name of a task", hint=hint))
    for path in wish.targets:
        if os.path.lexists(path) and not _is_source(path, wish):
            hint = "choose another name, or another folder with --dir"
            raise UsageError(Fault("this is there already, and nothing is overwritten", str(path), hint=hint))


def _is_source(path: Path, wish: NewTask) -> bool:
    """Tell whether the reference already stands where it belongs."""
    return path == wish.targets[2] and wish.source is not None and path.resolve() == wish.source.resolve()


class _Maker:
    """Makes all files of a task in a folder of its own."""

    def __init__(self, wish: NewTask, modules: Sequence[Module], note: Note, tell: TellPhase) -> None:
        self.wish = wish
        self._modules = modules
        self._note = note
        self._tell = tell
        self._bench = TrialRunner()

    def write(self, drafts: Sequence[NewQuestion], examples: Examples) -> None:
        """Write everything.  Raises `UsageError`."""
        spec, folder, reference = self.wish.targets
        for path in (folder / _HANDOUT, folder / WRONG / WRONG_NAME, reference):
            path.mkdir(parents=True)
        for module in self._modules:
            (reference / f"{module.name}.py").write_text(module.text, encoding="utf-8")
        new = self._asked(drafts) if self._modules else self._stated(drafts)
        if self._modules:
            new = self._without_failing(new, drafts)
        spec.write_text(spec_text(new), encoding="utf-8")
        if new.left_out:
            titles = ", ".join(each.title for each in new.left_out)
            self._note(f"no case was found for {titles}; the spec names them at its end")
        if not any(question.cases for question in new.questions):
            self._note(
                "no case was found: a person marks each question until the spec has cases; see its comments"
            )
        elif lost := self._left_out_in_marks(new, drafts):
            self._note(lost)
            spec.write_text(spec_text(replace(new, lost=lost)), encoding="utf-8")
        self._write_programs(new, drafts)
        self._declare(load_task(spec))

    def _left_out_in_marks(self, new: WrittenSpec, drafts: Sequence[NewQuestion]) -> str:
        """Return what examples that are no cases would be worth; empty if all are cases.

        Each question has the same share of the marks, and each of its examples the same of that.
        """
        share = (self.wish.marks or Fraction(len(drafts))) / len(drafts)
        made = {(question.title, question.module): question for question in new.questions}
        offered, left = {}, {}
        for draft in drafts:
            name = draft.title if len(new.modules) == 1 else f"{draft.title} of {draft.module}"
            question = made.get((draft.title, draft.module or python_name(self.wish.task)))
            kept = sum(case.examples for case in question.cases) if question is not None else 0
            offered[name] = share
            if question is None:
                left[name] = share
            elif draft.examples:
                left[name] = share * max(0, draft.examples - kept) / draft.examples
        told = told_in_points(offered, left, "question", "marks")
        return told and f"cases of {told}; the cases that are there carry all marks"

    def _spec(
        self, questions: Sequence[WrittenQuestion], left_out: Sequence[NewQuestion] = ()
    ) -> WrittenSpec:
        wish = self.wish
        names = [module.name for module in self._modules]
        others = frozenset[str]().union(*(module.packages for module in self._modules)) - {*names}
        source, examples = wish.source, wish.examples
        origins = [path.name for path in (source, examples) if path is not None]
        title = wish.task.replace("-", " ").capitalize()
        head = _HEAD if names else _HEAD_OF_EXAMPLES
        marks = shares(wish.marks, len(questions))
        return WrittenSpec(
            head=head.format(title=title, origin=" and ".join(origins) or "a sample", task=wish.task),
            task=wish.task,
            title=title,
            modules=tuple(names or dict.fromkeys(question.module for question in questions)),
            questions=tuple(
                replace(question, id=str(number), marks=share)
                for number, (question, share) in enumerate(zip(questions, marks, strict=True), 1)
            ),
            reference=f"../reference/{wish.task}" if names else "",
            packages=tuple(sorted(others)),
            types={
                made.name: ("members", made.members) if made.members else ("fields", made.fields)
                for module in self._modules
                for made in module.classes
                if made.is_data
            },
            module_first=True,
            left_out=tuple(self._sketched(each) for each in left_out),
        )

    def _sketched(self, draft: NewQuestion) -> WrittenQuestion:
        """Return a question without cases, with a sketch of them."""
        lines = sketch(draft, self._modules)
        return WrittenQuestion(
            "", draft.title, Fraction(0), (), criterion=True, remarks=draft.remarks, sketch=lines
        )

    def _skeleton(self, drafts: Sequence[NewQuestion]) -> WrittenSpec:
        """Return the spec of a reference of which no answer is known: a person marks it all."""
        modules = [NewQuestion(f"the module {each.name}.py", each.name, ()) for each in self._modules]
        return self._spec([self._sketched(each) for each in drafts or modules])

    def _stated(self, drafts: Sequence[NewQuestion]) -> WrittenSpec:
        """Return the spec of examples without a reference, whose own answers count."""
        questions = []
        for draft in drafts:
            module = draft.module or python_name(self.wish.task)
            made = [stated(each, module) for each in draft.cases]
            cases = [case for case in made if case is not None and self._loads(draft, case)]
            questions += [_question(draft, cases)] if cases else []
        return self._spec(self._some(questions))

    def _asked(self, drafts: Sequence[NewQuestion]) -> WrittenSpec:
        """Return the spec with the reference's answers."""
        self._tell("asking the reference")
        fit: list[tuple[NewQuestion, list[NewCase]]] = []
        for draft in drafts:
            cases = [each for each in draft.cases if self._loads(draft, asked(each, draft.module))]
            fit.append((draft, cases))
        questions = [
            _question(draft, [asked(each, draft.module) for each in cases]) for draft, cases in fit if cases
        ]
        if not questions:
            return self._skeleton(drafts)
        task = self._load(questions)
        expectations = self._bench.ask(task)
        asked_ones = iter(task.questions)
        found, left_out = [], []
        for draft, cases in fit:
            written: list[WrittenCase] = []
            for case, each in zip(next(asked_ones).cases if cases else (), cases, strict=True):
                expected = expectations.get(case.id)
                if expected is None or (each.is_guess and len(written) == self._most(each)):
                    continue
                made = answered(each, draft.module, expected, task.types, self._note)
                written += [made] if made is not None else []
            if written:
                found.append(_question(draft, written))
            else:
                left_out.append(draft)
        return self._spec(found, left_out) if found else self._skeleton(drafts)

    @staticmethod
    def _most(draft: NewCase) -> int:
        return 1 if draft.is_scenario else _MOST_GUESSED

    def _some(self, questions: list[WrittenQuestion]) -> list[WrittenQuestion]:
        if not questions:
            where = self.wish.source or self.wish.examples
            hint = "give type hints or doctests, or examples with --from-examples"
            raise UsageError(
                Fault("no case was found for any function or class", str(where or ""), hint=hint)
            )
        return questions

    def _loads(self, draft: NewQuestion, case: WrittenCase) -> bool:
        """Tell whether a spec with this case alone is valid; note why an example is not."""
        try:
            self._load([_question(draft, [case])])
        except SpecError as error:
            if case.examples:
                self._note(f"{case.origin}: this example is left out: {error.faults[0].message}")
            return False
        return True

    def _load(self, questions: Sequence[WrittenQuestion]) -> Task:
        spec = self.wish.targets[0]
        made = self._spec(questions)
        one_each = tuple(replace(question, marks=Fraction(1)) for question in made.questions)
        spec.write_text(spec_text(replace(made, questions=one_each)), encoding="utf-8")
        return load_task(spec)

    def _without_failing(self, new: WrittenSpec, drafts: Sequence[NewQuestion]) -> WrittenSpec:
        """Return the spec without cases that the reference does not pass again, also with other seeds."""
        self._tell("marking the reference")
        spec = self.wish.targets[0]
        spec.write_text(spec_text(exact(new)), encoding="utf-8")
        task = load_task(spec)
        failed = not_passed_again(task)
        questions, left_out = [], {each.title for each in new.left_out}
        for question, marked in zip(new.questions, task.questions, strict=True):
            pairs = list(zip(question.cases, marked.cases, strict=True))
            kept = tuple(case for case, one in pairs if one.id not in failed)
            for case, one in pairs:
                if one.id in failed and case.examples:
                    self._note(f"{case.origin}: left out, {failed[one.id]}")
            questions += [replace(question, cases=kept)] if kept else []
            left_out |= set() if kept else {question.title}
        if questions == list(new.questions):
            return new
        if not questions:
            return self._skeleton(drafts)
        return self._spec(questions, [each for each in drafts if each.title in left_out])

    def _write_programs(self, new: WrittenSpec, drafts: Sequence[NewQuestion]) -> None:
        folder = self.wish.targets[1]
        for place, body in ((_HANDOUT, "raise NotImplementedError"), (f"{WRONG}/{WRONG_NAME}", "pass")):
            for module in self._modules:
                (folder / place / f"{module.name}.py").write_text(stub_of(module, body), encoding="utf-8")
            for name in new.modules if not self._modules else ():
                text = stub_of_calls(_functions(new, name), body)
                (folder / place / f"{name}.py").write_text(text, encoding="utf-8")

    def _declare(self, task: Task) -> None:
        """Write the marks and verdicts that the wrong program gets; remove it where it is not wrong."""
        wrong = self.wish.targets[1] / WRONG
        if not task.cases:
            shutil.rmtree(wrong)
            return
        programs = [each for each in programs_of(task) if each.kind == WRONG]
        result = self._bench.mark(with_cases(task, lambda case: True), programs)[programs[0].name]
        if result.mark >= task.marks:
            shutil.rmtree(wrong)
            return
        (wrong / EXPECTED).write_text(declaration(WRONG_NAME, result), encoding="utf-8")


def _question(draft: NewQuestion, cases: Sequence[WrittenCase]) -> WrittenQuestion:
    """Return a question that has no number and no marks yet."""
    found = tuple(cases)
    return WrittenQuestion("", draft.title, Fraction(0), found, award="each", remarks=draft.remarks)


def _functions(new: WrittenSpec, module: str) -> dict[str, int]:
    """Return the functions that the cases of a module call, and their most arguments."""
    return {
        question.title: max(_arguments(str(each.keys["call"])) for each in question.cases)
        for question in new.questions
        if question.module == module
    }


def _arguments(call: str) -> int:
    """Return how many arguments a call has."""
    node = ast.parse(call, mode="eval").body
    return len(node.args) + len(node.keywords) if isinstance(node, ast.Call) else 0


def shares(marks: Fraction | None, count: int) -> tuple[Fraction, ...]:
    """Return the marks of each question, as even as they can be.  Raises `UsageError`."""
    if marks is None:
        return (Fraction(1),) * count
    for step in _STEPS:
        units = marks / step
        if units.denominator == 1 and units >= count:
            least, more = divmod(int(units), count)
            return tuple((least + (place < more)) * step for place in range(count))
    reason = f"{format_mark(marks)} marks can't be shared among {count} questions"
    raise UsageError(Fault(reason, hint="give --marks at least 0.01 a question, with two decimals at most"))


def _moved(made: Sequence[Path], targets: Sequence[Path]) -> list[Path]:
    """Move what was made to its place, all or nothing; return the new paths."""
    done: list[Path] = []
    try:
        for path, target in zip(made, targets, strict=True):
            if os.path.lexists(target):
                continue  # the reference, which is there already
            if path.is_dir() and not any(path.iterdir()):
                continue  # there is no reference yet
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
            done.append(target)
    except BaseException:
        for target in done:
            shutil.rmtree(target) if target.is_dir() else target.unlink()
        raise
    return done
