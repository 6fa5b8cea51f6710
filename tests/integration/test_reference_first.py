"""Before anybody is marked, the reference is marked by every case, and `mark` and `check` tell its faults."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done, grader, results, run
from support.trees import MakeTree

from grader.engine.proof.faults import faults_of
from grader.engine.proof.marking import mark_reference, mark_reference_in_threads
from grader.lab.tools import MarkingTools
from grader.model.verdict import Verdict
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import Zygote
from grader.spec import load_task

SPECS = Path(__file__).parents[2] / "specs"
HEAD = "task: leap\ntitle: Leap\nmarks: 1\nmodules: {leap: leap.py}\n"
QUESTION = 'questions:\n  - id: "1"\n    title: One\n    marks: 1\n    award: each\n    cases:\n'
REFERENCE = "def square(x):\n    return x * x * 1.0\n\n\ndef half(x):\n    return 10 // x\n"
WRONG = "      - {call: square(15), returns: 225}\n"
RIGHT = "      - {call: square(15), returns: 225.0}\n"
HIDDEN = "      - {call: square(15), returns: 225, visibility: hidden}\n"

MakeTask = Callable[..., Path]


@pytest.fixture
def make_task(make_folder: MakeTree) -> MakeTask:
    """Write a task with these cases, its reference, and three students with the reference's work."""

    def make(cases: str, reference: str = REFERENCE, more: str = "", **files: str) -> Path:
        spec = HEAD + "reference: reference\n" + more + QUESTION + cases
        tree = {"leap.yaml": spec, "reference/leap.py": reference}
        tree |= {f"batch/{name}/leap.py": reference for name in ("ada", "bob", "cyd")}
        return make_folder("task", {**tree, **{f"{name}.py": text for name, text in files.items()}})

    return make


def mark(work: Path, *options: str) -> Done:
    return grader("mark", "leap.yaml", "batch", "-o", "out", *options, cwd=work)


def errors(done: Done) -> list[str]:
    return [line for line in done.stderr.splitlines() if line.startswith("error: ")]


# -- refusing ------------------------------------------------------------------------------------------


def test_a_literal_that_the_reference_contradicts_is_refused(make_task: MakeTask) -> None:
    work = make_task(WRONG)
    done = mark(work)
    assert done.returncode == 3
    assert done.stdout == ""
    assert errors(done) == [
        "error: leap.yaml:12:37: the reference does not pass 1.1: expected 225 (int), got 225.0 (float)"
    ]
    assert not (work / "out").exists()


def test_an_exception_of_the_reference_is_no_right_answer(make_task: MakeTask) -> None:
    done = mark(make_task("      - {call: half(0), returns: same as reference}\n"))
    assert done.returncode == 3
    assert "the reference raises in 1.1: ZeroDivisionError" in done.stderr


def test_a_module_can_have_another_name_than_its_file(make_task: MakeTask) -> None:
    work = make_task("      - {call: square(15), returns: same as reference}\n")
    spec = (work / "leap.yaml").read_text()
    (work / "leap.yaml").write_text(spec.replace("modules: {leap: leap.py}", "modules: {jump: leap.py}"))
    assert mark(work).returncode == 0
    assert grader("try", "leap.yaml", cwd=work).returncode == 0
    replayed = grader("replay", "out", "ada", "1.1", "--to", "case", cwd=work)
    assert replayed.returncode == 0
    line = replayed.stdout.strip().rpartition("\n")[2]
    assert run(["sh", "-c", line], cwd=work).stdout == "225.0\n"


def test_an_answer_that_is_never_the_same_is_explained(make_task: MakeTask) -> None:
    clock = "import time\n\n\ndef now():\n    return time.monotonic_ns()\n"
    scenario = "      - {scenario: [{call: now(), returns: same as reference}]}\n"
    work = make_task("      - {call: now(), returns: same as reference}\n" + scenario, clock)
    done = mark(work)
    assert done.returncode == 3
    assert done.stderr.count("hint: the same call gave another answer: does it keep state,") == 2


def test_faults_of_hidden_cases_are_told_too(make_task: MakeTask) -> None:
    assert "the reference does not pass 1.2" in mark(make_task(RIGHT + HIDDEN)).stderr


def test_all_cases_are_tried_whatever_others_need(make_task: MakeTask) -> None:
    done = mark(make_task(WRONG + WRONG.replace("}", ', needs: "1.1"}')))
    assert len(errors(done)) == 2


