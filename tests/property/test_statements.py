"""The search for statements agrees with Python's tokenizer, and looks at each character a few times."""

import io
import sysconfig
import tokenize
import warnings
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from grader.intake.source.statements import statement_starts

BETWEEN = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
STDLIB = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))


def starts_by_tokenize(text: str) -> list[int]:
    starts, fresh = [], True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE:
            fresh = True
        elif fresh and token.type not in BETWEEN:
            starts.append(token.start[0] - 1)
            fresh = False
    return starts


def is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "s.py", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


@pytest.mark.acceptance  # it reads the library
def test_statements_of_the_standard_library_start_where_they_do() -> None:
    sure = 0
    for path in STDLIB:
        text = path.read_text("utf-8")
        found = statement_starts(text)
        sure += bool(found)
        assert not found or found == starts_by_tokenize(text), path
    assert sure >= len(STDLIB) * 0.97


STRINGS = [
    "''",
    '""',
    "'a\\'b'",
    'r"\\""',
    "'a\\\n\tb'",
    "f'{x!r:>{y}}'",
    "f\"{x['k']}{{\"",
    "b'#'",
    "'''a\n\tb'''",
    'rf"""{\n1}\n"""',
]
ODD_STRINGS = [
    "f\"{x['}']}\"",
    'f"{d["k"]}"',
    "f'''{\n1 # }\n}'''",
    "fr'\\{x}'",
    "if''",
    "u'('",
    "f'{{'",
    "f'}}'",
    "f'{x:#x}'",
    "'' f'{x}' '{'",
]
SIMPLE = st.sampled_from(
    ["x", "1", "(", ")", "[", "]", "{", "}", "\n", "\\\n", "# (\n", " ", "\t", ";", "=", ",", ":"]
)
COMPOUND = st.sampled_from(
    ["if x:\n\t", "def f():\n        ", "\n\ty = ", "\n        z = ", "\n    ", "\f", "pass\n"]
)
PIECES = st.lists(SIMPLE | COMPOUND | st.sampled_from(STRINGS + ODD_STRINGS), max_size=20).map("".join)
BEGINNINGS = ["", "x = ", "if 1: x = ", "if 1:\n\tx = ", "if 1:\n        # (\n        x = ", "\\\nx = "]
ENDINGS = ["\n", " # '\n", "\n\n", "\n\t\n", ""]
VALUES = [*STRINGS, *ODD_STRINGS, "(\n1,\n\t2)", "1 + \\\n\t2", "[\n#)\n]", "1; y = 2", "{1:\n{}}"]
WHOLE = st.lists(
    st.tuples(*map(st.sampled_from, (BEGINNINGS, VALUES, ENDINGS))).map("".join), max_size=5
).map("\n".join)


@given(PIECES | WHOLE)
@settings(max_examples=500)
def test_statements_start_where_the_tokenizer_says(text: str) -> None:
    assume(is_python(text))
    found = statement_starts(text)
    assert not found or found == starts_by_tokenize(text)


@given(st.lists(st.sampled_from([*STRINGS, "1", "(1,\n\t2)"]), min_size=1, max_size=6))
def test_usual_statements_leave_no_doubt(values: list[str]) -> None:
    text = "".join(f"if x:\n\tx = {value}\n        # '\n" for value in values)
    assert is_python(text)
    assert statement_starts(text) == starts_by_tokenize(text)


class Watched(str):
    """A text that counts the characters that were looked at."""

    looked_at = 0

    def __getitem__(self, key: object) -> str:
        part = super().__getitem__(key)  # type: ignore[index]
        self.looked_at += len(part)
        return part

    def find(self, part: str, start: int = 0) -> int:  # type: ignore[override]
        place = super().find(part, start)
        self.looked_at += (place if place >= 0 else len(self)) - start
        return place


PARTS = ["(", "'", '"', "\\\n", "'''", "f'{", "f'''{'", "#", "\t", "\n", "\\", "x", "f\"{'a'}\"", "'\\\n"]
BOMBS = st.tuples(
    st.sampled_from([*PARTS, "{{", "f'{{", "if x:\n\t", *STRINGS, *ODD_STRINGS]), st.integers(1, 300)
)


@given(st.lists(BOMBS, max_size=4))
@example([("'''", 1), ("'", 1000)])
@example([("\\\n", 1000)])
@example([("f'", 1), ("{", 1000)])
def test_the_search_for_statements_looks_at_each_character_a_few_times(parts: list[tuple[str, int]]) -> None:
    text = Watched("".join(piece * count for piece, count in parts))
    statement_starts(text)
    assert text.looked_at <= 5 * len(text) + 5
