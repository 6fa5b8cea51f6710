"""Works that are alike in a class: planted copies are told, and independent works are not."""

import pytest
from support.many_programs import STARTER, program, renamed, reordered
from support.works import Here, work

from grader.plugins.similar.alignment import likeness
from grader.plugins.similar.comparison import Comparison, compare
from grader.plugins.similar.works import GivenCode


def compared(texts: dict[str, str], given: str = STARTER, size: int = 20) -> Comparison:
    """Compare the works with those of a class of that size."""
    taken = GivenCode(Here(), [given])
    everybody = {f"student-{seed:02}": program(seed) for seed in range(size)} | texts
    return compare([work(owner, text, taken) for owner, text in everybody.items()], likeness)


def told(found: Comparison) -> set[frozenset[str]]:
    return {frozenset((pair.left.owner, pair.right.owner)) for pair in found.pairs}


def test_independent_works_are_not_told():
    found = compared({})
    assert (found.pairs, found.equal) == ((), ())


def test_a_copy_with_other_names_and_comments_is_equal():
    found = compared({"copy": renamed(program(3))})
    assert [[one.owner for one in group] for group in found.equal] == [["student-03", "copy"]]
    assert not found.pairs


def test_a_copy_in_another_order_is_told():
    found = compared({"copy": reordered(renamed(program(3)))})
    assert told(found) == {frozenset(("student-03", "copy"))}
    assert found.pairs[0].score > 0.95


def test_a_copy_with_lines_put_in_is_told():
    text = program(3).replace("    total", "    print(x)\n    total", 12)
    assert told(compared({"copy": text})) == {frozenset(("student-03", "copy"))}


def test_passages_have_their_lines():
    (pair,) = compared({"copy": "\n\n\n" + reordered(program(3))}).pairs
    left, right = program(3).split("\n"), ("\n\n\n" + reordered(program(3))).split("\n")
    if pair.left.owner == "copy":
        left, right = right, left
    for passage in pair.passages:
        assert left[passage.left.first - 1] == right[passage.right.first - 1]
        assert left[passage.left.last - 1] == right[passage.right.last - 1]
    assert sum(passage.left.last - passage.left.first for passage in pair.passages) > 60


def test_starter_code_that_all_have_is_not_told():
    found = compared({"one": STARTER + "x = 1\n", "other": STARTER + "y = 1\n"})
    assert (found.pairs, found.equal) == ((), ())
    assert {one.owner for one in found.short} == {"one", "other"}


def test_without_the_starter_code_it_would_be_told():
    found = compared({"one": STARTER + "x = 1\n", "other": STARTER + "y = 1\n"}, given="")
    assert found.equal


LEAP = (
    "def leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n",
    "def leap(y):\n    if y % 400 == 0:\n        return True\n    if y % 100 == 0:\n        return False\n"
    "    return y % 4 == 0\n",
)


def test_right_solutions_of_a_tiny_task_are_too_short_to_be_told():
    found = compared(dict(zip("ab", LEAP, strict=True)) | {"c": LEAP[0], "d": LEAP[1]}, size=0)
    assert (found.pairs, found.equal) == ((), ())
    assert len(found.short) == 4


COUNTING = (
    """
def count(text):
    found = {}
    for word in text.split():
        word = word.lower().strip('.,')
        if word not in found:
            found[word] = 0
        found[word] += 1
    return found

def top(text, n):
    pairs = sorted(count(text).items(), key=lambda p: p[1])
    return pairs[-n:]
""",
    """
from collections import Counter

def count(text):
    words = [w.strip('.,').lower() for w in text.split()]
    return dict(Counter(words))

def top(text, n):
    c = Counter(count(text))
    out = []
    while len(out) < n and c:
        best = max(c, key=c.get)
        out.append((best, c.pop(best)))
    return out
""",
)


def test_two_independent_solutions_of_a_small_task_are_not_alike():
    found = compared(dict(zip("ab", COUNTING, strict=True)), size=0)
    assert found.compared == 2
    assert (found.pairs, found.equal) == ((), ())


def test_where_all_works_are_alike_by_nature_none_is_told():
    # One way to solve it; each has a few lines of their own.
    texts = {f"s{n}": program(5) + program(100 + n, functions=1).replace(STARTER, "") for n in range(15)}
    found = compared(texts, size=0)
    assert found.pairs == ()
    assert found.threshold is not None
    assert found.threshold.score > 0.8


def test_a_ring_of_many_does_not_hide_itself():
    extra = (program(50 + n, functions=1).replace(STARTER, "") for n in range(8))
    ring = {f"ring-{n}": reordered(program(3)) + text for n, text in enumerate(extra)}
    found = compared(ring, size=20)
    assert told(found) >= {frozenset((one, other)) for one in ring for other in ring if one != other}
    assert all({"student-03", *ring} >= pair for pair in told(found))


def test_attempts_of_one_student_are_not_compared_with_each_other():
    given = GivenCode(Here(), [STARTER])
    works = [work("ann", program(1), given, name) for name in ("1", "2")]
    works.append(work("ann", reordered(program(1)), given, "3"))
    works += [work(f"student-{seed}", program(seed), given) for seed in range(5, 20)]
    found = compare(works, likeness)
    assert (found.pairs, found.equal) == ((), ())


def test_of_several_attempts_the_most_alike_pair_is_told():
    given = GivenCode(Here(), [STARTER])
    works = [work("ann", program(1), given, "1"), work("ann", program(1) + "x = [1]\n" * 9, given, "2")]
    works += [work("ben", reordered(program(1)), given)]
    works += [work(f"student-{seed}", program(seed), given) for seed in range(5, 20)]
    (pair,) = compare(works, likeness).pairs
    assert {pair.left.attempt, pair.right.attempt} == {"1", ""}


def test_a_large_class_finds_its_copies():
    found = compared({"copy": reordered(renamed(program(3)))}, size=90)
    assert told(found) == {frozenset(("student-03", "copy"))}


def test_without_the_library_equal_works_are_found():
    given = GivenCode(Here(), [STARTER])
    found = compare([work("a", program(1), given), work("b", renamed(program(1)), given)], None)
    assert len(found.equal) == 1
    assert found.threshold is None


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_class_of_hardly_anybody(size):
    assert compared({}, size=size).pairs == ()
