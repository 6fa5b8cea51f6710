"""The YAML of a spec: nodes with places, and what is refused, by both of PyYAML's parsers."""

import time
from typing import Any

import pytest
import yaml

from grader.model.errors import SpecError
from grader.yamlfile.nodes import (
    FASTEST_LOADER,
    MAX_NODES,
    Broken,
    Mapping,
    Node,
    Scalar,
    Sequence,
    compose,
)
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.scalars import resolve
from grader.yamlfile.source import Source

both_parsers = pytest.mark.parametrize("loader", [FASTEST_LOADER, yaml.SafeLoader], ids=["fastest", "python"])


def read(text: str, loader: Any = FASTEST_LOADER) -> Node:
    reporter = Reporter(Source("a.yaml", text))
    node = compose(reporter, loader)
    reporter.raise_if_any()
    assert node is not None
    return node


def mistakes(text: str, loader: Any = FASTEST_LOADER) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read(text, loader)
    return [f"{fault.where.partition(':')[2]} {fault.message}" for fault in caught.value.faults]


@both_parsers
def test_nodes_know_their_places(loader: Any) -> None:
    text = "é: 'it''s'\r\nlist: [1, \"two\"]\r\nblock:\r\n- a\r\n"
    root = read(text, loader)
    assert isinstance(root, Mapping)
    marked = {key.text: text[value.span.start : value.span.end] for key, value in root.pairs}
    assert marked == {"é": "'it''s'", "list": '[1, "two"]', "block": "-"}


@both_parsers
def test_quotes_and_folding_are_undone(loader: Any) -> None:
    root = read("a: 'it''s'\nb: |\n  x\n  y\nc: one\n  two\nd: \"\\x41\"\ne:\n", loader)
    assert isinstance(root, Mapping)
    scalars = [value for _, value in root.pairs if isinstance(value, Scalar)]
    assert [scalar.text for scalar in scalars] == ["it's", "x\ny\n", "one two", "A", ""]
    assert [scalar.empty for scalar in scalars] == [False, False, False, False, True]


def test_brackets_are_told_from_blocks() -> None:
    root = read("a: [1]\nb:\n- 1\nc: {d: 1}\n")
    assert isinstance(root, Mapping)
    flow = [value.flow for _, value in root.pairs if isinstance(value, Sequence | Mapping)]
    assert flow == [True, False, True]
    assert not root.flow


@both_parsers
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", ["3:1 `a` is given twice, on line 1 and on line 3"]),
        ("a: &x 1", ["1:4 `&x` is an anchor; specs have none"]),
        ("a: *x", ["1:4 `*x` refers to an anchor; specs have none"]),
        ("a: !!str 1", ["1:4 `!!str` is a tag; specs have none"]),
        ("a: ! 1", ["1:4 `!` is a tag; specs have none"]),
        ("<<: {a: 1}", ["1:1 `<<` is a merge key; specs have none"]),
        ("[1, 2]: 3", ["1:1 a key must be a single word"]),
        ("a: 1\n---\nb: 2\n", ["2:1 a second document starts here; a spec is a single one"]),
        ("", ["1:1 the spec is empty"]),
        ("a: b: c", ["1:5 YAML takes this colon for the end of a key"]),
        ("a:\n\tb: 1", ["2:1 a tab can't indent in YAML"]),
        ("a: @b", ["1:4 a value can't start with `@` in YAML"]),
        ("a: 'b", ["1:4 a quote is opened here and never closed"]),
        ("a: \x07", ["1:4 the character U+0007 can't stand in a spec"]),
        ("a: x\x85y", ["1:5 the character U+0085 can't stand in a spec"]),
        ("a: x\u2028y", ["1:5 the character U+2028 can't stand in a spec"]),
    ],
)
def test_what_is_refused_is_told_alike_by_both_parsers(text: str, expected: list[str], loader: Any) -> None:
    assert mistakes(text, loader) == expected


@both_parsers
@pytest.mark.parametrize(
    "text", ["a: [1, 2", "a: {b: 1", "a: ]", "- a\nb: 1", "%YAML 9.9\n---\na: 1", 'a: "\\q"']
)
def test_other_syntax_is_refused_by_both_parsers(text: str, loader: Any) -> None:
    assert len(mistakes(text, loader)) == 1


@pytest.mark.parametrize("text", ["%YAML 1." + "9" * 5000 + "\n---\na", 'a: "\\UFFFFFFFF"'])
def test_numbers_that_are_too_large_for_the_parser_in_python_are_refused(text: str) -> None:
    assert len(mistakes(text, yaml.SafeLoader)) == 1


def test_all_that_is_refused_is_told_at_once() -> None:
    assert len(mistakes("a: &x 1\nb: *x\nc: !t 1\nc: 2\n<<: 3\n")) == 5


def test_what_was_refused_stands_as_broken() -> None:
    reporter = Reporter(Source("a.yaml", "a: *x"))
    root = compose(reporter)
    assert isinstance(root, Mapping)
    assert isinstance(root.pairs[0][1], Broken)


@both_parsers
@pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "[{a: "])
def test_deep_nesting_is_refused_at_once(opening: str, loader: Any) -> None:
    start = time.process_time()
    assert mistakes(opening * 100_000, loader)[-1].endswith("nested more than 50 levels deep")
    # Two orders of magnitude above what it takes; composing all of it would take seconds, or crash.
    assert time.process_time() - start < 2


def test_too_many_values_are_refused() -> None:
    assert mistakes("- a\n" * (MAX_NODES + 1)) == [f"{MAX_NODES}:3 the spec holds more than 100,000 values"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("", None), ("~", None), ("null", None), ("true", True), ("False", False)],
        *[("12", 12), ("-3", -3), ("012", 12), ("0o14", 12), ("0x0C", 12), ("+1", 1)],
        *[
            ("1.5", 1.5),
            ("1e3", 1000.0),
            (".5", 0.5),
            ("1.", 1.0),
            (".inf", float("inf")),
            ("-.Inf", float("-inf")),
        ],
        *[
            (text, text)
            for text in ("on", "yes", "no", "12:30", "1_000", "0b1", "2026-01-01", "None", "nUll", "1e", ".")
        ],
    ],
)
def test_unquoted_words_follow_the_core_schema(text: str, value: object) -> None:
    resolved = resolve(text)
    assert (resolved, type(resolved)) == (value, type(value))


def test_not_a_number_is_read() -> None:
    value = resolve(".nan")
    assert isinstance(value, float)
    assert value != value


def test_a_number_that_is_too_long_stays_text() -> None:
    assert resolve("9" * 5000) == "9" * 5000
