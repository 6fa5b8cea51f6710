"""Works whose names Windows has not are marked, and what is written of them has names there."""

import zipfile
from pathlib import Path

from support.command_line import grader

from grader.intake.windows import fault_of_name, fault_of_names

SPEC = """\
task: leap
title: Leap
marks: 1
modules: {aux: aux.py}
questions:
  - id: "1"
    title: leap
    marks: 1
    cases:
      - {call: leap(4), returns: true}
"""
WORK = "from con import right\n\n\ndef leap(year):\n    return right\n"
HELPER = "right = True\n"
FOLDERS = {"COM1": "aux.py", "nul. ": "aux.py.", "lpt1.txt": "aux.py ", "a:b?": "AUX.py"}
ZIPS = {"prn": "con/{}", "back": "src\\{}", "CON": "nul./{}"}


def test_names_that_windows_has_not_are_marked_and_not_written(tmp_path: Path) -> None:
    (tmp_path / "leap.yaml").write_text(SPEC)
    for folder, name in FOLDERS.items():
        (tmp_path / "works" / folder).mkdir(parents=True)
        (tmp_path / "works" / folder / name).write_text(WORK)
        (tmp_path / "works" / folder / "con.py").write_text(HELPER)
    for stem, place in ZIPS.items():
        with zipfile.ZipFile(tmp_path / "works" / f"{stem}.zip", "w") as archive:
            for name, text in (("aux.py", WORK), ("con.py", HELPER)):
                member = zipfile.ZipInfo("-")
                # The name as it stands here: `ZipInfo` would change it on some systems.
                member.filename = place.format(name)
                archive.writestr(member, text)

    done = grader("mark", "leap.yaml", "works", "-o", "out", "--quiet", cwd=tmp_path)
    assert done.stdout.count(" 1 of 1 ") == len(FOLDERS) + len(ZIPS), done.stdout
    assert grader("export", "out", "--to", "jplag", cwd=tmp_path).returncode == 0
    student = next(path.stem for path in (tmp_path / "out" / "students").iterdir())
    assert grader("replay", "out", student, "1.1", "--to", "again", cwd=tmp_path).returncode == 0
    written = [path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*")]
    assert len(written) > 2 * (len(FOLDERS) + len(ZIPS))
    assert fault_of_names(written) == ""
    # A folder for one's own shell has the work's own names, as the line in it imports them.
    assert {path.name for path in (tmp_path / "again").iterdir() if fault_of_name(path.name)} <= {
        "aux.py",
        "con.py",
    }
