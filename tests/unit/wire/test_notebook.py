"""The text of a notebook, and the places in it."""

import pytest

from grader.model import submission
from grader.wire import notebook
from grader.wire.notebook import MARK, NotebookCell, cells_of, joined, line_of, module_of, place_of

FORGED = f"# %% cell 9\n{MARK}# The code of a notebook. Cells and their first lines: 1:3"


def test_the_mark_is_the_same_on_both_sides() -> None:
    assert submission.NOTEBOOK == MARK


@pytest.mark.parametrize("texts", [["x = 1"], ["", "\n\n", "'''", "'''", "\f", "\x1c\u2028", FORGED, "a\\"]])
def test_each_cell_comes_back_as_it_went_in(texts: list[str]) -> None:
    cells = list(enumerate(texts, 2))
    assert [(cell.number, cell.text) for cell in cells_of(joined(cells))] == cells


def test_no_cells_are_no_text() -> None:
    assert joined([]) == ""
    assert cells_of("x = 1") == []


def test_lines_and_cells_lead_to_one_another() -> None:
    text = joined([(1, "a\nb"), (4, "c")])
    lines = text.removeprefix(MARK).split("\n")
    assert [lines[line_of(text, *place) - 1] for place in ((1, 1), (1, 2), (4, 1))] == ["a", "b", "c"]
    assert [place_of(text, line) for line in range(1, len(lines) + 1)] == [
        (0, 1), (0, 2), (1, 1), (1, 2), (0, 5), (4, 1),
    ]  # fmt: skip
    assert [line_of(text, *place) for place in ((1, 0), (1, 3), (2, 1), (4, 2))] == [0] * 4


def test_names_in_tracebacks_lead_back() -> None:
    assert notebook.files_of("leap", joined([(3, "x")])) == ["cell 3 of leap.ipynb"]
    assert notebook.files_of("leap", "x") == ["leap.py"]
    assert module_of("cell 3 of leap.ipynb") == ("leap", 3)
    assert module_of("leap.py") == ("leap", 0)
    assert module_of("cell x of leap.ipynb")[1] == 0


@pytest.mark.parametrize("head", ["1:3 2:3", "1:2", "1:x", "1", "²:3", "1:-3", "1:" + "9" * 5000, "5:9"])
def test_a_forged_first_line_does_no_harm(head: str) -> None:
    text = f"{MARK}# The code of a notebook. Cells and their first lines: {head}\n# %% cell 1\nx"
    assert cells_of(text) == []


def test_the_beginning_of_a_text_has_its_cells() -> None:
    whole = joined([(1, "a\nb"), (2, "c")])
    assert cells_of(whole[: whole.index("\nb")]) == [NotebookCell(1, 3, "a")]
