"""Printed text is held against what the spec says of it: whole, in part, by a pattern, by its lines."""

import re
import time

import pytest

from grader.judge.expected_text import Unlike, find_difference, literal_text, shown_text
from grader.judge.finding import OwnFault
from grader.model.case import Ignored, Text, Whitespace

CASE, PUNCTUATION = Ignored.CASE, Ignored.PUNCTUATION
ANY, TRAILING, NONE = Whitespace.ANY, Whitespace.TRAILING, Whitespace.NONE


def matches(pattern: str, text: str) -> bool | None:
    return None if pattern == "(slow)+" else re.search(pattern, text, re.MULTILINE) is not None


def unlike(text: Text, actual: str, of_reference: str | None = None) -> Unlike | None:
    return find_difference(text, of_reference, actual, matches)


def parts(*contains: str, **more: object) -> Text:
    return Text(None, contains=contains, **more)  # type: ignore[arg-type]


def lines(*wanted: Text | str, **more: object) -> Text:
    pairs = tuple((n, w if isinstance(w, Text) else Text(w)) for n, w in enumerate(wanted, 1))
    return Text(None, lines=pairs, every_line=True, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "actual"),
    [
        (Text("Size? ", ignores=(CASE,)), "SIZE? "),
        (Text("Size? ", ignores=(PUNCTUATION,)), "Size: "),
        (Text("Size?", ANY, ignores=(CASE, PUNCTUATION)), "  size :\n"),
        (Text("Sum: 3.5, -2\n", ANY, ignores=(PUNCTUATION,)), "Sum = 3.5; -2!\n"),
        (Text("area 3.14159 cm", abs=0.01), "area 3.1416 cm"),
        (Text("1.0 and 2.0e3", rel=1e-3), "1.0005 and 2001.0"),
        (Text("5.0", abs=0.5), "5"),
        (Text("from -100.0 to 1.0", rel=0.1), "from -110.0 to 1.1"),
        (parts("tour", "64 moves"), "A tour of 64 moves.\n"),
        (parts("a", "a"), "aba"),
        (parts("Well done", ignores=(CASE,)), "well DONE!"),
        (parts("a b", whitespace=ANY), "x a \n b"),
        (parts("a\nb", whitespace=TRAILING), "a  \nb"),
        (Text(None, pattern=r"^Score: \d+$"), "Hello\nScore: 12\nbye"),
        (lines("a", Text(None, pattern="b+"), "c"), "a\nxbb\nc\n"),
        (lines("a", "b"), "a\nb"),
        (lines("a", whitespace=TRAILING), "a\n\n  \n"),
        (Text(None, lines=((2, Text("b")), (-1, Text("d")))), "a\nb\nc\nd\n"),
        (lines(Text("Pi 3.14", abs=0.01)), "Pi 3.141\n"),
        (Text(None, TRAILING, lines=((1, Text("a")), (-1, Text("bye")))), "a\nbye\n\n  \n"),
        (lines(Text("a", TRAILING), Text("", TRAILING), whitespace=TRAILING), "a\n"),
        (Text("1..2 (3)", ignores=(PUNCTUATION,)), "1,.2 3"),
        (Text("a b\nc", NONE), " ab\t c\n\n"),
        (parts("a b", "c", whitespace=NONE), "x a\nbc"),
        (Text("b\na\na\n", unordered=True), "a\nb\na"),
        (Text("", unordered=True), ""),
        (Text("", TRAILING, unordered=True), " \n"),
        (Text("\n\n", TRAILING, unordered=True), " \n\n"),
        (Text("a \n\nb", TRAILING, unordered=True), "\nb\na\n\n"),
        (Text("a  b\nc\n", ANY, unordered=True), "\nc\n\n a b\n"),
        (Text("a b\nc\n", NONE, unordered=True), "c\n\nab\n"),
        (Text("A!\nb\n", unordered=True, ignores=(CASE, PUNCTUATION)), "B\na\n"),
    ],
)
def test_what_is_right(text: Text, actual: str) -> None:
    assert unlike(text, actual) is None


