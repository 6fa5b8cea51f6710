"""Finds the lines of a Python source on which a statement starts, in one pass.

Python's own tokenizer needs quadratic time on hostile text, so it is not used on this side.  This scanner
knows strings, comments, brackets and continued lines, and nothing else of the language.  It moves forward
only: each character is looked at a fixed number of times, whatever the text is.

Where it is not certain it gives up, and says nothing about the text.
"""

import re
from contextlib import suppress

_BLANKS = " \t\f"
_OPENING, _CLOSING = "([{", ")]}"
_QUOTES = "'\""
_PREFIX = "rbuftRBUFT"
_LONGEST_PREFIX = 2
_FORMATTED = "ftFT"


_MAGIC = re.compile(r"[%!?]|[\w.]++\?{1,2}[ \t]*+(?:\n|\Z)|\w++[ \t]*+=[ \t]*+[%!]")
"""What no Python statement begins with: `%time`, `!ls`, `?f`, `f?`, `files = !ls`."""


class _Unsure(Exception):
    """The text is not valid, or Python versions read it differently."""


def statement_starts(text: str) -> list[int]:
    """Return the indices of the lines on which a statement starts, ascending; none where that is not certain.

    Lines end with `\\n`.  Lines inside brackets and strings, and those that go on after a backslash, do not
    start a statement.
    """
    scanner = _Scanner(text)
    try:
        return scanner.starts()
    except _Unsure:
        return []


def magic_lines(text: str) -> list[int]:
    """Return the indices of the lines of a notebook's cell that are commands to Jupyter, such as `%time`.

    Where the text is not certain, those before that place.
    """
    scanner = _Scanner(text, of_notebook=True)
    with suppress(_Unsure):
        scanner.starts()
    return scanner.magics


class _Scanner:
    """Moves through a text.  at: the index of the next character.  line: its line.

    magics: of a notebook, the lines that are commands to Jupyter.
    """

    def __init__(self, text: str, *, of_notebook: bool = False) -> None:
        self.magics: list[int] = []
        self._of_notebook = of_notebook
        self._text = text
        self._end = len(text)
        self._at = 0
        self._line = 0

    def starts(self) -> list[int]:
        found = []
        while self._at < self._end:
            first = self._skip_indentation()
            if first in ("", "\n", "#"):
                self._skip_to_next_line()
            elif self._of_notebook and _MAGIC.match(self._text, self._at):
                self._skip_magic()
            elif first == "\\":
                raise _Unsure
            else:
                found.append(self._line)
                self._skip_statement()
        return found

    def _skip_indentation(self) -> str:
        """Return the first character that is no blank; "" at the end of the text."""
        while self._at < self._end:
            character = self._text[self._at]
            if character not in _BLANKS:
                return character
            self._at += 1
        return ""

    def _skip_to_next_line(self) -> None:
        end = self._text.find("\n", self._at)
        self._at = end + 1 if end >= 0 else self._end
        self._line += 1

    def _skip_magic(self) -> None:
        """Go behind a command, which goes on where its line ends with a backslash."""
        goes_on = True
        while goes_on and self._at < self._end:
            self.magics.append(self._line)
            self._skip_to_next_line()
            goes_on = self._text[max(self._at - 2, 0) : self._at] == "\\\n"

    def _skip_statement(self) -> None:
        """Go behind the line end that ends the statement, or to the end of the text."""
        depth = 0
        before = ""
        while self._at < self._end:
            character = self._text[self._at]
            if character == "\n":
                self._at += 1
                self._line += 1
                if not depth:
                    return
            elif character == "#":
                end = self._text.find("\n", self._at)
                self._at = end if end >= 0 else self._end
            elif character == "\\":
                self._skip_continuation()
            elif character in _QUOTES:
                self._skip_string(character, is_formatted=_is_formatted(before))
            else:
                self._at += 1
                depth += (character in _OPENING) - (character in _CLOSING)
                if depth < 0:
                    raise _Unsure
            before = (before + character)[-_LONGEST_PREFIX - 1 :]
        if depth:
            raise _Unsure

    def _skip_continuation(self) -> None:
        if self._text[self._at + 1 : self._at + 2] != "\n":
            raise _Unsure
        self._at += 2
        self._line += 1

    # -- strings ---------------------------------------------------------------------------------------

    def _skip_string(self, quote: str, *, is_formatted: bool) -> None:
        is_long = self._text[self._at : self._at + 3] == quote * 3
        self._at += 3 if is_long else 1
        fields = _Fields() if is_formatted else None
        while self._at < self._end:
            character = self._text[self._at]
            if character == "\\":
                if fields is not None and fields.depth:
                    raise _Unsure
                self._skip_escaped()
            elif character == "\n":
                if not is_long:
                    raise _Unsure
                self._at += 1
                self._line += 1
                if fields is not None:
                    fields.pass_line_end()
            elif character == quote and self._ends_string(quote, is_long=is_long):
                if fields is not None and fields.depth:
                    raise _Unsure
                self._at += 3 if is_long else 1
                return
            elif fields is not None and fields.depth and character in _QUOTES:
                self._skip_string_in_field(character)
            else:
                self._at += 1
                if fields is not None:
                    self._at += fields.take(character, self._text[self._at : self._at + 1])
        raise _Unsure

    def _ends_string(self, quote: str, *, is_long: bool) -> bool:
        return not is_long or self._text[self._at : self._at + 3] == quote * 3

    def _skip_escaped(self) -> None:
        if self._text[self._at + 1 : self._at + 2] == "\n":
            self._line += 1
        self._at += 2

    def _skip_string_in_field(self, quote: str) -> None:
        """Go behind a plain string within `{...}`, as long as all versions of Python see the same."""
        self._at += 1
        while self._at < self._end:
            character = self._text[self._at]
            self._at += 1
            if character == quote:
                return
            if character in "{}\n\\#'\"":
                raise _Unsure
        raise _Unsure


class _Fields:
    """The fields `{...}` of a formatted string.

    depth: how many are open at this place, brackets of the same kind within them counted.
    """

    def __init__(self) -> None:
        self.depth = 0
        self._has_line_end = False
        self._has_hash = False

    def take(self, character: str, following: str) -> int:
        """Note a character; return how many of the following ones belong to it."""
        if character == "{":
            if following == "{" and not self.depth:
                return 1
            self.depth += 1
        elif character == "}":
            if not self.depth:
                if following != "}":
                    raise _Unsure
                return 1
            self.depth -= 1
            if not self.depth:
                self._has_line_end = self._has_hash = False
        elif character == "#" and self.depth:
            self._has_hash = True
            self._check()
        return 0

    def pass_line_end(self) -> None:
        if self.depth:
            self._has_line_end = True
            self._check()

    def _check(self) -> None:
        # It may be a comment, which not all versions of Python allow here.
        if self._has_line_end and self._has_hash:
            raise _Unsure


def _is_formatted(before: str) -> bool:
    """Tell whether what stands before a quote makes it a formatted string.  before: the last characters."""
    prefix = before[len(before.rstrip(_PREFIX)) :]
    if len(prefix) > _LONGEST_PREFIX or (len(prefix) < len(before) and _is_of_name(before[-len(prefix) - 1])):
        return False
    return any(character in _FORMATTED for character in prefix)


def _is_of_name(character: str) -> bool:
    return character == "_" or character.isalnum()
