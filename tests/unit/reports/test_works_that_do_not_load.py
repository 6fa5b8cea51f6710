"""The alarm about works that do not load, from the results alone."""

from fractions import Fraction

from grader.model.results import CaseResult, Frame, QuestionResult, Raised, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.terminal.cohort import alarm_lines
from grader.reports.terminal.lines import to_text
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.cohort.load_causes import MOST_CAUSES
from grader.reports.views.cohort.run_warnings import RunWarning, alarms_of


def cohort(*works: tuple[CaseResult, ...], status: Status = Status.MARKED, sha256: str = "0" * 64) -> Cohort:
    """Return a cohort of students, each with these cases."""
    found = Cohort(Fraction(1))
    for number, cases in enumerate(works):
        question = QuestionResult(
            id="1",
            title="",
            mark=Fraction(0),
            max_mark=Fraction(1),
            verdict=Verdict.LOAD_ERROR,
            award="all",
            cases=cases,
        )
        found.add(
            SubmissionResult(
                id=f"s{number}",
                name="",
                mark=Fraction(0),
                max_mark=Fraction(1),
                status=status,
                content_sha256=sha256,
                questions=(question,),
            )
        )
    return found


def case(message: str = "", raised: Raised | None = None) -> CaseResult:
    return CaseResult(id="1.1", call="f()", verdict=Verdict.LOAD_ERROR, message=message, raised=raised)


def raising(name: str, message: str, line: int, file: str = "leap.py") -> CaseResult:
    return case("importing the module raised …", Raised(name, message, (Frame(file, line, "<module>"),)))


def alarm(found: Cohort) -> RunWarning:
    (one,) = [each for each in alarms_of(found) if "not load" in each.title]
    return one


def told(*cases: CaseResult) -> list[str]:
    return [item.text for item in alarm(cohort(*((each,) for each in cases))).items]


def test_a_cause_that_many_share_is_one_line_with_their_names() -> None:
    found = alarm(cohort(*[(raising("SyntaxError", "expected ':'", 3),)] * 3))
    assert found.title == "3 works do not load"
    (item,) = found.items
    assert item.text == "SyntaxError: expected ':' in leap.py, line 3: 3 works"
    assert [student.id for student in item.students] == ["s0", "s1", "s2"]


def test_causes_are_told_apart_and_the_commonest_comes_first() -> None:
    assert told(
        raising("EOFError", "EOF when reading a line", 1),
        raising("SystemExit", "", 9),
        *[raising("ModuleNotFoundError", "No module named 'pandas'", line) for line in (1, 2)],
        case("the module could not be loaded: there is no leap.py in the submission"),
        case("the module could not be loaded: it was still being imported after 5 s, in line 2 of a.py"),
        case("the module could not be loaded"),
        raising("compiler error", "expected ';'", 4, "leap.c"),
    ) == [
        "No module named 'pandas' in leap.py: 2 works",
        "input() at import in leap.py, line 1",
        "the program ends itself at import in leap.py, line 9",
        "leap.py is missing",
        "it was still being imported after 5 s in a.py, line 2",
        "the module could not be loaded",
        "expected ';' in leap.c, line 4",
    ]


def test_a_place_that_python_puts_into_the_message_is_told_once() -> None:
    assert told(raising("SyntaxError", "invalid syntax (leap.py, line 3)", 3)) == [
        "SyntaxError: invalid syntax in leap.py, line 3"
    ]


def test_a_work_with_two_causes_counts_once() -> None:
    found = alarm(
        cohort((raising("NameError", "a", 1), case("there is no b.py in the submission"), case("x")))
    )
    assert found.title == "1 work does not load"
    assert [item.text for item in found.items] == ["NameError: a in leap.py, line 1", "b.py is missing", "x"]


def test_a_page_names_all_and_the_terminal_some() -> None:
    found = cohort(*[(raising("NameError", "a", 1),)] * 24)
    assert len(alarm(found).items[0].students) == 24
    text = " ".join(to_text(alarm_lines(found)).split())
    assert "s10, s11 and 12 more" in text


def test_different_texts_of_students_are_bounded() -> None:
    found = alarm(cohort(*[(raising("NameError", f"{n} " + "x" * 9999, 1),) for n in range(MOST_CAUSES + 9)]))
    assert len(found.items) == MOST_CAUSES + 1
    assert found.items[0].text == "other causes: 9 works"
    assert max(len(item.text) for item in found.items) < 300


def test_a_text_of_a_student_cannot_write_to_the_terminal() -> None:
    text = to_text(alarm_lines(cohort((raising("NameError", "\x1b[2J\nok", 1, "\x1b]0;x.py"),))))
    assert "\x1b" not in text


def test_nothing_handed_in_is_no_work() -> None:
    missing = (case("there is no leap.py in the submission"),)
    assert alarms_of(cohort(missing, status=Status.NO_SUBMISSION)) == []
    # A person gave a mark all the same, as for an exam on paper.
    assert alarms_of(cohort(missing, sha256="")) == []
