"""A task as the spec states it, validated and with every name resolved.

Built by `grader.spec` alone; every later layer reads it.  All of it can be pickled and
compared, so a task can travel to another process and be part of a digest.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from grader.languages.toolchain import Toolchain, language_of
from grader.model.case import Case
from grader.model.kinds import kind_of
from grader.model.limits import BUDGET_S, BUDGET_WALLS, Limits
from grader.model.policy import Attempts, Deduction, Group, Late, Second, Section, Smoke
from grader.model.rule import Rule, TaskRule
from grader.model.submission import ALL_CELLS, Cells, ImportPolicy, Repairs
from grader.model.values import DeclaredType

TASK_ID = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(?:-[a-z0-9]+)*")
TASK_ID_WORDS = "lower-case letters, digits and single hyphens, at most 64"


def is_task_id(text: str) -> bool:
    """Tell whether a text can be the name of a task."""
    return TASK_ID.fullmatch(text) is not None


class Award(StrEnum):
    """The rule by which cases become their question's mark."""

    ALL = "all"
    """All of the marks if every case is accepted, else none."""
    EACH = "each"
    """In proportion to the weights of the accepted cases."""
    GROUPS = "groups"
    """As each, over named groups.  A group without a rule counts when all of its cases are accepted."""
    BY_TIME = "by-time"
    """As each; a right answer earns what its time is worth, compared with the reference's."""


class RoundingMode(StrEnum):
    """Which way a mark between two steps goes."""

    HALF_UP = "half-up"
    HALF_EVEN = "half-even"
    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Rounding:
    """The one rounding of a submission's mark: to a multiple of `step`."""

    step: Fraction = Fraction(1, 100)
    mode: RoundingMode = RoundingMode.HALF_UP


@dataclass(frozen=True, slots=True)
class Level:
    """A mark that a criterion can have, and what earns it.

    id: by which reviews name it; empty where they name its marks.
    """

    marks: Fraction
    description: str
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A part of a question that a person marks.

    id: `<question>.<id>`, unique in the task.
    levels: the marks to choose from; empty: any up to `marks`.
    """

    id: str
    title: str
    marks: Fraction
    description: str = ""
    levels: tuple[Level, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A part of the task with marks of its own, by cases or by criteria.

    groups: those with rules of their own; with any, every case belongs to one of them.
    stop_after: its cases are skipped once this many of them ran out of time; None: never.
    bonus: its marks come on top of the task's.
    """

    id: str
    title: str
    module: str
    marks: Fraction
    award: Award
    cases: tuple[Case, ...]
    criteria: tuple[Criterion, ...] = ()
    beside: tuple[str, ...] = ()
    """Modules that come from the reference instead of the submission; student code can read them."""
    groups: tuple[Group, ...] = ()
    stop_after: int | None = None
    bonus: bool = False

    @property
    def most(self) -> Fraction:
        """The marks that can be earned, bonus groups included."""
        return self.marks + sum((group.weight for group in self.groups if group.bonus), Fraction(0))


@dataclass(frozen=True, slots=True)
class OwnCode:
    """Modules of the spec's own, as they were when the spec was read: what is digested is what runs.

    path: the folder, or the file, that they were read from.
    texts: the source of each, by the name of the module in the spec.
    """

    path: Path
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SpecFile:
    """A file that a spec consists of.  path: absolute."""

    path: Path
    content: bytes


