"""The kinds of cases.  Start with `kind.py`.

`grader.spec` makes its table of keys of all kinds' keys, so it is imported before any of them.
"""

import grader.spec  # noqa: F401
