"""The walls that a zygote prepares once."""

from grader.worker.walls import jail


class Walls:
    """The walls shared by all boxes of a zygote.

    outer: descriptors of the world outside the zygote's root, None without namespaces.
    ruleset: Landlock ruleset, -1 for none.
    programs: seccomp programs, the first for boxes whose keeper listens, the second for all others; b"" where
        each box has to make its own.
    """

    def __init__(self, outer: jail.Outer | None, ruleset: int, programs: tuple[bytes, bytes]) -> None:
        self.outer = outer
        self.ruleset = ruleset
        self._programs = programs

    def program_for(self, *, listen: bool) -> bytes:
        """Return the program for a box whose keeper listens, or for one without a listener."""
        return self._programs[not listen]
