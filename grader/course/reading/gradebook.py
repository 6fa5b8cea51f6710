"""Reads the gradebook, the scale and the rules for passing of a course file."""

from fractions import Fraction

from grader.course.course import (
    By,
    Column,
    Gradebook,
    PassRule,
    Scale,
    TaskColumn,
    WeightedColumn,
)
from grader.course.reading.keys import SHARE_HINT
from grader.course.reading.names import TaskNames
from grader.yamlfile import nodes
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.quantities import share
from grader.yamlfile.source import Span, shown
from grader.yamlfile.table import Fields

_OF_TASKS = ("by", "drop", "never drop", "missing")
_OF_COLUMNS = ("bonus", "at most", "step")


class GradebookReader:
    """Reads the part of a course file that says how marks become a result."""

    def __init__(self, course: Fields, names: TaskNames) -> None:
        self._course, self._names, self._reporter = course, names, course.reporter
        self._columns: dict[str, Column] = {}
        self._refused: set[str] = set()
        """Columns with a mistake: who names one of them makes none."""

    def gradebook(self) -> Gradebook:
        """Return the gradebook; what was reported is left out of it."""
        for key, fields in self._course["gradebook"] or ():
            if fields is None:
                self._refused.add(key.text)
                continue
            if fields.has("of") == fields.has("weights"):
                self._reporter.report(key.span, f"the column `{shown(key.text)}` needs `of`, or `weights`")
                self._refused.add(key.text)
                continue
            column = self._over_tasks(key, fields) if fields.has("of") else self._over_columns(key, fields)
            if column is not None:
                self._columns[column.id] = column
            else:
                self._refused.add(key.text)
        scale: Fields | None = self._course["scale"]
        rules = filter(None, (self._rule(each) for each in self._course["pass"] if each is not None))
        return Gradebook(
            columns=tuple(self._columns.values()),
            scale=self._scale(scale) if scale is not None else None,
            rules=tuple(rules),
        )

    def _over_tasks(self, key: Scalar, fields: Fields) -> TaskColumn | None:
        for other in fields.present(*_OF_COLUMNS):
            fields.report_key(other, f"`{other}` is for a column over columns, with `weights`")
        tasks = self._names.of(fields, "of")
        by: By | None = fields["by"]
        if by is None and not fields.has("by"):
            hint = "`share`: all tasks count alike; `marks`: a task of 20 marks counts twice one of 10"
            self._reporter.report(
                key.span, "`by` is missing: do tasks count by `share`, or by `marks`?", hint
            )
        drop: int = fields["drop"]
        kept = self._names.of(fields, "never drop")
        for other in sorted(set(kept) - set(tasks)):
            fields.report("never drop", f"`{other}` is not in this column")
        if tasks and drop >= len(tasks):
            fields.report("drop", f"of {len(tasks)} tasks at most {len(tasks) - 1} can be dropped")
        if by is None or not tasks:
            return None
        return TaskColumn(
            id=key.text,
            title=fields["title"] or key.text,
            tasks=tasks,
            by=by,
            drop=drop,
            never_drop=kept,
            missing=fields["missing"],
        )

    def _over_columns(self, key: Scalar, fields: Fields) -> WeightedColumn:
        for other in fields.present(*_OF_TASKS):
            fields.report_key(other, f"`{other}` is for a column over tasks, with `of`")
        weights, bonus = self._shares(fields, "weights"), self._shares(fields, "bonus")
        total = sum(weights.values(), Fraction(0))
        if weights and total != 1 and not self._reporter.found_any:
            hint = "what comes on top is `bonus`"
            fields.report("weights", f"the weights together are {float(total * 100):g}%, not 100%", hint)
        return WeightedColumn(
            id=key.text,
            title=fields["title"] or key.text,
            weights=weights,
            bonus=bonus,
            at_most=fields["at most"],
            step=fields["step"],
        )

    def _shares(self, fields: Fields, name: str) -> dict[str, Fraction]:
        node: nodes.Mapping | None = fields[name]
        found = {}
        for key, value in node.pairs if node is not None else ():
            part = share(value.text.strip()) if isinstance(value, Scalar) else None
            if self._is_column(key.text, key.span) and part is None:
                self._reporter.report(
                    value.span, f"the part of `{shown(key.text)}` must be a share", SHARE_HINT
                )
            if part is not None:
                found[key.text] = part
        return found

    def _is_column(self, name: str, span: Span) -> bool:
        if name in self._columns or name in self._refused:
            return name in self._columns
        hint = self._reporter.nearest_or_all(name, self._columns) or "a column uses those above it"
        self._reporter.report(span, f"there is no column `{shown(name)}` above", hint)
        return False

    def _scale(self, fields: Fields) -> Scale | None:
        column: str | None = fields["column"]
        node: nodes.Mapping | None = fields["steps"]
        if column is None or not self._is_column(column, fields.span("column")) or node is None:
            return None
        steps = [(share(key.text.strip()), value, key) for key, value in node.pairs]
        for least, value, key in steps:
            if least is None:
                self._reporter.report(key.span, f"`{shown(key.text)}` is no share", SHARE_HINT)
            if not isinstance(value, Scalar) or not value.text.strip():
                self._reporter.report(value.span, 'a grade is a short text, such as "1.0"')
        found = [
            (least, value.text)
            for least, value, _ in steps
            if least is not None and isinstance(value, Scalar)
        ]
        if found and min(found)[0] > 0 and not self._reporter.found_any:
            fields.report("steps", "the scale has no grade for less than its lowest share", "add one for 0%")
        return Scale(column, tuple(sorted(found, reverse=True)))

    def _rule(self, fields: Fields) -> PassRule | None:
        text: str | None = fields["at least"]
        if fields.has("column") == fields.has("count"):
            self._reporter.report(fields.place, "a rule for passing has `column`, or `count`")
        if text is None:
            return None
        if not fields.has("count"):
            column = fields["column"]
            least = share(text)
            if least is None:
                fields.report("at least", f"`{shown(text)}` is no share", SHARE_HINT)
            if column is None or not self._is_column(column, fields.span("column")) or least is None:
                return None
            return PassRule(share=least, column=column)
        tasks, each = self._names.of(fields, "count"), fields["with"]
        if each is None and not fields.has("with"):
            self._reporter.report(
                fields.place, "`with` is missing: which share does a task need to be counted?"
            )
        if not text.isdecimal() or not 0 < int(text[:6]) <= len(tasks):
            fields.report("at least", f"`{shown(text)}` must be a number of tasks, at most {len(tasks)}")
            return None
        return PassRule(share=each, tasks=tasks, count=int(text)) if each is not None else None
