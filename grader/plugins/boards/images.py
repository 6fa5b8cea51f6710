"""The renderer of images: rows of counts as coloured pixels, with the expected ones beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, isfinite

from grader.api.renderers import MAX_COLOURS, NotAPicture, Picture, Raster, Renderer, Value
from grader.plugins.boards.arguments import unsuitable

_LARGEST_SIDE = 400
"""The most pixels along a drawn side; of a larger image every second pixel is drawn, or every third."""
_MOST_PIXELS = 1_000_000
"""Larger images are not read."""
_LARGEST = 10**15
_BLACK = (0, 0, 0)
_NO_NUMBER = (255, 0, 255)
_ALIKE, _UNLIKE = (238, 238, 238), (165, 0, 20)
_GREYS = 16

Colour = tuple[int, int, int]
Pixel = int | float | None
"""A count; None if the item is no number."""


@dataclass(frozen=True, slots=True)
class _Image:
    """Rows of an image as given; an item that is not a row counts as an empty one."""

    width: int
    height: int
    rows: tuple[Sequence[Value], ...]

    def at(self, column: int, row: int) -> Pixel:
        """Return the count at a place; None if the item is no number."""
        line = self.rows[row] if row < len(self.rows) else ()
        value = line[column] if column < len(line) else None
        if type(value) is int:
            return value if abs(value) <= _LARGEST else None
        return value if type(value) is float and isfinite(value) else None


def image(
    actual: Value,
    expected: Value,
    palette: Sequence[Value] = (),
    limit: int | None = None,
    tolerance: float = 0,
) -> list[Picture]:
    """Draw rows of counts as an image; if another was expected, draw that and the difference too.

    palette: colours as (red, green, blue); a count has colour number `count % len(palette)`.
        Without it, shades of grey.
    limit: counts from here on are black.
    tolerance: counts that differ by no more than this are alike.
    """
    colours = _palette(palette)
    found, wanted = _read(actual), _read(expected)
    if found is None:
        return []
    if wanted is None:
        return [Picture("Answer", _size(found), _coloured(found, colours, limit))]
    pictures = [
        Picture("Expected", _size(wanted), _coloured(wanted, colours, limit)),
        Picture("Answer", _size(found), _coloured(found, colours, limit)),
    ]
    if (found.width, found.height) == (wanted.width, wanted.height):
        pictures.append(_difference(found, wanted, tolerance))
    return pictures


def _read(value: Value) -> _Image | None:
    """Return a list of rows as an image; None if the value is no such list, or too large to draw."""
    if type(value) not in (list, tuple):
        return None
    assert isinstance(value, (list, tuple))
    if len(value) > _MOST_PIXELS:
        return None
    rows = tuple([row if type(row) in (list, tuple) else () for row in value])
    width = max(map(len, rows), default=0)
    return _Image(width, len(rows), rows) if 0 < width * len(rows) <= _MOST_PIXELS else None


def _palette(palette: Sequence[Value]) -> list[Colour]:
    """Return the colours, then those for black and for a missing number.  Raises `NotAPicture`."""
    colours: list[Colour] = []
    for colour in palette:
        if type(colour) not in (tuple, list):
            raise NotAPicture("a colour of the palette is (red, green, blue)")
        assert isinstance(colour, (tuple, list))
        if len(colour) != 3 or any(type(part) is not int or not 0 <= part <= 255 for part in colour):
            raise NotAPicture("a colour of the palette has three numbers from 0 to 255")
        colours.append((colour[0], colour[1], colour[2]))
    if len(colours) > MAX_COLOURS - 2:
        raise NotAPicture(f"a palette has at most {MAX_COLOURS - 2} colours")
    if not colours:
        colours = [(shade, shade, shade) for shade in range(255 // _GREYS, 256, 256 // _GREYS)]
    return [*colours, _BLACK, _NO_NUMBER]


def _step(width: int, height: int) -> int:
    return ceil(max(width, height) / _LARGEST_SIDE)


def _blocks(width: int, height: int, step: int) -> Iterator[tuple[range, range]]:
    """Yield the columns and rows of each drawn pixel's block."""
    for row in range(0, height, step):
        rows = range(row, min(row + step, height))
        for column in range(0, width, step):
            yield range(column, min(column + step, width)), rows


def _coloured(picture: _Image, colours: list[Colour], limit: int | None) -> Raster:
    step = _step(picture.width, picture.height)
    count = len(colours) - 2
    pixels = bytearray()
    for row in range(0, picture.height, step):
        for column in range(0, picture.width, step):
            value = picture.at(column, row)
            if value is None:
                pixels.append(count + 1)
            elif limit is not None and value >= limit:
                pixels.append(count)
            else:
                pixels.append(min(int(value % count), count - 1))
    return Raster(ceil(picture.width / step), ceil(picture.height / step), tuple(colours), bytes(pixels))


def _difference(found: _Image, wanted: _Image, tolerance: float) -> Picture:
    """Return a picture of the differences between two images of one size, by blocks with any difference."""
    width, height = found.width, found.height
    step = _step(width, height)
    pixels = bytearray()
    unlike = 0
    for columns, rows in _blocks(width, height, step):
        here = sum(
            _unlike(found.at(column, row), wanted.at(column, row), tolerance)
            for row in rows
            for column in columns
        )
        unlike += here
        pixels.append(1 if here else 0)
    drawn = Raster(ceil(width / step), ceil(height / step), (_ALIKE, _UNLIKE), bytes(pixels))
    total = width * height
    return Picture(
        "Difference", f"{unlike:,} of {total:,} pixels differ ({100 * unlike / total:.3g} %).", drawn
    )


def _unlike(one: Pixel, other: Pixel, tolerance: float) -> bool:
    if one is None or other is None:
        return True
    return one != other and not abs(one - other) <= tolerance


def _size(picture: _Image) -> str:
    return f"{picture.width} x {picture.height} pixels"


IMAGE = Renderer(image, "palette=(), limit=None, tolerance=0", unsuitable)
