"""Each LMS's download is recognised by its names, and every file goes to its student or is told."""

import pickle
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.intake_reading import collect

from grader.intake import Candidate, SourceKind, discover, read
from grader.intake.attempts import latest_only
from grader.model.errors import UsageError
from grader.model.task import AskedFiles

KNIGHTS = {f"knight{n}": f"knight{n}.py" for n in (1, 2)}
Make = Callable[..., Path]
Files = Mapping[str, str | bytes]


def sources(candidates: list[Candidate]) -> dict[str, dict[str, str]]:
    """Return the text of each module, by student."""
    return {
        one.id: {module: file.text for module, file in read(one, KNIGHTS).files.items()} for one in candidates
    }


def both(make_folder: Make, make_zip: Make, files: Files) -> tuple[list[Candidate], list[str]]:
    """Return the candidates of a download and what was noted, which are the same for a zip and unpacked."""
    notes: list[str] = []
    zipped = discover([make_zip("download.zip", files)], KNIGHTS, notes.append)
    unpacked = discover([make_folder("download", files)], KNIGHTS)
    as_told = [
        (one.id, one.name, one.person, one.notes, one.problem, one.is_late, one.files) for one in zipped
    ]
    assert as_told == [
        (one.id, one.name, one.person, one.notes, one.problem, one.is_late, one.files) for one in unpacked
    ]
    assert sources(zipped) == sources(unpacked)
    assert pickle.loads(pickle.dumps(zipped)) == zipped
    return zipped, notes


CANVAS = {
    "adamsamy_101_9001_knight1-1.py": "amy 1",
    "adamsamy_101_9002_knight2.py": "amy 2",
    "borbob_LATE_102_9003_knight1.py": "bob 1",
    "borbob_LATE_102_9004_knight2-12.py": "bob 2",
    "borbob_LATE_102_text.html": "see files",
    "cotcarl_103_link.html": "https://example.org",
}


def test_a_canvas_zip_of_two_files_a_student_is_not_one_student(make_folder: Make, make_zip: Make) -> None:
    found, notes = both(make_folder, make_zip, CANVAS)
    assert sources(found) == {
        "canvas-101": {"knight1": "amy 1", "knight2": "amy 2"},
        "canvas-102": {"knight1": "bob 1", "knight2": "bob 2"},
        "canvas-103": {},
    }
    assert [(one.name, one.is_late) for one in found] == [
        ("adamsamy", False),
        ("borbob", True),
        ("cotcarl", False),
    ]
    amy, bob, carl = found
    assert amy.person is not None
    assert amy.person.ids == {"canvas": "101"}
    assert bob.notes == ("a part of it is text that was typed into a page, and was not read",)
    assert carl.problem.startswith("no file was handed in: a part of it is a link to a page")
    assert carl.kind is SourceKind.UNREAD
    assert notes == ["download.zip was taken for a Canvas download of 3 students"]


def test_a_helper_that_comes_again_in_canvas_can_be_imported(make_folder: Make, make_zip: Make) -> None:
    found, _ = both(
        make_folder,
        make_zip,
        {
            "amy_101_1_knight1-1.py": "amy 1",
            "amy_101_2_knight2-1.py": "amy 2",
            "amy_101_3_utils-1.py": "import one",
            "bob_102_4_knight1.py": "bob 1",
            "bob_102_5_utils.py": "bob's",
            "bob_102_6_utils-2.py": "another",
            "cy_103_7_knight2.py": "cy 2",
            "cy_103_8_utils-1.py": "one",
            "cy_103_9_utils-2.py": "two",
            "cy_103_9_data-1.txt": "data",
            "cy_103_10_queue-1.py": "his own",
        },
    )
    assert sources(found) == {
        "canvas-101": {"knight1": "amy 1", "knight2": "amy 2", "utils": "import one"},
        "canvas-102": {"knight1": "bob 1", "utils": "bob's"},
        "canvas-103": {"knight2": "cy 2", "queue": "his own"},
    }