@pytest.mark.parametrize(
    ("text", "actual", "said"),
    [
        (
            Text("a\nSize? ", ignores=(CASE,)),
            "A\nNumber? ",
            "line 2, column 1: expected size?·, got number?·",
        ),
        (Text("a\nSize? ", ignores=(PUNCTUATION,)), "a\nSizes? ", "line 2: expected Size·, got Sizes·"),
        (Text("x -5", ignores=(PUNCTUATION,)), "x 5", "line 1: expected x·-5, got x·5"),
        (Text("1.2", ignores=(PUNCTUATION,)), "1..2", "line 1: expected 1.2, got 1,.2"),
        (Text("12", ignores=(PUNCTUATION,)), "(1)(2)", "line 1: expected 12, got 1,2"),
        (Text("Straße x", ignores=(CASE,)), "STRASSE y", "line 1: expected strasse·x, got strasse·y"),
        (parts("\u00a0x", whitespace=ANY), "x", "expected \\xa0x in it"),
        (lines("a", whitespace=ANY), "a\n\u00a0\n", "line 2: expected the end of the text, got \\xa0"),
        (Text("3.5", ignores=(PUNCTUATION,)), "35", "line 1: expected 3.5, got 35"),
        (Text("1:30", ignores=(PUNCTUATION,)), "130", "line 1: expected 1:30, got 130"),
        (
            Text("area 3.14 cm", abs=0.01),
            "area 3.2 cm",
            "line 1, column 8: expected area·3.14·cm, got area·3.2·cm",
        ),
        (Text("1.5 a 2.5\n", abs=1), "1.6 b 2.4\n", "line 1, column 5: expected 1.6·a·2.4↵, got 1.6·b·2.4↵"),
        (Text("3 words", abs=1), "4 words", "line 1, column 1: expected 3·words, got 4·words"),
        (Text("It is 3.", abs=1), "It is 3", "line 1, column 8: expected It·is·3., got It·is·3"),
        (Text("1.0", abs=1), "1" * 100, "line 1, column 2"),
        (Text("1.5", abs=1), "1.5e9999", "line 1, column 4"),
        (parts("a", "b"), "b a", "expected b after a, where it comes before"),
        (parts("Hello"), "hello", "expected Hello in it (only capital and small letters differ)"),
        (parts("a  b"), "a b\nmore", "expected a··b in it"),
        (Text(None, pattern="^b"), "ab\ncd", r"expected a match of '^b', got ab…"),
        (Text(None, pattern="x"), "", "expected a match of 'x', got the end of the text"),
        (Text(None, pattern="(slow)+"), "x", "could not be matched with '(slow)+' within 1 s, which counts"),
        (lines("a", "b"), "a\nc\n", "line 2, column 1: expected b, got c"),
        (lines("a", "b"), "a\n", "line 2: expected b, got the end of the text"),
        (lines("a"), "a\nb\x1b[1m\n", r"line 2: expected the end of the text, got b\x1b[1m"),
        (lines("a", Text("b c", ANY)), "a\nb\td\n", "word 2, line 2: expected c, got d"),
        (lines(Text(None, pattern="[0-9]")), "a\n", "line 1: expected a match of '[0-9]', got a"),
        (Text(None, lines=((-1, Text("d")),)), "a\nb\n", "line 2, column 1: expected d, got b"),
        (Text(None, lines=((-3, Text("d")),)), "a\nb\n", "line -3: expected d, got the end of the text"),
        (lines("a"), "", "line 1: expected a, got the end of the text"),
    ],
)
def test_the_first_difference_is_told(text: Text, actual: str, said: str) -> None:
    found = unlike(text, actual)
    assert found is not None
    message, difference = found.at("stdout")
    place, _, sentence = message.partition(": ")
    assert f"{place}: {sentence}".replace("stdout, ", "").replace("stdout: ", "").startswith(said)
    assert difference.where == place


def test_the_reference_gives_single_lines() -> None:
    text = Text(None, lines=((2, Text(None)), (-1, Text("end"))))
    assert text.asks_reference
    assert unlike(text, "x\nb\nend\n", "a\nb\nc\n") is None
    found = unlike(text, "x\ny\nend\n", "a\nb\nc\n")
    assert found is not None
    assert found.where == "line 2, column 1"
    assert literal_text(text, "a\nb\n").lines == ((2, Text("b")), (-1, Text("end")))
    with pytest.raises(OwnFault):
        unlike(text, "x\ny\n", "a\n")


def test_what_is_shown_of_it() -> None:
    assert shown_text(Text("a\n"), None) == "a\n"
    assert shown_text(Text(None), "b\n") == "b\n"
    assert shown_text(parts("tour", "64"), None) == "…tour…\n…64…\n"
    assert shown_text(Text(None, pattern="x+"), None) == "/x+/\n"
    chosen = Text(None, lines=((1, Text("a")), (3, Text(None, pattern="b")), (-1, Text("c"))))
    assert shown_text(chosen, None) == "a\n…\n/b/\n…\nc\n"
    assert shown_text(lines("a", "b"), None) == "a\nb\n"
    assert not parts("a").asks_reference
    assert not Text(None, pattern="a").asks_reference


@pytest.mark.parametrize("filler", ["-", "1.", "1e", ",1", "1 ", "\n", "-.", ".5e9"])
def test_hostile_text_is_read_once(filler: str) -> None:
    """A pattern of ours that went back and forth would need hours for it."""
    text, began = filler * (300_000 // len(filler)), time.process_time()
    for wanted in (
        Text("x 1.5 " * 100, ANY, ignores=(CASE, PUNCTUATION), abs=0.1),
        Text(filler * 100, abs=0.1),
        parts("ab" * 50, whitespace=ANY, ignores=(PUNCTUATION,)),
        lines("a", "b"),
    ):
        assert unlike(wanted, text) is not None
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    ("text", "actual", "where", "sentence"),
    [
        (Text("a b\nc", NONE), "ab\nd", "line 2", "expected abc, got abd"),
        (Text("ab", NONE), "a", "line 1", "expected ab, got a"),
        (Text("ab", NONE), "", "line 1", "expected ab, got the end of the text"),
        (
            Text("a\nb\n", unordered=True),
            "b\nc\n",
            "line 2",
            "expected a (the order of lines does not count), got c",
        ),
        (Text("a\na\n", unordered=True), "a\n", "", "expected the line a too, in any order"),
        (
            Text("a\n", unordered=True),
            "a\nb\na\n",
            "line 2",
            "expected the end of the text (the order of lines does not count), got b",
        ),
        (Text("a\n", unordered=True), "", "", "expected the line a too, in any order"),
        (
            Text("a b\n", unordered=True),
            "ab\n",
            "line 1",
            "expected a·b (the order of lines does not count), got ab",
        ),
    ],
)
def test_lines_in_any_order_and_texts_without_blanks(
    text: Text, actual: str, where: str, sentence: str
) -> None:
    found = unlike(text, actual)
    assert found is not None
    assert (found.where, found.sentence) == (where, sentence)


def test_many_lines_in_another_order() -> None:
    printed = [f"{number}\n" for number in range(300_000)]
    assert unlike(Text("".join(printed), unordered=True), "".join(reversed(printed))) is None
