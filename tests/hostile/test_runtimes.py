"""What programs in Java, JavaScript and by a spec's own commands can do to their build, their box and us."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.marking import HEAD, cases, question
from support.toolchains import JAVA, JAVASCRIPT, C

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.languages.toolchain import Toolchain
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.budget import UNBILLED, Budget
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.tools.build import build
from grader.sandbox.tools.toolchains import commands_of, missing_tool
from grader.spec import load_task

needs_node = pytest.mark.skipif(bool(missing_tool(JAVASCRIPT)), reason="node is not installed")
needs_java = pytest.mark.skipif(bool(missing_tool(JAVA)), reason="no Java is installed")
needs_gcc = pytest.mark.skipif(bool(missing_tool(C)), reason="gcc is not installed")
SECRET = "the expected answer"
SHELL = Toolchain("shell", (".sh",), build=("sh", "{file}"), run=("./program",))
TOOLCHAINS = (
    "toolchains: [java, javascript, {language: shell, ending: .sh, build: 'sh {file}', run: ./program}]\n"
)


class Bench:
    """Marks one program after another by a task whose spec, and everything beside it, is a secret."""

    def __init__(self, folder: Path, marker: Marker) -> None:
        self.folder = folder
        self._marker = marker

    def mark(self, file: str, text: str) -> CaseResult:
        """Mark a program, and then an honest one with the same sandbox."""
        found, honest = (
            self._marker.mark(Submission(name, name, {"work": SourceFile(each, body)})).result
            for name, each, body in (("student-01", file, text), ("student-02", "work.py", "print('x')\n"))
        )
        assert cases(honest)["1.1"].verdict == "accepted"
        return cases(found)["1.1"]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    folder = tmp_path_factory.mktemp("task")
    (folder / "secret.txt").write_text(SECRET)
    limits = "limits: {time: 1s, wall: 4s, memory: 64MiB, output: 64KiB}"
    files = "files: {a.txt: a, data/b.txt: b}"
    path = folder / "sample.yaml"
    path.write_text(
        HEAD + TOOLCHAINS + question(f"{{program: work, {files}, stdout: {{contains: x}}, {limits}}}")
    )
    with Marker(prepare_run(load_task(path), Driver.NAMESPACES, "")) as marker:
        yield Bench(folder, marker)


# -- Node ----------------------------------------------------------------------------------------------


@needs_node
def test_node_reads_writes_and_starts_nothing(bench: Bench) -> None:
    result = bench.mark(
        "work.js",
        f"""
        const fs = require("fs"), told = [];
        const attempt = (name, f) => {{ try {{ told.push(name + " " + f()); }} catch (e) {{ }} }};
        attempt("spec", () => fs.readFileSync("{bench.folder}/sample.yaml"));
        attempt("secret", () => fs.readdirSync("{bench.folder}"));
        attempt("passwd", () => fs.readFileSync("/etc/passwd"));
        attempt("process", () => fs.readFileSync("/proc/self/environ"));
        attempt("write", () => fs.writeFileSync("/usr/x", "x"));
        attempt("channel", () => fs.writeSync(4, "x"));
        attempt("signal", () => process.kill(1, 9));
        attempt("parent", () => process.kill(process.ppid, 9));
        for (const words of [["sh", "-c", "echo hi"], [process.execPath, "-e", "1"]]) {{
          const done = require("child_process").spawnSync(words[0], words.slice(1));
          if (!done.error) told.push("started " + words[0]);
        }}
        const socket = require("net").connect(80, "1.1.1.1");
        socket.on("error", () => {{ console.log("x", JSON.stringify(told), process.env.HOME); }});
        socket.on("connect", () => {{ console.log("connected"); }});
        """,
    )
    assert (result.verdict, result.stdout) == ("accepted", "x [] /box/work\n"), result.stderr


@pytest.mark.acceptance
@needs_node
@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("for (;;) ;", {"time-limit"}),
        ("setInterval(() => {}, 1000);", {"wall-limit"}),
        ("for (;;) require('fs').writeSync(1, 'x'.repeat(65536));", {"output-limit"}),
        (
            "const a = []; for (;;) a.push(Buffer.alloc(1 << 24, 1));",
            {"memory-limit", "crashed", "time-limit"},
        ),
        (
            "const a = [0]; for (;;) a.push('y' + a.length + Math.random());",
            {"memory-limit", "crashed", "time-limit"},
        ),
        ("new (require('worker_threads').Worker)('for (;;) ;', {eval: true});", {"time-limit", "crashed"}),
        ("process.abort();", {"crashed"}),
        ("process.exit(0);", {"wrong-answer"}),
        ("process.on('SIGTERM', () => {}); throw new Error('\\u001b[2J');", {"exception"}),
        ("console.log('x'", {"load-error"}),
        ("console.log('x');".rjust(400_000), {"accepted"}),
    ],
)
def test_limits_hold_for_node(bench: Bench, text: str, verdicts: set[str]) -> None:
    result = bench.mark("work.js", text)
    assert str(result.verdict) in verdicts, result.message
    assert result.peak_rss_b < 1 << 30


# -- Java ----------------------------------------------------------------------------------------------


@needs_java
def test_java_reads_writes_and_starts_nothing(bench: Bench) -> None:
    result = bench.mark(
        "Work.java",
        f"""
        import java.io.*; import java.net.*; import java.nio.file.*; import java.util.*;
        public class Work {{
          interface Attempt {{ Object made() throws Throwable; }}
          static List<String> told = new ArrayList<>();
          static void attempt(String name, Attempt made) {{
            try {{ told.add(name + " " + made.made()); }} catch (Throwable error) {{ }}
          }}
          public static void main(String[] arguments) {{
            attempt("spec", () -> Files.readString(Path.of("{bench.folder}/sample.yaml")));
            attempt("secret", () -> new File("{bench.folder}").list().length);
            attempt("passwd", () -> Files.readString(Path.of("/etc/passwd")));
            attempt("write", () -> Files.writeString(Path.of("/usr/x"), "x"));
            attempt("start", () -> new ProcessBuilder("/bin/sh", "-c", "echo").start());
            attempt("java", () -> Runtime.getRuntime().exec(System.getProperty("java.home") + "/bin/java"));
            attempt("net", () -> new Socket("1.1.1.1", 80));
            attempt("channel", () -> {{ new FileOutputStream("/dev/fd/4").write(1); return 1; }});
            attempt("handle", () -> ProcessHandle.of(1).map(ProcessHandle::destroyForcibly).orElseThrow());
            System.out.println("x " + told);
          }}
        }}
        """,
    )
    assert (result.verdict, result.stdout) == ("accepted", "x []\n"), (result.message, result.stderr)


def java(body: str) -> str:
    return f"public class Work {{ public static void main(String[] a) throws Throwable {{ {body} }} }}"


@pytest.mark.acceptance
@needs_java
@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (java("for (;;) ;"), {"time-limit"}),
        (java("Thread.sleep(100000);"), {"wall-limit"}),
        (java('for (;;) System.out.println("xxxxxxxxxxxxxxxxxxxxxxxx");'), {"output-limit", "time-limit"}),
        (
            java("var l = new java.util.ArrayList<int[]>(); for (;;) l.add(new int[1 << 20]);"),
            {"memory-limit"},
        ),
        (
            java(
                "var l = new java.util.ArrayList<Object>(); for (;;) { var b ="
                " java.nio.ByteBuffer.allocateDirect(1 << 22); b.put(0, new byte[1 << 22]); l.add(b); }"
            ),
            {"memory-limit", "time-limit"},
        ),
        (java("for (;;) new Thread(() -> { for (;;) ; }).start();"), {"time-limit", "wrong-answer"}),
        (java("Runtime.getRuntime().halt(0);"), {"wrong-answer"}),
        ("public class Work { }", {"runtime-error"}),
        ("package far.away; public class Work { }", {"runtime-error"}),
        ("public class Other { }", {"load-error"}),
        ("class One { } class Two { }", {"load-error"}),
        (
            "import java.lang.annotation.*; @Work.A public class Work { @interface A { } int x = y; }",
            {"load-error"},
        ),
    ],
)
def test_limits_hold_for_java(bench: Bench, text: str, verdicts: set[str]) -> None:
    result = bench.mark("Work.java", text)
    assert str(result.verdict) in verdicts, (result.message, result.stderr)
    assert result.peak_rss_b < 1 << 30


@pytest.mark.acceptance
@needs_java
@pytest.mark.parametrize(
    "text",
    [
        "class Work { int a = " + "(" * 20_000 + "1" + ")" * 20_000 + "; }",
        "class Work { static final String a = " + " + ".join(['"' + "x" * 1000 + '"'] * 2000) + "; }",
        "class Work { " + "".join(f"int[] a{n} = {{{'1,' * 3000}}};" for n in range(60)) + " }",
        "".join(f"class C{n} {{}} " for n in range(1000)),
        "class Work { \\u000a int x = ; }",
        "class \x00\x1b[2J {",
    ],
)
def test_a_text_harms_no_javac(text: str) -> None:
    built = build(JAVA, "Work.java", {"Work.java": text}, find_interpreter(""), purse=UNBILLED)
    assert built.files is None
    assert built.said
    assert len(built.said.encode()) <= 16 * 1024 + 64


@needs_java
def test_no_processor_of_annotations_runs() -> None:
    assert "-proc:none" in commands_of(JAVA).build


# -- commands of a spec that run what a student wrote ------------------------------------------------------


def built_by_shell(text: str) -> dict[str, bytes] | None:
    purse = Budget(2.0, 60.0)
    return build(SHELL, "work.sh", {"work.sh": text}, find_interpreter(""), purse=purse).files


@pytest.mark.parametrize(
    "text",
    [
        "cat /etc/passwd /proc/self/environ /proc/1/environ > program 2>/dev/null; true",
        "ls /root /home /tmp/.. /work > program 2>/dev/null; rm -f program",
        "ln -s /etc/hosts program; ln -s / root; ln /usr/bin/env hard 2>/dev/null; true",
        "mkfifo program 2>/dev/null; mknod device c 1 8 2>/dev/null; true",
        "mkdir program; mkdir -p a/b/c/d/e; true",
        "touch \"$(printf 'a\\nb')\" \"$(printf '\\377')\"; echo > /usr/lib/x 2>/dev/null; rm -f said; true",
    ],
)
def test_a_build_leaves_nothing_that_is_not_its_own(text: str) -> None:
    found = built_by_shell(text)
    assert not found or set(found) == {"program"}
    assert not any((found or {}).values())


@pytest.mark.acceptance
@pytest.mark.parametrize(
    "text",
    [
        "exit 1",
        "while :; do :; done",
        "head -c 6000000 /dev/zero > program",
        "for n in 1 2 3 4 5 6 7 8; do head -c 20000000 /dev/zero > a$n; done",
        "i=0; while [ $i -lt 400 ]; do echo > f$i; i=$((i+1)); done",
        "bomb() { bomb | bomb & }; bomb; exit 3",
        "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
        "kill -9 -1; kill -9 1; exit 1",
    ],
)
def test_a_build_without_measure_fails(text: str) -> None:
    assert built_by_shell(text) is None


def test_a_build_that_sleeps_is_the_students_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.tools.build.OWN_WALL_S", 0.3)
    texts = {"work.sh": "sleep 1000 &\nsleep 1000\n"}
    built = build(SHELL, "work.sh", texts, find_interpreter(""), purse=UNBILLED)
    assert built.files is None
    assert "did not end in time" in built.said


def test_a_build_that_leaves_too_much_is_told_before_what_it_said(bench: Bench) -> None:
    result = bench.mark("work.sh", "echo 60 records out; head -c 6000000 /dev/zero > program\n")
    assert result.message == "your program can't be built: what was built is too large"


def test_a_build_that_leaves_a_daemon_ends_with_all_of_it(bench: Bench) -> None:
    result = bench.mark("work.sh", "(while :; do sleep 1; echo y > program; done) & sleep 0; exit 0\n")
    assert result.verdict == "load-error"
    assert "the build left no program" in result.message


@pytest.mark.acceptance
@pytest.mark.parametrize(
    "text",
    [
        "printf '#!/bin/sh\\necho x\\n' > program; chmod 755 program",
        "echo x > program",
        "printf '\\177ELF\\2\\1\\1' > program; head -c 5000 /dev/urandom >> program",
        "cp /usr/bin/env program; mkdir -p data; echo y > data/x; echo y > a.txt",
        "cp /usr/bin/env program; echo y > data; mkdir a.txt; echo y > a.txt/b",
    ],
)
def test_what_is_no_program_is_the_students_fault(bench: Bench, text: str) -> None:
    result = bench.mark("work.sh", text)
    # The last two are programs, and print what they find.
    assert result.verdict in ("runtime-error", "load-error", "crashed", "accepted"), result.message
    assert result.verdict != "accepted" or "env" in text


@needs_gcc
def test_what_a_build_left_is_walled_in(bench: Bench) -> None:
    reads = f"""
cat > m.c <<'END'
#include <stdio.h>
int main(void) {{
  printf("x%d", !!fopen("{bench.folder}/sample.yaml", "r"));
  printf("%d%d\\n", !!fopen("/etc/passwd", "r"), !!popen("ls", "r"));
  return 0;
}}
END
gcc -o program m.c
rm m.c
"""
    result = bench.mark("work.sh", reads)
    assert (result.verdict, result.stdout) == ("accepted", "x000\n"), (result.message, result.stderr)
