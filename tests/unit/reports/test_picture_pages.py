"""Pictures on the pages: well-formed, escaped, told in words too, kept from those who may not see."""

import base64
import re
import struct
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

from support.renderers import BUILT_IN
from support.results_sample import RUN, TASK, case, question

from grader.model.case import Visibility
from grader.model.drawing import Cell, Fill, Grid, Line, Mark, Picture, Piece, Raster, Sheet
from grader.model.results import RunResults, Status, SubmissionResult
from grader.model.task import PageLanguage
from grader.model.verdict import Verdict
from grader.reports.html.pages import Pages
from grader.reports.html.pictures import GridView, ImageView, picture_view
from grader.reports.html.png import png

TOUR = Picture("A tour", "the fault", Grid(3, 3, (), (Line(((0, 0), (1, 2)), number=1),), chequered=True))
IMAGE = Picture("An image", "3 of 4 differ", Raster(2, 2, ((0, 0, 0), (255, 170, 0)), bytes([0, 1, 1, 0])))
EVERYTHING = Picture(
    "All",
    "all words",
    Grid(
        5,
        5,
        tuple(Cell((0, row), "12345678"[: 2 * row], fill) for row, fill in enumerate(Fill))
        + tuple(Cell((1, row), str(row), piece=piece) for row, piece in enumerate(Piece))
        + tuple(Cell((2, row), mark=mark) for row, mark in enumerate(Mark)),
        tuple(Line(((3, row), (4, row)), mark, arrow=True, number=1) for row, mark in enumerate(Mark)),
        across=("a", "b", "c", "d", "e"),
        down=("1", "2", "3", "4", "5"),
        legend=(("wrong", "a fault"), ("blocked", "no square"), ("dark", "dark"), ("first", "first")),
    ),
)


def submission(
    *pictures: Picture, note: str = "", visibility: Visibility = Visibility.PUBLIC
) -> SubmissionResult:
    wrong = case(
        "2.1", "f(1)", Verdict.WRONG_ANSWER, pictures=pictures, picture_note=note, visibility=visibility
    )
    student = SubmissionResult(
        id="student-01", name="student-01", mark=TASK.max_mark, max_mark=TASK.max_mark, status=Status.MARKED,
        questions=(question("2", 0, wrong),),
    )  # fmt: skip
    (document,) = RunResults(RUN, TASK, [student]).submissions
    return document


def pages() -> Pages:
    document = RunResults(RUN, TASK, [])
    return Pages(document.run, document.task)


def drawings(page: str) -> list[ElementTree.Element]:
    return [
        ElementTree.fromstring(text) for text in re.findall(r'<svg class="board".*?</svg>', page, re.DOTALL)
    ]


def test_a_board_is_drawn_with_a_title_and_a_description() -> None:
    (svg,) = drawings(pages().student(submission(TOUR)))
    assert svg.get("role") == "img"
    assert (svg.findtext("title"), svg.findtext("desc")) == ("A tour", "the fault")
    assert [text.text for text in svg.findall("text")] == ["1", "2"]
    (way,) = svg.findall("polyline")
    assert way.get("points") == "20,20 60,100"


def test_every_word_of_the_vocabulary_has_its_class() -> None:
    (svg,) = drawings(pages().student(submission(EVERYTHING)))
    classes = " ".join(element.get("class", "") for element in svg.iter()).split()
    for word in [*list(Fill)[1:], *list(Piece)[1:], *list(Mark)[1:]]:
        assert word.value in classes


def test_a_mark_is_told_by_more_than_its_colour() -> None:
    (svg,) = drawings(pages().student(submission(EVERYTHING)))
    signs = {
        element.get("class", "").split()[-1]: element.tag
        for element in svg.iter()
        if "tick" in element.get("class", "")
    }
    assert signs == {"right": "path", "missing": "circle", "wrong": "path"}


def test_an_image_is_a_part_of_the_page_with_words_for_it() -> None:
    page = pages().student(submission(IMAGE))
    (source, width, alt) = re.findall(
        r'<img src="data:image/png;base64,(.*?)" width="(\d+)" .*?alt="(.*?)">', page
    )[0]
    assert base64.b64decode(source) == png(IMAGE.content)  # type: ignore[arg-type]
    assert (width, alt) == ("48", "An image. 3 of 4 differ")
    assert "; img-src data:" in page


