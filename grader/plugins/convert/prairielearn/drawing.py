"""Values that a test makes with `random` and NumPy: they are drawn once, while a test is converted."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.plugins.convert.draft import Unconvertible
from grader.values.python_text import literal

_MOST = 1000
"""The most numbers that one call may make."""


@dataclass(frozen=True, slots=True)
class Array:
    """An array of NumPy's, as nested lists."""

    items: list[Any]

    @property
    def text(self) -> str:
        return f"np.array({literal(self.items)})"


class Drawing:
    """Functions of `random` and `numpy.random`, with one source of chance that is the same each time."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        by_name: dict[str, Callable[..., Any]] = {
            "random.random": self._random.random,
            "random.uniform": self._random.uniform,
            "random.randint": self._random.randint,
            "random.randrange": self._random.randrange,
            "random.choice": self._random.choice,
            "random.sample": self._sample,
            "random.shuffle": self._shuffle,
            "numpy.arange": _arange,
            "numpy.linspace": _linspace,
            "numpy.array": _array,
            "numpy.zeros": lambda shape: self._filled(shape, lambda: 0.0),
            "numpy.ones": lambda shape: self._filled(shape, lambda: 1.0),
            "numpy.random.rand": lambda *shape: self._filled(shape, self._random.random),
            "numpy.random.randn": lambda *shape: self._filled(shape, self._normal),
            "numpy.random.random": lambda size=(): self._filled(size, self._random.random),
            "numpy.random.random_sample": lambda size=(): self._filled(size, self._random.random),
            "numpy.random.uniform": self._uniform,
            "numpy.random.randint": self._whole,
            "numpy.random.choice": self._chosen,
            "numpy.random.shuffle": self._shuffle,
        }
        self._by_name = by_name
        self.has_drawn = False

    def call(self, name: str, arguments: list[Any], options: dict[str, Any]) -> Any:
        """Return what a function gives.  Raises `Unconvertible` for one that is not known."""
        if name not in self._by_name:
            raise Unconvertible(f"`{name}` is not known here")
        self.has_drawn |= "random" in name
        try:
            return self._by_name[name](*arguments, **options)
        except (TypeError, ValueError, IndexError, ArithmeticError, AttributeError) as error:
            raise Unconvertible(f"`{name}` has arguments that are not known here") from error

    def _normal(self) -> float:
        return self._random.gauss(0.0, 1.0)

    def _filled(self, shape: Any, make: Callable[[], Any]) -> Any:
        sides = (shape,) if type(shape) is int else tuple(shape)
        if any(type(side) is not int or not 0 <= side <= _MOST for side in sides) or len(sides) > 3:
            raise Unconvertible("an array has a shape that is not known here")
        size = 1
        for side in sides:
            size *= side
        if size > _MOST:
            raise Unconvertible(f"an array has more than {_MOST} items")
        return Array(self._nested(sides, make)) if sides else make()

    def _nested(self, sides: tuple[int, ...], make: Callable[[], Any]) -> list[Any]:
        if len(sides) == 1:
            return [make() for _ in range(sides[0])]
        return [self._nested(sides[1:], make) for _ in range(sides[0])]

    def _sample(self, population: Any, k: int) -> list[Any]:
        return self._random.sample(_items(population), k=k)

    def _shuffle(self, values: Any) -> None:
        self._random.shuffle(values.items if isinstance(values, Array) else values)

    def _uniform(self, low: float = 0.0, high: float = 1.0, size: Any = ()) -> Any:
        return self._filled(size, lambda: self._random.uniform(low, high))

    def _whole(self, low: int, high: int | None = None, size: Any = ()) -> Any:
        start, stop = (0, low) if high is None else (low, high)
        return self._filled(size, lambda: self._random.randrange(start, stop))

    def _chosen(self, values: Any, size: Any = None, replace: bool = True) -> Any:
        items = _items(range(values) if type(values) is int else values)
        if size is None:
            return self._random.choice(items)
        if not replace:
            return Array(self._random.sample(items, k=size))
        return self._filled(size, lambda: self._random.choice(items))


def _items(values: Any) -> list[Any]:
    items = values.items if isinstance(values, Array) else values
    if len(items) > 100 * _MOST:
        raise Unconvertible("it draws from too many values")
    return list(items)


def _arange(start: int, stop: int | None = None, step: int = 1) -> Array:
    first, last = (0, start) if stop is None else (start, stop)
    if {type(first), type(last), type(step)} != {int} or len(range(first, last, step)) > 100 * _MOST:
        raise Unconvertible("`numpy.arange` of other than few whole numbers")
    return Array(list(range(first, last, step)))


def _linspace(start: float, stop: float, num: int = 50) -> Array:
    if type(num) is not int or not 2 <= num <= _MOST:
        raise Unconvertible("`numpy.linspace` of other than few numbers")
    step = (stop - start) / (num - 1)
    return Array([start + step * index for index in range(num - 1)] + [float(stop)])


def _array(values: Any) -> Array:
    items = values.items if isinstance(values, Array) else values
    if not isinstance(items, list | tuple):
        raise Unconvertible("`numpy.array` of other than a list")
    return Array(_lists(items))


def _lists(items: Any) -> list[Any]:
    return [_lists(each) if isinstance(each, list | tuple) else each for each in items]
