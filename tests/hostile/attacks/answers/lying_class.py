"""An object that says by __class__, __reduce__ and a metaclass that it is an int.

Must not: be accepted, nor have code of its own run by who reads it.
Verdicts: wrong-answer exception load-error
"""

import os


class Meta(type):
    __name__ = "int"
    __instancecheck__ = __subclasscheck__ = lambda cls, other: True
    __eq__ = lambda cls, other: True
    __hash__ = lambda cls: hash(int)
    mro = lambda cls: [cls, int, object]


class Posing(metaclass=Meta):
    __class__ = property(lambda self: int)

    def __reduce_ex__(self, protocol):
        return os.system, ("touch pickled",)

    __reduce__ = lambda self: self.__reduce_ex__(2)
    __getstate__ = lambda self: {}


def solve(n, places, note):
    return Posing()
