"""How much of what a case printed is kept in `results.json`: enough to see what went on."""

KEPT = 64 * 1024
"""Characters of one stream.  A flood is cut; without this, a single student could make the results of a
whole course too large to be read."""
_HEAD = KEPT * 3 // 4


def kept_output(text: str) -> str:
    """Return the text, or its beginning and its end with a line between them that says what is left out."""
    if len(text) <= KEPT:
        return text
    tail = KEPT - _HEAD
    left_out = len(text) - KEPT
    return f"{text[:_HEAD]}\n… {left_out:,} characters are left out here …\n{text[-tail:]}"
