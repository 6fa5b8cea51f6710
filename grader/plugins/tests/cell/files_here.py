"""Notices that a test works with files.  Those of the program lie in another box, out of its sight."""

import os
import stat
import tempfile

_LONGEST = 4096
_FOLDERS = frozenset({"", ".", "..", "/"})


class FilesHere:
    """What the present test gave to the program of its own files, by their names."""

    def __init__(self) -> None:
        self._folder = _folder()
        self._roots = tuple(f"{root}/" for root in {self._folder, tempfile.gettempdir()})
        self._is_writable = os.access(self._folder, os.W_OK)
        self._given = ""

    def forget(self) -> None:
        self._given = ""

    def note(self, text: str) -> None:
        """Note a text that goes to the program, if it names a file or folder of the test's."""
        if not self._given and self._is_here(text):
            self._given = text

    def reason(self, error: BaseException | None, *, is_programs: bool) -> str:
        """Return why a test that did not pass cannot be tried; empty where files have no part in it.

        is_programs: the program raised the error.
        """
        if self._given:
            return "the test gives the program a path, and its files are not there"
        if _folder() != self._folder:
            return "the test changes its folder, which the program's process does not"
        if isinstance(error, FileNotFoundError) and not is_programs:
            return "the test reads a file that is not here; what the program writes is not"
        return ""

    def _is_here(self, text: str) -> bool:
        if text in _FOLDERS or len(text) > _LONGEST:
            return False
        if text.startswith("/"):
            return text.startswith(self._roots)
        try:
            mode = os.lstat(text).st_mode
        except (OSError, ValueError):
            return False
        # The task's own files lie there too: as links, or in a folder in which a test writes nothing.
        return self._is_writable and not stat.S_ISLNK(mode)


def _folder() -> str:
    """Return the working folder; empty if it was removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""
