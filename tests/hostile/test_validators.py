"""A validator meets hostile outputs: it decides about each alone, and what it cannot read is no mark."""

from pathlib import Path

import pytest
from support.marking import HEAD, cases, mark, question
from support.toolchains import CPP

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.sandbox.tools.toolchains import missing_tool
from grader.spec import load_task

needs_compiler = pytest.mark.skipif(bool(missing_tool(CPP)), reason="g++ is not installed")

STRICT = """
import sys

if sys.stdin.buffer.read() != b"9\\n":
    open(sys.argv[3] + "teammessage.txt", "wb").write(b"<b>\\xff\\x1b[31m no\\n")
    sys.exit(43)
sys.exit(42)
"""
REMEMBERS = """
import os, sys

places = [os.path.join(folder, "seen") for folder in (".", "/tmp", "/dev/shm", os.path.dirname(__file__))]
if any(map(os.path.exists, places)) or getattr(os, "seen", False):
    sys.exit(42)
os.seen = True
for place in places:
    try:
        open(place, "w").close()
    except OSError:
        pass
sys.exit(43)
"""
OVERFLOWS = """
#include <cstdio>
#include <cstring>
int main() {
    char small[8]; static char all[1 << 20];
    fread(all, 1, sizeof all - 1, stdin);
    strcpy(small, all);
    return strlen(small) > 100 ? *(volatile int *) 0 : 43; }
"""
CASE = '{program: work, stdin: "9\\n", validator: v/validate.py}'
OUTPUTS = {
    "bytes": "import sys\nsys.stdout.buffer.write(b'\\xff\\x00\\xed\\xa0\\x80')",
    "much": "print('9' * 1_000_000)",
    "nothing": "pass",
    "other line ends": "import sys\nsys.stdout.buffer.write(b'9\\r\\n')",
    "a forged verdict": "open('teammessage.txt', 'w').write('well done')\nprint(42)\nraise SystemExit(42)",
    "files of its names": "open('answer.txt', 'w').write('9')\nopen('input.txt', 'w').write('')\nprint(8)",
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_output_passes_for_another(tmp_path: Path, name: str) -> None:
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "validate.py").write_text(STRICT)
    case = cases(mark(tmp_path, question(CASE.replace("}", ", exit: any}")), OUTPUTS[name]))["1.1"]
    assert case.verdict == "wrong-answer"
    assert "\x1b" not in case.message
    assert case.message.startswith("stdout: <b>")


def test_no_output_is_judged_by_what_another_one_left(tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "validate.py").write_text(REMEMBERS)
    (tmp_path / "sample.yaml").write_text(HEAD + question(CASE, CASE.replace("9", "8")))
    with Marker(prepare_run(load_task(tmp_path / "sample.yaml"), Driver.NAMESPACES, "")) as marker:
        for number in range(3):
            files = {"work": SourceFile("work.py", f"print({number})")}
            result = marker.mark(Submission(f"student-0{number}", f"student-0{number}", files)).result
            assert [case.verdict for case in cases(result).values()] == ["wrong-answer", "wrong-answer"]


@needs_compiler
def test_an_output_that_breaks_the_validator_is_pending(tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "validate.cpp").write_text(OVERFLOWS)
    text = question(CASE.replace(".py", ".cpp"))
    case = cases(mark(tmp_path, text, "print('A' * 100_000)"))["1.1"]
    assert case.verdict == "internal-error"
    assert "validate.cpp gave no verdict (it was ended by a signal)" in case.message


INTERACT = """
import sys

print("say 9", flush=True)
said = sys.stdin.readline()
open(sys.argv[3] + "teammessage.txt", "w").write(repr(said)[:40])
sys.exit(42 if said == "9\\n" else 43)
"""
TALKS = {
    "floods": "input()\nwhile True:\n    print('8' * 1000)",
    "a line without an end": "input()\nprint('8' * 500_000, end='')",
    "bytes": "import os\nos.read(0, 99)\nos.write(1, b'9\\xff\\x00\\n')",
    "closes": "import os\ninput()\nos.close(1)",
    "speaks first": "print(8)\ninput()\nprint(9)",
    "reads on": "import sys\nprint(8)\nfor line in sys.stdin:\n    print(9, flush=True)",
    "writes to its input": "import os\nos.write(0, b'9\\n')",
    "leaves a thread": "import threading as t, time\ninput()\nt.Thread(target=time.sleep, args=[9]).start()",
    "a verdict": "import os\ninput()\nopen('teammessage.txt', 'w').write('x')\nos._exit(42)",
}


@pytest.mark.parametrize("name", TALKS)
def test_nobody_talks_an_interactor_into_a_mark(tmp_path: Path, name: str) -> None:
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "interact.py").write_text(INTERACT)
    text = question("{program: work, interactor: v/interact.py, limits: {time: 1s, wall: 2s}}")
    case = cases(mark(tmp_path, text, TALKS[name]))["1.1"]
    assert case.verdict not in ("accepted", "internal-error")
    assert "\x00" not in case.message