@dataclass(frozen=True, slots=True)
class Lock:
    """The lock file of a task.

    file: its name.  path: relative to the spec's folder, or absolute.
    releases: normalized name and version of each package; a name can have several.
    """

    file: str
    path: str
    sha256: str
    releases: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that every case of a task finds in its folder.  name: relative to that, with `/`."""

    name: str
    content: bytes = field(repr=False)


class PageLanguage(StrEnum):
    """The language of the pages for students, as HTML names it."""

    ENGLISH = "en"
    GERMAN = "de"


class AskedFiles(dict[str, str]):
    """The file name of each module that a task asks for.

    others: the names that a module's file can have instead, by module, where another language is allowed.
    beside: the endings of files that are read beside one with such a name, by its ending.
    capitals: endings of those of them whose capital letters the student chooses.
    """

    def __init__(
        self,
        files: Mapping[str, str],
        others: Mapping[str, tuple[str, ...]],
        beside: Mapping[str, tuple[str, ...]],
        capitals: tuple[str, ...] = (),
    ) -> None:
        super().__init__(files)
        self.others = others
        self.beside = beside
        self.capitals = capitals


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A whole assignment.

    modules: module name and file name, in the order of the spec.
    reference: the modules of the reference, or None.
    checkers: the module with the spec's checkers, or None.
    types: the classes of the modules whose instances are data.
    packages: third-party packages that submissions may import, preloaded.
    lock: their versions, and those of the packages that they need; None: any.
    python: the interpreter of the submissions ("3.12" or a path), or "" for the grader's own.
    toolchains: the languages besides Python in which its programs may be handed in.
    repairs: what is mended in a submission's sources.
    imports: what counts of a module that raises while it is imported.
    cells: the cells that are read of notebooks.
    budget_s, budget_wall_s: CPU seconds, and seconds of waiting, for a whole submission; cases beyond them
        are skipped.
    late, smoke: what is taken off where a submission is late, or fails its smoke test.
    instead: what is taken off where a person's file is marked in place of a work.
    blind: who marks by hand sees no names.  second: the second marking by hand; None without one.
    undated: instead of `late`, penalties whose deadline is not in the spec; a course says it.
    rules: what holds for the source of every submission.
    cap: the most marks of a submission; None: `marks`.
    sections: questions with a cap of their own.
    language: of the pages for students.
    attempts: which of several attempts counts; None: the latest, and the others are not marked.
    alone: each hands in alone, so groups of a roster share no work.
    data: the files that every case finds in its folder, and the import of its module too.
    more_cases: ids of the questions of which marking has more cases, in a task for students.
    spec_path, spec_sha256: where it was read, and the digest of all that it consists of.
    files: all that it consists of: the spec, and the files that it names.
    """

    id: str
    title: str
    marks: Fraction
    questions: tuple[Question, ...]
    modules: tuple[tuple[str, str], ...]
    reference: OwnCode | None = None
    checkers: OwnCode | None = None
    types: tuple[DeclaredType, ...] = ()
    packages: tuple[str, ...] = ()
    lock: Lock | None = None
    python: str = ""
    toolchains: tuple[Toolchain, ...] = ()
    limits: Limits = Limits()
    repairs: Repairs = Repairs.USUAL
    imports: ImportPolicy = ImportPolicy.WHOLE
    cells: Cells = ALL_CELLS
    budget_s: float = BUDGET_S
    budget_wall_s: float = BUDGET_WALLS * BUDGET_S
    rounding: Rounding = field(default_factory=Rounding)
    seed: int = 0
    late: Late | None = None
    undated: Late | None = None
    smoke: Smoke | None = None
    instead: Deduction | None = None
    blind: bool = False
    second: Second | None = None
    rules: tuple[TaskRule, ...] = ()
    cap: Fraction | None = None
    sections: tuple[Section, ...] = ()
    attempts: Attempts | None = None
    alone: bool = False
    language: PageLanguage = PageLanguage.ENGLISH
    more_cases: tuple[str, ...] = ()
    data: tuple[DataFile, ...] = ()
    spec_path: Path = Path()
    spec_sha256: str = ""
    files: tuple[SpecFile, ...] = field(default=(), repr=False)

    @property
    def asked(self) -> AskedFiles:
        """The files that a submission has, by module."""
        languages = [language_of(each) for each in self.toolchains]
        beside = {ending: each.beside for each in languages for ending in each.endings}
        others = {
            module: tuple(f"{file.removesuffix('.py')}{ending}" for ending in beside)
            for module, file in self.modules
        }
        capitals = tuple(ending for each in languages if each.keeps_capitals for ending in each.endings)
        return AskedFiles(dict(self.modules), others if beside else {}, beside, capitals)

    def toolchain_of(self, file: str) -> Toolchain | None:
        """Return the toolchain that builds a submission's file; None for Python."""
        exact = (each for each in self.toolchains if file.endswith(language_of(each).exact_endings))
        folded = file.casefold()
        usual = (each for each in self.toolchains if folded.endswith(each.endings))
        return next(exact, None) or next(usual, None)

    @property
    def most(self) -> Fraction:
        """The most marks that a submission can have."""
        return self.marks if self.cap is None else self.cap

    def seed_of(self, case: Case) -> int:
        """Return the seed of all that is random in a case."""
        return self.seed if case.seed is None else case.seed

    @property
    def preloaded(self) -> tuple[str, ...]:
        """Modules to import once for all submissions: the packages, and what classes of data mostly need."""
        more = ("matplotlib.pyplot",) if "matplotlib" in self.packages else ()
        return (*self.packages, *more, *(("dataclasses",) if self.types else ()))

    @property
    def every_rule(self) -> list[Rule]:
        """All rules: those of the task, then those of the cases."""
        of_cases = (kind_of(case).rule(case.what) for case in self.cases)
        return [*(each.rule for each in self.rules), *(rule for rule in of_cases if rule is not None)]

    @property
    def has_rules(self) -> bool:
        """Tell whether the task looks at source text."""
        return bool(self.every_rule)

    @property
    def cases(self) -> tuple[Case, ...]:
        """All cases in the order of the spec."""
        return tuple(case for question in self.questions for case in question.cases)