def test_helpers_in_another_language_come_again_in_canvas(make_zip: Make) -> None:
    modules = AskedFiles(
        {"main": "main.py"},
        {"main": ("main.cpp", "Main.java")},
        {".cpp": (".h", ".cpp"), ".java": (".java",)},
        (".java",),
    )
    files = {
        "bob_12_1_main-1.cpp": '#include "util.h"',
        "bob_12_2_util-1.h": "",
        "cy_13_3_Main-1.java": "class Main {}",
        "cy_13_4_Helper-1.java": "class Helper {}",
        "cy_13_5_data-1.txt": "",
    }
    found = discover([make_zip("d.zip", files)], modules)
    names = [sorted(file.name for file in one.files) for one in found]
    assert names == [["main.cpp", "util.h"], ["Helper.java", "Main.java", "data-1.txt"]]
    text = '#include "vec-2.h"\n// of other-2\nint x = a[other-2];'
    own = {"ann_11_1_main.cpp": text, "ann_11_2_vec-2.h": "", "ann_11_3_other-2.h": ""}
    (one,) = discover([make_zip("own.zip", own)], modules)
    assert sorted(file.name for file in one.files) == ["main.cpp", "other.h", "vec-2.h"]


def test_canvas_hides_names_and_gives_a_group_one(make_folder: Make, make_zip: Make) -> None:
    files = {
        "LATE_anon_aB3dE_9001_knight1.py": "1",
        "anon_Zz9yY_9002_knight1.py": "2",
        "the knights_7_8_knight1.py": "3",
    }
    with pytest.raises(UsageError, match="not sure"):  # a name with a blank is none that Canvas makes
        both(make_folder, make_zip, files)
    del files["the knights_7_8_knight1.py"]
    found, _ = both(make_folder, make_zip, files | {"theknights_7_8_knight1.py": "3"})
    assert [(one.id, one.name, one.is_late) for one in found] == [
        ("canvas-7", "theknights", False),
        ("canvas-anon-Zz9yY", "canvas-anon-Zz9yY", False),
        ("canvas-anon-aB3dE", "canvas-anon-aB3dE", True),
    ]


def test_of_two_uploads_of_one_name_the_last_counts(make_folder: Make, make_zip: Make) -> None:
    files = {"a_1_20_knight1-1.py": "later", "a_1_9_knight1.py": "earlier", "b_2_30_knight1.py": ""}
    found, _ = both(make_folder, make_zip, files)
    assert sources(found)["canvas-1"] == {"knight1": "later"}
    assert found[0].notes == ("knight1.py was uploaded 2 times; the last upload counts",)


def test_a_file_that_the_task_asks_for_with_a_number_keeps_it(make_zip: Make) -> None:
    modules = {"a": "part.py", "b": "part-1.py"}
    (one, _) = discover([make_zip("d.zip", {"x_1_2_part-1.py": "", "y_2_3_part.py": ""})], modules)
    assert [file.name for file in one.files] == ["part-1.py"]


MOODLE = {
    "Amy Adams_11_assignsubmission_file/knight1.py": "amy 1",
    "Amy Adams_11_assignsubmission_file/knight2.py": "amy 2",
    "Amy Adams_11_assignsubmission_onlinetext/onlinetext.html": "hello",
    "Zoë O'Neil_12_assignsubmission_file_/src/knight1.py": "zoë 1",
    "Amy Adams_13_assignsubmission_file/knight1.py": "the other amy",
}


def test_moodle_folders(make_folder: Make, make_zip: Make) -> None:
    found, _ = both(make_folder, make_zip, MOODLE)
    assert [(one.id, one.name) for one in found] == [
        ("moodle-11", "Amy Adams"),
        ("moodle-12", "Zoë O'Neil"),
        ("moodle-13", "Amy Adams"),
    ]
    assert sources(found)["moodle-11"] == {"knight1": "amy 1", "knight2": "amy 2"}
    assert sources(found)["moodle-13"] == {"knight1": "the other amy"}
    assert found[0].notes == ("a part of it is text that was typed into a page, and was not read",)


