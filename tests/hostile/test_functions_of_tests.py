"""A program sees what a function of a test's is, and what it sets on one is judged as an answer.

`RIGHT` has decorators that change the function where the reference's wrap it, and read what a signature says.
`LIARS` set what is equal to all, or what the reference does not, and look for what a test expects.
"""

from pathlib import Path

import pytest
from support.marking import by_tests, cases, verdicts

from grader.model.values import Record
from grader.sandbox.served import node_of
from grader.wire import codec

TESTS = """
import pytest
from work import curry, deprecated, guess, marked, tag, tried, twice, validate
def test_tag():
    @tag("slow")
    def f():
        return 1
    assert f.tag == "slow" and f() == 1
def test_deprecated():
    @deprecated
    def old(): return 3
    assert old() == 3 and old.deprecated is True
def test_annotations():
    @validate
    def area(w: int, h: int = 2) -> int: return w * h
    assert area(2) == 4 and area(2, 3) == 6
    with pytest.raises(TypeError): area("2", 3)
def test_unions():
    @validate
    def shown(x: "int | None" = None, *rest: int | None): return x
    assert shown() is None
    with pytest.raises(TypeError): shown(1, "2")
def test_parameters():
    assert curry(lambda a, b, c: a + b + c)(1)(2)(3) == 6
def test_calls():
    def f(a, /, b, c=3, d=4, *rest, e, g=7, **more): return a, b, c, d, rest, e, g, more
    plain, by_name, more = tried(f)
    assert plain == (1, 2, 3, 4, (), 5, 7, {}) and by_name == (1, 2, 9, 4, (), 5, 7, {})
    assert more == (1, 2, 3, 4, (6,), 5, 0, {"z": 1})
def test_no_value_of_a_default():
    assert guess(lambda x, expected=18: x == expected) is True
def test_what_the_test_counts():
    def spy(): spy.calls += 1
    spy.calls = 0
    twice(spy)
    assert spy.calls == 2
def helper(): pass
@pytest.mark.parametrize("n", [1, 0])
def test_one_row(n): assert getattr(marked(helper, n), "n", 0) == n
"""
REFERENCE = """
import functools, inspect, typing
def tag(t):
    def deco(f):
        @functools.wraps(f)
        def g(*a, **k): return f(*a, **k)
        g.tag = t
        return g
    return deco
class deprecated:
    deprecated = True
    def __init__(self, f): self.f = f
    def __call__(self, *a): return self.f(*a)
def validate(f):
    @functools.wraps(f)
    def g(*a):
        for x in a:
            if not isinstance(x, int): raise TypeError(x)
        return f(*a)
    return g
def curry(f, *a): return lambda x: f(*a, x) if len(a) == 2 else curry(f, *a, x)
def tried(f): return f(1, b=2, e=5), f(1, 2, d=4, c=9, e=5), f(1, 2, 3, 4, 6, e=5, g=0, z=1)
def guess(f): return f(18)
def twice(f):
    f()
    f()
    return f
def marked(f, n):
    if n: f.n = n
    return f
"""
RIGHT = """
def tag(t):
    def deco(f):
        f.tag = t
        return f
    return deco
def deprecated(f):
    f.deprecated = True
    return f
def validate(f):
    signature, kinds = inspect.signature(f), typing.get_type_hints(f)
    assert [*kinds] == [*f.__annotations__]
    @functools.wraps(f)
    def g(*a):
        for name, x in signature.bind(*a).arguments.items():
            for each in x if isinstance(x, tuple) else [x]:
                if not isinstance(each, kinds[name]): raise TypeError(name)
        return f(*a)
    return g
def curry(f, *a):
    if len(a) == f.__code__.co_argcount: return f(*a)
    return lambda x: curry(f, *a, x)
"""
LIARS = """
class All:
    def __eq__(self, other): return True
    def __bool__(self): return True
def tag(t):
    def deco(f):
        f.tag = All()
        return f
    return deco
def deprecated(f):
    f.deprecated = All()
    return f
def validate(f): return f
def curry(f, *a): return All()
def tried(f): return f(1, b=2, e=5), f(1, 2, e=5), f(1, 2, 3, 4, e=5, z=1)
def guess(f):
    found = inspect.signature(f).parameters["expected"].default
    return f(found) or f(*f.__defaults__)
def twice(f):
    f.calls = 2
    return f
def marked(f, n):
    f.n = All()
    return f
"""


def found(folder: Path, work: str) -> dict[str, str]:
    return verdicts(by_tests(folder, TESTS, work, REFERENCE))


def test_right_decorators_pass(tmp_path: Path) -> None:
    for number, work in enumerate((REFERENCE, REFERENCE + RIGHT)):
        assert set(found(tmp_path / str(number), work).values()) == {"accepted"}


def test_what_is_set_on_a_function_is_an_answer(tmp_path: Path) -> None:
    verdicts_now = found(tmp_path, REFERENCE + LIARS)
    assert len(verdicts_now) == 9
    assert set(verdicts_now.values()) <= {"wrong-answer", "exception"}, verdicts_now


@pytest.mark.parametrize("name", ["__code__", "_x", "a b", ""])
def test_no_box_sets_what_python_looks_at(name: str) -> None:
    with pytest.raises(codec.Malformed):
        node_of(Record("callback", (("number", 2), ("has", [(name, 1)]))))


def test_what_is_not_given_back_is_told(tmp_path: Path) -> None:
    text = "from work import mark\ndef test_it():\n    def f(): pass\n    mark(f)\n    assert f.n == 1\n"
    work = "def mark(f): f.n = 1\n"
    (case,) = cases(by_tests(tmp_path, text, work, work)).values()
    assert "line 5 of test_work.py: `n` of a function of the test's" in case.message
