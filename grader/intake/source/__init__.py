"""From the bytes of a source file or a notebook to Python's text, and what was mended on the way."""