def test_moodle_flat_with_zips_and_hidden_names(make_folder: Make, make_zip: Make) -> None:
    inner = make_zip("inner.zip", {"knight1.py": "zipped", "knight2.py": ""}).read_bytes()
    files: Files = {
        "Participant_11_assignsubmission_file_knight1.py": "one",
        "Participant_11_assignsubmission_file_knight2.py": "two",
        "Teilnehmer in_12_assignsubmission_file_work.zip": inner,
        "Participant_13_assignsubmission_file_9_assignsubmission_file_knight1.py": "odd",
    }
    found, _ = both(make_folder, make_zip, files)
    assert sources(found) == {
        "moodle-11": {"knight1": "one", "knight2": "two"},
        "moodle-12": {"knight1": "zipped", "knight2": ""},
        "moodle-13": {},
    }


def test_a_moodle_team_has_its_name(make_folder: Make, make_zip: Make) -> None:
    files = {
        "Team Rook_5_assignsubmission_file/knight1.py": "",
        "Default group_assignsubmission_file/knight1.py": "",
    }
    found, _ = both(make_folder, make_zip, files)
    assert [(one.id, one.name) for one in found] == [
        ("Default-group", "Default group"),
        ("moodle-5", "Team Rook"),
    ]


BLACKBOARD = {
    "HW_1_a_dams_attempt_2026-11-20-18-30-00.txt": "Name: Amy Adams (a_dams)\nName: Bob (bob)\n",
    "HW_1_a_dams_attempt_2026-11-20-18-30-00_knight1.py": "first",
    "HW_1_a_dams_attempt_2026-11-21-18-30-00.txt": "Name: Amy Adams (a_dams)\n",
    "HW_1_a_dams_attempt_2026-11-21-18-30-00_knight1.py": "second",
    "HW_1_bob_attempt_2026-11-20-09-00-00_knight1_attempt_2026-01-01-00-00-00_knight2.py": "odd",
}


def test_blackboard_with_receipts_and_attempts(make_folder: Make, make_zip: Make) -> None:
    found, _ = both(make_folder, make_zip, BLACKBOARD)
    assert [(one.id, one.name, one.attempt, one.record and one.record.submitted) for one in found] == [
        ("blackboard-a_dams", "Amy Adams", "attempt-1", datetime(2026, 11, 20, 18, 30)),
        ("blackboard-a_dams", "Amy Adams", "attempt-2", datetime(2026, 11, 21, 18, 30)),
        ("blackboard-bob", "bob", "", datetime(2026, 11, 20, 9)),
    ]
    amy, _ = latest_only(found, lambda _: None)
    assert read(amy, KNIGHTS).files["knight1"].text == "second"
    assert amy.notes == ("this is the last of 2 attempts; the earlier ones do not count",)


def test_a_receipt_of_another_login_does_not_count(make_folder: Make, make_zip: Make) -> None:
    files = {
        "HW_amy_attempt_2026-11-20-18-30-00.txt": "Name: Bob (bob)\n",
        "HW_bob_attempt_2026-11-20-18-30-00_knight1.py": "",
    }
    found, _ = both(make_folder, make_zip, files)
    assert [one.id for one in found] == ["blackboard-amy", "blackboard-bob"]


def test_brightspace_folders_and_flat(make_folder: Make, make_zip: Make) -> None:
    heads = ("7-99 - Amy Adams - Nov 2, 2026 1205 AM", "7-99 - Amy Adams - Nov 10, 2026 905 PM")
    other = "8-99 - Bob - the - Builder - Nov 3, 2026 100 PM"
    for mark in ("/", " - "):
        shutil.rmtree(make_folder("download", {}))
        files = {f"{head}{mark}knight1.py": head for head in (*heads, other)} | {"index.html": ""}
        found, notes = both(make_folder, make_zip, files)
        assert [(one.id, one.name, one.record and one.record.submitted) for one in found] == [
            ("brightspace-7", "Amy Adams", datetime(2026, 11, 2, 0, 5)),
            ("brightspace-7", "Amy Adams", datetime(2026, 11, 10, 21, 5)),
            ("brightspace-8", "Bob - the - Builder", datetime(2026, 11, 3, 13, 0)),
        ]
        assert notes == ["download.zip was taken for a Brightspace download of 2 students"]


def test_attempts_whose_order_is_not_known_are_refused(make_folder: Make) -> None:
    files = {f"7-99 - Amy - {when}, 2026 1205 AM/knight1.py": "" for when in ("Nov 2", "Mär 2")}
    with pytest.raises(UsageError, match="the order of these attempts is not known"):
        discover([make_folder("d", files)], KNIGHTS)


