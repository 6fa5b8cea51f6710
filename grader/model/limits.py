"""What one case may use.  The sandbox enforces it; the spec states it."""

from grader.model.frozen import dataclass

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one case (and of the import of a module).

    time_s: CPU seconds, user and system, all threads; the limit that decides.
    wall_s: seconds in which it waits: by the clock, less those in which it computed or stood in the
        machine's queue.
    memory_b: address space of the process.
    output_b: bytes of stdout and stderr together.
    answer_b: bytes of the encoded answer.
    """

    time_s: float = 2.0
    wall_s: float = 7.0
    memory_b: int = 512 * MIB
    output_b: int = 1 * MIB
    answer_b: int = 8 * MIB


def wall_for(time_s: float) -> float:
    """Return the wall limit for a CPU limit where the spec states none: 3 x CPU + 1 s."""
    return 3 * time_s + 1
