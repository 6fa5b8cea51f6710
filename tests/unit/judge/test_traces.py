"""The exception that ended a program in another language, read from its error output."""

import pytest

from grader.judge.traces import exception_in

JAVA = """a warning
Exception in thread "main" java.lang.NumberFormatException: For input string: "x"
\tat java.base/java.lang.Integer.parseInt(Integer.java:668)
\tat Work.read(Work.java:4)
\tat Work.main(Work.java:8)
"""
NODE = """/box/work/work.js:4
  return n.value.half;
                 ^

TypeError: no half of
it
    at half (/box/work/work.js:4:18)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2
"""
PARSED = """undefined:1
x
^

SyntaxError: Unexpected token 'x', "x" is not valid JSON
    at JSON.parse (<anonymous>)
    at /box/work/work.js:2:6
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2
"""


@pytest.mark.parametrize(
    ("errors", "title", "place"),
    [
        (JAVA, 'NumberFormatException: For input string: "x"', ("Work.java", 4)),
        (
            JAVA.replace("\tat Work", "\tat java.base/Work"),
            'NumberFormatException: For input string: "x"',
            None,
        ),
        ('Exception in thread "main" mine.Odd\n\tat mine.Work.main(Work.java:8)\n', "Odd", ("Work.java", 8)),
        (NODE, "TypeError: no half of", ("work.js", 4)),
        (PARSED, "SyntaxError: Unexpected token 'x', \"x\" is not valid JSON", ("work.js", 2)),
        ("Exception: of my own\n", "", None),
        ('Exception in thread "main" \n\tat x\n', "", None),
        ("Node.js v20", "", None),
        ("    at x\nNode.js v20", "", None),
        ("", "", None),
        ('Exception in thread "main" A\n\tat B.c(D.java:99999999999)\n', "A", None),
    ],
)
def test_the_exception(errors: str, title: str, place: tuple[str, int] | None) -> None:
    found = exception_in(errors)
    assert (found.raised.title if found else "") == title
    assert [(frame.file, frame.line) for frame in (found.raised.frames if found else ())] == (
        [place] if place else []
    )


def test_too_much_memory_is_told_as_in_python() -> None:
    found = exception_in('Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n')
    assert found is not None
    assert "MemoryError" in found.bases


@pytest.mark.parametrize(
    "errors",
    [
        "\n" * 300_000,
        "\tat a(b:1\n" * 30_000,
        'Exception in thread "\n' * 20_000,
        "    at (/box/work/:\n" * 20_000 + "Node.js v1",
        "/box/work/a:1\n\nX\n" + "    at (" * 60_000 + "\nNode.js v1",
        'Exception in thread "main" A\n' + "\tat (" * 80_000,
    ],
    ids=range(6),
)
def test_a_trace_without_end_is_read_at_once(errors: str) -> None:
    found = exception_in(errors)
    assert found is None or not found.raised.frames
