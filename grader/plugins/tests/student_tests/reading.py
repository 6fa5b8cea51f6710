"""Reads a case that tries a student's own tests on programs of the instructor's."""

from dataclasses import replace

from grader.model.case import Case, StudentTests
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import is_python_name
from grader.spec.reference.files import read_attached_at, text_of
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting


def decode_student_tests(context: Context, fields: Fields, common: Case) -> Case:
    """Return a case that tries a student's own tests.  Raises Unusable."""
    if not fields.has("against"):
        hint = "such as {module: leap, right: [right/leap.py], wrong: [wrong/century.py]}"
        fields.report_key("student tests", "`student tests` needs `against`: programs of yours", hint)
    with collecting() as take:
        module = take(_tests, context, fields)
        against: Fields = fields.needed("against")
        program = take(_program, against, module)
        right, wrong = take(_programs, context, against, "right"), take(_programs, context, against, "wrong")
    tried = StudentTests(module=module, program=program, right=right, wrong=wrong)
    text = f"{module}.py on {len(right)} right and {len(wrong)} wrong programs"
    return replace(common, text=text, what=tried)


def _tests(context: Context, fields: Fields) -> str:
    """Return the module with the student's tests.  Raises Unusable."""
    module: str = fields.needed("student tests")
    if not context.is_module(module, fields.span("student tests")):
        raise Unusable
    return module


def _program(against: Fields, tests: str) -> str:
    """Return the name of the programs as the tests import it.  Raises Unusable."""
    program: str = against.needed("module")
    if not is_python_name(program):
        against.report("module", f"`{shown(program)}` is not the name of a Python module")
        raise Unusable
    if program == tests:
        against.report("module", "the tests and the programs have the same name")
        raise Unusable
    return program


def _programs(context: Context, against: Fields, key: str) -> tuple[str, ...]:
    """Return the texts of programs.  Raises Unusable."""
    texts = []
    for scalar in against.needed(key):
        content = read_attached_at(against, key, scalar.text, context.attached)
        try:
            texts.append(text_of(content))
        except (SyntaxError, UnicodeDecodeError) as error:
            against.reporter.report(scalar.span, f"{shown(scalar.text)} can't be read as Python: {error}")
            raise Unusable from None
    if not texts:
        against.report(key, f"`{key}` names no program")
        raise Unusable
    return tuple(texts)
