"""The walls that a zygote prepares once for all of its boxes."""

from grader.worker.walls import jail


class Walls:
    """What the zygote prepared once for all boxes.

    outer: descriptors of the world outside the zygote's root, None without namespaces.
    ruleset: Landlock ruleset, -1 for none.
    programs: seccomp programs for boxes whose keeper listens and for all others; b"" where each box
        has to make its own.
    """

    def __init__(self, outer: jail.Outer | None, ruleset: int, programs: tuple[bytes, bytes]) -> None:
        self.outer = outer
        self.ruleset = ruleset
        self._programs = programs

    def program_for(self, *, listen: bool) -> bytes:
        """Return the program for a box whose keeper listens, or for one that nobody listens to."""
        return self._programs[not listen]
