"""Reads what was plotted with matplotlib as plain data: titles, labels, lines, bars, points, limits.

Every figure that is made counts, shown or closed, in the order in which they were made.  What was saved and
then cleared counts by itself.  Nothing opens a window: the backend is Agg, whatever a program asks for.
matplotlib is never imported here: where it is allowed, the zygote has imported it.
"""

import errno
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from grader.wire import codec

_MOST_AXES = 100
_MOST_POINTS = 100_000
"""The most points, bars and texts of all axes."""

_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EFBIG, errno.ENOSPC)

_Parts = Mapping[str, object]


class _Noted:
    """A figure that was made.  (No dataclass: its import would make each fork larger.)

    kept: what was saved and then cleared, each a list of axes.  is_saved: the file has all that is drawn now.
    """

    def __init__(self, figure: Any) -> None:
        self.figure = figure
        self.kept: list[list[_Parts]] = []
        self.is_saved = False


_figures: dict[int, _Noted] = {}
_of_import: list[_Noted] = []
_close: Callable[[str], object] | None = None


def prepare() -> None:
    """In the zygote: note the figures that are made, if matplotlib was preloaded with its `pyplot`."""
    matplotlib, pyplot = sys.modules.get("matplotlib"), sys.modules.get("matplotlib.pyplot")
    if matplotlib is None or pyplot is None:
        return
    global _close
    _close = pyplot.close
    pyplot.switch_backend("agg")
    # Other fonts may lie where a box cannot read, and differ from host to host.
    fonts, own = sys.modules["matplotlib.font_manager"].fontManager, matplotlib.get_data_path()
    fonts.ttflist = [font for font in fonts.ttflist if font.fname.startswith(own)]
    _note(sys.modules["matplotlib.figure"].__dict__["Figure"])
    _keep_cleared(sys.modules["matplotlib.axes._base"].__dict__["_AxesBase"])
    matplotlib.use = pyplot.switch_backend = _nothing  # type: ignore[attr-defined]
    # A window that was shown is closed when the program goes on.
    pyplot.show = lambda *_, **__: close_all()  # type: ignore[attr-defined]


def _note(kind: Any) -> None:
    """Note each figure of the kind when it is made, saved and cleared."""
    make, save, clear = kind.__init__, kind.savefig, kind.clear

    def noted(self: object, *args: object, **kwargs: object) -> None:
        make(self, *args, **kwargs)
        _figures[id(self)] = _Noted(self)

    def saved(self: object, *args: object, **kwargs: object) -> None:
        try:
            save(self, *args, **kwargs)
        except OSError as error:
            # Some sandboxes let nothing be written, and a plot is compared without its file.
            if error.errno not in _REFUSED:
                raise
        if id(self) in _figures:
            _figures[id(self)].is_saved = True

    def cleared(self: Any, *args: object, **kwargs: object) -> None:
        _keep(self, self.axes)
        clear(self, *args, **kwargs)

    kind.__init__, kind.savefig, kind.clear = wraps(make)(noted), wraps(save)(saved), wraps(clear)(cleared)


def _keep_cleared(kind: Any) -> None:
    """Keep what saved axes of the kind show before they are cleared by themselves."""
    clear = kind.clear

    def cleared(self: Any, *args: object, **kwargs: object) -> None:
        figure = getattr(self, "figure", None)
        # Axes clear themselves when they are made, before the figure has them.
        if self in getattr(figure, "axes", ()):
            _keep(figure, [self])
        clear(self, *args, **kwargs)

    kind.clear = wraps(clear)(cleared)


def _keep(figure: Any, axes: Sequence[Any]) -> None:
    """Keep these axes of a figure, which are going to be cleared, if they were saved."""
    noted = _figures.get(id(figure))
    if noted is None or not noted.is_saved:
        return
    noted.is_saved = False
    if any(map(_has_something, axes)) and len(noted.kept) <= _MOST_AXES:
        noted.kept.append([_everything(one) for one in axes])


def _everything(axes: Any) -> _Parts:
    """Return all parts of axes; a part that holds too much is the error that says so."""
    found: dict[str, object] = {}
    for part in _READERS:
        try:
            found[part] = _read(part, axes, [_MOST_POINTS])
        except codec.TooLarge as error:
            found[part] = error
    return found


def _nothing(*_: object, **__: object) -> None:
    return


def close_all() -> None:
    """Close what is open, as Jupyter does after each cell: what is drawn next gets a figure of its own."""
    if _close is not None:
        _close("all")


def end_import() -> None:
    """Keep the figures that were made until now as those of the import."""
    _of_import[:] = _figures.values()


