"""Two people's marks of one criterion: what counts, and what is awaited."""

from fractions import Fraction

import pytest

from grader.marking.criteria import criteria_result
from grader.marking.totals import second_of
from grader.model.person import Person
from grader.model.policy import Second, SecondRule
from grader.model.results import CriterionResult
from grader.model.submission import CriterionMark, MarkRole, Review
from grader.model.task import Award, Criterion, Question, Task

CRITERION = Criterion(id="r.form", title="Form", marks=Fraction(4))
QUESTION = Question(
    id="r", title="R", module="", marks=Fraction(4), award=Award.ALL, cases=(), criteria=(CRITERION,)
)
FIRST, SECOND, AGREED = MarkRole


def given(role: MarkRole, marks: str, by: str = "") -> CriterionMark:
    return CriterionMark(
        criterion="r.form", marks=Fraction(marks), by=by or str(role), comment=f"{role} says", role=role
    )


def result(rule: Second | None, *marks: CriterionMark) -> CriterionResult:
    (criterion,) = criteria_result(QUESTION, Review(marks), rule).criteria
    return criterion


@pytest.mark.parametrize(
    ("then", "mark"),
    [
        (SecondRule.FIRST, "3"),
        (SecondRule.SECOND, "2"),
        (SecondRule.MEAN, "5/2"),
        (SecondRule.HIGHER, "3"),
        (SecondRule.LOWER, "2"),
    ],
)
def test_marks_near_each_other_make_one(then: SecondRule, mark: str) -> None:
    rule = Second(within=Fraction(1), then=then)
    found = result(rule, given(SECOND, "2"), given(FIRST, "3"))
    assert (found.mark, found.by) == (Fraction(mark), "first and second")
    assert found.comment == "first says\nsecond says"
    assert [(one.role, one.mark) for one in found.given] == [("first", 3), ("second", 2)]


@pytest.mark.parametrize(
    "marks",
    [
        (),
        (given(FIRST, "3"),),
        (given(SECOND, "3"),),
        (given(FIRST, "3"), given(SECOND, "1.9")),
    ],
)
def test_what_is_not_settled_awaits_a_person(marks: tuple[CriterionMark, ...]) -> None:
    found = result(Second(within=Fraction(1), then=SecondRule.MEAN), *marks)
    assert found.mark is None
    assert len(found.given) == len(marks)


def test_what_was_agreed_counts() -> None:
    found = result(Second(), given(FIRST, "0"), given(SECOND, "4"), given(AGREED, "1", "C. Chair"))
    assert (found.mark, found.by, len(found.given)) == (1, "C. Chair", 3)


def test_a_work_that_is_not_drawn_has_one_mark() -> None:
    found = result(None, given(FIRST, "3"))
    assert (found.mark, found.given) == (3, ())


def test_a_second_mark_that_nobody_asked_for_still_counts_as_one() -> None:
    """A contradiction is never settled in silence."""
    assert result(None, given(FIRST, "3"), given(SECOND, "2")).mark is None
    assert result(None, given(FIRST, "3"), given(SECOND, "3")).mark == 3


def test_the_draw_depends_on_nobody_else() -> None:
    task = Task(
        id="t", title="", marks=Fraction(4), questions=(QUESTION,), modules=(), second=Second(Fraction(1, 5))
    )
    drawn = [name for name in map(str, range(2000)) if second_of(task, name, None) is not None]
    assert 330 < len(drawn) < 470
    team = [Person(id=str(number), name="", work="team-1") for number in range(40)]
    assert len({second_of(task, one.id, one) for one in team}) == 1
