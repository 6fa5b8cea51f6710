"""Which pages a run wrote, so that pages of students who left the batch can be removed later.

Only what stands in the list of an earlier run is ever removed, and only from the two folders of
pages.  A list that was tampered with can name nothing outside of them.
"""

from pathlib import Path

from grader.reports.page_names import STAFF_FOLDER, STUDENT_FOLDER
from grader.store.whole_file import replace_text

FILE_NAME = "pages.txt"
_ENDING = ".html"
_LONGEST_B = 1 << 28


class Written:
    """The pages of one run, by file name; the same name stands in both folders."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._names: dict[str, None] = {}

    def add(self, name: str) -> None:
        """Note that a student's pages were written."""
        self._names[name] = None

    def finish(self) -> None:
        """Remove the pages that an earlier run wrote and this one did not, and keep the new list.

        The list first has both: should this end in between, the next run still knows them all.
        """
        stale = [name for name in self._earlier() if name not in self._names]
        if stale:
            self._keep([*self._names, *stale])
        for name in stale:
            for folder in (STAFF_FOLDER, STUDENT_FOLDER):
                (self._directory / folder / name).unlink(missing_ok=True)
        self._keep(self._names)

    def _earlier(self) -> list[str]:
        try:
            with (self._directory / FILE_NAME).open(encoding="utf-8") as file:
                names = file.read(_LONGEST_B).split("\n")
        except (OSError, UnicodeDecodeError):
            return []
        return [name for name in names if _is_page(name)]

    def _keep(self, names: "dict[str, None] | list[str]") -> None:
        replace_text(self._directory / FILE_NAME, "".join(f"{name}\n" for name in names))


def _is_page(name: str) -> bool:
    """Tell whether a line names a page in a folder and nothing elsewhere."""
    return name.endswith(_ENDING) and not {"/", "\\", "\0"} & set(name) and name != _ENDING
