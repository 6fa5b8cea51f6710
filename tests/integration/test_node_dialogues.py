"""Dialogues with programs in JavaScript: Node reads a line before the program asks for it."""

from pathlib import Path

import pytest
from support.marking import HEAD, cases
from support.toolchains import JAVASCRIPT

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.sandbox.tools.toolchains import missing_tool
from grader.spec import load_task

pytestmark = pytest.mark.skipif(bool(missing_tool(JAVASCRIPT)), reason="node is not installed")

SPEC = """
toolchains: [javascript]
checkers: checkers.py
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
      - program: work
        dialogue: [{says: "a? ", answer: 3}, {says: "b? ", answer: 4}]
        stdout: "7\\n"
      - program: work
        player: numbers()
        check: seven()
"""
CHECKERS = """
def numbers(turns):
    said, _ = turns[-1]
    return {"a? ": "3", "b? ": "4"}.get(said)

def seven(did):
    assert did["dialogue"] == [("a? ", "3"), ("b? ", "4")], did["dialogue"]
    assert did["stdout"].endswith("7\\n")
"""
LINES = "const rl = require('readline').createInterface({input: process.stdin});\n"
BOTH = "createInterface({input: process.stdin, output: process.stdout});\n"
SLOW = "const slow = () => { let s = 0; for (let i = 0; i < 3e7; i++) s += i; return s; };\n"
ASK = "const ask = words => new Promise(found => { process.stdout.write(words); rl.once('line', found); });\n"
RIGHT = {
    "promises": f"""
const rl = require('readline/promises').{BOTH}
(async () => {{
  const a = Number(await rl.question('a? ')), b = Number(await rl.question('b? '));
  console.log(a + b); rl.close();
}})();""",
    "callbacks": f"""
const rl = require('readline').{BOTH}
rl.question('a? ', a => rl.question('b? ', b => {{ console.log(Number(a) + Number(b)); rl.close(); }}));""",
    "iterator": f"""{LINES}
(async () => {{
  const lines = rl[Symbol.asyncIterator](), next = async () => Number((await lines.next()).value);
  process.stdout.write('a? '); const a = await next();
  process.stdout.write('b? '); const b = await next();
  console.log(a + b); rl.close();
}})();""",
    "computes": f"""{LINES}{SLOW}{ASK}
(async () => {{
  const a = Number(await ask('a? ')); slow();
  const b = Number(await ask('b? ')); slow();
  console.log(a + b); process.exit(0);
}})();""",
    "computes for long": f"""{LINES}{SLOW}{ASK}
(async () => {{
  const a = Number(await ask('a? ')), start = process.cpuUsage();
  while (process.cpuUsage(start).user < 700000) slow();
  const b = Number(await ask('b? '));
  console.log(a + b); process.exit(0);
}})();""",
    "to the end": f"""{LINES}
const all = [], words = ['b? ', ''];
process.stdout.write('a? ');
rl.on('line', line => {{ process.stdout.write(words[all.push(Number(line)) - 1]); }});
rl.on('close', () => console.log(all[0] + all[1]));""",
}
WRONG = {
    "asks once more": (RIGHT["callbacks"].replace("rl.close();", "rl.question('c? ', () => rl.close());")),
    "says it in one line": RIGHT["promises"].replace("'b? '", "''"),
    "ends early": RIGHT["promises"].replace("'b? '", "'b? '.slice(process.exit())"),
    "wrong sum": RIGHT["iterator"].replace("a + b", "a - b"),
    "line of its own": RIGHT["promises"].replace("rl.close()", "console.log(await rl.question('c?\\n'))"),
}


def marked(folder: Path, programs: dict[str, str]) -> dict[str, dict[str, CaseResult]]:
    (folder / "checkers.py").write_text(CHECKERS)
    (folder / "sample.yaml").write_text(HEAD + SPEC)
    with Marker(prepare_run(load_task(folder / "sample.yaml"), Driver.NAMESPACES, "")) as marker:
        return {
            name: cases(marker.mark(Submission(name, name, {"work": SourceFile("work.js", text)})).result)
            for name, text in programs.items()
        }


def test_a_program_is_right_in_whichever_way_it_reads(tmp_path: Path) -> None:
    found = marked(tmp_path, RIGHT)
    wrong = {(name, case.id): case.message for name, of in found.items() for case in of.values()}
    assert {where: text for where, text in wrong.items() if text} == {}


def test_a_program_that_asks_otherwise_is_wrong(tmp_path: Path) -> None:
    for name, of in marked(tmp_path, WRONG).items():
        assert of["1.1"].verdict == "wrong-answer", (name, of["1.1"].message)
