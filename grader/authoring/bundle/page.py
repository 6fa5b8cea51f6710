"""The page of a handout that describes its task."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.authoring.bundle.carried import FOLDER, LIST
from grader.judge.messages import size_text
from grader.languages.toolchain import language_of
from grader.marking.rounding import format_mark
from grader.model.case import Case
from grader.model.kinds import kind_of
from grader.model.task import Question, Task
from grader.registry.installed import Plugin
from grader.reports.escape import plain

_MOST_SHOWN = 200
_CHECKING = """\
## Check your work

    pip install grader-harness{plugins}
    grader check {spec}

Say this in the folder of this page, with your files in it. It runs the cases below on your machine, in a
sandbox; with `--watch` it does so at each save. Marking can have more cases."""
_CHECKING_WITH_WHEELS = f"""\
## Check your work

Once, in the folder of this page:

    python -m pip install --no-deps -r {LIST}

It fetches nothing: the grader and what it needs for a check are in `{FOLDER}`.{{lacking}}
Then, with your files in this folder:

    python -m grader check {{spec}}

It runs the cases below on your machine, in a sandbox; with `--watch` it does so at each save. Marking can
have more cases.

Python may be called `python3` or `py`. Where pip says that the environment is externally managed, say
`python -m venv .venv` first, and `.venv/bin/python` for `python` from then on; on Windows
`.venv\\Scripts\\python`."""


@dataclass(frozen=True, slots=True)
class Installing:
    """What students have to install for a check.

    plugins: those that the task needs.
    is_carried: the handout has the grader's wheels.  others: packages and tools that it then lacks.
    """

    plugins: Sequence[Plugin] = ()
    is_carried: bool = False
    others: Sequence[str] = ()

    @property
    def of_plugins(self) -> list[str]:
        return [f"{plain(each.name)}=={plain(each.version)}" for each in self.plugins]


_NOTHING_MORE = Installing()


def page_text(
    task: Task, public: Task | None, starters: Sequence[str], installing: Installing = _NOTHING_MORE
) -> str:
    """Return the page, in Markdown.

    public: the task as students get it; None if there is nothing to try.
    starters: names of the files that everybody starts from.
    """
    return "\n".join(_lines(task, public, starters, installing)) + "\n"


def _lines(task: Task, public: Task | None, starters: Sequence[str], installing: Installing) -> Iterator[str]:
    files = [file for _, file in task.modules]
    yield f"# {_text(task.title)}"
    yield ""
    yield f"Hand in {_listed(files)}."
    if starters:
        yield f"Start from {_listed(starters)}."
    packages = [*(f"`{name}`" for name in task.packages), "Python's standard library"]
    if task.toolchains:
        found = map(language_of, task.toolchains)
        languages = ", ".join(f"{each.title} (`{'`, `'.join(each.endings)}`)" for each in found)
        yield f"It may also be in another language: {languages}, in a file with that ending."
        yield ""
    yield f"Your work may use {' and '.join(packages)}."
    yield ""
    if public is not None:
        yield from _checking(f"{task.id}.yaml", installing).splitlines()
    if task.rules:
        yield ""
        yield "## Rules"
        yield ""
        for rule in task.rules:
            hint = f". {_text(rule.rule.hint)}" if rule.rule.hint else ""
            yield f"- {_text(rule.rule.text)}{hint}"
    # Case by case only what the handout's own spec says, in its words.
    by_id = {question.id: question.cases for question in public.questions} if public is not None else {}
    for question in task.questions:
        yield ""
        yield f"## {_text(question.id)}. {_text(question.title)}"
        yield ""
        yield from _question(task, question, by_id.get(question.id, ()))


def _checking(spec: str, installing: Installing) -> str:
    """Return how students check their work.  spec: the file of the handout's own; named, it runs anywhere."""
    if not installing.is_carried:
        return _CHECKING.format(spec=spec, plugins="".join(f" {each}" for each in installing.of_plugins))
    lacking = _listed([*map(plain, installing.others), *installing.of_plugins])
    more = f"\nA check also needs {lacking}, which it does not have." if lacking else ""
    return _CHECKING_WITH_WHEELS.format(spec=spec, lacking=more)


def _question(task: Task, question: Question, cases: Sequence[Case]) -> Iterator[str]:
    marks = format_mark(question.marks)
    unit = "mark" if question.marks == Fraction(1) else "marks"
    where = f" · `{dict(task.modules)[question.module]}`" if question.module else ""
    if question.criteria or not cases:
        yield f"{marks} {unit}{where}"
        yield ""
        yield "A person marks it." if question.criteria else "There is no case of it to try at home."
        return
    limits = [case.limits for case in cases if kind_of(case).runs]
    least, most = (pick((limit.time_s for limit in limits), default=0.0) for pick in (min, max))
    time = f"{most:g} s" if least == most else f"{least:g} to {most:g} s"
    memory = size_text(max((limit.memory_b for limit in limits), default=0))
    yield f"{marks} {unit}{where}" + (f" · {time} of computing, {memory} of memory a case" if limits else "")
    yield ""
    for case in cases:
        yield f"- {_code(case.text)}"


def _text(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    line = " ".join(text.split())
    return "".join(f"\\{character}" if character in "\\`*_[]<>#|" else character for character in line)


def _code(text: str) -> str:
    line = " ".join(text.split())
    line = line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]} …"
    return f"`` {line} ``" if "`" in line else f"`{line}`"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
