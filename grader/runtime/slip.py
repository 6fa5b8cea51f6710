"""A few words that one process notes and another reads, neither of which waits for the other."""

import mmap

_MOST_B = 200


class Slip:
    """Memory that a process shares with those that it forks afterwards.

    It tells people what a process is at.  Nothing else may depend on it: who reads while another writes
    may read half of it.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 1 + _MOST_B)

    def note(self, text: str) -> None:
        """Note what is to be read from now on; a long text is cut."""
        data = text.encode("utf-8", "replace")[:_MOST_B]
        self._memory[0] = 0
        self._memory[1 : 1 + len(data)] = data
        self._memory[0] = len(data)

    def read(self) -> str:
        """Return what was noted last; empty if nothing was."""
        length = min(self._memory[0], _MOST_B)
        return self._memory[1 : 1 + length].decode("utf-8", "replace")
