"""What a Python file defines, read from its source."""

import pytest

from grader.model.errors import SpecError
from grader.spec.reference.definitions import Definitions, read_definitions
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source
from grader.yamlfile.unusable import if_usable

SOURCE = '''
"""Text."""
import os, os.path as path
from math import sqrt as root, pi
A = 1
B, (C, *D) = 1, (2, 3)
E: int = 1
F: int
def function(a, b=1): inner = 1
async def coroutine(): pass
class Class: attribute = 1
if A:
    G = 1
elif B:
    def conditional(): pass
else:
    H = 1
try:
    I = 1
except ValueError:
    J = 1
finally:
    K = 1
for L in []:
    M = 1
with open("x") as N:
    O = 1
while False:
    P = 1
match A:
    case 1:
        Q = 1
@decorated
def R(): pass
function_too = function
'''


def read(content: bytes) -> Definitions:
    reporter = Reporter(Source("a.yaml", ""))
    definitions = if_usable(read_definitions, "a.py", content, reporter)
    reporter.raise_if_any()
    assert definitions is not None
    return definitions


def test_all_names_of_the_top_level_are_found() -> None:
    definitions = read(SOURCE.encode())
    expected = {
        *"ABCDEGHIJKLMNOPQR",
        "os",
        "path",
        "root",
        "pi",
        "function",
        "coroutine",
        "Class",
        "conditional",
    }
    assert definitions.names == expected | {"function_too"}
    assert set(definitions.functions) == {"function", "conditional"}
    assert definitions.complete


def test_a_name_that_is_bound_again_is_no_plain_function() -> None:
    assert read(b"def f(a): pass\nf = cached(f)\n").functions == {}


def test_a_star_import_leaves_names_open() -> None:
    definitions = read(b"from knight1 import *\nfrom .near import *\n")
    assert definitions.star_imports == ("knight1", "near")
    assert not definitions.complete


def test_the_encoding_that_the_file_declares_holds() -> None:
    assert read("# coding: latin-1\né = 1\n".encode("latin-1")).names == {"é"}


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"x = 1\ny = (\n", "a.py:2:5"),
        (b"\xff = 1\n", "a.py:1:1"),
        (b"a\0b", "a.py:1:1"),
        (b"-" * 50_000 + b"1", "a.py:1:1"),
    ],
)
def test_a_file_that_python_can_not_read_is_reported_at_its_place(content: bytes, where: str) -> None:
    with pytest.raises(SpecError) as caught:
        read(content)
    assert [fault.where for fault in caught.value.faults] == [where]
