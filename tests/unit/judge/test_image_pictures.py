"""Rows of counts as images: colours, black, no number, and where two images differ."""

import pytest
from support.renderers import BUILT_IN

from grader.judge.pictures.vocabulary import NotAPicture
from grader.model.drawing import Picture, Raster

PALETTE = [(10, 20, 30), (40, 50, 60)]


def drawn(actual: object, expected: object = None, **arguments: object) -> list[Picture]:
    return BUILT_IN["image"](actual, expected, **{"palette": PALETTE, **arguments})


def colours(picture: Picture) -> list[list[tuple[int, int, int]]]:
    content = picture.content
    assert isinstance(content, Raster)
    rows = range(0, len(content.pixels), content.width)
    return [[content.palette[i] for i in content.pixels[start : start + content.width]] for start in rows]


def test_counts_take_their_colours_in_turn_and_are_black_from_the_limit_on() -> None:
    (picture,) = drawn([[0, 1, 2], [3, 9, 10]], limit=9)
    first, second = PALETTE
    assert colours(picture) == [[first, second, first], [second, (0, 0, 0), (0, 0, 0)]]


@pytest.mark.parametrize("odd", [None, "x", True, float("nan"), float("inf"), 10**400, [1]])
def test_what_is_no_number_stands_out(odd: object) -> None:
    (picture,) = drawn([[0, odd]])
    assert colours(picture) == [[PALETTE[0], (255, 0, 255)]]


def test_the_difference_is_drawn_and_counted() -> None:
    pictures = drawn([[0, 1], [2, 3]], [[0, 1], [2, 4]])
    assert [picture.title for picture in pictures] == ["Expected", "Answer", "Difference"]
    assert pictures[2].text == "1 of 4 pixels differ (25 %)."
    same, differs = colours(pictures[2])[0][0], colours(pictures[2])[1][1]
    assert colours(pictures[2]) == [[same, same], [same, differs]]
    assert same != differs


def test_within_the_tolerance_pixels_are_alike() -> None:
    assert drawn([[1.0, 2.5]], [[1.2, 3]], tolerance=0.5)[2].text == "0 of 2 pixels differ (0 %)."


def test_images_of_different_sizes_are_shown_without_a_difference() -> None:
    pictures = drawn([[0, 1]], [[0], [1]])
    assert [picture.text for picture in pictures] == ["1 x 2 pixels", "2 x 1 pixels"]


def test_a_large_image_is_thinned_out_and_no_difference_is_lost() -> None:
    wanted = [[0] * 900 for _ in range(800)]
    actual = [list(row) for row in wanted]
    actual[799][899] = 1
    pictures = drawn(actual, wanted)
    sizes = {(p.content.width, p.content.height) for p in pictures if isinstance(p.content, Raster)}
    assert sizes == {(300, 267)}
    assert pictures[2].text == "1 of 720,000 pixels differ (0.000139 %)."
    assert isinstance(pictures[2].content, Raster)
    assert pictures[2].content.pixels.count(1) == 1


@pytest.mark.parametrize(
    "nothing", [None, 3, "text", [], [[]], [1, 2], {}, [[0] * 1001] * 1000, [()] * 2_000_000]
)
def test_what_is_no_image_or_too_large_is_not_drawn(nothing: object) -> None:
    assert drawn(nothing) == []


def test_without_a_palette_there_are_greys() -> None:
    (picture,) = BUILT_IN["image"]([[0, 15]], None)
    (low, high) = colours(picture)[0]
    assert len(set(low)) == len(set(high)) == 1
    assert low < high


def test_a_palette_must_be_colours() -> None:
    with pytest.raises(NotAPicture):
        drawn([[0]], palette=[(1, 2)])
