"""Searches for an input that tells a program from the reference, and pastes what was found into the spec."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.engine.run_config import prepare_run
from grader.lab.tools import MarkingTools
from grader.model.results import CaseResult
from grader.model.task import Question, Task
from grader.plugins.validate.search.field import reference_sources
from grader.plugins.validate.trial import ProgramTrials
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import Zygote
from grader.spec import load_task

REPOSITORY = Path(__file__).parents[2]


@contextmanager
def tools_for(task: Task) -> Iterator[MarkingTools]:
    """Return the sandbox of a task."""

    def start() -> Zygote:
        return Zygote(Driver.NAMESPACES, find_interpreter(""), task.preloaded)

    with MarkingTools(start, task) as tools:
        yield tools


@dataclass(frozen=True)
class Spec:
    """A spec in a folder of its own, to be changed.  path: its file."""

    path: Path

    @property
    def task(self) -> Task:
        return load_task(self.path)

    def question(self, name: str) -> Question:
        return next(question for question in self.task.questions if question.id == name)

    @property
    def files(self) -> list[Path]:
        """The spec, and the files that it may include."""
        return [self.path, *self.path.with_suffix("").glob("*.yaml")]

    def replace(self, old: str, new: str) -> None:
        """Replace a text of the spec or its files, which must be there."""
        changed = [path for path in self.files if old in path.read_text()]
        assert changed
        for path in changed:
            path.write_text(path.read_text().replace(old, new))

    def without_case(self, name: str) -> None:
        """Leave all cases with this name out."""
        found = False
        for path in self.files:
            kept, leaves_out = [], False
            for line in path.read_text().splitlines():
                if line.startswith(("      - ", "  - ")) or not line:
                    leaves_out = line == f"      - name: {name}"
                    found |= leaves_out
                if not leaves_out:
                    kept.append(line)
            path.write_text("\n".join(kept) + "\n")
        assert found

    def paste(self, question: str, lines: tuple[str, ...]) -> str:
        """Put lines below the last case of a question; return the id of the new case."""
        text = self.path.read_text().splitlines()
        ids = [f'  - id: "{question}"', f"  - id: {question}"]
        first = next(
            number
            for number, line in enumerate(text)
            if line in ids or (line.startswith("  - include:") and line.endswith(f"#{question}"))
        )
        rest = range(first + 1, len(text))
        end = next((number for number in rest if text[number].startswith("  - ")), len(text))
        has_cases = "    cases:" in text[first:end]
        text[end:end] = [*([] if has_cases else ["    cases:"]), *(f"      {line}" for line in lines)]
        self.path.write_text("\n".join(text) + "\n")
        return self.question(question).cases[-1].id

    def sources(self, *changes: tuple[str, str], module: str = "") -> dict[str, str]:
        """Return the reference's modules with texts of one replaced."""
        found = reference_sources(self.task)
        module = module or self.task.modules[0][0]
        for old, new in changes:
            assert old in found[module], old
            found[module] = found[module].replace(old, new, 1)
        return found

    def wrong(self, program: str) -> dict[str, str]:
        """Return a program that lies beside the repository's spec."""
        folder = REPOSITORY / "specs" / self.path.stem / "wrong" / program
        return {name: (folder / file).read_text() for name, file in self.task.modules}

    def judged(self, question: str, program: Mapping[str, str], *cases: str) -> list[CaseResult]:
        """Return the results of a program in cases of a question, all if none is named."""
        task = replace(self.task, questions=(self.question(question),))
        with ProgramTrials(prepare_run(task, Driver.NAMESPACES, "")) as trials:
            results = trials.run(program, cases or [case.id for case in task.cases])
        return list(results.values())


def copied(name: str, folder: Path) -> Spec:
    """Return a copy of one of the repository's specs with its files."""
    (folder / "specs").mkdir()
    for path in (REPOSITORY / "specs").iterdir():
        if path.is_file():
            shutil.copy(path, folder / "specs")
        else:
            shutil.copytree(
                path, folder / "specs" / path.name, ignore=shutil.ignore_patterns("wrong", "right")
            )
    shutil.copytree(REPOSITORY / "reference", folder / "reference")
    return Spec(folder / "specs" / f"{name}.yaml")


def written(folder: Path, reference: str, spec: str, checkers: str = "") -> Spec:
    """Return a small spec with one module, `work`.  spec: its questions and other keys."""
    (folder / "reference").mkdir()
    (folder / "reference" / "work.py").write_text(reference)
    head = "task: small\ntitle: Small\nmarks: 1\nreference: reference\nmodules: {work: work.py}\n"
    if checkers:
        (folder / "checkers.py").write_text(checkers)
        head += "checkers: checkers.py\n"
    path = folder / "small.yaml"
    path.write_text(head + spec)
    return Spec(path)
