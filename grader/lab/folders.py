"""Which sandboxes can give a case a folder of its own."""

from grader.model.outcome import Ending, Outcome
from grader.sandbox.driver import WALLS
from grader.sandbox.zygote import Zygote


def no_folder(zygote: Zygote, what: str) -> Outcome | None:
    """Return the outcome of a case with files where the sandbox cannot bound a folder, else None."""
    if WALLS[zygote.driver].scratch_b:
        return None
    detail = (
        f"{what} with files needs a folder of its own, which the sandbox driver {zygote.driver} cannot bound"
    )
    return Outcome(ending=Ending.INTERNAL, detail=detail)
