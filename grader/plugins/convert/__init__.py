"""Turns the simple parts of other tools' tests into a spec.

Foreign files are read as text, by `ast`, YAML and JSON; nothing of them is imported or run.  What is not
certain to keep its meaning is left out and listed.
"""

from grader.plugins.convert.files import TOOLS, read_tests
from grader.plugins.convert.write import Converted, written

__all__ = ["TOOLS", "Converted", "read_tests", "written"]
