"""Foreign text on its way into each medium."""

import csv
import io
import sys
import unicodedata
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from grader.marking.rounding import csv_number
from grader.reports.escape import (
    csv_cell,
    plain,
    visible,
    workflow_message,
    xml_text,
)


def test_no_character_that_hides_or_misleads_stays() -> None:
    kinds = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    everything = [chr(code) for code in range(sys.maxunicode + 1)]
    misleading = [one for one in everything if unicodedata.category(one) in kinds]
    assert [one for one in misleading if visible(one, multiline=False) == one] == []


@pytest.mark.parametrize(
    "text", ["", "Anna", "Zoë Müller-Łukasz", "李小龍", "علي", "♞ → ½", "❤\ufe0f", "a\tb\nc"]
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b2J", "\\x9b2J"),
        ("a\rb", "a\\rb"),
        ("abc\u202ecba", "abc\\u202ecba"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("line\u2028end", "line\\u2028end"),
        ("\ud83d", "\\ud83d"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("\x00", "\\x00"),
    ],
)
def test_what_misleads_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_one_line_stays_one_line() -> None:
    assert plain("a\tb\nc\r\n") == "a\\tb\\nc\\r\\n"


@pytest.mark.parametrize(
    "text",
    ["::error::x", "  ::set-output name=a::b", "ok\n::stop-commands::t", "x ##[error]y", "##vso[task.x]"],
)
def test_no_line_is_a_command_to_a_ci_system(text: str) -> None:
    shown = plain(text, multiline=True)
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
    assert "##[" not in shown
    assert "##vso[" not in shown


def test_colons_and_hashes_elsewhere_stay() -> None:
    assert plain("a[::2] ## note") == "a[::2] ## note"


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "  =1",
        "\n=1",
        "\uff1d1",
        "=cmd|' /C calc'!A0",
        "\xa0=1",
    ],
)
def test_no_cell_is_a_formula(text: str) -> None:
    assert csv_cell(text).startswith("'")


@pytest.mark.parametrize("text", ["Anna", "student-01", "1=2", "", "a+b", "O'Neill"])
def test_an_ordinary_cell_stays_as_it_is(text: str) -> None:
    assert csv_cell(text) == text


def test_a_cell_survives_the_csv_module() -> None:
    file = io.StringIO()
    csv.writer(file).writerow([csv_cell('a,"b"\nc'), csv_cell("d")])
    assert next(csv.reader(io.StringIO(file.getvalue()))) == ['a,"b"\\nc', "d"]


@pytest.mark.parametrize(("mark", "number"), [("9.5", "9.5"), ("-2", "-2"), ("1/3", "0.3333"), ("14/2", "7")])
def test_our_own_numbers_stay_numbers(mark: str, number: str) -> None:
    assert csv_number(Fraction(mark)) == number


def test_any_character_makes_legal_xml() -> None:
    text = xml_text("".join(chr(code) for code in range(0x11000)) + "\ufffe\uffff")
    element = ElementTree.Element("a")
    element.text = text
    assert ElementTree.fromstring(ElementTree.tostring(element, "utf-8")).text == text


def test_a_workflow_message_is_one_line() -> None:
    assert workflow_message("50 %\r\n::error::x") == "50 %25\\r%0A::error::x"
