"""Programs in other languages as root and as a user without rights: marked alike, and nothing is left."""

import pytest
from support.attack_run import Way, mark
from support.toolchains import JAVA, JAVASCRIPT, C

from grader.sandbox.driver import Driver
from grader.sandbox.tools.toolchains import missing_tool

SPEC = """
task: sums
title: Sums
marks: 1
modules: {work: work.py}
toolchains: [c, java, javascript, {language: shell, ending: .sh, build: "sh {file}", run: ./program}]
questions:
  - id: "1"
    title: One
    marks: 1
    cases:
      - {program: work, stdin: "x\\n", stdout: "x\\n"}
"""
WORKS = {
    "in-c": (C, "work.c", '#include <stdio.h>\nint main(void) { puts("x"); return 0; }\n'),
    "in-java": (
        JAVA,
        "Work.java",
        'class Work { public static void main(String[] a) { System.out.println("x"); } }\n',
    ),
    "in-javascript": (JAVASCRIPT, "work.js", "console.log('x');\n"),
    "daemon": (C, "work.sh", "(while :; do sleep 1; done) & cp /usr/bin/env program\n"),
    "endless": (C, "work.sh", "bomb() { bomb | bomb & }; bomb\n"),
}


@pytest.mark.acceptance
def test_they_are_marked_alike(way: Way) -> None:
    works = {name: work for name, work in WORKS.items() if not missing_tool(work[0])}
    if not works:
        pytest.skip("neither gcc nor Java nor node is installed")
    marked = mark(way, SPEC, {name: {file: text} for name, (_, file, text) in works.items()})
    for name in works:
        if way.driver is not Driver.NAMESPACES:
            assert marked.verdicts(name) == ["internal-error"]
        elif name.startswith("in-"):
            assert marked.verdicts(name) == ["accepted"]
        else:
            assert marked.verdicts(name)[0] in ("wrong-answer", "load-error", "output-limit"), name
