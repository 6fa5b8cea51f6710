"""What holds for every name, every source text, every folder and every broken zip."""

import io
import tempfile
import unicodedata
import zipfile
from pathlib import Path

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from support.intake_reading import collect

from grader.intake import discover
from grader.intake.names import ID_MAX_B, ID_MAX_CHARACTERS, Claim, folded, safe_id, shown, unique_ids
from grader.intake.source.text import Care, as_python_reads, repair
from grader.model.errors import UsageError
from grader.model.submission import Submission
from grader.wire.source_text import source_of

SHOGUN = {"shogun": "shogun.py"}
ANY_TEXT = st.text(st.characters(), max_size=200)


@given(ANY_TEXT)
@example("CON.. ")
@example("\udcff")
def test_ids_are_safe_file_names_anywhere(name: str) -> None:
    made = safe_id(name)
    made.encode()
    assert 0 < len(made) <= ID_MAX_CHARACTERS
    assert len(made.encode()) <= ID_MAX_B
    assert not set(made) & set('<>:"/\\|?*\0 ')
    assert not any(unicodedata.category(c).startswith(("C", "Z")) for c in made)
    assert made[0] not in ".-"
    assert made[-1] not in ".-"
    assert made.split(".")[0].upper() not in {"CON", "NUL", "AUX", "PRN", "COM1", "LPT9"}


@given(ANY_TEXT)
def test_ids_are_stable(name: str) -> None:
    assert safe_id(safe_id(name)) == safe_id(name)


@given(
    st.lists(st.sampled_from(["a", "A", "a-2", "á", "a\u0301", "con", "x" * 150, "X" * 151, ""]), max_size=30)
)
def test_ids_are_unique_on_systems_that_fold_case(names: list[str]) -> None:
    made = unique_ids([Claim(name, name, (str(at), name)) for at, name in enumerate(names)])
    assert len({folded(one) for one in made}) == len(names)
    assert all(len(one) <= ID_MAX_CHARACTERS for one in made)


@given(ANY_TEXT)
def test_shown_names_can_be_encoded(name: str) -> None:
    assert len(shown(name).encode()) <= 80 * 4


WORDS = [b"x = 1\n", b"if x:\n", b"pass\n", b"'''", b"(", b")", b"#", b"\\\n"]
SPACES = [b"\t", b"        ", b"    ", b" ", b"\f", b"\n", b"\r\n", b"\r"]
TEXTS = [b"# coding: latin-1\n", b"# coding: utf-7\n", b"s = '\xe9'\n", b"s = '\xc3\xa9'\n"]
ODD_BYTES = [b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\x81", b"\xe2\x80\xa8"]
SOURCE_PIECES = st.sampled_from([*WORDS, *SPACES, *TEXTS, *ODD_BYTES])
SOURCES = st.lists(SOURCE_PIECES, max_size=25).map(b"".join) | st.binary(max_size=200)


@given(SOURCES)
def test_any_bytes_become_text_with_plain_line_ends(data: bytes) -> None:
    mended = repair(data, Care())
    mended.text.encode()
    assert "\r" not in mended.text
    assert ("\0" in mended.text) == bool(mended.problem)


STATEMENTS = [
    b"x = 1",
    b"s = '\xc3\xa9'",
    b"s = 'a\\\nb'",
    b"s = '''\n\ta\n        b\n'''",
    b"if x:\n\ty = 1",
    b"# \xff",
]
STARTS = [
    b"",
    b"\xef\xbb\xbf",
    b"# coding: latin-1\n",
    b"#!python\r\n# coding: cp1252\r\n",
    b"# coding: utf-8\n",
]
PROGRAMS = st.tuples(
    st.sampled_from(STARTS),
    st.lists(st.tuples(st.sampled_from(STATEMENTS), st.sampled_from([b"\n", b"\r\n", b"\r"]))),
).map(lambda program: program[0] + b"".join(line + end for line, end in program[1]))


@given(PROGRAMS)
@example(b"s = '\xc3\xa9'\n#\xff\xfe")  # Python does not decode a comment
def test_what_python_can_compile_means_the_same_after_repair(data: bytes) -> None:
    try:
        code = compile(data, "s.py", "exec")
    except SyntaxError:
        return
    assert compile(repair(data, Care()).text, "s.py", "exec") == code


@given(PROGRAMS | SOURCES)
@example(b"s = '\xc3\xa9'\n#\xff\xfe")
def test_without_repairs_a_file_means_what_it_means_to_python(data: bytes) -> None:
    assert compiled(source_of(as_python_reads(data).text)) == compiled(data)


def compiled(source: str | bytes) -> object:
    try:
        return compile(source, "s.py", "exec")
    except (SyntaxError, ValueError) as error:
        return type(error)


INDENTS = st.sampled_from(
    ["", "\t", "        ", "\t\t", "        \t", "\t        ", "    ", "    \t", "                "]
)
LINES = st.lists(
    st.tuples(INDENTS, st.sampled_from(["pass", "if 1:", "# note", ""])), min_size=2, max_size=12
)


@given(LINES)
@example([("", "if 1:"), ("        ", "pass"), ("\t", "pass")])
def test_indentation_changes_only_where_python_gives_up(lines: list[tuple[str, str]]) -> None:
    text = "".join(f"{indent}{words}\n" for indent, words in lines)
    mended = repair(text.encode(), Care()).text
    if mended == text:
        return
    try:
        compile(text, "s.py", "exec")
    except SyntaxError:
        return
    raise AssertionError("Python takes the text as it was")


NAMES = st.sampled_from(["shogun.py", "helper.py", "data.txt", "a", "b", "é", "Zoë", "x y", "random.py"])
TREES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=3).map(tuple), st.binary(max_size=20), min_size=1, max_size=6
)