def drawing(function: Callable[..., object] | None, parts: list[str]) -> Callable[..., object]:
    """Return a function that makes a call and returns what it drew; None: what the import drew."""

    def call(*args: object, **kwargs: object) -> object:
        if function is None:
            return _drawn(_of_import, parts)
        _figures.clear()
        close_all()
        function(*args, **kwargs)
        return _drawn([*_figures.values()], parts)

    return call


class Unreadable:
    """Stands for a part that could not be read; it is no data, so it equals nothing."""

    def __init__(self, error: BaseException) -> None:
        self._text = f"it cannot be read: {type(error).__name__}"

    def __repr__(self) -> str:
        return self._text


def _drawn(figures: Sequence[_Noted], parts: list[str]) -> list[dict[str, object]]:
    groups: list[tuple[bool, list[Any]]] = []
    for noted in figures:
        groups += [(True, axes) for axes in noted.kept]
        groups.append((any(map(_has_something, noted.figure.axes)), [*noted.figure.axes]))
    # What comes after the last plot, such as `cla`, makes a figure without anything.
    is_any = any(has_something for has_something, _ in groups)
    axes = [one for has_something, group in groups if has_something or not is_any for one in group]
    if len(axes) > _MOST_AXES:
        raise codec.TooLarge("too many items")
    left = [_MOST_POINTS]
    return [{part: _part(part, one, left) for part in parts} for one in axes]


def _has_something(axes: Any) -> bool:
    """Tell whether axes have data, or a text that a program put there."""
    try:
        texts = (axes.get_title, axes.get_xlabel, axes.get_ylabel, axes.get_legend)
        return bool(axes.has_data() or axes.containers or any(text() for text in texts))
    except Exception:
        return True


def _part(part: str, axes: Any, left: list[int]) -> object:
    """Return a part of axes, or of what was kept of them.  Raises `TooLarge`."""
    if not isinstance(axes, dict):
        return _read(part, axes, left)
    if isinstance(axes[part], codec.TooLarge):
        raise axes[part]
    return axes[part]


def _read(part: str, axes: Any, left: list[int]) -> object:
    try:
        return _READERS[part](axes, left)
    except codec.TooLarge:
        raise
    except Exception as error:
        return Unreadable(error)


def _spend(count: int, left: list[int]) -> None:
    left[0] -= count
    if left[0] < 0:
        raise codec.TooLarge("too many items")


def _title(axes: Any, left: list[int]) -> object:
    return axes.get_title() or axes.get_title(loc="left") or axes.get_title(loc="right")


def _texts(found: Any, left: list[int]) -> list[object]:
    texts = [*found]
    _spend(len(texts), left)
    return [text.get_text() for text in texts]


def _legend(axes: Any, left: list[int]) -> object:
    legend = axes.get_legend()
    return [] if legend is None else _texts(legend.get_texts(), left)


def _numbers(found: Any, left: list[int]) -> list[Any]:
    """Return an array of numbers as a list; a masked one is nan."""
    numpy = sys.modules["numpy"]
    _spend(len(found), left)
    plain: list[Any] = numpy.ma.filled(numpy.ma.asarray(found, dtype=float), numpy.nan).tolist()
    return plain


def _lines(axes: Any, left: list[int]) -> object:
    found = []
    for line in axes.get_lines():
        xs, ys = (_numbers(get(orig=False), left) for get in (line.get_xdata, line.get_ydata))
        found.append([*zip(xs, ys, strict=True)])
    return found


def _points(axes: Any, left: list[int]) -> object:
    kind = sys.modules["matplotlib.collections"].__dict__["PathCollection"]
    offsets = (each.get_offsets() for each in axes.collections if isinstance(each, kind))
    return [[tuple(point) for point in _numbers(each, left)] for each in offsets]


def _bars(axes: Any, left: list[int]) -> object:
    kind = sys.modules["matplotlib.container"].__dict__["BarContainer"]
    found = []
    for bars in (each for each in axes.containers if isinstance(each, kind)):
        _spend(len(bars), left)
        along = "get_width" if bars.orientation == "horizontal" else "get_height"
        found.append([float(getattr(bar, along)()) for bar in bars])
    return found


_READERS: Mapping[str, Callable[[Any, list[int]], object]] = {
    "title": _title,
    "xlabel": lambda axes, left: axes.get_xlabel(),
    "ylabel": lambda axes, left: axes.get_ylabel(),
    "legend": _legend,
    "lines": _lines,
    "points": _points,
    "bars": _bars,
    "xticks": lambda axes, left: _texts(axes.get_xticklabels(), left),
    "yticks": lambda axes, left: _texts(axes.get_yticklabels(), left),
    "xlim": lambda axes, left: tuple(map(float, axes.get_xlim())),
    "ylim": lambda axes, left: tuple(map(float, axes.get_ylim())),
    "xscale": lambda axes, left: axes.get_xscale(),
    "yscale": lambda axes, left: axes.get_yscale(),
}
