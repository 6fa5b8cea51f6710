"""Each case has a place on its pages that other pages can link to."""

import re

from support.results_sample import RUN, TASK, submissions

from grader.reports.html.pages import Pages
from grader.reports.views.anchor import case_anchor


def test_different_cases_have_different_places_that_need_no_escapes() -> None:
    names = ["3.1", "3_1", "3 1", "3.middle", "3.Middle", "3._1", "3._5f_1", 'a"><b', "größe", "#", ""]
    found = {case_anchor(name) for name in names}
    assert len(found) == len(names)
    assert all(re.fullmatch(r"c-[A-Za-z0-9._-]*", anchor) for anchor in found)


def test_the_page_for_staff_has_the_place_of_every_case() -> None:
    pages = Pages(RUN, TASK)
    for submission in submissions():
        page = pages.staff(submission)
        for question in submission.questions:
            for case in question.cases:
                assert page.count(f'id="{case_anchor(case.id)}"') == 1
