"""The layouts of the class of 40 have the names that each LMS writes: entries, names, files, times."""

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from support.class_of_40.layouts import blackboard, brightspace, canvas, gradescope, moodle, plain
from support.class_of_40.people import BY_KEY, CLASS
from support.class_of_40.rendered import Rendered
from support.class_of_40.zips import zipped

Render = Callable[..., Rendered]
ALL: list[tuple[Render, dict[str, object]]] = [
    (moodle.render, {}),
    (moodle.render, {"underscore": True}),
    (moodle.render, {"flat": True}),
    (moodle.render, {"blind": True}),
    (canvas.render, {}),
    (canvas.render, {"anonymous": True}),
    (canvas.render, {"utf8_flag": False}),
    (gradescope.render, {}),
    (blackboard.render, {}),
    (brightspace.render, {}),
    (brightspace.render, {"flat": True}),
    (plain.render, {"how": "zip of folders"}),
]


def names(rendered: Rendered) -> list[str]:
    """Return the names of the entries of a zip."""
    with zipfile.ZipFile(rendered.path) as archive:
        return archive.namelist()


@pytest.mark.parametrize(("render", "options"), ALL)
def test_each_layout_has_everybody_once(render: Render, options: dict[str, object], tmp_path: Path) -> None:
    rendered = render(tmp_path, **options)
    there = {key for entry in rendered.entries for key in entry.students}
    assert there | set(rendered.missing) == {student.key for student in CLASS}
    assert not there & set(rendered.missing)
    found = names(rendered)
    assert len(found) == len(set(found))
    if render is not plain.render:
        assert len({(entry.lms_id, entry.number) for entry in rendered.entries}) == len(rendered.entries)


@pytest.mark.parametrize(("render", "options"), ALL)
def test_the_work_of_everybody_is_in_the_archive(
    render: Render, options: dict[str, object], tmp_path: Path
) -> None:
    rendered = render(tmp_path, **options)
    whole = _opened(rendered.path.read_bytes())
    for entry in rendered.entries:
        for data in entry.work.values():
            assert data in whole, entry


def _opened(data: bytes) -> list[bytes]:
    """Return the contents of all files in a zip, and of the zips in it."""
    found = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            found += _opened(content) if name.endswith(".zip") else [content]
    return found


@pytest.mark.parametrize("render", [moodle.render, canvas.render, blackboard.render, brightspace.render])
def test_an_unpacked_download_has_the_same_files(render: Render, tmp_path: Path) -> None:
    packed = render(tmp_path)
    folder = render(tmp_path, unpacked=True).path
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == set(names(packed))


def test_moodle_names_folders_by_name_and_participant(tmp_path: Path) -> None:
    found = names(moodle.render(tmp_path))
    assert "Zoë Brontë_7001_assignsubmission_file/shapes.py" in found
    assert "Séamus OBrien_7006_assignsubmission_file/words.py" in found  # clean_filename takes the apostrophe
    assert "Tom T Under 12 score_7008_assignsubmission_file/notes_007_1.txt" in found
    assert "_7013_assignsubmission_file/shapes.py" in found
    assert "=cmd C calc!A0 =1+1_7015_assignsubmission_file/shapes.py" in found
    assert "Tab Leading_7019_assignsubmission_file/shapes.py" in found
    assert "..Dotty Dots_7022_assignsubmission_file/shapes.py" in found
    assert "Fred Folder_7028_assignsubmission_file/my work/homework.zip" in found
    assert "Tilda Typist_7040_assignsubmission_onlinetext/onlinetext.html" in found
    assert not any("_7031_" in name for name in found)


def test_moodle_before_4_1_and_flat_and_blind(tmp_path: Path) -> None:
    for folder in ("old", "flat", "blind", "team"):
        (tmp_path / folder).mkdir()
    old = names(moodle.render(tmp_path / "old", underscore=True))
    assert "Zoë Brontë_7001_assignsubmission_file_/shapes.py" in old
    flat = names(moodle.render(tmp_path / "flat", flat=True))
    assert "Zoë Brontë_7001_assignsubmission_file_shapes.py" in flat
    assert "Tilda Typist_7040_assignsubmission_onlinetext_onlinetext.html" in flat
    assert "Fred Folder_7028_assignsubmission_file_homework.zip" in flat
    blind = names(moodle.render(tmp_path / "blind", blind=True))
    assert "Participant_7001_assignsubmission_file/shapes.py" in blind
    team = moodle.render(tmp_path / "team", team=True)
    assert names(team) == [
        f"Team Ä 12_881_assignsubmission_file/{name}" for name in ("shapes.py", "words.py")
    ]
    assert team.entries[0].students == ("s36", "s37", "s38")


def test_canvas_names_files_by_name_lateness_and_ids(tmp_path: Path) -> None:
    found = names(canvas.render(tmp_path))
    starts = {name.partition("_900")[0] for name in found}
    assert {"brontëzoë_50101", "007agent_50109"} <= starts
    assert "nu\u0301n\u0303ezjose\u0301_50102" in starts
    assert "obrienséamus_50106" in starts
    assert "_50105" in starts  # a name of emoji alone
    assert "under12scoretom_t_50108" in starts
    assert "afterminute_LATE_50134" in starts
    assert "laterob_50139" in starts  # a name, not lateness
    assert "user_50113" in starts
    assert [name.rpartition("_")[2] for name in found if "50126" in name] == ["shapes-1.py", "words-1.py"]
    assert [name.rpartition("_")[2] for name in found if "50125" in name] == ["shapes-2.py", "words-2.py"]
    assert "typisttilda_50140_text.html" in found
    assert "endedext_50133" in starts  # an extension is not late
    assert not any("/" in name for name in found)