BLACKBOARD_OF_TWO = {
    "HW 1_amy_attempt_2026-11-01-10-00-00_knight1.py": "",
    "HW 1_amy_attempt_2026-11-01-10-00-00.txt": "Name: Amy (amy)\n",
    "HW 1_bob_attempt_2026-11-01-10-00-00_knight1.py": "",
}
TWO_ASSIGNMENTS = [
    (
        BLACKBOARD_OF_TWO
        | {
            "HW 2_amy_attempt_2026-11-09-10-00-00_knight1.py": "",
            "HW 2_amy_attempt_2026-11-09-10-00-00.txt": "Name: Amy (amy)\n",
        },
        "HW 1 and HW 2",
    ),
    (BLACKBOARD_OF_TWO | {"HW 2_amy_attempt_2026-11-09-10-00-00_knight1.py": ""}, "HW 1 and HW 2"),
    (
        {f"{name}_amy_attempt_2026-11-09-10-00-00_knight1.py": "" for name in ("HW 1", "Task")},
        "HW 1 and Task",
    ),
    (
        {f"{ids} - A - Nov 1, 2026 600 PM/knight1.py": "" for ids in ("11-500", "12-500", "11-600")},
        "500 and 600",
    ),
    (
        {f"{ids} - A - Nov 1, 2026 600 PM - knight1.py": "" for ids in ("11-500", "12-500", "13-600")},
        "500 and 600",
    ),
]


@pytest.mark.parametrize(("files", "names"), TWO_ASSIGNMENTS)
def test_names_of_two_assignments_are_refused(make_folder: Make, files: Files, names: str) -> None:
    with pytest.raises(UsageError, match=f"these are names of 2 assignments: {names}"):
        discover([make_folder("d", files)], KNIGHTS)


def test_numbers_that_each_student_has_alone_are_no_assignments(make_folder: Make) -> None:
    files = {f"{ids} - A - Nov 1, 2026 600 PM/knight1.py": "" for ids in ("11-500", "12-600", "13-700")}
    assert len(discover([make_folder("d", files)], KNIGHTS)) == 3


def test_the_receipts_of_others_tell_where_a_login_begins(make_folder: Make) -> None:
    files = {
        "HW_a_amy_attempt_2026-11-20-18-30-00.txt": "Name: Amy (a_amy)\n",
        "HW_a_bob_attempt_2026-11-20-18-30-00_knight1.py": "",
    }
    assert [one.id for one in discover([make_folder("d", files)], KNIGHTS)] == [
        "blackboard-a_amy",
        "blackboard-a_bob",
    ]


METADATA = """\
---
submission_21:
  :submitters:
  - :name: Amy Adams
    :sid: "1001"
    :email: amy@example.org
  :created_at: 2026-11-20 12:00:00.123456789 Z
  :results:
    :submitters:
    - :name: nobody
submission_22:
  :submitters:
  - :name: Bob
    :sid: "1002"
  - :name: Carl
    :email: carl@example.org
  :created_at: 2026-11-21 12:00:00 Z
"""


def test_gradescope_with_people_times_and_a_group(make_folder: Make, make_zip: Make) -> None:
    files = {
        "assignment_1_export/submission_metadata.yml": METADATA,
        "assignment_1_export/submission_21/knight1.py": "amy",
        "assignment_1_export/submission_22/knight1.py": "both",
        "assignment_1_export/submission_23/knight1.py": "nobody knows",
    }
    found, _ = both(make_folder, make_zip, files)
    assert [(one.id, one.name, one.work) for one in found] == [
        ("gradescope-1001", "Amy Adams", ""),
        ("gradescope-1002", "Bob", "gradescope-1002"),
        ("submission_22-1", "Carl", "gradescope-1002"),
        ("submission_23", "submission_23", ""),
    ]
    amy, bob, carl, _ = found
    assert amy.person is not None
    assert (amy.person.mail, dict(amy.person.ids)) == (
        "amy@example.org",
        {"gradescope": "1001", "sis": "1001"},
    )
    assert amy.record is not None
    assert amy.record.submitted == datetime(2026, 11, 20, 12, 0, 0, 123456, UTC)
    assert bob.person is not None
    assert bob.person.group == "submission_22"
    assert sources([bob, carl]) == {
        "gradescope-1002": {"knight1": "both"},
        "submission_22-1": {"knight1": "both"},
    }


