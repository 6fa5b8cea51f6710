"""Notices that a test works with files.  Those of the program lie in another box, out of its sight."""

import os
import stat
import tempfile

NOT_THERE = "the test gives the program a path, and its files are not there; the task's own `files` are"
_LONGEST = 4096
_FOLDERS = frozenset({"", ".", "..", "/"})


class FilesHere:
    """What the present test gave to the program of its own files, by their names."""

    def __init__(self) -> None:
        self._folder = _folder()
        self._roots = tuple(f"{root}/" for root in {self._folder, tempfile.gettempdir()})
        self._given = ""

    def forget(self) -> None:
        self._given = ""

    def note(self, text: str) -> bool:
        """Note a text that goes to the program, if it names a file or folder of the test's.

        Return whether that is there, so that the program would do something else without this box.
        """
        if text in _FOLDERS or len(text) > _LONGEST:
            return False
        is_there = self._is_of_test(text)
        if not self._given and (is_there or text.startswith(self._roots)):
            self._given = text
        return is_there

    def reason(self, error: BaseException | None, *, is_programs: bool) -> str:
        """Return why a test that did not pass cannot be tried; empty where files have no part in it.

        is_programs: the program raised the error.
        """
        if self._given:
            return NOT_THERE
        if _folder() != self._folder:
            return "the test changes its folder, which the program's process does not"
        if isinstance(error, FileNotFoundError) and not is_programs:
            return "the test reads a file that is not here; what the program writes is not"
        return ""

    def _is_of_test(self, text: str) -> bool:
        """Tell whether it is there.  The task's own files are links, or where a test writes nothing."""
        if text.startswith("/") and not text.startswith(self._roots):
            return False
        try:
            is_link = stat.S_ISLNK(os.lstat(text).st_mode)
        except (OSError, ValueError):
            return False
        return not is_link and os.access(os.path.dirname(text) or self._folder, os.W_OK)


def _folder() -> str:
    """Return the working folder; empty if it was removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""
