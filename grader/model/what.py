"""What a case tries: the record of its kind."""

from typing import ClassVar


class What:
    """The base of the records of all kinds of cases.

    kind_name: the name of the kind that knows what to do with such a case; see `grader.model.kinds`.
    """

    __slots__ = ()
    kind_name: ClassVar[str]
