"""The result of a search that found nothing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound:
    """No input was found for which a program differs from the reference.

    inputs: number of inputs tried.  searched_s: by the clock.
    reason: why the search could not be made; empty if it was.
    """

    inputs: int
    searched_s: float
    reason: str = ""

    @property
    def text(self) -> str:
        """Return a sentence for people."""
        if self.reason:
            return f"no search: {self.reason}"
        return (
            f"no input found in {self.searched_s:.1f} s over {self.inputs:,} inputs; "
            "perhaps it behaves the same"
        )
