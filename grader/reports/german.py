"""German words of the pages for students, by the English ones; see `grader.reports.words`."""

from collections.abc import Mapping

GERMAN: Mapping[str, str] = {}
