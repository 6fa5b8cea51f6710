"""A helper that puts an object that agrees with everything in the module's place.

Must not: get a mark, or a look at what the box holds.
Verdicts: wrong-answer load-error exception missing crashed
"""

import helper
### file: helper.py
import sys

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


sys.modules['work'] = Yes()
