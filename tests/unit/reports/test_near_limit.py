"""A case that came near its time limit is named to the instructor, and never to the student."""

import json
from importlib.resources import files

import jsonschema
from support import results_sample
from support.results_sample import RUN, TASK, as_json, case, question

from grader.engine.worker import MarkedSubmission
from grader.model.results import CaseResult, RunResults, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.plugins.cluster.results import decode_marked, encode_marked
from grader.reports.html.pages import Pages
from grader.reports.views.audience import for_student
from grader.reports.views.case.case import case_view
from grader.reports.views.cohort.cohort import cohort_of
from grader.reports.views.cohort.run_warnings import warnings_of

NEAR = case("2.1", "f(1)", near_limit=True, cpu_s=1.4, wall_s=1.5, time_limit_s=2.0)
FAR = case("2.2", "f(2)", cpu_s=0.1, wall_s=0.2, time_limit_s=2.0)
TOLD = "near its limit: 1.4 s of 2 s"


def submission(name: str, *cases: CaseResult) -> SubmissionResult:
    return SubmissionResult(
        id=name,
        name=name.title(),
        mark=TASK.max_mark,
        max_mark=TASK.max_mark,
        status=Status.MARKED,
        questions=(question("2", 1, *cases),),
    )


def document(*submissions: SubmissionResult) -> RunResults:
    return RunResults(RUN, TASK, submissions)


def test_it_is_in_the_results_where_it_is_so_and_nowhere_else() -> None:
    found = document(submission("ada", NEAR, FAR))
    schema = files("grader.store").joinpath("grader-results-1.schema.json").read_text("utf-8")
    jsonschema.Draft202012Validator(json.loads(schema)).validate(as_json(found))
    near, far = as_json(submission("ada", NEAR, FAR))["questions"][0]["cases"]
    assert near["near_limit"] is True
    assert "near_limit" not in far


def test_it_survives_the_way_back_from_a_cluster() -> None:
    marked = MarkedSubmission(submission("ada", NEAR, FAR))
    assert decode_marked(encode_marked(marked)) == marked


def test_the_page_for_staff_names_it_at_the_top_and_beside_the_case() -> None:
    one = submission("ada", NEAR, FAR)
    near, far = one.questions[0].cases
    assert case_view(near, staff=True).meta == TOLD
    assert case_view(far, staff=True).meta == "100 ms of 2 s"
    assert Pages(document().run, document().task).staff(one).count("near its limit") == 2


def test_a_student_never_learns_of_it() -> None:
    one = submission("ada", NEAR)
    (shown,) = for_student(one, released=True).questions[0].cases
    assert not shown.near_limit
    assert case_view(one.questions[0].cases[0]).meta == "1.4 s of 2 s"
    assert "near its limit" not in Pages(document().run, document().task).student(one)


def test_the_cohort_names_the_students_and_their_cases() -> None:
    slow = case("2.3", "f(3)", Verdict.TIME_LIMIT, near_limit=True, cpu_s=2.2, wall_s=2.3, time_limit_s=2.0)
    found = document(submission("ada", NEAR, FAR), submission("bob", FAR), submission("eve", NEAR, slow))
    cohort = cohort_of(found)
    (warned,) = [one for one in warnings_of(found.run, cohort) if "limit" in one.title]
    assert warned.title == "2 cases near their time limit"
    assert [str(item) for item in warned.items] == [
        "2.1: 2 students, up to 1.4 s of 2 s (Ada and Eve)",
        "2.3: 1 student, up to 2.2 s of 2 s (Eve)",
    ]
    page = "".join(Pages(found.run, found.task).index(cohort))
    assert "2 cases near their time limit" in page


def test_one_case_is_one_case_and_none_is_no_warning() -> None:
    found = document(submission("ada", NEAR))
    (warned,) = [one for one in warnings_of(found.run, cohort_of(found)) if "limit" in one.title]
    assert warned.title == "1 case near its time limit"
    sample = results_sample.results()
    assert not [one for one in warnings_of(sample.run, cohort_of(sample)) if "limit" in one.title]
