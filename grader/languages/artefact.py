"""A program of a submission in another language than Python, ready to run."""

from dataclasses import dataclass

from grader.languages.toolchain import MEMORY

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Artefact:
    """What a case process becomes by one exec.

    program: the bytes of an executable that was built.
    host: instead, the path of an executable of this host's, such as an interpreter.
    command: its arguments from the first, its own name, with `MEMORY` for its memory in MiB; empty: the name
        of the module.
    environment: variables besides those of every box.
    files: what it finds in its folder besides the case's own files.
    reads_ahead: it reads a line before the program asks for one, as Node does.
    """

    program: bytes = b""
    host: str = ""
    command: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    reads_ahead: bool = False

    def for_box(self, memory_b: int) -> dict[str, object]:
        """Return it as plain data, for a box with that much memory."""
        return {
            "program": self.program,
            "host": self.host,
            "command": [word.replace(MEMORY, str(memory_b // _MIB)) for word in self.command],
            "environment": dict(self.environment),
            "files": list(self.files),
        }
