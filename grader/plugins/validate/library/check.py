"""Checks a task of a library: whether its page says what it must, and whether a copy of it is sound."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.authoring.library.copying import copied_files, write_files
from grader.authoring.library.library import LICENCES, SHELF, Library, Place
from grader.authoring.library.page import KEYS, LICENCE, NEEDED, UNKNOWN, VALIDATION, Page
from grader.authoring.programs import read_programs
from grader.intake.names import shown
from grader.model.errors import NoSandbox, UsageError
from grader.model.task import Task
from grader.model.validation import Check, Gravity, Validation
from grader.plugins.validate.library.figures import figures
from grader.plugins.validate.whole import Options, validate
from grader.plugins.validate.work.crew import TellDone
from grader.reports.views.wording import counted
from grader.spec import load_spec


@dataclass(frozen=True, slots=True)
class CheckedTask:
    """What was found out about a task.

    page: as it is.  figures: its entries that are figures, as they should be; empty where they are not known.
    problems: sentences for people.  stale: figures of the page that are others now, in words.
    """

    name: str
    page: Page
    figures: Mapping[str, str]
    problems: tuple[str, ...]
    stale: tuple[str, ...] = ()
    validation: Validation | None = None

    @property
    def told(self) -> str:
        """What was validated, in words."""
        if self.figures:
            return self.figures[VALIDATION]
        return (
            f"{self.validation.caught} of {self.validation.total} mutants caught" if self.validation else ""
        )

    @property
    def renewed(self) -> Page:
        """The page with the figures as they should be."""
        page = self.page
        for key, text in self.figures.items():
            if page.about.get(key) != text:
                page = page.with_entry(key, text)
        return page


def check_task(library: Library, place: Place, options: Options, tell: TellDone) -> CheckedTask:
    """Check a task by a copy of it in an empty folder.  Raises `NoSandbox`.

    options: those of the validation.
    """
    try:
        page = library.page(place)
    except UsageError as error:
        return CheckedTask(place.name, Page(""), {}, tuple(_told(error)))
    problems = list(_page_problems(page))
    figured: dict[str, str] = {}
    stale: list[str] = []
    validation = None
    with TemporaryDirectory(prefix="grader-library-") as folder:
        try:
            files = copied_files(library, place, page)
            if not any(path.rpartition("/")[2].partition(".")[0] in LICENCES for path in files):
                problems.append(
                    "there is no file LICENSE with the text of the licence, in its folder or above"
                )
            write_files(files, Path(folder), place.name)
            task, places = load_spec(Path(folder, SHELF, f"{place.name}.yaml"))
            if task.id != place.name:
                problems.append(f"its spec says `task: {task.id}`, and the file is called {place.name}.yaml")
            validation = validate(task, replace(options, places=places), tell)
            problems += _faults(validation)
            lacking = list(_lacking(validation))
            problems += lacking
            if not options.quick and not lacking:
                figured = figures(task, read_programs(task), validation)
                stale += _stale(page, figured)
            validation = _in_library(validation, task, library, place)
        except NoSandbox:
            raise
        except UsageError as error:
            problems += _told(error, folder, "/".join((library.where, *place.shelf)))
    return CheckedTask(place.name, page, figured, tuple(problems), tuple(stale), validation)


def _page_problems(page: Page) -> Iterator[str]:
    if not page.title:
        yield "its page has no heading, `# TITLE`"
    if not page.about:
        yield "its page has no list below `## About`"
    else:
        for key in NEEDED:
            if not page.about.get(key):
                yield f"its page does not say `- {key}: …`"
    if page.about.get(LICENCE, "").casefold() == UNKNOWN:
        yield "its licence is unknown, so nobody may take it over: ask its author"
    for key in page.about:
        if key not in KEYS:
            near = get_close_matches(key, KEYS, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"there is {', '.join(KEYS)}"
            yield f"its page has an entry `{shown(key)}`: {hint}"
    yield from (f"its page, {problem}" for problem in page.problems)


def _faults(validation: Validation) -> Iterator[str]:
    for remark in validation.faults:
        about = remark.case or (f"question {remark.question}" if remark.question else "")
        yield f"{about}: {remark.text}" if about else remark.text
    if validation.caught < validation.total:
        lacking = ", ".join(each.id for each in validation.questions if each.survivors)
        mutants = counted(validation.total, "mutant")
        yield f"{validation.caught} of {mutants} caught; see question {lacking} on the page of its validation"


def _lacking(validation: Validation) -> Iterator[str]:
    """Yield what was not validated, for want of a package or a tool: missing evidence is no pass."""
    for remark in validation.remarks:
        if remark.check is Check.REFERENCE and remark.gravity is Gravity.ODD:
            yield remark.text


def _stale(page: Page, figured: Mapping[str, str]) -> Iterator[str]:
    for key, text in figured.items():
        told = page.about.get(key, "")
        if told != text:
            said = f"says {shown(told)}" if told else "does not say it"
            yield f"{key} is {text}, and its page {said}: --write brings it up to date"


def _in_library(validation: Validation, task: Task, library: Library, place: Place) -> Validation:
    """Return a validation that names the files of the library in place of those of the copy."""
    folder, shelf = str(task.spec_path.parent), "/".join((library.where, *place.shelf))
    remarks = (
        replace(remark, place=remark.place.replace(folder, shelf)) if remark.place else remark
        for remark in validation.remarks
    )
    return replace(validation, spec=f"{shelf}/{place.name}.yaml", remarks=tuple(remarks))


def _told(error: UsageError, copy: str = "", shelf: str = "") -> Iterator[str]:
    """Yield the mistakes that an error holds, each on one line, by the paths of the library."""
    for fault in error.faults:
        text = f"{fault.where}: {fault.message}" if fault.where else fault.message
        yield text.replace(f"{copy}/{SHELF}", shelf) if copy else text
