"""The task's own files: every kind of case finds them, and they go wherever the task goes."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import Done, grader, submissions
from support.marking import cases, mark, verdicts

from grader.sandbox.driver import Driver
from grader.spec import load_task

FILES = """
files:
  euro.csv: {from: data/euro.csv}
  more: {from: data}
  note.txt: "hello\\n"
"""
TABLE = "DE,1.5\nFR,2.5\n"
READ = "with open('euro.csv') as file:\n    RATES = dict(line.strip().split(',') for line in file)\n"
ONE = '\nquestions:\n  - id: "1"\n    title: One\n    marks: 1\n    award: each\n    cases:\n'
RATE = f"{READ}\n\ndef rate(c):\n    return float(RATES[c])\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data" / "inner").mkdir(parents=True)
    (tmp_path / "data" / "euro.csv").write_text(TABLE)
    (tmp_path / "data" / "inner" / "bytes.bin").write_bytes(bytes(range(256)))
    (tmp_path / "data" / ".hidden").write_text("not this")
    return tmp_path


def spec(*lines: str, more: str = "") -> str:
    return FILES + more + ONE + "\n".join(f"      {line}" for line in lines) + "\n"


# -- every driver, every kind ------------------------------------------------------------------------------


@pytest.mark.parametrize("driver", [*Driver][:4])
def test_a_module_finds_them_while_it_is_imported(driver: Driver, folder: Path) -> None:
    text = spec("- {call: rate('DE'), returns: 1.5}", "- {call: rate('FR'), returns: same as reference}")
    result = mark(folder, text, RATE, reference=RATE, driver=driver)
    assert set(verdicts(result).values()) == {"accepted"}


@pytest.mark.parametrize("driver", [*Driver][:4])
def test_all_boxes_of_a_run_share_one_copy(driver: Driver, folder: Path) -> None:
    """A file of 100 MB costs a case nothing: it is the same one, on the same disk, in each box."""
    (folder / "task.yaml").write_text(
        "task: shared\ntitle: Shared\nmarks: 1\nmodules: {work: work.py}\n"
        + spec("- {call: where(1), returns: 0}", "- {call: where(2), returns: 0}")
    )
    for student in ("a", "b"):
        (folder / "in" / student).mkdir(parents=True)
        (folder / "in" / student / "work.py").write_text(
            f"import os\nFOUND = os.stat('euro.csv')\n"
            f"def where(n): return [FOUND.st_dev, FOUND.st_ino]  # {student}\n"
        )
    grader("mark", folder / "task.yaml", folder / "in", "-o", folder / "out", GRADER_DRIVER=str(driver))
    told = [
        case["message"]
        for one in submissions(folder / "out").values()
        for case in one["questions"][0]["cases"]
    ]
    assert len(told) == 4
    assert "got [" in told[0]
    assert len({*told}) == 1, told


KINDS = {
    "call": ("- {call: rate('DE'), returns: 1.5}", RATE),
    "several calls": ("- {sum: rate(c), over: {c: \"['DE', 'FR']\"}, returns: 4.0}", RATE),
    "scenario": ("- scenario: [{call: rate('DE'), returns: 1.5}, {call: rate('FR'), returns: 2.5}]", RATE),
    "program": ('- {program: work, stdout: "1.5\\n"}', f"{READ}print(RATES['DE'])\n"),
    "dialogue": (
        '- {program: work, dialogue: [{says: "c? ", answer: FR}], stdout: "2.5\\n"}',
        f"{READ}print(RATES[input('c? ')])\n",
    ),
    "bytes": (
        "- {call: size(), returns: \"(256, ['bytes.bin'], 'hello', 3)\"}",
        "import os\n\n\ndef size():\n    content = open('more/inner/bytes.bin', 'rb').read()\n"
        "    names = os.listdir('more/inner')\n"
        "    return len(content), names, open('note.txt').read().strip(), len(os.listdir('.'))\n",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_case_finds_them(kind: str, folder: Path) -> None:
    case, work = KINDS[kind]
    result = mark(folder, spec(case), work)
    assert set(verdicts(result).values()) == {"accepted"}, [each.message for each in cases(result).values()]


def test_test_files_find_them_and_may_name_them(folder: Path) -> None:
    (folder / "test_work.py").write_text(
        "import work\n\n\ndef test_rate():\n    assert work.rate('DE') == 1.5\n\n\n"
        "def test_reads():\n    assert open('euro.csv').read().startswith('DE')\n\n\n"
        "def test_named():\n    assert work.lines('euro.csv') == 2\n"
    )
    work = f"{RATE}\n\ndef lines(name):\n    return len(open(name).readlines())\n"
    result = mark(folder, spec("- pytest: test_work.py"), work)
    assert list(verdicts(result).values()) == ["accepted"] * 3, [
        each.message for each in cases(result).values()
    ]


def test_own_tests_of_students_find_them(folder: Path) -> None:
    (folder / "right.py").write_text(RATE)
    (folder / "wrong.py").write_text(RATE.replace("float(RATES[c])", "0.0"))
    text = spec("- {student tests: work, against: {module: rates, right: [right.py], wrong: [wrong.py]}}")
    work = (
        "import rates\n\n\ndef test_it():\n    assert rates.rate('DE') == 1.5\n    assert open('note.txt')\n"
    )
    assert set(verdicts(mark(folder, text, work)).values()) == {"accepted"}


def test_programs_in_other_languages_find_them(folder: Path) -> None:
    text = spec('- {program: work, stdout: "D"}', more="toolchains: c\n")
    work = '#include <stdio.h>\nint main(void) { putchar(fgetc(fopen("euro.csv", "r"))); return 0; }\n'
    result = mark(folder, text, {"work.c": work})
    assert set(verdicts(result).values()) == {"accepted"}, [each.message for each in cases(result).values()]


def test_checkers_find_them(folder: Path) -> None:
    checker = "TABLE = open('euro.csv').read()\n\n\ndef known(answer):\n    return str(answer) in TABLE\n"
    text = spec("- {call: rate('DE'), check: known()}")
    assert set(verdicts(mark(folder, text, RATE, checkers=checker)).values()) == {"accepted"}


# -- a case's own files on top -----------------------------------------------------------------------------

TWICE = (
    f"{RATE}\n\ndef again(c):\n    return float(dict(l.strip().split(',') for l in open('euro.csv'))[c])\n"
)


def test_a_file_of_a_case_hides_the_tasks_for_that_case(folder: Path) -> None:
    text = spec(
        "- {call: again('DE'), returns: 9.0, files: {euro.csv: \"DE,9\\n\", more/other.txt: x}}",
        "- {call: rate('DE'), returns: 1.5, files: {euro.csv: \"DE,9\\n\"}}",
        "- {call: again('DE'), returns: 1.5}",
    )
    assert set(verdicts(mark(folder, text, TWICE)).values()) == {"accepted"}
    assert (folder / "data" / "euro.csv").read_text() == TABLE


def test_a_program_that_replaces_one_leaves_it_for_its_case_alone(folder: Path) -> None:
    work = (
        "import os\n\n\ndef replace():\n    open('new', 'w').write('DE,7\\n')\n"
        "    os.replace('new', 'euro.csv')\n"
        "    return open('euro.csv').read()\n\n\ndef look():\n    return open('euro.csv').read()\n"
    )
    text = spec(
        '- {call: replace(), returns: "\'DE,7\\\\n\'", leaves: {euro.csv: "DE,7\\n"}}',
        "- {call: look(), returns: \"'DE,1.5\\\\nFR,2.5\\\\n'\"}",
        "- {call: look(), returns: \"'DE,1.5\\\\nFR,2.5\\\\n'\", leaves: [euro.csv]}",
    )
    # One that the program leaves alone is there, as it is.
    assert [*verdicts(mark(folder, text, work)).values()] == ["accepted"] * 3


# -- messages ----------------------------------------------------------------------------------------------


OWN = "what lies beside a program that is handed in does not come along"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("dollar.csv", f"The files here are euro.csv, more/euro.csv, more/inner/bytes.bin, note.txt; {OWN}"),
        ("data/euro.csv", "It lies here as euro.csv: open it by that name"),
        ("C:\\\\Users\\\\me\\\\EURO.CSV", "It lies here as euro.csv: open it by that name"),
    ],
)
def test_a_missing_file_says_which_are_there(name: str, told: str, folder: Path) -> None:
    at_the_top = mark(folder, spec("- {call: rate('DE'), returns: 1.5}"), RATE.replace("euro.csv", name))
    (message,) = (each.message for each in cases(at_the_top).values())
    assert message.startswith("importing the module raised FileNotFoundError")
    assert message.endswith(told)


def test_a_task_without_files_says_so(tmp_path: Path) -> None:
    result = mark(tmp_path, ONE + "      - {call: rate('DE'), returns: 1.5}\n", RATE)
    (message,) = (each.message for each in cases(result).values())
    assert message.endswith(f"There are no files here; {OWN}")


# -- wherever a task goes ----------------------------------------------------------------------------------


@pytest.fixture
def task(folder: Path) -> Path:
    """A task on disk with one submission; returns its spec."""
    head = "task: rates\ntitle: Rates\nmarks: 1\nreference: reference\nmodules: {work: work.py}\n"
    path = folder / "rates.yaml"
    path.write_text(head + spec("- {call: rate('DE'), returns: same as reference}"))
    for place in ("reference", "submissions/student-01"):
        (folder / place).mkdir(parents=True)
        (folder / place / "work.py").write_text(RATE)
    return path


def marked(task: Path, *more: str) -> Done:
    return grader("mark", task, task.parent / "submissions", "-o", task.parent / "out", *more)


def test_a_file_that_changed_marks_again(task: Path) -> None:
    assert "1 of 1" in marked(task).stdout
    assert "unchanged" in marked(task).stderr
    (task.parent / "data" / "euro.csv").write_text("FR,2.5\n")
    work = task.parent / "reference" / "work.py"
    work.write_text(f"{RATE}\nRATES.setdefault('DE', '1.5')\n")
    done = marked(task)
    assert "unchanged" not in done.stderr
    assert "0 of 1" in done.stdout


def test_nothing_is_left_on_the_machine(task: Path, tmp_path: Path) -> None:
    (temporary := tmp_path / "tmp").mkdir()
    temporary.chmod(0o755)
    done = grader("mark", task, task.parent / "submissions", "-o", task.parent / "out", TMPDIR=str(temporary))
    assert done.returncode == 0, done.stderr
    assert list(temporary.iterdir()) == []


def test_a_handout_has_them_and_checks_by_itself(task: Path, tmp_path: Path) -> None:
    hand = tmp_path / "hand"
    done = grader("bundle", task, "-o", hand)
    assert done.returncode == 0, done.stderr
    assert (hand / "euro.csv").read_text() == TABLE
    assert (hand / "more" / "inner" / "bytes.bin").read_bytes() == bytes(range(256))
    assert load_task(hand / "rates.yaml").data == load_task(task).data
    (hand / "work.py").write_text(RATE)
    checked = grader("check", cwd=hand)
    assert checked.returncode == 0, checked.stdout
    # A student runs the program without the grader, too.
    subprocess.run([sys.executable, "-c", "import work"], cwd=hand, check=True)


def test_a_replay_takes_them_from_the_record(task: Path, tmp_path: Path) -> None:
    marked(task)
    shutil.rmtree(task.parent / "data")
    there = tmp_path / "replayed"
    done = grader("replay", task.parent / "out", "student-01", "1.1", "--to", there)
    assert "The same verdict as recorded: accepted." in done.stdout, done.stdout + done.stderr
    assert (there / "euro.csv").read_text() == TABLE
    alone = subprocess.run([sys.executable, "grader_replay.py"], cwd=there, capture_output=True, text=True)
    assert alone.stdout == "1.5\n"


def test_a_student_checks_with_no_sandbox_at_all(task: Path) -> None:
    for driver in ("posix", "portable"):
        done = grader("check", task, task.parent / "reference" / "work.py", GRADER_DRIVER=driver)
        assert done.returncode == 0, done.stdout + done.stderr


BESIDE = {
    "the folder of it": "os.chdir(os.path.dirname(__file__)); open('conf.txt')",
    "added": "open(os.path.dirname(__file__) + '/conf.txt')",
    "split": "open(os.path.split(__file__)[0] + '/conf.txt')",
    "by its parts": "open('/'.join(__file__.split('/')[:-1]) + '/conf.txt')",
    "from the right": "open(__file__.rsplit('/', 1)[0] + '/conf.txt')",
    "joined": "open(os.path.join(os.path.dirname(__file__), 'conf.txt'))",
    "absolute": "open(os.path.dirname(os.path.abspath(__file__)) + '/conf.txt')",
    "a path": "open(Path(__file__).parent / 'conf.txt')",
    "what was typed": "open(Path(sys.argv[0]).resolve().parent / 'conf.txt')",
}


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
@pytest.mark.parametrize("way", BESIDE)
def test_a_file_beside_a_program_is_found_by_its_own_place(tmp_path: Path, way: str, driver: Driver) -> None:
    before, _, opened = BESIDE[way].rpartition("; ")
    work = f"import os, sys\nfrom pathlib import Path\n{before}\ntext = {opened}.read().strip()\n"
    wanted = ['{program: work, stdout: "5\\n"}']
    if "argv" not in opened:
        wanted.append("{call: conf(), returns: 5}")
    spec = 'files: {conf.txt: "5\\n"}\nquestions:\n  - {id: "1", title: Both, marks: 1, cases: [%s]}\n'
    found = mark(
        tmp_path,
        spec % ", ".join(wanted),
        work + "def conf(): return int(text)\nprint(text)\n",
        driver=driver,
    )
    assert {name: case.message for name, case in cases(found).items() if case.verdict != "accepted"} == {}
