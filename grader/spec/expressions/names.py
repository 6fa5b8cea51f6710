"""How the things of a spec may be called."""

import re
from keyword import iskeyword

from grader.spec.expressions.evaluate import FUNCTIONS
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown

TASK_ID = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(?:-[a-z0-9]+)*")
TASK_ID_EXPECTED = "lower-case letters, digits and single hyphens, at most 64"
QUESTION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
QUESTION_ID_EXPECTED = "letters, digits, hyphens and underscores, at most 64"
CASE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
CASE_NAME_EXPECTED = "a letter, then letters, digits, hyphens and underscores, at most 64"


def is_python_name(text: str) -> bool:
    """Tell whether Python takes the text as a name."""
    return text.isidentifier() and not iskeyword(text)


def check_new_name(key: Scalar, taken: dict[str, str], reporter: Reporter) -> bool:
    """Check a name that the spec introduces; `taken` maps names to what they are already."""
    name = key.text
    if not is_python_name(name):
        reporter.report(key.span, f"`{shown(name)}` is not a Python name")
    elif name in FUNCTIONS:
        reporter.report(key.span, f"`{name}` is a function of expressions; choose another name")
    elif name in taken:
        reporter.report(key.span, f"`{shown(name)}` is {taken[name]} already; choose another name")
    else:
        return True
    return False
