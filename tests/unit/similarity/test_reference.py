"""Works that are much the reference: copies of it are told, and starter code and honest works are not."""

import pytest
from support.many_programs import STARTER, program, renamed, reordered
from support.works import Here, work

from grader.plugins.similar.alignment import likeness
from grader.plugins.similar.comparison import Comparison, compare
from grader.plugins.similar.page import published_spans
from grader.plugins.similar.works import GivenCode, Work

SOLUTION = program(90)


def compared(texts: dict[str, str], size: int = 20, *, starter: str = STARTER) -> Comparison:
    given = GivenCode(Here(), [starter], [SOLUTION])
    everybody = {f"student-{seed:02}": program(seed) for seed in range(size)} | texts
    works = [work(owner, text, given) for owner, text in everybody.items()]
    return compare(works, likeness, with_reference=True)


def told(found: Comparison) -> set[str]:
    return {one.owner for one in found.copies}


def share(found: Comparison, owner: str) -> float:
    (one,) = (one for one in found.shares if one.owner == owner)
    return one.published_share


@pytest.mark.parametrize(
    "text",
    [
        SOLUTION,
        renamed(SOLUTION),
        reordered(renamed(SOLUTION)),
        SOLUTION.replace("    total", "    print(x)\n    total", 4),
        STARTER + SOLUTION,
        SOLUTION + "\nif x:\n    y = [z for z in range(3)]\n",
        SOLUTION.replace("\n", "\n# mine\n"),
    ],
)
@pytest.mark.parametrize("size", [3, 20])
def test_a_copy_of_the_reference_is_told(text, size):
    found = compared({"copy": text, "near": renamed(SOLUTION)}, size)
    assert told(found) == {"copy", "near"}
    assert share(found, "copy") > 0.8
    assert {one.owner for one in found.short} >= {"near"}  # nothing is left for pairs


def test_independent_works_are_not_told():
    found = compared({})
    assert told(found) == set()
    assert len(found.shares) == 20


def test_starter_code_is_nobody_s_copy():
    given = GivenCode(Here(), [STARTER], [STARTER + SOLUTION])
    texts = {f"student-{seed:02}": STARTER + program(seed) for seed in range(12)} | {"bare": STARTER}
    works = [work(owner, text, given) for owner, text in texts.items()]
    found = compare(works, likeness, with_reference=True)
    assert told(found) == set()
    assert "bare" not in {one.owner for one in found.shares}
    alone = compared({}, 12)
    for one in found.shares:
        assert one.published_share == pytest.approx(share(alone, one.owner), abs=0.1)


def test_where_everybody_writes_the_same_nobody_is_told():
    found = compared({f"same-{n}": renamed(SOLUTION) + f"\nx = {n}\n" for n in range(30)}, 5)
    assert found.share_threshold is not None
    assert found.share_threshold.typical is not None
    assert found.share_threshold.typical > 0.9
    assert told(found) == set()


def test_of_several_attempts_the_largest_share_counts():
    given = GivenCode(Here(), [STARTER], [SOLUTION])
    works = [work("ada", program(1), given, "first"), work("ada", SOLUTION, given, "second")]
    works += [work(f"student-{seed:02}", program(seed), given) for seed in range(2, 14)]
    found = compare(works, likeness, with_reference=True)
    assert [one.label for one in found.copies] == ["ada (second)"]


def test_passages_have_their_lines():
    lines = SOLUTION.split("\n")
    given = GivenCode(Here(), [], [SOLUTION])
    one = work("copy", "\n\n\nown = 1\n" + SOLUTION, given)
    spans = published_spans(one)
    assert spans[0].first >= 5
    assert sum(span.last - span.first + 1 for span in spans) > 0.8 * len([line for line in lines if line])


def test_without_a_reference_no_share_is_told():
    given = GivenCode(Here(), [STARTER])
    works: list[Work] = [work(f"s-{seed}", program(seed), given) for seed in range(3)]
    found = compare(works, likeness)
    assert found.share_threshold is None
    assert found.copies == found.shares == ()
