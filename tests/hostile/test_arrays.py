"""What NumPy arrays and scalars become on their way out, and what hostile ones do."""

from collections.abc import Iterator
from typing import Any

import pytest
from support.installed import needs
from support.sieges import Arena, adopt_orphans, job, raised, value

from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending
from grader.model.values import Opaque
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import Zygote
from grader.worker.walls import syscalls

needs("numpy")


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    if not syscalls.SUPPORTED:
        pytest.skip("there are no tables of system calls for this architecture")
    adopt_orphans()
    with Zygote(Driver.NAMESPACES, find_interpreter(""), ("numpy",)) as zygote:
        yield Arena(Driver.NAMESPACES, "snapshot", zygote)


def answer(arena: Arena, expression: str, before: str = "") -> Any:
    """Return what a function that returns this expression brings back."""
    source = f"import numpy as np\n{before}\n\ndef attack():\n    return {expression}\n"
    return value(arena.besiege(source, job("attack"), memory_b=256 * MIB).outcome)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("np.array([[1, 2], [3, 4]])", [[1, 2], [3, 4]]),
        ("np.array([[1, 2], [3, 4]]).T", [[1, 3], [2, 4]]),
        ("np.arange(6, dtype=np.uint8).reshape(1, 2, 3)", [[[0, 1, 2], [3, 4, 5]]]),
        ("np.array([0.5, np.nan, -np.inf], dtype=np.float32)[:1]", [0.5]),
        ("np.array([1 + 2j, 3])", [1 + 2j, 3 + 0j]),
        ("np.array([True, False])", [True, False]),
        ("np.array(['a', 'ß'])", ["a", "ß"]),
        ("np.array([b'a'])", [b"a"]),
        ("np.zeros((2, 0))", [[], []]),
        ("np.array(7)", 7),
        ("np.array([2**63], dtype=np.uint64)", [2**63]),
        ("np.int64(3)", 3),
        ("np.uint8(255)", 255),
        ("np.bool_(True)", True),
        ("np.float64(0.5)", 0.5),
        ("np.float16(0.5)", 0.5),
        ("np.complex64(1j)", 1j),
        ("np.str_('x')", "x"),
        ("[np.array([1]), (np.int32(2), None)]", [[1], (2, None)]),
        ("{np.int64(1): np.array([1.0])}", {1: [1.0]}),
    ],
)
def test_plain_arrays_and_scalars_are_lists_and_numbers(
    arena: Arena, expression: str, expected: object
) -> None:
    found = answer(arena, expression)
    assert found == expected
    assert repr(found) == repr(expected), "of the same types, too"


@pytest.mark.parametrize(
    ("expression", "type_name"),
    [
        ("np.array([1, 'a', None], dtype=object)", "ndarray"),
        ("np.array([[1], [2]], dtype=object)", "ndarray"),
        ("np.array([(1, 2.0)], dtype='i4,f8')", "ndarray"),
        ("np.zeros(3, dtype='V0')", "ndarray"),
        ("np.array(['2020-01-01'], dtype='datetime64[D]')", "ndarray"),
        ("np.array([1], dtype=np.longdouble)", "ndarray"),
        ("np.ma.array([1, 2], mask=[True, False])", "MaskedArray"),
        ("np.array([1, 2]).view(Own)", "Own"),
        ("np.longdouble(1)", "longdouble"),
        ("np.datetime64('2020-01-01')", "datetime64"),
        ("np.dtype('i4')", "Int32DType"),
        ("np", "module"),
    ],
)
def test_all_else_of_numpys_is_opaque(arena: Arena, expression: str, type_name: str) -> None:
    found = answer(arena, expression, "class Own(np.ndarray):\n    pass\n")
    assert isinstance(found, Opaque)
    assert found.type_name == type_name


@pytest.mark.parametrize(
    "expression",
    [
        "np.broadcast_to(np.int8(1), (10**6, 10**6))",
        "np.empty((10**9, 0))",
        "np.broadcast_to(np.int8(1), (1,) * 30 + (10**7,))",
        "[np.broadcast_to(np.int8(1), (600, 1000))] * 3",
    ],
)
def test_an_array_that_is_larger_than_it_looks_is_too_large(arena: Arena, expression: str) -> None:
    source = f"import numpy as np\n\ndef attack():\n    return {expression}\n"
    patient = Limits(time_s=10, wall_s=40)
    siege = arena.besiege(source, job("attack", limits=patient), memory_b=256 * MIB)
    assert siege.outcome.ending is Ending.ANSWER_SIZE
    assert siege.outcome.detail == "too many items"


def test_an_array_that_holds_itself_is_opaque(arena: Arena) -> None:
    source = "def loop():\n    a = np.empty(1, dtype=object)\n    a[0] = a\n    return a\n"
    assert isinstance(answer(arena, "loop()", source), Opaque)


LIARS = {
    "a class that says it is an array": "class Liar:\n    __class__ = np.ndarray\n\nLIAR = Liar()",
    "an array with methods of its own": (
        "class Liar(np.ndarray):\n    def tolist(self):\n        return 304\n\n"
        "LIAR = np.array([1]).view(Liar)"
    ),
    "a number that equals everything": (
        "class Liar(np.int64):\n    def __eq__(self, other):\n        return True\n"
        "    __hash__ = np.int64.__hash__\n\nLIAR = Liar(1)"
    ),
}


@pytest.mark.parametrize("way", LIARS)
def test_what_only_looks_like_an_array_is_opaque(arena: Arena, way: str) -> None:
    found = answer(arena, "LIAR", LIARS[way])
    assert isinstance(found, Opaque)
    assert found.type_name == "Liar"


def test_other_names_for_numpys_parts_change_nothing(arena: Arena) -> None:
    before = (
        "REAL = np.array([[1, 2]])\n"
        "np.ndarray = list\nnp.int64 = str\nimport sys\nsys.modules['numpy'] = None\n"
    )
    assert answer(arena, "REAL", before) == [[1, 2]]


def test_numpy_is_not_there_unless_the_spec_allows_it() -> None:
    adopt_orphans()
    with Zygote(Driver.NAMESPACES, find_interpreter("")) as zygote:
        arena = Arena(Driver.NAMESPACES, "snapshot", zygote)
        source = "def attack():\n    import numpy\n    return numpy.array([1])\n"
        assert raised(arena.besiege(source, job("attack")).outcome) == "ModuleNotFoundError"
