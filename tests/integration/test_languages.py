"""Programs in other languages through every command."""

import json
from pathlib import Path

import pytest
from support.command_line import grader, reproducible
from support.declared import mark_folders
from support.marking import HEAD, cases, question
from support.toolchains import CPP, JAVA, JAVASCRIPT, C

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.judge.messages import failed_build
from grader.languages.toolchain import Toolchain
from grader.model.results import CaseResult, SubmissionResult
from grader.model.submission import SourceFile, Submission
from grader.reports.views.case.source import Lines
from grader.sandbox.driver import Driver
from grader.sandbox.tools.toolchains import missing_tool
from grader.spec import load_task

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "docs" / "cookbook"
PERL = Toolchain("perl", (".pl",), run=("perl", "{file}"))
NEEDED = next(filter(None, map(missing_tool, (JAVA, JAVASCRIPT, PERL))), "")
needs_languages = pytest.mark.skipif(bool(NEEDED), reason=f"{NEEDED} is not installed")
needs_c = pytest.mark.skipif(bool(missing_tool(C)), reason="gcc is not installed")
needs_cpp = pytest.mark.skipif(bool(missing_tool(CPP)), reason="g++ is not installed")
needs_node = pytest.mark.skipif(bool(missing_tool(JAVASCRIPT)), reason="node is not installed")
needs_java = pytest.mark.skipif(bool(missing_tool(JAVA)), reason="no Java is installed")

SPEC = question(
    '{program: work, dialogue: [{says: "n? ", answer: 3}, {says: "n? ", answer: end}], stdout: "3\\n"}',
    '{program: work, dialogue: [{says: "n? ", answer: x}, {says: "n? ", stop: here}]}',
    '{program: work, stdin: "3\\n4\\n", arguments: [quiet], stdout: "7\\n"}',
    '{program: work, arguments: [file], files: {a.txt: "5"}, stdout: "5\\n"}',
)
IN_JS = """
const fs = require("fs"), asks = process.argv.length < 3;
if (process.argv[2] === "file") { console.log(fs.readFileSync("a.txt", "utf8")); process.exit(0); }
const lines = require("readline").createInterface({input: process.stdin});
let total = 0;
const ask = () => { if (asks) process.stdout.write("n? "); };
ask();
lines.on("line", line => { total += Number(line) || 0; ask(); });
lines.on("close", () => console.log(total));
"""
IN_JAVA = """
import java.nio.file.*;
import java.util.Scanner;
public class Work {
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0 && arguments[0].equals("file")) {
      System.out.println(Files.readString(Path.of("a.txt")));
      return;
    }
    Scanner in = new Scanner(System.in);
    int total = 0;
    while (true) {
      if (arguments.length == 0) System.out.print("n? ");
      if (!in.hasNextLine()) break;
      try { total += Integer.parseInt(in.nextLine()); } catch (NumberFormatException error) { }
    }
    System.out.println(total);
  }
}
"""


def marked(
    folder: Path, toolchains: str, file: str, text: str, questions: str = SPEC
) -> dict[str, CaseResult]:
    path = folder / "sample.yaml"
    path.write_text(f"{HEAD}toolchains: {toolchains}\n{questions}")
    with Marker(prepare_run(load_task(path), Driver.NAMESPACES, "")) as marker:
        work = Submission("student-01", "student-01", {"work": SourceFile(file, text)})
        return cases(marker.mark(work).result)


@pytest.mark.parametrize(
    ("toolchain", "file", "text", "command"),
    [
        pytest.param("javascript", "work.js", IN_JS, "node work.js", marks=needs_node),
        pytest.param("java", "Work.java", IN_JAVA, "java Work", marks=needs_java),
    ],
)
def test_dialogues_input_and_files(
    tmp_path: Path, toolchain: str, file: str, text: str, command: str
) -> None:
    found = marked(tmp_path, toolchain, file, text)
    assert {case.verdict for case in found.values()} == {"accepted"}, [c.message for c in found.values()]
    assert [case.call for case in found.values()] == [
        command,
        command,
        f"printf '3\\n4\\n' | {command} quiet",
        f"{command} file",
    ]


DEEP_IN_C = """
#include <stdio.h>
int deep(volatile int n) { volatile char frame[100]; frame[0] = 1; return n ? frame[0] + deep(n - 1) : 0; }
int main(void) { int n; scanf("%d", &n); printf("%d\\n", deep(n)); }
"""
DEEP_IN_JAVA = """
import java.util.Scanner;
class Work {
  static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
  public static void main(String[] a) { System.out.println(deep(new Scanner(System.in).nextInt())); }
}
"""


