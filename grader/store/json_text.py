"""The one way in which JSON is written to the files of a run: on one line, in ASCII.

The same value gives the same text, so that texts can be compared instead of values.
"""

import json


def json_text(value: object) -> str:
    """Return the JSON of plain data.  Raises `ValueError` for a float that is no number."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False)