def test_a_sid_that_gradescope_writes_as_nothing_is_nobodys(make_folder: Make, make_zip: Make) -> None:
    people = zip(("null", "~", "", "'null'"), ("Amy", "Bob", "Carl", "Dora"), strict=True)
    metadata = "".join(
        f"submission_{number}:\n  :submitters:\n  - :sid: {sid}\n    :name: {name}\n"
        for number, (sid, name) in enumerate(people)
    )
    works = {f"submission_{number}/knight1.py": str(number) for number in range(4)}
    found, _ = both(make_folder, make_zip, {"submission_metadata.yml": metadata, **works})
    assert {one.id: one.name for one in found} == {
        "submission_0": "Amy",
        "submission_1": "Bob",
        "submission_2": "Carl",
        "gradescope-null": "Dora",
    }


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param(
            CANVAS | {"knights.py": "", "solution/knight1.py": ""},
            "6 of 8 names are as in a Canvas download.*solution and knights.py are not",
            id="canvas-and-more",
        ),
        pytest.param(
            MOODLE | {"late/knight1.py": ""},
            "names are as in a Moodle download.*late is not",
            id="moodle-and-more",
        ),
        pytest.param(
            {"amy_knight1.py": "", "bob_knight1.py": "", "bob_knight2.py": ""},
            "amy_knight1.py and bob_knight1.py may all be knight1.py",
            id="prefixes",
        ),
        pytest.param(
            {"knight1 (1).py": "", "knight1 (2).py": "", "x.py": ""},
            "may all be knight1.py",
            id="copies",
        ),
    ],
)
def test_what_is_not_sure_is_refused(make_folder: Make, make_zip: Make, files: Files, said: str) -> None:
    for path in (make_folder("d", files), make_zip("d.zip", files)):
        with pytest.raises(UsageError, match=said):
            discover([path], KNIGHTS)


def test_one_of_two_with_one_id_is_not_guessed(make_zip: Make) -> None:
    with pytest.raises(UsageError, match="canvas-1 in a Canvas download is amy and bob"):
        discover([make_zip("d.zip", {"amy_1_2_knight1.py": "", "bob_1_3_knight2.py": ""})], KNIGHTS)


def test_a_layout_can_be_forced(make_folder: Make) -> None:
    notes: list[str] = []
    path = make_folder("d", CANVAS | {"knights.py": "", "readme.txt": ""})
    found = discover([path], KNIGHTS, notes.append, "canvas")
    assert [one.id for one in found] == ["canvas-101", "canvas-102", "canvas-103"]
    assert "knights.py was left out, since they are no part of a Canvas download" in notes
    plain = make_folder("p", {"amy_knight1.py": "", "bob_knight1.py": ""})
    assert len(discover([plain], KNIGHTS, layout="plain")) == 1
    with pytest.raises(UsageError, match="this is not a Moodle download: expected names such as"):
        discover([plain], KNIGHTS, layout="moodle")


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"knight1.py": "", "old_1_2_knight1.py": "", "a_3_4_b.py": ""}, id="one-students"),
        pytest.param({"knight1.py": "", "my_knight2.py": "", "your_knight2.py": ""}, id="odd-copies-beside"),
    ],
)
def test_a_students_own_folder_is_no_download(make_folder: Make, files: Files) -> None:
    assert [one.kind for one in discover([make_folder("amy", files)], KNIGHTS)] == [SourceKind.FOLDER]


def test_the_digest_covers_the_chosen_files_and_no_others(make_zip: Make) -> None:
    def digests(name: str, files: Files) -> list[str]:
        return [one.sha256 for one in collect([make_zip(name, files)], KNIGHTS)]

    one = digests("1.zip", CANVAS)
    other = digests("2.zip", CANVAS | {"borbob_LATE_102_9003_knight1.py": "new"})
    assert one[0] == other[0]
    assert one[1] != other[1]