@pytest.mark.parametrize(
    ("toolchain", "file", "text"),
    [
        pytest.param("c", "work.c", DEEP_IN_C, marks=needs_c),
        pytest.param("java", "Work.java", DEEP_IN_JAVA, marks=needs_java),
    ],
)
def test_recursion_can_be_deep(tmp_path: Path, toolchain: str, file: str, text: str) -> None:
    """With the 8 MiB of a shell, or the 1 MiB of a Java thread, there would be no room for it."""
    spec = question('{program: work, stdin: "300000\\n", stdout: "300000\\n", limits: {time: 20s}}')
    (case,) = marked(tmp_path, toolchain, file, text, spec).values()
    assert case.verdict == "accepted", case.message


SUM = question('{program: work, stdin: "3\\n", stdout: "6\\n"}')
IN_C = {
    "work.c": '#include <stdio.h>\n#include "twice.h"\nint main(void)\n{ int n; '
    'scanf("%d", &n); printf("%d\\n", twice(n)); }\n',
    "twice.h": "int twice(int);\n",
    "twice.c": '#include "twice.h"\nint twice(int n) { return 2 * n; }\n',
}
ALONE = IN_C["work.c"].replace('#include "twice.h"', "int twice(int n) { return 2 * n; }")
IN_TWO_CLASSES = {
    "Work.java": "package mine;\npublic class Work { public static void main(String[] a)\n"
    "{ System.out.println(Twice.of(new java.util.Scanner(System.in).nextInt())); } }\n",
    "Twice.java": "package mine;\nclass Twice { static int of(int n) { return 2 * n; } }\n",
}
IN_TWO_SCRIPTS = {
    "work.js": "const {twice} = require('./twice');\n"
    "console.log(twice(Number(require('fs').readFileSync(0))));\n",
    "twice.js": "exports.twice = n => 2 * n;\n",
}
BY_DEVICE = {
    "work.c": '#include <stdio.h>\nint main(void)\n{ int n; FILE *in = fopen("/dev/stdin", "r"); '
    'if (!in) { perror("no input"); return 3; } fscanf(in, "%d", &n); printf("%d\\n", 2 * n); }\n',
    "work.js": 'console.log(2 * require("fs").readFileSync("/dev/stdin", "utf8"));\n',
    "Work.java": "import java.nio.file.*;\n"
    "public class Work { public static void main(String[] a) throws Exception { System.out.println(\n"
    '2 * Integer.parseInt(Files.readString(Path.of("/dev/stdin")).strip())); } }\n',
}


def marked_files(tmp_path: Path, toolchain: str, files: dict[str, str]) -> SubmissionResult:
    path = tmp_path / "sample.yaml"
    path.write_text(f"{HEAD}toolchains: {toolchain}\n{SUM}")
    folder = tmp_path / "student-01"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    (result,) = mark_folders(load_task(path), [folder]).values()
    return result


@pytest.mark.parametrize(
    ("toolchain", "files"),
    [
        pytest.param(
            "c", {"work.c": ALONE, "old.c": "int main(void) { return 1; }"}, marks=needs_c, id="stray"
        ),
        pytest.param("c", IN_C, marks=needs_c, id="c"),
        pytest.param("java", IN_TWO_CLASSES, marks=[needs_java, pytest.mark.acceptance], id="java"),
        pytest.param("javascript", IN_TWO_SCRIPTS, marks=needs_node, id="javascript"),
    ],
)
def test_a_program_of_several_source_files(tmp_path: Path, toolchain: str, files: dict[str, str]) -> None:
    result = marked_files(tmp_path, toolchain, files)
    (case,) = cases(result).values()
    assert case.verdict == "accepted", (case.message, case.stderr)


@pytest.mark.parametrize(
    ("toolchain", "file"),
    [
        pytest.param("javascript", "work.js", marks=needs_node),
        pytest.param("c", "work.c", marks=[needs_c, pytest.mark.acceptance]),
        pytest.param("java", "Work.java", marks=[needs_java, pytest.mark.acceptance]),
    ],
)
def test_a_program_that_reads_its_input_by_the_name_of_the_device(
    tmp_path: Path, toolchain: str, file: str
) -> None:
    (case,) = cases(marked_files(tmp_path, toolchain, {file: BY_DEVICE[file]})).values()
    assert case.verdict == "accepted", (case.message, case.stderr)


DEEP = """import java.util.Scanner;
public class Work { public static void main(String[] a) throws Exception {
  Runnable work = () -> System.out.println(2 * new Scanner(System.in).nextInt());
  Thread deep = new Thread(null, work, "x", 1 << 29); deep.start(); deep.join(); } }
"""


