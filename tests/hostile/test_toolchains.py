"""Programs in other languages: what a text can do to its compiler, and a built program to its box and us."""

import importlib.resources
from collections.abc import Callable

import pytest
from support.sieges import Zygotes
from support.toolchains import C

from grader.languages.artefact import Artefact
from grader.model.case import ProgramRun
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, Outcome, WatchedCall
from grader.model.values import Value
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.request import encode_program
from grader.sandbox.tools.build import Built, build
from grader.sandbox.tools.toolchains import artefact_of, missing_tool

pytestmark = pytest.mark.skipif(bool(missing_tool(C)), reason="gcc is not installed")

LIMITS = Limits(time_s=0.3, wall_s=3.0, memory_b=128 * MIB, output_b=4096)
HEAD = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
"""
DRIVERS = (Driver.NAMESPACES, Driver.LANDLOCK)


def compiled(text: str) -> Built:
    return build(C, "main.c", {"main.c": text}, find_interpreter(""), purse=UNBILLED)


def run(
    zygotes: Zygotes,
    text: str,
    driver: Driver = Driver.NAMESPACES,
    answer: Callable[[WatchedCall], Value] | None = None,
    stdin: str = "",
) -> Outcome:
    """Run a program, and then an honest one in the same zygote, which must not notice."""
    built = compiled(HEAD + text)
    assert built.files is not None, built.said
    artefact = artefact_of(C, "main.c", {}, built.files)
    assert isinstance(artefact, Artefact)
    order = encode_program(ProgramRun(module="main", stdin=stdin), LIMITS)
    start = Limits(time_s=5.0, wall_s=20.0)
    program = Program("main", {"main": text}, runs=True, artefact=artefact)
    with Box(
        zygotes.arena(driver, "snapshot").zygote, program, LIMITS.memory_b, start, 1.0, purse=UNBILLED
    ) as box:
        assert box.load()[0].ending is Ending.ANSWERED
        (outcome,) = box.run([Job(order, LIMITS, answer, asks=answer is not None)])
        (again,) = box.run([Job(order, LIMITS, answer, asks=answer is not None)])
    assert Ending.INTERNAL not in (outcome.ending, again.ending), outcome.detail
    assert outcome.cpu_s < LIMITS.time_s + 1.0
    return outcome


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('#include "/etc/passwd"\nint main(void) {}', "No such file"),
        ('#include "/proc/self/environ"\nint main(void) {}', "No such file"),
        ('#include "/dev/zero"\nint main(void) {}', "out of memory"),
        ('#include __FILE__\n#include "main.c"\nint main(void) {}', "depth"),
        ('asm(".incbin \\"/etc/passwd\\"");\nint main(void) {}', "file not found"),
        ('asm(".rept 1000000000\\n.quad 1\\n.endr");\nint main(void) {}', "out of memory"),
        ("char a[1 << 30] = {1};\nint main(void) { return a[0]; }", "File too large"),
        ("#pragma GCC plugin evil\nint main(void) { return x; }", "undeclared"),
    ],
)
def test_a_text_harms_no_compiler(text: str, said: str) -> None:
    built = compiled(text)
    assert built.files is None
    assert said in built.said
    assert len(built.said) <= 16 * 1024


def test_a_text_finds_none_of_our_files() -> None:
    ours = str(importlib.resources.files("grader").joinpath("worker/settings.py"))
    built = compiled(f'asm(".incbin \\"{ours}\\"");\nint main(void) {{}}')
    assert built.files is None
    assert "file not found" in built.said


def test_many_files_together_have_a_limit_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.tools.build.OWN_WALL_S", 0.01)
    texts = {"main.c": "int f(void);\nint main(void) { return f(); }\n", "f.c": '#include "/dev/zero"\n'}
    built = build(C, "main.c", texts, find_interpreter(""), purse=UNBILLED)
    assert built.files is None
    assert "did not end in time" in built.said


def test_files_together_are_bounded() -> None:
    texts = {f"f{n}.c": f"/*{' ' * 1_000_000}*/" for n in range(6)}
    built = build(C, "f0.c", texts, find_interpreter(""), purse=UNBILLED)
    assert (built.files, built.said) == (None, "the source files are too large")


def test_many_errors_are_bounded() -> None:
    built = compiled("".join(f"int main(void) {{ return {'x' * 5000}{n}; }}\n" for n in range(100)))
    assert built.files is None
    assert len(built.said.encode()) <= 16 * 1024


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_program_starts_nothing_and_has_no_channel(zygotes: Zygotes, driver: Driver) -> None:
    text = """
    extern char **environ;
    int main(void) {
        char *arguments[] = {"sh", NULL};
        printf("%d ", fork());
        printf("%d ", execv("/bin/sh", arguments));
        printf("%d ", fexecve(901, arguments, environ));
        printf("%ld ", syscall(SYS_execveat, 901, "", arguments, environ, AT_EMPTY_PATH));
        printf("%d ", socket(AF_INET, SOCK_STREAM, 0));
        for (int fd = 3; fd < 1024; fd++) if (fcntl(fd, F_GETFD) != -1) printf("open %d ", fd);
        printf("%d %d\\n", open("/etc/passwd", O_RDONLY), open("/etc/new", O_CREAT | O_WRONLY, 0600));
        return 7;
    }
    """
    outcome = run(zygotes, text, driver)
    assert (outcome.stdout, outcome.detail) == ("-1 -1 -1 -1 -1 -1 -1\n", "exit status 7")


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("int main(void) { for (;;) ; }", Ending.TIME),
        ('int main(void) { for (;;) puts("xxxxxxxx"); }', Ending.OUTPUT),
        ("int main(void) { volatile char *p = malloc(1 << 30); p[9] = 1; return 0; }", Ending.KILLED),
        ("int main(void) { syscall(SYS_ptrace, 0, 0, 0, 0); return 0; }", Ending.FORBIDDEN),
        ("int main(void) { return 86; }", Ending.EXITED),
    ],
)
def test_limits_hold(zygotes: Zygotes, driver: Driver, text: str, ending: Ending) -> None:
    assert run(zygotes, text, driver).ending is ending


def test_threads_are_few(zygotes: Zygotes) -> None:
    text = """
    static void *wait(void *_) { pause(); return NULL; }
    int main(void) {
        pthread_t thread; int n = 0;
        while (n < 1000 && pthread_create(&thread, NULL, wait, NULL) == 0) n++;
        printf("%s\\n", n < 200 ? "few" : "many");
        fflush(stdout); _exit(0);
    }
    """
    assert run(zygotes, text).stdout == "few\n"


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_line_comes_when_it_was_asked_for(zygotes: Zygotes, driver: Driver) -> None:
    heard: list[Value] = []

    def answer(call: WatchedCall) -> Value:
        heard.append(b"".join(part for part in call.args if isinstance(part, bytes)).decode())
        return "17" if len(heard) % 2 else None

    text = """
    int main(void) {
        char line[100];
        printf("age? "); fflush(stdout);
        while (fgets(line, sizeof line, stdin)) { printf("so %d ", atoi(line)); fflush(stdout); }
        return 0;
    }
    """
    outcome = run(zygotes, text, driver, answer)
    assert heard == ["age? ", "so 17 "] * 2
    assert outcome.stdout == "age? so 17 "


def test_what_dies_at_a_question_is_its_own_fault(zygotes: Zygotes) -> None:
    text = """
    static void *ask(void *_) { char c; read(0, &c, 1); return NULL; }
    int main(void) {
        pthread_t thread;
        for (int n = 0; n < 20; n++) pthread_create(&thread, NULL, ask, NULL);
        _exit(3);
    }
    """
    assert run(zygotes, text, answer=lambda call: None).detail == "exit status 3"
