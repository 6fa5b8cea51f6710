"""The steps of a scenario, inside the box: objects that are kept by name, and what is done with them.

Like all in the box it decides nothing.  A step that cannot be made answers with an exception, and
the next one is made all the same; which of them count is for the judge.
"""

from collections.abc import Callable, Sequence
from types import ModuleType


class Scene:
    """What the steps of one scenario have made so far.

    steps: for each, the name under which its answer is kept ("" for none), and whether it only reads.
    """

    def __init__(self, module: ModuleType, steps: Sequence[tuple[str, bool]]) -> None:
        self._module = module
        self._steps = iter(steps)
        self._name = ""
        self._objects: dict[str, object] = {}
        self._is_fresh = True

    def find(self, function: str) -> Callable[..., object] | None:
        """Return what makes the step; None where the very first one names what the module lacks.

        Looking a name up may run the student's code, so that is left to what is returned.
        """
        self._name, reads = next(self._steps)
        first, *rest = function.split(".")
        holder: object = self._objects.get(first, self._module)
        names = rest if first in self._objects else [first, *rest]
        if self._is_fresh and not self._module_has(first):
            return None
        self._is_fresh = False

        def make(*args: object, **kwargs: object) -> object:
            value = holder
            for name in names:
                value = getattr(value, name)
            return value if reads else value(*args, **kwargs)  # type: ignore[operator]

        return make

    def _module_has(self, name: str) -> bool:
        try:
            return name in self._module.__dict__ or hasattr(self._module, name)
        except BaseException:
            # A module can have a `__getattr__` of its own.
            return False

    def kept(self, name: str) -> object:
        """Return the object of that name.  Raises `NameError` where it was never made."""
        if name not in self._objects:
            raise NameError(f"{name} was never made")
        return self._objects[name]

    def keep(self, value: object) -> object:
        """Keep what the step at hand returned, if it is to be kept; return what is to be told of it."""
        if not self._name:
            return value
        self._objects[self._name] = value
        return None