@needs_java
@pytest.mark.acceptance
def test_a_large_stack_of_a_thread_is_only_reserved(tmp_path: Path) -> None:
    """So do many who recurse deeply in Java."""
    (case,) = cases(marked_files(tmp_path, "java", {"Work.java": DEEP})).values()
    assert case.verdict == "accepted", case.message


@needs_c
@pytest.mark.parametrize(
    ("changed", "message", "source"),
    [
        ({"twice.c": "int twice(int n)\n{ return m; }\n"}, "undeclared", "{ return m; }"),
        ({"twice.c": "int thrice(int n) { return n; }\n"}, "undefined reference to `twice'", ""),
        ({"-lm.c": "", "größe.h": "", "@x.c": "", "a b.c": ""}, "", ""),
    ],
)
def test_a_fault_in_one_of_several_files(
    tmp_path: Path, changed: dict[str, str], message: str, source: str
) -> None:
    result = marked_files(tmp_path, "c", IN_C | changed)
    (case,) = cases(result).values()
    assert message in case.message
    assert (case.verdict == "load-error") == bool(message)
    if source:
        assert case.raised is not None
        assert [(frame.file, frame.line, frame.source) for frame in case.raised.frames] == [
            ("twice.c", 2, source)
        ]
        assert [Lines(result.sources).place(frame) for frame in case.raised.frames] == [("twice.c", 2)]
    assert bool(result.notes) == (not message), result.notes


@needs_c
@pytest.mark.acceptance
def test_every_file_of_a_program_counts_in_later_runs_and_stands_in_the_record(tmp_path: Path) -> None:
    marked_files(tmp_path, "c", IN_C)
    spec, work, out = tmp_path / "sample.yaml", tmp_path / "student-01", tmp_path / "out"

    def mark_of(folder: Path) -> str:
        (submission,) = json.loads((folder / "results.json").read_text())["submissions"]
        return str(submission["mark"])

    for changed, mark in (("return 2 * n;", "1"), ("return 3 * n;", "0"), ("return n + n;", "1")):
        (work / "twice.c").write_text(IN_C["twice.c"].replace("return 2 * n;", changed))
        done = grader("mark", spec, work, "-o", out)
        assert (done.returncode, mark_of(out)) == (0, mark), done.stderr
    (work / "twice.c").unlink()
    assert grader("remark", out, "-o", tmp_path / "again").returncode == 0
    assert mark_of(tmp_path / "again") == "1"
    assert "twice.h" in grader("explain", out, "student-01").stdout
    assert "The same verdict" in grader("replay", out, "student-01", "1.1").stdout


@needs_java
@pytest.mark.acceptance
def test_a_class_of_another_name_is_told_its_name(tmp_path: Path) -> None:
    result = marked_files(tmp_path, "java", {"Work.java": "\npublic class Sum { }\n"})
    (case,) = cases(result).values()
    assert case.message == (
        "your program can't be built: class Sum is public, should be declared in a file named Sum.java; "
        "this file is Work.java, so call the class Work (line 2 of Work.java)"
    )


CRASHES = question(
    '{program: work, stdin: "3\\n", stdout: "6\\n"}',
    '{program: work, stdin: "3\\n", exit: 1, stdout: "begin\\n", stderr: {contains: no luck}}',
    '{program: work, stdin: "3\\n", exit: any, stdout: "begin\\n"}',
    '{program: work, stdin: "3\\n", exit: 2}',
)


@pytest.mark.parametrize(
    ("toolchain", "file", "text", "raised"),
    [
        pytest.param(
            "java",
            "Work.java",
            'public class Work {\n  public static void main(String[] a) {\n    System.out.println("begin");\n'
            '    throw new IllegalStateException("no luck");\n  }\n}\n',
            "IllegalStateException: no luck (line 4 of Work.java)",
            marks=[needs_java, pytest.mark.acceptance],
        ),
        pytest.param(
            "javascript",
            "work.js",
            'console.log("begin");\n\nfunction f() {\n  throw new RangeError("no luck");\n}\nf();\n',
            "RangeError: no luck (line 4 of work.js)",
            marks=needs_node,
        ),
    ],
)
def test_an_exception_that_ends_a_program(
    tmp_path: Path, toolchain: str, file: str, text: str, raised: str
) -> None:
    found = [*marked(tmp_path, toolchain, file, text, CRASHES).values()]
    assert [case.verdict for case in found] == ["exception", "accepted", "accepted", "runtime-error"]
    assert found[0].message == f"raised {raised}"
    assert found[0].expected_print == "6\n"
    assert found[0].raised is not None
    assert "no luck" in found[0].raised.frames[0].source
    assert found[3].message == "exit code: expected 2, got 1"


