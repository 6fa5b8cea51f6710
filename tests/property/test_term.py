"""Laws of the arithmetic of a term: drops, readings, excuses, and slip days."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from grader.course.arithmetic.columns import column_results
from grader.course.arithmetic.drop import Portion, kept, quotient
from grader.course.arithmetic.facts import Cell, CellState
from grader.course.arithmetic.passing import PassState, passed
from grader.course.arithmetic.results import ColumnResult
from grader.course.arithmetic.slip import AttemptState, SlipFact, SlipLedger, slip_ledger
from grader.course.arithmetic.slip_changes import slip_changes
from grader.course.arithmetic.term import term_result
from grader.course.course import (
    By,
    DatedDays,
    Gradebook,
    Missing,
    PassRule,
    Short,
    SlipDays,
    TaskColumn,
    WeightedColumn,
)

NAMES = tuple("abcdefgh")
START = datetime(2026, 10, 1, tzinfo=UTC)
MOSTS = st.integers(1, 12).map(Fraction)


@st.composite
def cells(draw: st.DrawFn, bonus: bool = True) -> tuple[Cell, ...]:
    """Return the cells of one student.  bonus: a mark can be above its maximum."""
    return tuple(draw(_cell(name, bonus)) for name in NAMES[: draw(st.integers(1, len(NAMES)))])


@st.composite
def _cell(draw: st.DrawFn, name: str, bonus: bool) -> Cell:
    state, most = draw(st.sampled_from(CellState)), draw(MOSTS)
    share = draw(st.fractions(0, Fraction(3, 2) if bonus else 1, max_denominator=6))
    return Cell(name, state, share * most if state is CellState.MARKED else None, most)


@st.composite
def task_columns(draw: st.DrawFn, row: tuple[Cell, ...], never: bool = True) -> TaskColumn:
    names = tuple(cell.task for cell in row)
    return TaskColumn(
        id="c",
        title="C",
        tasks=names,
        by=draw(st.sampled_from(By)),
        drop=draw(st.integers(0, 4)),
        never_drop=tuple(draw(st.sets(st.sampled_from(names), max_size=3 if never else 0))),
        missing=draw(st.sampled_from(Missing)),
    )


@st.composite
def gradebooks(draw: st.DrawFn, row: tuple[Cell, ...]) -> Gradebook:
    """Return a gradebook of two columns over tasks, and one that weighs them."""
    one, other, extra = (replace(draw(task_columns(row)), id=id) for id in ("one", "other", "extra"))
    weight = draw(st.fractions(0, 1, max_denominator=10))
    total = WeightedColumn(
        id="total",
        title="Total",
        weights={"one": weight, "other": 1 - weight},
        bonus=draw(st.sampled_from([{}, {"extra": Fraction(1, 20)}])),
        at_most=draw(st.sampled_from([None, Fraction(1), Fraction(9, 10)])),
        step=draw(st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 1000), Fraction(3, 10)])),
    )
    rules = (
        PassRule(column="total", share=draw(st.fractions(0, 1, max_denominator=4))),
        PassRule(tasks=one.tasks, count=draw(st.integers(1, len(row))), share=Fraction(2, 5)),
    )
    return Gradebook((one, other, extra, total), rules=rules)


def single(column: TaskColumn, row: tuple[Cell, ...]) -> ColumnResult:
    (result,) = column_results(Gradebook((column,)), row)
    return result


def values(result: ColumnResult) -> tuple[object, ...]:
    return result.so_far.value, result.worst, result.best, result.open, result.so_far.dropped


def at_most(one: Fraction | None, other: Fraction | None) -> bool:
    """Tell whether both are no number, or both are and in order."""
    return one is other is None or (one is not None and other is not None and one <= other)


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(1, 10)), min_size=1, max_size=8),
    st.integers(0, 9),
    st.sets(st.integers(0, 7)),
    st.sampled_from(By),
)
def test_a_drop_is_the_best_of_all_subsets(
    numbers: list[tuple[int, int]], drop: int, never: set[int], by: By
) -> None:
    portions = [
        Portion(
            NAMES[at], Fraction(mark, most if by is By.SHARE else 1), Fraction(1 if by is By.SHARE else most)
        )
        for at, (mark, most) in enumerate(numbers)
    ]
    stays = {at for at in never if at < len(portions)}
    count = min(drop, len(portions) - len(stays), len(portions) - 1)
    subsets = [s for s in combinations(range(len(portions)), len(portions) - count) if stays <= set(s)]
    best = max(quotient([portions[at] for at in subset]) for subset in subsets)
    # Of equally good subsets the one of the earlier tasks, which `combinations` yields first.
    first = next(s for s in subsets if quotient([portions[at] for at in s]) == best)
    assert kept(portions, drop, {NAMES[at] for at in never}) == tuple(portions[at] for at in first)


@given(st.data())
def test_worst_is_if_nothing_more_comes_and_at_most_the_best(data: st.DataObject) -> None:
    row = data.draw(cells())
    for result in column_results(data.draw(gradebooks(row)), row):
        assert result.worst == result.if_nothing_more.value
        assert at_most(result.worst, result.best)
        if not result.open:
            assert result.so_far.value == result.worst == result.best


@given(st.data())
def test_so_far_lies_between_worst_and_best_without_bonus(data: st.DataObject) -> None:
    row = data.draw(cells(bonus=False))
    column = data.draw(task_columns(row, never=False))
    result = single(column, row)
    if result.so_far.value is not None:
        # By marks, a long task that is dropped at the end only can lower what stands so far.
        if column.by is By.SHARE or not column.drop:
            assert at_most(result.worst, result.so_far.value)
        assert at_most(result.so_far.value, result.best)


@given(st.data())
def test_what_comes_in_stays_between_worst_and_best(data: st.DataObject) -> None:
    row = data.draw(cells(bonus=False))
    gradebook = data.draw(gradebooks(row))
    waiting = (CellState.NOT_DUE, CellState.PENDING)
    later = tuple(
        Cell(c.task, CellState.MARKED, c.most * data.draw(st.fractions(0, 1, max_denominator=4)), c.most)
        if c.state in waiting
        else c
        for c in row
    )
    before, after = term_result(gradebook, row), term_result(gradebook, later)
    for then, now in zip(before.columns, after.columns, strict=True):
        assert at_most(then.worst, now.worst)
        assert at_most(now.best, then.best)
    for rule, decided in zip(before.rules, after.rules, strict=True):
        assert rule.state in (PassState.OPEN, decided.state)
    assert before.passed in (PassState.OPEN, after.passed)


@given(st.data())
def test_the_order_of_cells_changes_nothing_and_that_of_tasks_no_value(data: st.DataObject) -> None:
    row = data.draw(cells())
    gradebook = data.draw(gradebooks(row))
    other = tuple(data.draw(st.permutations(row)))
    assert term_result(gradebook, other) == term_result(gradebook, row)
    column = data.draw(task_columns(row))
    turned = replace(column, tasks=tuple(cell.task for cell in other))
    assert values(single(turned, row))[:3] == values(single(column, row))[:3]


@given(st.data())
def test_an_excused_task_is_as_if_the_course_had_none(data: st.DataObject) -> None:
    row = data.draw(cells())
    column = data.draw(task_columns(row))
    present = tuple(cell for cell in row if cell.state is not CellState.EXCUSED)
    without = replace(column, tasks=tuple(cell.task for cell in present))
    assert values(single(column, row)) == values(single(without, present))


@given(st.data())
def test_a_task_that_is_dropped_is_said_and_no_line_is_empty(data: st.DataObject) -> None:
    row = data.draw(cells())
    result = single(data.draw(task_columns(row)), row)
    for reading in (result.so_far, result.if_nothing_more):
        said = [line.label for line in reading.lines if line.amount == "dropped"]
        assert said == list(reading.dropped)
        assert all(line.label and line.amount for line in reading.lines)


def test_nothing_is_needed_where_there_are_no_rules() -> None:
    assert passed(()) is None


@st.composite
def slip_facts(draw: st.DrawFn) -> tuple[SlipFact, ...]:
    return tuple(draw(_slip_fact(name)) for name in NAMES[: draw(st.integers(1, 6))])


@st.composite
def _slip_fact(draw: st.DrawFn, name: str) -> SlipFact:
    state = draw(st.sampled_from(AttemptState) | st.just(AttemptState.TIMED))
    due = START + timedelta(days=draw(st.integers(0, 30)))
    late = timedelta(hours=draw(st.integers(-10, 120)), seconds=draw(st.integers(0, 1)))
    extension = draw(st.none() | st.integers(-2, 20))
    return SlipFact(
        task=name,
        due=due,
        extension=None if extension is None else due + timedelta(days=extension),
        submitted=due + late if state is AttemptState.TIMED else None,
        state=state,
    )


GRANTS = st.lists(
    st.builds(
        DatedDays,
        st.sampled_from(["s", "other"]),
        st.integers(0, 30).map(lambda days: START + timedelta(days=days)),
        st.integers(1, 3),
        st.just("why"),
    ),
    max_size=3,
).map(tuple)
SLIP = st.builds(
    SlipDays,
    budget=st.integers(0, 6),
    unit_s=st.sampled_from([86400, 43200]),
    grace_s=st.sampled_from([0, 600, 7200]),
    at_most=st.none() | st.integers(0, 3),
    short=st.sampled_from(Short),
    budgets=st.sampled_from([{}, {"s": 2}, {"other": 9}]),
    added=GRANTS,
)


@given(SLIP, slip_facts())
def test_no_more_days_are_used_than_there_are(slip: SlipDays, facts: tuple[SlipFact, ...]) -> None:
    ledger = slip_ledger(slip, "s", facts)
    granted = sum(grant.add for grant in slip.added if grant.student == "s")
    assert sum(entry.used for entry in ledger.entries) <= slip.budgets.get("s", slip.budget) + granted
    assert all(entry.left >= 0 for entry in ledger.entries)
    for entry in ledger.entries:
        assert 0 <= entry.used <= entry.needed
        assert slip.at_most is None or entry.used <= slip.at_most
        assert not (entry.is_zero and entry.used)
        assert entry.is_zero == (slip.short is Short.ZERO and entry.used < entry.needed)


@given(SLIP, slip_facts())
def test_a_covered_attempt_is_not_late_and_the_last_day_is_needed(
    slip: SlipDays, facts: tuple[SlipFact, ...]
) -> None:
    of_task = {fact.task: fact for fact in facts}
    for entry in slip_ledger(slip, "s", facts).entries:
        submitted = of_task[entry.task].submitted
        assert (submitted is not None and submitted > entry.deadline) == (entry.used < entry.needed)
        assert entry.deadline >= entry.due
        if submitted is not None and entry.used:
            assert submitted > entry.deadline - timedelta(seconds=slip.unit_s)


@given(SLIP, slip_facts(), st.data())
def test_later_facts_never_change_earlier_tasks(
    slip: SlipDays, facts: tuple[SlipFact, ...], data: st.DataObject
) -> None:
    ledger = slip_ledger(slip, "s", facts)
    last = ledger.entries[-1].task
    state = data.draw(st.sampled_from([state for state in AttemptState if state is not AttemptState.TIMED]))
    changed = [replace(f, submitted=None, state=state) if f.task == last else f for f in facts]
    fewer = [fact for fact in facts if fact.task != last]
    for other in (changed, fewer):
        assert slip_ledger(slip, "s", other).entries[: len(fewer)] == ledger.entries[:-1]


@given(SLIP, slip_facts(), st.data())
def test_a_ledger_depends_on_the_facts_and_not_on_their_order(
    slip: SlipDays, facts: tuple[SlipFact, ...], data: st.DataObject
) -> None:
    ledger = slip_ledger(slip, "s", facts)
    turned = replace(slip, added=tuple(data.draw(st.permutations(slip.added))))
    assert slip_ledger(turned, "s", data.draw(st.permutations(facts))) == ledger
    assert slip_changes(ledger, ledger) == ()


@given(SLIP, slip_facts(), slip_facts())
def test_changes_are_told_where_a_mark_can_change(
    slip: SlipDays, facts: tuple[SlipFact, ...], others: tuple[SlipFact, ...]
) -> None:
    before, after = slip_ledger(slip, "s", facts), slip_ledger(slip, "s", others)
    works = {(fact.task, fact.due_for_student, fact.submitted) for fact in facts if fact.submitted}
    stayed = {task for task, *own in works if (task, *own) in {_work(fact) for fact in others}}
    told = {text.partition(" ")[0] for text in slip_changes(before, after)}
    old, new = _effects(before), _effects(after)
    assert told == {task for task in stayed if old[task] != new[task]}


def _work(fact: SlipFact) -> tuple[str, datetime, datetime | None]:
    return fact.task, fact.due_for_student, fact.submitted


def _effects(ledger: SlipLedger) -> dict[str, tuple[object, ...]]:
    return {entry.task: (entry.used, entry.deadline, entry.is_zero) for entry in ledger.entries}
