"""The steps of a scenario, inside the box: keeps objects by name and carries out the steps on them.

Like everything in the box it decides nothing.  A step that fails answers with an exception, and the next
one is made all the same; the judge decides which of them count.
"""

from collections.abc import Callable, Sequence
from types import ModuleType

from grader.worker.box.formulas import Formula, Node


class Scene:
    """The objects that the steps of one scenario have made so far.

    steps: for each, the name under which its answer is kept ("" for none), whether it only reads, and whether
        an answer that is kept is reported too.
    """

    def __init__(self, module: ModuleType, steps: Sequence[tuple[str, bool, bool]]) -> None:
        self._module = module
        self._steps = iter(steps)
        self._name = ""
        self._brings = False
        self.objects: dict[str, object] = {}
        self._is_fresh = True

    def find(self, function: str | Node) -> Callable[..., object] | None:
        """Return a function that makes the step; None if the very first step names a thing the module lacks.

        The returned function looks the names up, since a look-up may run the student's code.
        """
        self._name, reads, self._brings = next(self._steps)
        if not isinstance(function, str):
            formula = Formula(self._module, function, self.kept)
            if self._is_fresh:
                formula.require()
            self._is_fresh = False
            return formula
        first, *rest = function.split(".")
        holder: object = self.objects.get(first, self._module)
        names = rest if first in self.objects else [first, *rest]
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
            # The module can have a `__getattr__` of its own.
            return False

    def kept(self, name: str) -> object:
        """Return the object of that name.  Raises `NameError` where it was never made."""
        if name not in self.objects:
            raise NameError(f"{name} was never made")
        return self.objects[name]

    def keep(self, value: object) -> bool:
        """Keep the step's result if it has a name; tell whether it is reported."""
        if not self._name:
            return True
        self.objects[self._name] = value
        return self._brings
