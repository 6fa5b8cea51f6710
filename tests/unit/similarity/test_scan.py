"""The codes of a source: what counts as the same, and what does not."""

import textwrap

import pytest

from grader.plugins.similar.scan import scan

SOURCE = '''
def longest(words):
    """Return the longest."""
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
    return best
'''


def digest(text: str) -> str:
    return scan(textwrap.dedent(text), 10_000)[3]


def test_names_comments_and_layout_make_no_difference():
    other = """
    # mine

    def f(xs):
      b = ""        # nothing yet
      for x in xs:

            if len(x) > \\
                len(b):
                  b = x
      return b
    """
    assert digest(SOURCE) == digest(other)
    assert digest(SOURCE) != ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (">", "<"),
        ("best = word", "best = words"),
        ('best = ""', 'best = "a"'),
        ("len(word)", "sum(word)"),
        ("    return best", "        return best"),
        ("            best = word", "            best = word; best"),
    ],
)
def test_a_difference_in_meaning_is_one(before, after):
    assert before in SOURCE
    assert digest(SOURCE) != digest(SOURCE.replace(before, after))


def test_two_names_do_not_become_one():
    assert digest("a = 1\nb = 2\nprint(a, b)\n") != digest("a = 1\na = 2\nprint(a, a)\n")


def test_a_method_of_a_list_is_told_from_a_variable_of_its_name():
    items, values = scan("items = 1", 99)[0], scan("values = 1", 99)[0]
    assert items == values
    assert scan("d.items()", 99)[0] != scan("d.values()", 99)[0]


def test_each_code_has_its_line():
    codes, lines, parts, _ = scan('x = """a\nb"""\n\n(y,\n z)\n', 99)
    numbers = [int.from_bytes(lines[at : at + 4], "big") for at in range(0, len(lines), 4)]
    assert numbers == [1, 1, 1, 4, 4, 4, 5, 5]
    assert len(codes) == 8
    assert parts == [0]


def test_functions_methods_and_what_follows_them_are_parts():
    text = (
        "import os\ndef f():\n    return 1\nclass A:\n    def g(self):\n        pass\n    x = 1\nprint(2)\n"
    )
    _, lines, parts, _ = scan(text, 99)
    assert [int.from_bytes(lines[4 * at : 4 * at + 4], "big") for at in parts] == [1, 2, 4, 5, 8]


def test_what_is_no_python_has_codes_too():
    assert scan("def f(:\n  return ]]'unclosed\n\ud800 $ ?", 99)[0]


def test_more_than_the_longest_is_left_out_and_has_no_digest():
    codes, lines, _, found = scan("a b c d\n" * 10, 10)
    assert (len(codes), len(lines), found) == (10, 40, "")
