"""The results document: its shape, its schema, and its way to the file and back."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support import every_detail
from support.results_sample import RUN, TASK, as_json, case, question, results, submissions

from grader.model.results import RunResults, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.store.reading import read_results, stream_results
from grader.store.results_json import submission_of, write_results
from grader.store.schema import results_schema

SCHEMA = json.loads(files("grader.store").joinpath("grader-results-1.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_real_document_meets_the_schema() -> None:
    VALIDATOR.validate(as_json(results()))


def test_a_document_without_submissions_meets_the_schema() -> None:
    VALIDATOR.validate(as_json(RunResults(RUN, TASK, [])))


def test_the_schema_names_every_verdict() -> None:
    assert SCHEMA["$defs"]["verdict"]["enum"] == [verdict.value for verdict in Verdict]


def test_the_sample_has_every_verdict_and_status() -> None:
    students = submissions()
    cases = [case for one in students for question in one.questions for case in question.cases]
    assert {case.verdict for case in cases} == set(Verdict)
    assert {one.status for one in students} == set(Status)


def test_every_key_that_is_written_is_described() -> None:
    def undescribed(value: Any, schema: dict[str, Any], path: str) -> Iterator[str]:
        if "$ref" in schema:
            schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
        if "anyOf" in schema:
            schema = next(one for one in schema["anyOf"] if one.get("type") != "null")
            yield from undescribed(value, schema, path)
        elif isinstance(value, dict) and "additionalProperties" not in schema:
            for key, item in value.items():
                if key in schema["properties"]:
                    yield from undescribed(item, schema["properties"][key], f"{path}.{key}")
                else:
                    yield f"{path}.{key}"
        elif isinstance(value, list):
            for item in value:
                yield from undescribed(item, schema["items"], path)

    assert list(undescribed(as_json(results()), SCHEMA, "")) == []


def test_a_later_version_may_add_keys() -> None:
    grown = as_json(results())
    grown["run"]["added"] = 1
    grown["submissions"][0]["questions"][0]["cases"][0]["added"] = [1]
    VALIDATOR.validate(grown)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), "grader-results/2"),
        (("submissions", 0, "mark"), 9.5),
        (("submissions", 0, "mark"), "1/3"),
        (("submissions", 0, "status"), "done"),
        (("submissions", 0, "sha256"), "xyz"),
        (("submissions", 0, "questions", 0, "verdict"), "ok"),
        (("submissions", 0, "questions", 0, "cases", 0, "cpu_s"), -1),
        (("submissions", 0, "questions", 0, "cases", 0, "raised"), "text"),
        (("run", "sandbox", "guarantees", "network"), "yes"),
    ],
)
def test_the_schema_refuses_what_is_wrong(path: tuple[str | int, ...], value: object) -> None:
    wrong = as_json(results())
    place = wrong
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(wrong)


def test_marks_are_exact_texts() -> None:
    sixth = as_json(results())["submissions"][0]["questions"][5]
    assert (sixth["mark"], sixth["max_mark"]) == ("4/3", "2")
    assert sixth["cases"][1]["score"] == "0.5"


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_results(path, results())
    assert read_results(path) == results()


def test_what_is_written_one_at_a_time_is_the_same_file(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    write_results(whole, results())
    write_results(parts, RunResults(RUN, TASK, iter(submissions())))
    assert parts.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("indent", [None, 2])
def test_streaming_reads_the_same_as_often_as_asked(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "results.json"
    if indent:
        path.write_text(json.dumps(as_json(results()), indent=indent), "utf-8")
    else:
        write_results(path, results())
    streamed = stream_results(path)
    assert list(streamed.submissions) == results().submissions
    assert list(streamed.submissions) == results().submissions
    assert replace(streamed, submissions=()) == replace(results(), submissions=())


def test_streaming_a_run_without_submissions(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_results(path, RunResults(RUN, TASK))
    assert list(stream_results(path).submissions) == []
    assert read_results(path).submissions == []


def test_there_is_a_line_for_each_submission(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_results(path, results())
    lines = path.read_text("ascii").splitlines()
    assert sum(line.startswith('{"id": "student-0') for line in lines) == len(submissions())


def test_half_a_surrogate_pair_does_not_spoil_the_file(tmp_path: Path) -> None:
    cut = case("1.1", "f()", Verdict.WRONG_ANSWER, actual="'\ud83d'", stdout="\x1b[31m\udcff")
    student = SubmissionResult(
        id="a", name="A\udc80", mark=Fraction(0), max_mark=Fraction(8), status=Status.MARKED,
        questions=(question("1", 0, cut),),
    )  # fmt: skip
    path = tmp_path / "results.json"
    write_results(path, RunResults(RUN, TASK, [student]))
    assert b"\x1b" not in path.read_bytes()
    (found,) = read_results(path).submissions
    assert found.name == "A\\udc80"
    assert found.questions[0].cases[0].actual == "'\\ud83d'"


def test_a_failure_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_results(path, results())
    before = path.read_bytes()

    def failing() -> Iterator[SubmissionResult]:
        yield submissions()[0]
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        write_results(path, RunResults(RUN, TASK, failing()))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["results.json"]


# -- one codec ---------------------------------------------------------------------------------------

OLD_FILE = Path(__file__).parents[2] / "data" / "results" / "every_detail.json"
"""Written before there was one codec, with new fields added by hand; all of `every_detail.submissions`."""


def test_the_shipped_schema_is_the_generated_one() -> None:
    assert json.loads(json.dumps(results_schema())) == SCHEMA


def test_a_file_is_written_byte_for_byte_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    faults = ("t.yaml:12:18: the reference does not pass 1.1",)
    run = replace(RUN, tools={"ruff": "0.17.5"}, spec_faults=faults)
    write_results(path, RunResults(run, TASK, every_detail.submissions()))
    assert path.read_bytes() == OLD_FILE.read_bytes()


@pytest.mark.parametrize("read", [read_results, stream_results])
def test_an_old_file_reads_the_same(tmp_path: Path, read: Callable[[Path], RunResults]) -> None:
    path = tmp_path / "results.json"
    write_results(path, read(OLD_FILE))
    assert path.read_bytes() == OLD_FILE.read_bytes()
    whole, waiting, absent, by_policy = read(OLD_FILE).submissions
    first, second, third, fourth = every_detail.submissions()
    assert by_policy == fourth
    assert waiting == second
    assert absent == replace(third, submitted="")  # it is written beside a deadline alone
    cases, sent = whole.questions[0].cases, first.questions[0].cases
    assert cases[2:4] == sent[2:4]
    assert cases[5:] == sent[5:]
    assert cases[0].pictures == sent[0].pictures


def test_the_sample_has_every_field(tmp_path: Path) -> None:
    """Fails for a new field that the test data do not hold."""
    seen: dict[tuple[str, str], bool] = {}

    def look(value: object) -> None:
        if isinstance(value, tuple | list):
            for each in value:
                look(each)
        if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                found = getattr(value, field.name)
                place = type(value).__name__, field.name
                seen[place] = seen.get(place, False) or found not in ("", None, (), 0, False)
                look(found)

    look(every_detail.submissions())
    assert [place for place, is_there in seen.items() if not is_there] == [
        ("CaseResult", "withheld"),
        ("Raised", "suggestion"),  # the message has it
        ("Person", "id"),  # the submission has it
    ]


def test_a_word_that_a_later_version_added_is_kept(tmp_path: Path) -> None:
    plain = as_json(submissions()[0])
    plain["questions"][0]["verdict"] = "puzzled"
    plain["questions"][0]["cases"][0]["visibility"] = "staff-only"
    found = submission_of(json.dumps(plain))
    assert found.questions[0].verdict == "puzzled"
    assert found.questions[0].cases[0].visibility == "staff-only"