def laid_out(files: dict[tuple[str, ...], bytes], folder: Path) -> None:
    for parts, data in files.items():
        place = folder.joinpath(*parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def consistent(files: dict[tuple[str, ...], bytes]) -> bool:
    """Tell whether no name is both a file and a folder."""
    return not any(one != two and two[: len(one)] == one for one in files for two in files)


@given(TREES)
@settings(max_examples=60)
def test_a_zip_reads_as_the_same_folder_does(files: dict[tuple[str, ...], bytes]) -> None:
    files = {**files, ("shogun.py",): b"x = 1\n"}
    assume(consistent(files))
    with tempfile.TemporaryDirectory() as folder:
        laid_out(files, Path(folder) / "alice")
        with zipfile.ZipFile(Path(folder) / "alice.zip", "w") as archive:
            for parts, data in files.items():
                archive.writestr("/".join(parts), data)
        try:
            folder_one = list(collect([Path(folder) / "alice"], SHOGUN))
        except UsageError:
            assume(False)
        zip_one = list(collect([Path(folder) / "alice.zip"], SHOGUN))
    assert [content_of(s) for s in folder_one] == [content_of(s) for s in zip_one]


def content_of(submission: Submission) -> tuple[object, ...]:
    return (submission.id, submission.files, submission.problems, submission.notes, submission.sha256)


@given(
    st.lists(st.sampled_from(["alice", "bob", "carol", "src", "hw", "ÅSA", "x.y"]), unique=True, min_size=2),
    TREES,
)
@settings(max_examples=60)
def test_every_folder_of_a_batch_is_a_submission(
    students: list[str], files: dict[tuple[str, ...], bytes]
) -> None:
    assume(consistent(files))
    with tempfile.TemporaryDirectory() as folder:
        for student in students:
            (Path(folder) / student).mkdir()
        for student in students[:2]:
            (Path(folder) / student / "shogun.py").write_bytes(b"x = 1\n")
        if ("shogun.py",) not in {parts[:1] for parts in files}:
            laid_out(files, Path(folder) / students[0])
        found = discover([Path(folder)], SHOGUN)
    assert sorted(candidate.name for candidate in found) == sorted(students)


@st.composite
def broken_zips(draw: st.DrawFn) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("shogun.py", "x = 1\n" * 20)
        archive.writestr("hw/é.txt", b"data")
    data = bytearray(file.getvalue())
    for _ in range(draw(st.integers(1, 6))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    cut = draw(st.none() | st.integers(0, len(data)))
    return bytes(data[:cut])


@given(broken_zips())
@settings(max_examples=300, deadline=None)
def test_no_broken_zip_stops_a_batch(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        batch = Path(folder)
        (batch / "alice.zip").write_bytes(data)
        (batch / "bob").mkdir()
        (batch / "bob" / "shogun.py").write_text("x = 1\n")
        alice, bob = collect([batch], SHOGUN)
    assert (bob.problems, list(bob.files)) == ((), ["shogun"])
    assert alice.problems or "shogun" in alice.files
