"""The programs of the class of 40, with the marks that they are worth.

The marks are fixed here by hand and checked by a test which runs the programs in plain Python.
"""

from dataclasses import dataclass

AREA = "def area(width, height):\n    return width * height\n"
WRONG_AREA = "def area(width, height):\n    return width + height\n"
PERIMETER = "def perimeter(width, height):\n    return 2 * (width + height)\n"
WRONG_PERIMETER = "def perimeter(width, height):\n    return width + height\n"
INITIALS = "def initials(name):\n    return ''.join(word[0] for word in name.split())\n"
WRONG_INITIALS = "def initials(name):\n    return name\n"
LONGEST = "def longest(words):\n    return max(words, key=len)\n"
WRONG_LONGEST = "def longest(words):\n    return min(words, key=len)\n"


@dataclass(frozen=True)
class Program:
    """Two modules, and the mark that they are worth of 10.  None: the file was not handed in."""

    mark: int
    shapes: str | None
    words: str | None

    def files(self, owner: str) -> dict[str, bytes]:
        """Return the files by name, each with a line that only `owner` has."""
        found = {"shapes.py": self.shapes, "words.py": self.words}
        line = f"# {planted(owner)}\n"
        return {
            name: ((line + text) if text else "").encode() for name, text in found.items() if text is not None
        }


def planted(owner: str) -> str:
    """Return the text that stands in each file of `owner`, and may occur in no file for others."""
    return f"planted-work-of-{owner}"


RIGHT = Program(10, AREA + PERIMETER, INITIALS + LONGEST)
NO_PERIMETER = Program(8, AREA + WRONG_PERIMETER, INITIALS + LONGEST)
NO_LONGEST = Program(7, AREA + PERIMETER, INITIALS + WRONG_LONGEST)
EMPTY_SHAPES = Program(6, "", INITIALS + LONGEST)
HALF = Program(5, AREA + WRONG_PERIMETER, INITIALS + WRONG_LONGEST)
ONLY_SHAPES = Program(4, AREA + PERIMETER, None)
SYNTAX_ERROR = Program(4, AREA + PERIMETER, "def initials(name)\n    return name\n")
ONLY_AREA = Program(2, AREA + WRONG_PERIMETER, WRONG_INITIALS + WRONG_LONGEST)
NOTHING_RIGHT = Program(0, WRONG_AREA + WRONG_PERIMETER, WRONG_INITIALS + WRONG_LONGEST)
PROGRAMS = (
    RIGHT,
    NO_PERIMETER,
    NO_LONGEST,
    EMPTY_SHAPES,
    HALF,
    ONLY_SHAPES,
    SYNTAX_ERROR,
    ONLY_AREA,
    NOTHING_RIGHT,
)
