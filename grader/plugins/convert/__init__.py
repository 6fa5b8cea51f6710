"""Turns the simple parts of other tools' tests into a spec.

Foreign files are read as text, by `ast`, YAML and JSON; nothing of them is imported or run, but generators of
a package's data where the user asks for it.  What is not certain to keep its meaning is left out and listed.
"""

from grader.plugins.convert.files import TOOLS, WITH_GENERATORS, read_tests
from grader.plugins.convert.write import Converted, written

__all__ = ["TOOLS", "WITH_GENERATORS", "Converted", "read_tests", "written"]