def test_a_reference_that_cannot_be_imported_is_one_fault(make_task: MakeTask) -> None:
    done = mark(make_task(RIGHT + HIDDEN, reference="import absent\n\n\ndef square(x):\n    return x\n"))
    assert errors(done) == [
        "error: leap.yaml:12:16: the reference cannot be loaded: importing the module raised "
        "ModuleNotFoundError: No module named 'absent' (line 1 of leap.py). This task allows the standard "
        "library and your own files only (and in 1 more case)"
    ]


def test_a_reference_may_have_modules_of_its_own(make_task: MakeTask) -> None:
    work = make_task(RIGHT, reference="from helper import square\n")
    (work / "reference" / "helper.py").write_text(REFERENCE)
    assert mark(work).returncode == 0


def test_a_spec_without_a_reference_is_taken_as_it_is(make_task: MakeTask) -> None:
    work = make_task(WRONG)
    spec = work / "leap.yaml"
    spec.write_text(spec.read_text().replace("reference: reference\n", ""))
    assert mark(work).returncode == 0


def start() -> Zygote:
    return Zygote(Driver.NAMESPACES, find_interpreter(""))


def test_times_are_not_compared_with_the_reference_itself(make_task: MakeTask) -> None:
    work = make_task(RIGHT.replace("}", ", pace: {full: 1.5, none: 4}}"))
    spec = work / "leap.yaml"
    spec.write_text(spec.read_text().replace("award: each", "award: by-time"))
    task = load_task(spec)
    with MarkingTools(start, task) as tools:
        (result,) = mark_reference(task, tools).cases.values()
    assert result.verdict is Verdict.ACCEPTED
    assert result.timing is None


def test_threads_find_the_same(make_task: MakeTask, monkeypatch: pytest.MonkeyPatch) -> None:
    work = make_task(WRONG)
    spec = work / "leap.yaml"
    more = "".join(
        f'  - id: "{number}"\n    title: More\n    marks: 1\n    cases:\n{case}'
        for number, case in enumerate((RIGHT, HIDDEN, RIGHT.replace("225.0", "same as reference")), 2)
    )
    spec.write_text(spec.read_text().replace("marks: 1\nmod", "marks: 4\nmod") + more)
    task = load_task(spec)
    monkeypatch.setattr("grader.engine.proof.marking._ALONE_S", 0)
    alone, together = (mark_reference_in_threads(task, start, threads) for threads in (1, 3))
    assert faults_of(task, together) == faults_of(task, alone) != ()
    assert list(together.cases) == list(alone.cases)
    assert together.expectations == alone.expectations


def test_a_hidden_answer_does_not_reach_a_student(make_task: MakeTask) -> None:
    done = grader("check", "leap.yaml", "batch/ada", cwd=make_task(RIGHT + HIDDEN))
    assert done.returncode == 0, done.stderr


# -- marking anyway ------------------------------------------------------------------------------------


def test_marking_anyway_is_told_on_every_page(make_task: MakeTask) -> None:
    work = make_task(RIGHT + HIDDEN)
    done = mark(work, "--anyway")
    assert done.returncode == 0
    fault = "leap.yaml:13:37: the reference does not pass 1.2: expected 225 (int), got 225.0 (float)"
    assert results(work / "out")["run"]["spec_faults"] == [fault]
    assert "! Marked although the spec has 1 fault: leap.yaml:13:37" in done.stdout
    for page in ("index.html", "staff/ada.html"):
        assert fault in (work / "out" / page).read_text()
    student = (work / "out" / "students" / "ada.html").read_text()
    assert "Some tests of this task are being looked at again, so this mark may change." in student
    # Run and digest may have any digits.
    words = re.sub(r"\d{8}T\d{6}Z-\w+|\b[0-9a-f]{64}\b", "", student)
    assert "225" not in words.replace("225.0", "")
    assert "reference" not in student


def test_a_spec_that_was_mended_leaves_no_banner(make_task: MakeTask) -> None:
    work = make_task(WRONG)
    mark(work, "--anyway")
    spec = work / "leap.yaml"
    spec.write_text(spec.read_text().replace("returns: 225", "returns: 225.0"))
    done = mark(work)
    assert done.returncode == 0, done.stderr
    assert "spec_faults" not in results(work / "out")["run"]
    for page in ("index.html", "staff/ada.html", "students/ada.html"):
        text = (work / "out" / page).read_text()
        assert "Marked although" not in text
        assert "looked at again" not in text


def test_a_faulty_spec_is_refused_again_without_the_option(make_task: MakeTask) -> None:
    work = make_task(WRONG)
    mark(work, "--anyway")
    before = (work / "out" / "results.json").read_bytes()
    assert mark(work).returncode == 3
    assert (work / "out" / "results.json").read_bytes() == before