def test_canvas_anonymous_and_groups(tmp_path: Path) -> None:
    for folder in ("anonymous", "groups"):
        (tmp_path / folder).mkdir()
    found = names(canvas.render(tmp_path / "anonymous", anonymous=True))
    assert any(name.startswith("anon_aB01z_90001_shapes.py") for name in found)
    assert any(name.startswith("LATE_anon_aB34z_") for name in found)
    groups = canvas.render(tmp_path / "groups", groups=True)
    assert any(name.startswith("team_ä12_50136_") for name in names(groups))
    assert groups.of("s38")[0].name == "team_ä12"


def test_names_without_the_utf8_flag_come_out_as_cp437(tmp_path: Path) -> None:
    unmarked = names(canvas.render(tmp_path, utf8_flag=False))
    assert not any("brontë" in name for name in unmarked)
    assert any("brontë" in name.encode("cp437").decode() for name in unmarked)
    with zipfile.ZipFile(io.BytesIO(zipped({"ë": b"1", "a/": b"", "b": b"2"}, utf8_flag=False))) as archive:
        assert [info.flag_bits & 0x800 for info in archive.infolist()] == [0, 0, 0]
        assert archive.testzip() is None


def test_gradescope_has_metadata_with_ruby_keys(tmp_path: Path) -> None:
    rendered = gradescope.render(tmp_path, packed=False)
    metadata = yaml.safe_load((rendered.path / "submission_metadata.yml").read_text("utf-8"))
    folders = {path.name for path in rendered.path.iterdir() if path.is_dir()}
    assert metadata.keys() == folders == {entry.lms_id for entry in rendered.entries}
    group = metadata[f"submission_{gradescope.submission_id(BY_KEY['s36'], 1)}"]
    assert [one[":name"] for one in group[":submitters"]] == ["Gina Grün", "Hal Grün", "Ira Grün"]
    assert group[":submitters"][0][":sid"] == "004136"
    three = metadata[rendered.of("s25")[0].lms_id]
    assert [one[":id"] for one in three[":history"]] == [320252, 320253]
    assert rendered.of("s25")[0].lms_id == "submission_320254"
    assert three[":created_at"].astimezone(UTC).replace(microsecond=0) == datetime(2026, 11, 2, 1, tzinfo=UTC)
    odd = [metadata[rendered.of(key)[0].lms_id][":submitters"][0] for key in ("s13", "s15", "s18", "s19")]
    assert [one[":name"] for one in odd] == [BY_KEY[key].name for key in ("s13", "s15", "s18", "s19")]
    assert ":email" not in odd[0]


def test_blackboard_has_all_attempts_with_receipts(tmp_path: Path) -> None:
    rendered = blackboard.render(tmp_path, unpacked=True)
    start = "Homework_3 Figures_stu25_attempt_2026-11-0"
    found = sorted(path.name for path in rendered.path.iterdir() if "_stu25_" in path.name)
    assert [name for name in found if name.count("_") == 4] == [
        "Homework_3 Figures_stu25_attempt_2026-10-31-20-00-00.txt",
        f"{start}1-20-00-00.txt",
        f"{start}2-01-00-00.txt",
    ]
    receipt = (rendered.path / f"{start}1-20-00-00.txt").read_text("utf-8")
    assert receipt.startswith("Name: Thea Three (stu25)\nAssignment: Homework_3 Figures\n")
    assert "\nDate Submitted: Sunday, November 1, 2026 8:00:00 PM GMT\n" in receipt
    assert f"\tOriginal filename: shapes.py\n\tFilename: {start}1-20-00-00_shapes.py\n" in receipt
    assert [entry.number for entry in rendered.of("s25")] == [1, 2, 3]
    assert any(
        path.name.startswith("Homework_3 Figures_tom_u_8_attempt_") for path in rendered.path.iterdir()
    )


def test_brightspace_has_folders_by_person_and_time(tmp_path: Path) -> None:
    rendered = brightspace.render(tmp_path)
    found = names(rendered)
    assert "39725-640693 - Thea Three - Nov 2, 2026 100 AM/shapes.py" in found
    assert "39707-640693 - Anne-Marie Smith-Jones - Oct 31, 2026 800 PM/shapes.py" in found
    assert "index.html" in found
    assert [entry.late for entry in rendered.of("s25")] == [False, False, True]
    flat = names(brightspace.render(tmp_path, flat=True))
    two = [BY_KEY["s25"], BY_KEY["s07"]]
    for colon, time in ((":", "1:00 AM"), ("_", "1_00 AM")):
        found = names(brightspace.render(tmp_path, two, colon=colon, shared_numbers=True))
        assert f"397063-640693 - Thea Three - Nov 2, 2026 {time}/shapes.py" in found
        assert sum(name.startswith("397063-640693 - Anne-Marie") for name in found) == 2
    assert "39725-640693 - Thea Three - Nov 2, 2026 100 AM - homework.zip" in flat


def test_plain_folders_zips_and_files(tmp_path: Path) -> None:
    for folder in ("a", "b", "c"):
        (tmp_path / folder).mkdir()
    folders = {path.name for path in plain.render(tmp_path / "a").path.iterdir()}
    assert {"Maria Silva", "Maria Silva (2)", "CON", "..Dotty Dots", "stu13", "Ada LOVELACE"} <= folders
    assert len(folders) == 40
    assert list((tmp_path / "a" / "class" / "Nobody Nothing").iterdir()) == []
    zips = plain.render(tmp_path / "b", how="zips").path
    assert len(list(zips.iterdir())) == 36
    assert plain.one_file(tmp_path / "c", BY_KEY["s01"]).name == "shapes.py"
