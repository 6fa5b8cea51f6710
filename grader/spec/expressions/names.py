"""Names that a spec may introduce."""

from keyword import iskeyword

from grader.spec.expressions.evaluate import FUNCTIONS
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown


def is_python_name(text: str) -> bool:
    """Tell whether Python takes the text as a name."""
    return text.isidentifier() and not iskeyword(text)


def check_new_name(key: Scalar, taken: dict[str, str], reporter: Reporter) -> bool:
    """Check a name that the spec introduces.  taken: the names that have a meaning, with that meaning."""
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
