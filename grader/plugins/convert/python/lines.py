"""The lines of a text of Python."""


def lines_of(text: str) -> list[str]:
    """Return the lines without their ends, as Python's parser counts them: a form feed ends none."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
