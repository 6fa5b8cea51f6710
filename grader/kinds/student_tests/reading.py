"""Reads a case that tries a student's own tests on programs of the instructor's."""

from dataclasses import replace

from grader.model.case import Case, StudentTests
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import is_python_name
from grader.spec.reference.files import read_attached_at, text_of
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields


def decode_student_tests(context: Context, fields: Fields, common: Case) -> Case | None:
    """Return a case that tries a student's own tests; None if a mistake was reported."""
    module: str | None = fields["student tests"]
    if module is not None and not context.is_module(module, fields.span("student tests")):
        module = None
    if not fields.has("against"):
        hint = "such as {module: leap, right: [right/leap.py], wrong: [wrong/century.py]}"
        fields.report_key("student tests", "`student tests` needs `against`: programs of yours", hint)
        return None
    against: Fields | None = fields["against"]
    if against is None:
        return None
    program: str | None = against["module"]
    if program is not None and not is_python_name(program):
        against.report("module", f"`{shown(program)}` is not the name of a Python module")
        program = None
    if program is not None and program == module:
        against.report("module", "the tests and the programs have the same name")
    right, wrong = _programs(context, against, "right"), _programs(context, against, "wrong")
    if module is None or program is None or not right or not wrong:
        return None
    tried = StudentTests(module=module, program=program, right=right, wrong=wrong)
    text = f"{module}.py on {len(right)} right and {len(wrong)} wrong programs"
    return replace(common, text=text, what=tried)


def _programs(context: Context, against: Fields, key: str) -> tuple[str, ...]:
    """Return the texts of programs; none if a mistake was reported."""
    texts = []
    for scalar in against[key] or ():
        content = read_attached_at(against, key, scalar.text, context.attached)
        if content is None:
            return ()
        try:
            texts.append(text_of(content))
        except (SyntaxError, UnicodeDecodeError) as error:
            against.reporter.report(scalar.span, f"{shown(scalar.text)} can't be read as Python: {error}")
            return ()
    return tuple(texts)
