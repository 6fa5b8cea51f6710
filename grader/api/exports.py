"""For a format of results: an LMS's sheet, a forge's annotations, a file of another tool.

Text of students goes into a file through the function for that medium alone: `csv_cell` into CSV, `visible`
into any other text.
"""

from grader.exports.filling import Filling, chosen, fill, matched, number
from grader.exports.format import Format
from grader.exports.job import Job, Row, feedback, json_number, rows
from grader.exports.tree import replacing_tree
from grader.intake.names import listed
from grader.marking.rounding import csv_number
from grader.model.case import Visibility
from grader.model.errors import Fault, UsageError
from grader.model.results import CaseResult, QuestionResult, RunResults, Status, SubmissionResult
from grader.model.task import PageLanguage
from grader.model.verdict import Verdict
from grader.records.roster import PARTICIPANT
from grader.records.sheet import Sheet, heading
from grader.reports.escape import csv_cell, visible
from grader.reports.held import are_released
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import fact_lines
from grader.reports.views.case.case import case_view
from grader.reports.views.wording import verdict_wording
from grader.reports.words import say, speaking
from grader.reports.written_pages import STUDENT_FOLDER, page_path

__all__ = [
    "PARTICIPANT",
    "STUDENT_FOLDER",
    "CaseResult",
    "Fault",
    "Filling",
    "Format",
    "Job",
    "PageLanguage",
    "QuestionResult",
    "Row",
    "RunResults",
    "Sheet",
    "Status",
    "SubmissionResult",
    "UsageError",
    "Verdict",
    "Visibility",
    "are_released",
    "case_view",
    "chosen",
    "csv_cell",
    "csv_number",
    "fact_lines",
    "feedback",
    "fill",
    "heading",
    "json_number",
    "listed",
    "matched",
    "number",
    "page_path",
    "replacing_tree",
    "rows",
    "say",
    "speaking",
    "to_text",
    "verdict_wording",
    "visible",
]
