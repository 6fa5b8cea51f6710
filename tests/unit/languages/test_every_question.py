"""Every language answers every question; a question without a check fails."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from grader.languages.artefact import Artefact
from grader.languages.language import PROGRAM, Language
from grader.languages.toolchain import (
    MEMORY,
    SOURCE,
    Toolchain,
    every_language,
    language_named,
    language_names,
    language_of,
    toolchain_named,
)

ROOT = Path(__file__).parents[3]
PERL = Toolchain("perl", (".pl",), run=("perl", f"-m{MEMORY}", SOURCE), reads=("/usr", "/no/such"))
MAKE = Toolchain("make", (".mk",), build=("make", "-f", SOURCE), run=(f"./{PROGRAM}", "now"))
ROWS = {
    **{name: toolchain_named(name) for name in language_names()},
    **{each.name: each for each in (PERL, MAKE)},
}
BUILT = {PROGRAM: b"\x7fELF", "main.class": b"\xca\xfe"}
"""What a build leaves, in any of them."""
LINES = ["", "main.c:3:5: error: x", "    at x", 'Exception in thread "main" A', "Node.js v20", "odd\0"]


def tools(language: Language) -> list[str]:
    return [f"/opt/kit/bin/{name}" for name in language.tools]


def usual(language: Language) -> str:
    return f"main{language.endings[0]}"


def is_text(text: object) -> bool:
    return isinstance(text, str)


def are_endings(endings: tuple[str, ...]) -> bool:
    return all(ending.startswith(".") and not ending.endswith((".py", ".ipynb")) for ending in endings)


def builds(language: Language) -> bool:
    words = language.build(tools(language))
    return not words or (words[0] == tools(language)[0] and any(SOURCE in word for word in words))


def is_ready(language: Language) -> bool:
    """Tell whether what a build left becomes a program; a build that left nothing may be a reason."""
    file, paths = usual(language), tools(language)
    made = language.artefact(file, {file: b"text"}, BUILT, paths)
    assert isinstance(made, Artefact)
    assert (made.host in paths) != bool(made.program)
    nothing = language.artefact(file, {file: b"text"}, {}, paths)
    return isinstance(nothing, Artefact) or nothing != ""


def starts(language: Language) -> bool:
    words = language.command("main", language.file_of("main", usual(language)))
    return words != "" and SOURCE not in words and MEMORY not in words


def reads_every_trace(language: Language) -> bool:
    for number in range(1, len(LINES) + 1):
        shown = language.trace_at(LINES[:number])
        if shown is not None:
            assert 0 <= shown < number
            found = language.trace(LINES[:number], shown)
            assert found is None or all(map(is_text, (found.name, found.message, *found.places)))
    return True


CHECKS: dict[str, Callable[[Language], object]] = {
    "name": lambda a: ROWS[a.name],
    "title": lambda a: a.title,
    "endings": lambda a: a.endings and are_endings(a.endings) and a.endings == ROWS[a.name].endings,
    "exact_endings": lambda a: all(each != each.casefold() for each in a.exact_endings),
    "headers": lambda a: are_endings(a.headers) and not set(a.headers) & set(a.endings),
    "keeps_capitals": lambda a: a.keeps_capitals in (True, False),
    "tools": lambda a: a.tools and all(PurePosixPath(each).name == each for each in a.tools),
    "version_option": lambda a: a.version_option.startswith("-"),
    "trial": lambda a: a.trial.endswith("\n") or a.trial == "",
    "runs_in_build": lambda a: a.runs_in_build in (True, False),
    "headroom_mib": lambda a: (a.headroom_mib > 0) or not is_run_by_host(a),
    "linker_words": lambda a: all(map(str.strip, a.linker_words)),
    "like_python": lambda a: all(name.endswith("Error") for name in a.like_python.values()),
    "beside": lambda a: set(a.endings) <= set(a.beside),
    "file_of": lambda a: all(
        a.file_of("main", f"work{ending}") in (f"main{ending}", f"work{ending}") for ending in a.endings
    ),
    "build": builds,
    "reads": lambda a: all(map(is_text, a.reads(tools(a)))),
    "libraries": lambda a: is_text(a.libraries(tools(a))),
    "release": lambda a: is_text(a.release("/opt/kit/bin/tool")),
    "artefact": is_ready,
    "command": starts,
    "like_gcc": lambda a: [a.like_gcc(each) for each in LINES] == LINES,
    "error_near": lambda a: all(is_text(a.error_near(LINES, n)) for n in range(len(LINES))),
    "advice": lambda a: a.advice(usual(a), "';' expected") == "",
    "trace_at": reads_every_trace,
    "trace": reads_every_trace,
    "written": lambda a: a.written() == a.name or isinstance(a.written(), dict),
}


def is_run_by_host(language: Language) -> bool:
    made = language.artefact(usual(language), {}, BUILT, tools(language))
    return isinstance(made, Artefact) and made.host != ""


@pytest.mark.parametrize("question", CHECKS)
@pytest.mark.parametrize("name", ROWS)
def test_it_answers(name: str, question: str) -> None:
    assert CHECKS[question](language_of(ROWS[name])), f"{name} does not answer {question} well"


def test_every_question_has_a_check() -> None:
    questions = {*vars(Language), *Language.__annotations__}
    assert {each for each in questions if not each.startswith("_")} == CHECKS.keys()


def test_a_language_is_found_by_its_name() -> None:
    assert [each.name for each in every_language()] == language_names()
    assert language_of(toolchain_named("c")) is language_named("c")
    endings = [ending for each in every_language() for ending in each.endings]
    assert len(endings) == len(set(endings))


def test_whoever_builds_java_the_class_names_its_file() -> None:
    own = Toolchain("my-java", (".java",), build=("javac", SOURCE), run=("java", "Main"))
    assert language_of(own).keeps_capitals
    assert not language_of(PERL).keeps_capitals


def test_a_language_of_the_specs_own_is_written_as_it_was_read() -> None:
    assert language_of(MAKE).written() == {
        "language": "make",
        "ending": ".mk",
        "build": "make -f '{file}'",
        "run": "./program now",
    }


def test_a_task_of_python_alone_loads_no_language() -> None:
    spec = ROOT / "docs" / "cookbook" / "program.yaml"
    program = f"""
import pathlib, sys
from grader.spec import load_task
task = load_task(pathlib.Path({str(spec)!r}))
assert task.asked and not task.toolchain_of("a.py")
import grader.kinds.program, grader.engine.self_check
print(*(name for name in sys.modules if name.startswith("grader.languages.")))
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert set(done.stdout.split()) <= {"grader.languages.artefact", "grader.languages.toolchain"}
