"""Which cases of a submission run, and what becomes of those that do not."""

from fractions import Fraction
from pathlib import Path

from support.marking import cases, mark, question, verdicts

LOOPS = "def right():\n    return 1\n\n\ndef loops():\n    while True:\n        pass\n"
SHORT = "limits: {time: 0.2s}"


def test_a_time_limit_that_decides_the_mark_skips_the_rest_of_the_question(tmp_path: Path) -> None:
    spec = question(
        "{call: right(), returns: 1}",
        f"{{call: loops(), returns: 1, {SHORT}}}",
        f"{{call: loops(), returns: 1, {SHORT}}}",
        "{call: right(), returns: 1}",
        award="all",
    )
    result = mark(tmp_path, spec, LOOPS)
    assert verdicts(result) == {"1.1": "accepted", "1.2": "time-limit", "1.3": "skipped", "1.4": "skipped"}
    assert "1.2" in cases(result)["1.3"].message
    # CPU time, so that a busy machine makes no difference: the limit of 0.2 s and a little more.
    assert 0.2 <= cases(result)["1.2"].cpu_s < 0.7
    assert result.mark == 0


def test_where_each_case_counts_a_time_limit_costs_one_case(tmp_path: Path) -> None:
    spec = question(f"{{call: loops(), returns: 1, {SHORT}}}", "{call: right(), returns: 1}")
    result = mark(tmp_path, spec, LOOPS)
    assert verdicts(result) == {"1.1": "time-limit", "1.2": "accepted"}
    assert result.mark == Fraction(1, 2)


def test_the_budget_of_a_submission_ends_it(tmp_path: Path) -> None:
    loops = f"{{call: loops(), returns: 1, {SHORT}}}"
    spec = "budget: 2s\n" + question(*[loops] * 15)
    result = mark(tmp_path, spec, LOOPS)
    found = list(verdicts(result).values())
    assert found[0] == "time-limit"
    assert found[-1] == "skipped"
    assert "whole submission" in cases(result)["1.15"].message


def test_a_case_waits_for_the_cases_it_needs(tmp_path: Path) -> None:
    spec = question(
        "{call: right(), returns: 1}",
        '{call: right(), returns: 1, needs: ["1.1"]}',
        "{call: right(), returns: 2}",
        '{call: right(), returns: 1, needs: ["1.3"]}',
        '{call: right(), returns: 1, needs: ["1.4"]}',
    )
    result = mark(tmp_path, spec, LOOPS)
    assert list(verdicts(result).values()) == ["accepted", "accepted", "wrong-answer", "skipped", "skipped"]
    assert "1.3" in cases(result)["1.4"].message


def test_what_ends_a_process_costs_one_case(tmp_path: Path) -> None:
    work = """
        import os
        def leave(status):
            os._exit(status)
        def eat():
            return len(bytearray(8 << 30))
        def flood():
            while True:
                print("x" * 1000)
        def deep(n):
            return 0 if n == 0 else deep(n - 1)
        def right():
            return 1
    """
    right = "{call: right(), returns: 1}"
    spec = question(
        "{call: leave(0), returns: 1}",
        right,
        "{call: eat(), returns: 1}",
        right,
        "{call: flood(), returns: 1}",
        right,
        "{call: deep(100000), returns: 0}",
        right,
        "{call: absent(), returns: 1}",
        right,
    )
    found = list(verdicts(mark(tmp_path, spec, work)).values())
    assert found[::2] == ["crashed", "memory-limit", "output-limit", "exception", "missing"]
    assert set(found[1::2]) == {"accepted"}


def test_an_import_that_fails_fails_every_case_and_says_how(tmp_path: Path) -> None:
    spec = question("{call: right(), returns: 1}", "{call: right(), returns: 2}")
    result = mark(tmp_path, spec, "x = 1\nraise ValueError('no luck')\n")
    assert set(verdicts(result).values()) == {"load-error"}
    case = cases(result)["1.1"]
    assert "no luck" in case.message
    assert case.raised is not None
    assert [(frame.line, frame.source) for frame in case.raised.frames] == [
        (2, "raise ValueError('no luck')")
    ]


def test_an_import_that_exits_is_a_load_error(tmp_path: Path) -> None:
    result = mark(tmp_path, question("{call: right(), returns: 1}"), "import os\nos._exit(0)\n")
    assert verdicts(result) == {"1.1": "load-error"}
    assert "exit status 0" in cases(result)["1.1"].message


def test_a_module_that_was_not_handed_in_is_named(tmp_path: Path) -> None:
    result = mark(tmp_path, question("{call: right(), returns: 1}"), {"other": "x = 1\n"})
    assert verdicts(result) == {"1.1": "load-error"}
    assert "work.py" in cases(result)["1.1"].message


def test_modules_of_a_submission_import_one_another(tmp_path: Path) -> None:
    sources = {
        "work": "from helper import base\ndef right():\n    return base + 1\n",
        "helper": "base = 41\n",
    }
    assert verdicts(mark(tmp_path, question("{call: right(), returns: 42}"), sources)) == {"1.1": "accepted"}
