"""The page over several reports: it leads to each, says what it holds, and lets nothing foreign in."""

import re
from html.parser import HTMLParser
from pathlib import Path

from support.results_sample import RUN, TASK, results, submissions

from grader.model.results import RunResults, Status, TaskHead
from grader.reports.html.overview import report_view, write_overview
from grader.reports.render import render_all


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


def links(page: str) -> _Links:
    parser = _Links()
    parser.feed(page)
    return parser


def test_it_leads_to_each_report(tmp_path: Path) -> None:
    names = ("first", "second task")
    for name in names:
        render_all(results(), tmp_path / name)
    write_overview(
        tmp_path / "index.html", "All", [report_view(name, results()) for name in names], took_s=68.2
    )
    page = (tmp_path / "index.html").read_text("utf-8")
    assert links(page).found == ["first/index.html", "second%20task/index.html"]
    assert "marked in 1 min 8 s" in page
    handed_in = sum(one.status is not Status.NO_SUBMISSION for one in submissions())
    assert f"2 tasks, {2 * handed_in} submissions" in page


def test_a_task_is_told_with_its_figures_and_what_needs_a_person() -> None:
    found = report_view("knights-tour", results())
    assert (found.id, found.title, found.took) == ("knights-tour", "Knight's Tour", "3 min 34 s")
    assert found.submissions == sum(one.status is not Status.NO_SUBMISSION for one in submissions())
    assert found.max_mark == "8"
    said = [need.title for need in found.needs]
    assert "1 mark is pending" in said
    assert "2 guarantees of the sandbox did not hold" in said


def test_a_task_without_a_mark_has_no_mean() -> None:
    found = report_view("empty", RunResults(RUN, TASK, []))
    assert (found.mean, found.submissions, found.tenths) == ("—", 0, 0)


def test_it_has_no_outside_resource_and_no_foreign_markup(tmp_path: Path) -> None:
    head = TaskHead(id="t", title='<img src="https://example.org/x">\u202e', max_mark=TASK.max_mark)
    path = tmp_path / "index.html"
    write_overview(path, "All", [report_view("<t>", RunResults(RUN, head, submissions()))], took_s=0.2)
    page = path.read_text("utf-8")
    assert "img" not in links(page).tags
    assert "script" not in links(page).tags
    assert "\u202e" not in page
    assert links(page).found == ["%3Ct%3E/index.html"]
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src &#39;none&#39;; style-src &#39;sha256-")


def test_a_task_is_told_with_its_distribution_and_its_dearest_question(tmp_path: Path) -> None:
    found = report_view("knights-tour", results())
    assert found.costly == "6 ordered_moves: 78 % lost"
    assert found.chart is not None
    assert found.needs[0].title == "1 mark is pending"  # the gravest first
    write_overview(tmp_path / "index.html", "All", [found], took_s=1)
    page = (tmp_path / "index.html").read_text("utf-8")
    assert f'role="img" aria-label="{found.chart.description}"' in page
    assert report_view("empty", RunResults(RUN, TASK, [])).chart is None
