"""Tests of a small module, in most of the forms that people write."""

import math

import pytest
import strings as st
from strings import BadText, count, halves, is_palindrome, longest, split_at

WORDS = ["pear", "fig"]


def test_count():
    """count finds every letter"""
    assert count("banana", "a") == 3
    assert count("", "a") == 0, "an empty text has no letters"
    assert 2 == count("Anna", letter="n")


def test_is_palindrome():
    assert is_palindrome("otto")
    assert not is_palindrome("fox")
    assert is_palindrome("Otto") is False
    assert is_palindrome("") == True


def test_halves():
    result = halves([1, 2, 3, 4])
    assert result == ([1, 2], [3, 4])
    assert len(result) == 2


@pytest.mark.parametrize("text, at, expected", [("a:b", ":", ["a", "b"]), ("", ":", [""])])
def test_split_at(text, at, expected):
    assert split_at(text, at) == expected


@pytest.mark.parametrize("bad", [None, 7])
def test_split_at_refuses(bad):
    with pytest.raises(TypeError):
        split_at(bad, ":")
    with pytest.raises(BadText, match="no (text|number): 7"):
        st.check(7)


def test_share():
    assert st.share("abca", "a") == pytest.approx(0.5)
    assert st.share("abc", "a") == pytest.approx(1 / 3)
    assert st.share("abc", "a") == pytest.approx(0.333, abs=0.001)
    assert math.isclose(st.share("ab", "a"), 0.5, rel_tol=1e-6)
    assert st.letters("abca") == {"a", "b", "c"}
    assert st.nothing() is None


def test_longest_twice():
    assert longest(WORDS) == "pear"
    assert longest(WORDS) == "pear"


def test_in_a_loop():
    for text in ["a", "b"]:
        assert count(text, "a") <= 1
    assert count("x", "x") == 1


def test_state():
    st.reset()
    assert st.next_number() == 1


def test_counter():
    assert st.next_number() == 2
    assert st.next_number() == 3


def test_prints(capsys):
    st.show("x")
    assert capsys.readouterr().out == "x\n"


def test_object():
    box = st.Box(3)
    assert box.size() == 3


@pytest.mark.skip
def test_later():
    assert count("b", "b") == 1
