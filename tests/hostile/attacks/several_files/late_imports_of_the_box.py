"""Modules of the library's names, for what the box itself imports late.

Must not: get a mark, or a look at what the box holds.
Verdicts: wrong-answer load-error exception crashed
"""

import linecache
import traceback


def solve(n, places, note):
    if n == 4:
        raise ValueError(linecache)
    return 0
### file: linecache.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: traceback.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: dataclasses.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: enum.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: inspect.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: contextlib.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: typing.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: warnings.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: copy.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: keyword.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: tokenize.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: types.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: numpy.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: reprlib.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: builtins.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
### file: posix.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


def __getattr__(name):
    return Yes()