def test_a_language_that_this_host_lacks_is_our_own_fault(tmp_path: Path) -> None:
    toolchain = "{language: cobol, ending: .cob, build: 'no-such-compiler {file}', run: ./program}"
    found = marked(tmp_path, toolchain, "work.cob", "DISPLAY 'x'.\n")
    assert {case.verdict for case in found.values()} == {"internal-error"}
    assert {case.message for case in found.values()} == {
        "the case could not be run (programs in cobol need no-such-compiler, which is not installed)"
    }


@pytest.mark.parametrize(
    ("file", "said", "line", "message"),
    [
        ("main.cpp", "main.cpp: In function:\nmain.cpp:3:5: error: x\n", 3, "x"),
        ("main.cpp", "main.cpp:2:5: warning: w\nmain.cpp:4:1: fatal error: y\n", 4, "y"),
        ("Main.java", "Main.java:7: error: ';' expected\n  int\n     ^\n1 error\n", 7, "';' expected"),
        ("m.js", "/box/work/m.js:2\nlet x = ;\n\nSyntaxError: odd\n    at f\n", 2, "SyntaxError: odd"),
        ("main.go", "# command\n./main.go:5:2: undefined: x\n", 5, "undefined: x"),
        ("m.c", "other.c:5:2: error: no\ncc1: fatal\n", 0, "other.c:5:2: error: no"),
        ("m.c", "m.c:99999999999:1: error: no\n", 0, "m.c:99999999999:1: error: no"),
        ("m.c", "\n", 0, "the compiler was stopped"),
    ],
)
def test_the_first_error_of_a_compiler(file: str, said: str, line: int, message: str) -> None:
    raised = failed_build([file], said).raised
    assert raised is not None
    assert raised.message == message
    assert [frame.line for frame in raised.frames] == ([line] if line else [])


# -- the other commands ------------------------------------------------------------------------------------


@needs_languages
@pytest.mark.acceptance
def test_a_handout_has_the_languages(tmp_path: Path) -> None:
    done = grader("bundle", BOOK / "languages.yaml", "-o", tmp_path / "handout")
    assert done.returncode == 0, done.stderr
    assert (
        "Java (`.java`), JavaScript (`.js`, `.mjs`, `.cjs`), perl (`.pl`)"
        in (tmp_path / "handout" / "README.md").read_text()
    )
    handout = load_task(tmp_path / "handout" / "languages.yaml")
    assert handout.toolchains == load_task(BOOK / "languages.yaml").toolchains
    work = BOOK / "languages" / "right" / "in-perl"
    done = grader("check", tmp_path / "handout" / "languages.yaml", work)
    assert (done.returncode, "3 of 3" in done.stdout) == (0, True), done.stdout


@needs_languages
@pytest.mark.acceptance
def test_wrong_and_right_programs_in_other_languages_are_validated(tmp_path: Path) -> None:
    done = grader("validate", BOOK / "languages.yaml", "-o", tmp_path)
    assert done.returncode == 0, done.stdout
    assert "+ wrong and right programs get their declared verdicts" in done.stdout


@needs_languages
@pytest.mark.acceptance
def test_programs_in_other_languages_are_tried(tmp_path: Path) -> None:
    done = grader("try", BOOK / "languages.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no-number-check" in done.stdout


@needs_languages
@pytest.mark.acceptance
def test_a_mark_is_explained_replayed_and_marked_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = grader("mark", BOOK / "languages.yaml", BOOK / "languages" / "wrong", "-o", out)
    assert done.returncode == 0, done.stderr
    told = grader("explain", out, "type-error").stdout
    assert "printf 'three\\n' | java Total" in told
    assert "(line 8 of Total.java)" in " ".join(told.split())
    replayed = grader("replay", out, "no-number-check", "1.1").stdout
    assert "The same verdict as recorded: wrong answer." in replayed
    before = json.loads((out / "results.json").read_text())
    assert before["run"]["tools"].keys() >= {"java", "javac", "node", "perl"}
    done = grader("remark", out, "-o", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    after = json.loads((tmp_path / "again" / "results.json").read_text())
    assert reproducible(after)["submissions"] == reproducible(before)["submissions"]
    page = (out / "students" / "type-error.html").read_text()
    assert "java Total" in page
    assert "python total.py" not in page
