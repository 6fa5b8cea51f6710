OK_FORMAT = True

test = {
    "name": "q1",
    "points": 3,
    "all_or_nothing": False,
    "suites": [
        {
            "cases": [
                {
                    "code": r"""
                    >>> square(3)
                    9
                    >>> square(-2) == 4
                    True
                    """,
                    "hidden": False,
                    "locked": False,
                    "failure_message": "A square is never negative.",
                },
                {
                    "code": r"""
                    >>> import numpy as np
                    >>> np.isclose(square(0.5), 0.25)
                    True
                    """,
                    "hidden": True,
                    "locked": False,
                },
                {
                    "code": r"""
                    >>> answer
                    42
                    >>> greet("Ada")
                    Hello, Ada
                    >>> table()
                    {'a': 1, 'b': 2}
                    """,
                    "hidden": False,
                    "locked": False,
                },
            ],
            "scored": True,
            "setup": "",
            "teardown": "",
            "type": "doctest",
        }
    ],
}
