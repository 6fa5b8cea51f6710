"""For a format of results: an LMS's sheet, a forge's annotations, a file of another tool.

Text of students goes into a file through the function for that medium alone: `csv_cell` into CSV, `visible`
into any other text.
"""

from grader.exports.format import Format
from grader.exports.job import Job, Row, rows
from grader.exports.lms.filling import Filling, fill, matched, number
from grader.exports.tree import replacing_tree
from grader.marking.rounding import csv_number
from grader.model.errors import Fault, UsageError
from grader.model.results import CaseResult, QuestionResult, RunResults, Status, SubmissionResult
from grader.records.sheet import Sheet
from grader.reports.escape import csv_cell, visible

__all__ = [
    "CaseResult",
    "Fault",
    "Filling",
    "Format",
    "Job",
    "QuestionResult",
    "Row",
    "RunResults",
    "Sheet",
    "Status",
    "SubmissionResult",
    "UsageError",
    "csv_cell",
    "csv_number",
    "fill",
    "matched",
    "number",
    "replacing_tree",
    "rows",
    "visible",
]