def test_a_png_holds_the_pixels() -> None:
    data = png(Raster(3, 2, ((1, 2, 3), (4, 5, 6)), bytes([0, 1, 0, 1, 1, 0])))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunks[kind] = data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert checksum == zlib.crc32(kind + chunks[kind])
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert chunks[b"IHDR"] == struct.pack(">II", 3, 2) + bytes([8, 3, 0, 0, 0])
    assert chunks[b"PLTE"] == bytes([1, 2, 3, 4, 5, 6])
    assert zlib.decompress(chunks[b"IDAT"]) == bytes([0, 0, 1, 0, 0, 1, 1, 0])


def test_a_hidden_case_shows_its_student_no_picture() -> None:
    hidden = submission(TOUR, IMAGE, note="a note", visibility=Visibility.HIDDEN)
    page = pages().student(hidden)
    assert drawings(page) == []
    assert "<img" not in page
    assert len(drawings(pages().staff(hidden))) == 1


def test_the_note_on_a_picture_that_failed_is_for_the_staff() -> None:
    failed = submission(note="board could not draw this")
    assert "board could not draw this" not in pages().student(failed)
    assert "board could not draw this" in pages().staff(failed)


def test_texts_of_pictures_are_escaped() -> None:
    evil = "</svg><script>alert(1)</script>\u202e"
    board = Picture(
        evil, evil, Grid(1, 1, (Cell((0, 0), evil[:8]),), across=(evil[:8],), legend=(("wrong", evil),))
    )
    seen: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: seen.append(tag)  # type: ignore[method-assign]
    page = pages().student(submission(board, Picture(evil, evil, IMAGE.content)))
    parser.feed(page)
    assert "script" not in seen
    assert "\u202e" not in page


def test_a_way_that_leaves_the_board_has_room() -> None:
    view = picture_view(Picture("x", "", Grid(2, 2, lines=(Line(((0, 0), (-1, 2))),))))
    assert isinstance(view, GridView)
    assert view.box == "-40 -2 122 122"


def test_numbers_that_could_not_be_read_are_left_out() -> None:
    (picture,) = BUILT_IN["tour_board"]([(1, 2), (0, 0)], None, dim=50)
    view = picture_view(picture)
    assert isinstance(view, GridView)
    assert (view.texts, view.labels) == ((), ())


def test_small_images_are_shown_large_but_not_their_single_pixels() -> None:
    wide = Raster(300, 1, ((0, 0, 0),), bytes(300))
    dot = Raster(1, 1, ((0, 0, 0),), bytes(1))
    shown = [picture_view(Picture("x", "", raster)) for raster in (IMAGE.content, dot, wide)]
    sizes = [(view.width_px, view.height_px) for view in shown if isinstance(view, ImageView)]
    assert sizes == [(48, 48), (24, 24), (300, 1)]


def test_a_table_has_its_labels_and_marks_the_cells_that_differ() -> None:
    sheet = Sheet(("<b>", "price"), ("1", "2"), (("'Bern'", "2.5"), ("<script>x</script>", "NaN")), ((1, 1),))
    page = pages().student(submission(Picture("Answer", "Rows 1 to 2 of 9.", sheet)))
    table = re.findall(r'<table class="labelled">.*?</table>', page, re.DOTALL)[0]
    assert "<script>" not in table
    assert '<th scope="col">&lt;b&gt;</th>' in table
    assert table.count('class="wrong"') == 1
    assert '<td class="wrong">≠ NaN</td>' in table
    assert "Rows 1 to 2 of 9." in page


def test_no_class_of_a_picture_is_a_class_of_the_page_itself() -> None:
    sheet = Sheet(("price",), ("1",), (("2.5",),), ())
    page = pages().student(submission(Picture("Answer", "", sheet)))
    body = page.partition("<body")[2]
    of_tables = {name for names in re.findall(r'<table class="([^"]*)"', body) for name in names.split()}
    of_page = {name for names in re.findall(r'<div class="([^"]*)"', body) for name in names.split()}
    assert of_tables
    assert not of_tables & of_page


def test_the_title_of_a_table_is_in_the_language_of_the_page() -> None:
    sheet = Sheet(("price",), ("1",), (("2.5",),), ())
    german = Pages(RUN, replace(TASK, language=PageLanguage.GERMAN))
    page = german.student(submission(Picture("Answer", "", sheet)))
    assert "<figcaption>Antwort</figcaption>" in page
