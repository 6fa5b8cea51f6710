"""The names of a course's tasks and categories, where other keys use them."""

from collections.abc import Mapping

from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields


class TaskNames:
    """Finds the tasks that a key names.  categories: of each task, empty for none."""

    def __init__(self, categories: Mapping[str, str], reporter: Reporter) -> None:
        self.all = tuple(categories)
        self._reporter = reporter
        self._by_name = {
            **{
                category: tuple(task for task, its in categories.items() if its == category)
                for category in filter(None, categories.values())
            },
            **{task: (task,) for task in categories},
        }

    def of(self, fields: Fields, name: str) -> tuple[str, ...]:
        """Return the tasks that a key names, or whose categories it names, in the order of the course."""
        found: set[str] = set()
        for scalar in fields[name]:
            if scalar.text in self._by_name:
                found.update(self._by_name[scalar.text])
            else:
                message = f"there is no task or category `{shown(scalar.text)}`"
                self._reporter.report(
                    scalar.span, message, self._reporter.nearest_or_all(scalar.text, self._by_name)
                )
        return tuple(task for task in self.all if task in found)
