"""Attributes that are looked up by a text: one with dots has several, and `partial` may get `getattr`."""

import pytest
from support.rule_sources import checked, messages

HEAD = "import functools, inspect, operator, pkgutil\nfrom functools import partial\n"
SORTS = {
    "a path": 'operator.attrgetter("data.sort")(u)()',
    "a path put together": 'operator.attrgetter("data" + ".so" + "rt")(u)()',
    "a path among others": 'operator.attrgetter("real", "data.sort")(u)',
    "partial": 'partial(getattr, xs, "sort")()()',
    "partial, renamed": 'g = getattr\nfunctools.partial(g, xs, "sort")()()',
    "partial, called later": 'g = partial(getattr, xs)\ng("sort")()',
    "partialmethod": 'class A:\n    m = functools.partialmethod(getattr, "sort")',
    "reduce": 'functools.reduce(getattr, ["data", "sort"], u)()',
    "map": 'next(map(getattr, [xs], ["sort"]))()',
    "a keyword": 'run(target=getattr, args=(xs, "sort"))',
    "unpacked": 'getattr(*(xs, "sort"))()',
}
REACHES = {
    "a function's module": 'operator.attrgetter("__self__.sorted")(len)',
    "a method's globals": 'operator.attrgetter("f.__globals__")(A)',
    "by a name": 'path = "f.__globals__"\noperator.attrgetter(path)(A)',
    "the built-ins": 'operator.attrgetter("f.__builtins__")(A)',
}
FINDS_MODULES = {
    "getmodule": "inspect.getmodule(len).sorted(xs)",
    "a loader": 'pkgutil.get_loader("o" + "s").load_module("os")',
}
HONEST = {
    "another path": 'sorted(xs, key=operator.attrgetter("owner.name"))',
    "a sentence": 'print("See f.__globals__ and .sort for that.")',
    "the default of getattr": 'getattr(xs, "order", "sort")',
    "a text beside a getter": 'print("sort", operator.attrgetter("name")(xs))',
    "partial of another": 'partial(f, "sort")',
}


@pytest.mark.parametrize("name", SORTS)
def test_an_attribute_is_found_by_its_text(name: str) -> None:
    assert messages("forbidden names", HEAD + SORTS[name], names=[".sort"]) == ["uses `.sort`"]


@pytest.mark.parametrize("name", REACHES)
def test_a_gateway_is_found_in_a_path(name: str) -> None:
    for rule, names in (("forbidden names", ["sorted"]), ("forbidden imports", ["os"])):
        (message,) = messages(rule, HEAD + REACHES[name], names=names)
        assert message.endswith("by which anything can be reached")


@pytest.mark.parametrize("name", FINDS_MODULES)
def test_what_finds_modules_is_a_doubt(name: str) -> None:
    for rule, names in (("forbidden names", ["sorted"]), ("forbidden imports", ["os"])):
        found, undecided = checked(rule, HEAD + FINDS_MODULES[name], names=names)
        assert not found
        assert [line for _, line, _ in undecided] == [3]


@pytest.mark.parametrize("name", HONEST)
def test_other_texts_look_nothing_up(name: str) -> None:
    assert checked("forbidden names", HEAD + HONEST[name], names=[".sort", "eval"]) == ([], [])