# -- paying once ---------------------------------------------------------------------------------------


@pytest.fixture
def counting(make_task: MakeTask) -> Path:
    """A task without a fault."""
    return make_task(RIGHT)


def proofs(done: Done) -> int:
    """Return how often the reference was marked, as `traced` tells."""
    return done.stderr.count("traced: ")


def traced(work: Path, *arguments: str) -> Done:
    """Run a command that traces each proof on stderr."""
    first = (
        "import sys\n"
        "from grader.engine.proof import prover\n"
        "found = prover.faults_of\n"
        "prover.faults_of = lambda *given: print('traced: proof', file=sys.stderr) or found(*given)\n"
    )
    return grader(*arguments, cwd=work, first=first)


MARK = ("mark", "leap.yaml", "batch", "-o", "out")
CHECK = ("check", "leap.yaml", "batch/ada")


@pytest.mark.parametrize("command", [MARK, CHECK], ids=["mark", "check"])
def test_the_reference_is_marked_once(counting: Path, command: tuple[str, ...]) -> None:
    assert proofs(traced(counting, *command)) == 1
    assert proofs(traced(counting, *command)) == 0


@pytest.mark.parametrize("command", [MARK, CHECK], ids=["mark", "check"])
@pytest.mark.parametrize("file", ["leap.yaml", "reference/leap.py"])
def test_a_change_is_proven_again(counting: Path, command: tuple[str, ...], file: str) -> None:
    traced(counting, *command)
    with (counting / file).open("a") as changed:
        changed.write("# more\n")
    assert proofs(traced(counting, *command)) == 1


def test_another_submission_needs_no_other_proof(counting: Path) -> None:
    traced(counting, *MARK)
    (counting / "batch" / "ada" / "leap.py").write_text("def square(x):\n    return 0\n")
    assert proofs(traced(counting, *MARK)) == 0


def test_a_run_that_keeps_nothing_proves_again(counting: Path) -> None:
    traced(counting, *MARK)
    assert proofs(traced(counting, *MARK, "--no-cache")) == 1


def test_other_questions_are_another_proof(counting: Path) -> None:
    spec = counting / "leap.yaml"
    more = RIGHT.replace("square(15), returns: 225.0", "half(5), returns: 2")
    spec.write_text(
        spec.read_text().replace("marks: 1\nmod", "marks: 2\nmod")
        + '  - id: "2"\n    title: Two\n    marks: 1\n    cases:\n'
        + more
    )
    traced(counting, *CHECK, "-q", "1")
    assert proofs(traced(counting, *CHECK, "-q", "1")) == 0
    assert proofs(traced(counting, *CHECK, "-q", "2")) == 1


# -- check ---------------------------------------------------------------------------------------------


def test_a_check_refuses_a_spec_that_its_reference_contradicts(make_task: MakeTask) -> None:
    work = make_task(WRONG)
    for _ in range(2):
        done = grader("check", "leap.yaml", "batch/ada", cwd=work)
        assert done.returncode == 3
        assert "the reference does not pass 1.1" in done.stderr
    assert grader("check", "leap.yaml", "batch/ada", "--anyway", cwd=work).returncode == 1


# -- alarms --------------------------------------------------------------------------------------------


def test_a_case_that_nobody_passed_is_an_alarm(make_task: MakeTask) -> None:
    work = make_task(RIGHT + RIGHT.replace("15", "3").replace("225.0", "9.0"))
    for name in ("ada", "bob", "cyd"):
        (work / "batch" / name / "leap.py").write_text("def square(x):\n    return 225.0\n")
    done = mark(work)
    assert done.returncode == 0
    told = " ".join(done.stderr.split())
    assert "! Nobody passed 1 case: 1.2: none of 3, all with the same outcome: wrong answer, 225.0." in told
    assert "Nobody passed" not in done.stdout
    page = (work / "out" / "index.html").read_text()
    assert "Nobody passed 1 case" in page
    assert {one["mark"] for one in results(work / "out")["submissions"]} == {"0.5"}


# -- the samples ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", sorted(SPECS.glob("*.yaml")), ids=lambda spec: spec.stem)
def test_the_references_of_the_samples_pass(spec: Path) -> None:
    task = load_task(spec)

    def with_packages() -> Zygote:
        return Zygote(Driver.NAMESPACES, find_interpreter(task.python), task.preloaded)

    assert faults_of(task, mark_reference_in_threads(task, with_packages, 1)) == ()
