"""The files of a case, inside the box: those that it finds in its folder, and those that it leaves there.

The folder is fresh for each case, and its file system bounds the bytes and the number of all files.  What is
left is read by student code's own process, so it proves no more than an answer does.
"""

import os
from collections.abc import Iterable, Sequence

from grader.worker.regular_file import beginning_of
from grader.worker.settings import DATA

_INPUT_DEVICE = "/dev/stdin"


def write_files(files: Iterable[tuple[str, bytes]]) -> None:
    """Write the files that a case finds, and make their folders."""
    for path, content in files:
        write_file(path, content)


def write_file(path: str, content: bytes) -> None:
    """Write a file of a case, and make its folders.  It takes the place of a file of the task's."""
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.islink(path):
        os.unlink(path)
    with open(path, "wb") as file:
        file.write(content)


def show_input(content: bytes, program: Iterable[bytes]) -> str:
    """Have `/dev/stdin` lead to the input, if the program names it; return the file, "" for none.

    In a root of our own no process table leads from there to descriptor 0, so the name is a link into the
    folder of the case.  Other programs find no such file there, nor does one that has a file of that name.

    program: the texts of the program, or the files that were built from them.
    """
    if not any(_INPUT_DEVICE.encode() in part for part in program):
        return ""
    path = os.path.realpath(_INPUT_DEVICE)
    if os.path.dirname(path) != os.getcwd() or os.path.lexists(path):
        return ""
    write_file(path, content)
    return path


ALL_FILES = ""
"""Before names: all plain files of a folder but these, of which the grader reads `_MOST_OF_ALL`."""
_MOST_OF_ALL = 64


def left_files(folder: str, names: Sequence[str], room_b: int) -> dict[str, bytes]:
    """Return the files of these names that exist; their contents exceed `room_b` by at most one byte."""
    found: dict[str, bytes] = {}
    if ALL_FILES in names:
        plain = {each.name for each in os.scandir(folder) if each.is_file(follow_symlinks=False)}
        names = sorted(plain.difference(names))[:_MOST_OF_ALL]
    for name in names:
        path = os.path.join(folder, name)
        # A file of the task's that the program left alone is there by a link.
        own = f"{DATA}/{name}"
        if os.path.islink(path) and os.readlink(path) == own:
            path = own
        try:
            content = beginning_of(path, room_b + 1)
        except OSError:
            continue
        if content is not None:
            room_b -= len(content)
            found[name] = content if os.linesep == "\n" else _plain_line_ends(content)
            if room_b < 0:
                break
    return found


def _plain_line_ends(content: bytes) -> bytes:
    """Return a text as the same program leaves it on Linux; anything else as it is."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return content
    return content if b"\0" in content else content.replace(b"\r\n", b"\n")
