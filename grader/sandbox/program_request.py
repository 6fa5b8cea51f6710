"""What a box is told about a program that it is to run."""

import marshal
from typing import TYPE_CHECKING

from grader.model.limits import Limits
from grader.wire import messages

if TYPE_CHECKING:
    from grader.model.case import ProgramRun


def encode_program(run: "ProgramRun", limits: Limits) -> bytes:
    """Encode a program's run for the box: what goes in, and the names of what is to come out.

    The lines of a dialogue are not among it; they are told when the program asks for them.
    """
    order = {
        "module": run.module,
        "arguments": list(run.arguments),
        "stdin": run.stdin.encode(),
        "asks": is_dialogue(run),
        "files": [(path, content) for path, content in run.files],
        "keeps": list(run.keeps),
    }
    # Only ever read on the far side; what comes from there is never read like this.
    return marshal.dumps({"answer_b": limits.answer_b, "program": order}, messages.MARSHAL_FORMAT)


def is_dialogue(run: "ProgramRun") -> bool:
    """Tell whether the program's input depends on what it says."""
    return bool(run.dialogue) or run.player is not None
