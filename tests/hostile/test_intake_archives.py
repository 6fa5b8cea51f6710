"""Archives made to harm: each costs its own student, is said, and leaves the batch alone."""

import io
import multiprocessing
import os
import stat
import struct
import threading
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from support.intake_reading import collect

from grader.intake import discover, read
from grader.intake.trees.tree import FILES_MAX, SOURCE_MAX_B, TOTAL_MAX_B
from grader.model.errors import UsageError
from grader.model.submission import Submission

SHOGUN = {"shogun": "shogun.py"}
GOOD = "x = 1\n"


def zip_bytes(
    *members: tuple[zipfile.ZipInfo | str, str | bytes], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for member, content in members:
            archive.writestr(member, content)
    return file.getvalue()


def with_mode(name: str, mode: int) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)
    member.create_system = 3
    member.external_attr = mode << 16
    return member


@pytest.fixture
def read_beside_bob(make_folder: Callable[..., Path]) -> Callable[[bytes], Submission]:
    """Read a zip as Alice's, in a batch with Bob's, and make sure that Bob's is unharmed."""

    def read(data: bytes) -> Submission:
        batch = make_folder("batch", {"alice.zip": data, "bob/shogun.py": GOOD})
        before = sorted(batch.rglob("*"))
        alice, bob = collect([batch], SHOGUN)
        assert (bob.files["shogun"].text, bob.problems) == (GOOD, ())
        assert sorted(batch.rglob("*")) == before, "something was unpacked"
        return alice

    return read


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../shogun.py", "leads out of its folder"),
        ("a/../../shogun.py", "leads out of its folder"),
        ("a/../shogun.py", "leads out of its folder"),
        ("..\\shogun.py", "leads out of its folder"),
        ("/shogun.py", "absolute path"),
        ("//host/share/shogun.py", "absolute path"),
        ("\\shogun.py", "absolute path"),
        ("C:shogun.py", "drive letter"),
        ("C:\\shogun.py", "drive letter"),
        ("shogun.py\n", "control characters"),
        ("\x1b[31mshogun.py", "control characters"),
        ("a/" * 40 + "shogun.py", "folders deep"),
        ("a/" * 5000 + "shogun.py", "folders deep"),
    ],
)
def test_unsafe_names(read_beside_bob: Callable[[bytes], Submission], name: str, said: str) -> None:
    alice = read_beside_bob(zip_bytes((name, "evil = 1\n")))
    assert alice.files == {}
    assert any(said in problem for problem in alice.problems)


def test_unsafe_names_do_not_hide_the_good_file(read_beside_bob: Callable[[bytes], Submission]) -> None:
    alice = read_beside_bob(zip_bytes(("shogun.py", GOOD), ("../shogun.py", "evil = 1\n")))
    assert alice.files["shogun"].text == GOOD
    assert alice.problems == ("../shogun.py has a path that leads out of its folder",)


def test_name_cut_by_a_nul(read_beside_bob: Callable[[bytes], Submission]) -> None:
    data = zip_bytes(("shogun.pyXtxt", "evil = 1\n")).replace(b"shogun.pyXtxt", b"shogun.py\0txt")
    alice = read_beside_bob(data)
    assert alice.files == {}
    assert "control characters" in alice.problems[-1] + alice.problems[0]


def test_backslashes_as_old_windows_tools_write_them(read_beside_bob: Callable[[bytes], Submission]) -> None:
    alice = read_beside_bob(zip_bytes(("hw\\shogun.py", GOOD)))
    assert alice.files["shogun"].text == GOOD


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        (stat.S_IFLNK | 0o777, "is a link"),
        (stat.S_IFIFO, "no regular file"),
        (stat.S_IFCHR, "no regular file"),
        (stat.S_IFBLK, "no regular file"),
        (stat.S_IFSOCK, "no regular file"),
    ],
)
def test_links_and_devices(read_beside_bob: Callable[[bytes], Submission], mode: int, said: str) -> None:
    alice = read_beside_bob(zip_bytes((with_mode("shogun.py", mode), "/etc/passwd")))
    assert alice.files == {}
    assert any(said in problem for problem in alice.problems)


def test_link_as_a_folder(read_beside_bob: Callable[[bytes], Submission]) -> None:
    data = zip_bytes((with_mode("hw", stat.S_IFLNK), "/etc"), ("hw/shogun.py", GOOD))
    alice = read_beside_bob(data)
    assert alice.files["shogun"].text == GOOD
    assert any("hw is a link" in problem for problem in alice.problems)


def test_encrypted_member(read_beside_bob: Callable[[bytes], Submission]) -> None:
    data = bytearray(zip_bytes(("shogun.py", GOOD)))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert read_beside_bob(bytes(data)).problems == ("shogun.py is encrypted",)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions_are_refused(read_beside_bob: Callable[[bytes], Submission], method: int) -> None:
    alice = read_beside_bob(zip_bytes(("shogun.py", GOOD), method=method))
    assert "compressed in a way that is not read" in alice.problems[0]


def test_the_same_name_twice(read_beside_bob: Callable[[bytes], Submission]) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zip_bytes(("shogun.py", GOOD), ("shogun.py", "x = 2\n"))
    assert read_beside_bob(data).problems == ("shogun.py is in the zip more than once",)


def test_the_same_name_in_two_writings(read_beside_bob: Callable[[bytes], Submission]) -> None:
    alice = read_beside_bob(zip_bytes(("shogun.py", GOOD), ("./shogun.py", "x = 2\n")))
    assert alice.problems == ("shogun.py is in the zip more than once",)


def test_twins_by_case_and_form(read_beside_bob: Callable[[bytes], Submission]) -> None:
    data = zip_bytes(
        ("Shogun.py", "x = 2\n"),
        ("shogun.py", GOOD),
        ("caf\u00e9.py", "a = 1\n"),
        ("cafe\u0301.py", "a = 2\n"),
    )
    alice = read_beside_bob(data)
    assert list(alice.files) == ["shogun"]
    assert alice.files["shogun"].text == GOOD
    assert len(alice.problems) == 2


def test_bomb_by_ratio(read_beside_bob: Callable[[bytes], Submission]) -> None:
    alice = read_beside_bob(zip_bytes(("shogun.py", GOOD), ("zeros", b"\0" * (20 * 1024 * 1024))))
    assert alice.files["shogun"].text == GOOD
    assert alice.problems == ("zeros is compressed more than 200 times, as zip bombs are",)


def test_source_that_is_too_long(read_beside_bob: Callable[[bytes], Submission]) -> None:
    alice = read_beside_bob(zip_bytes(("shogun.py", os.urandom(SOURCE_MAX_B + 1))))
    assert alice.files == {}
    assert alice.problems == ("shogun.py is larger than 1 MiB, the most that is read",)


def test_source_of_the_longest_length_is_read(read_beside_bob: Callable[[bytes], Submission]) -> None:
    assert (
        len(read_beside_bob(zip_bytes(("shogun.py", "#" * SOURCE_MAX_B))).files["shogun"].text)
        == SOURCE_MAX_B
    )


def test_stated_size_that_lies(read_beside_bob: Callable[[bytes], Submission]) -> None:
    data = bytearray(zip_bytes(("shogun.py", "#" * (5 * 1024 * 1024))))
    directory = data.index(b"PK\x01\x02")
    for offset in (22, directory + 24):
        data[offset : offset + 4] = struct.pack("<I", 100)
    alice = read_beside_bob(bytes(data))
    assert alice.files == {}
    assert alice.problems == ("shogun.py is damaged in the zip",)


def test_wrong_checksum(read_beside_bob: Callable[[bytes], Submission]) -> None:
    data = bytearray(zip_bytes(("shogun.py", GOOD), method=zipfile.ZIP_STORED))
    data[data.index(b"x = 1")] = ord("y")
    assert read_beside_bob(bytes(data)).problems == ("shogun.py is damaged in the zip",)


def test_all_files_together_are_limited(read_beside_bob: Callable[[bytes], Submission]) -> None:
    piece = os.urandom(TOTAL_MAX_B // 4)
    data = zip_bytes(*((f"{n}.bin", piece) for n in range(5)), ("shogun.py", GOOD), method=zipfile.ZIP_STORED)
    alice = read_beside_bob(data)
    assert alice.files["shogun"].text == GOOD
    assert (
        alice.notes == ("3.bin is beyond the 50 MiB that are read of a submission",) or len(alice.notes) == 2
    )
    assert all("beyond the 50 MiB" in note for note in alice.notes)


def test_damaged_files_use_up_what_may_be_read(read_beside_bob: Callable[[bytes], Submission]) -> None:
    data = bytearray(
        zip_bytes(*((f"{n}.bin", b"\0" * (8 * 1024 * 1024)) for n in range(9)), ("shogun.py", GOOD))
    )
    place = data.find(b"PK\x01\x02")
    while place >= 0:
        if data[place + 46 : place + 55] != b"shogun.py":
            data[place + 16] ^= 0xFF  # the checksum
        place = data.find(b"PK\x01\x02", place + 1)
    alice = read_beside_bob(bytes(data))
    assert alice.files["shogun"].text == GOOD
    assert alice.problems == tuple(f"{n}.bin is damaged in the zip" for n in range(6))
    assert alice.notes == tuple(
        f"{n}.bin is beyond the 50 MiB that are read of a submission" for n in (6, 7, 8)
    )


def overlapping() -> bytes:
    """Return a zip whose two members share one compressed body."""
    data = zip_bytes(("shogun.py", "#" * 5000))
    directory = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    entry = data[directory:end]
    twin = entry.replace(b"shogun.py", b"second.py")
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 2, 2, len(entry) * 2, directory, 0)
    return data[:directory] + entry + twin + tail


def test_overlapping_members(read_beside_bob: Callable[[bytes], Submission]) -> None:
    alice = read_beside_bob(overlapping())
    assert alice.files == {}
    assert len(alice.problems) == 1


def test_too_many_members(read_beside_bob: Callable[[bytes], Submission]) -> None:
    alice = read_beside_bob(zip_bytes(*((f"d/{n}", "") for n in range(FILES_MAX + 1)), ("shogun.py", GOOD)))
    assert alice.problems == (f"alice.zip holds more than {FILES_MAX} files",)


def test_directory_of_a_huge_stated_size_is_not_read(read_beside_bob: Callable[[bytes], Submission]) -> None:
    padding = b"\0" * (6 * 1024 * 1024)
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(padding), 0, 0)
    alice = read_beside_bob(padding + tail)
    assert alice.files == {}
    assert len(alice.problems) == 1


def test_zip64_offsets_beyond_the_file(read_beside_bob: Callable[[bytes], Submission]) -> None:
    data = bytearray(zip_bytes(("shogun.py", GOOD)))
    directory = data.index(b"PK\x01\x02")
    extra = struct.pack("<HHQ", 1, 8, 2**62)
    struct.pack_into("<H", data, directory + 30, len(extra))
    struct.pack_into("<I", data, directory + 42, 0xFFFFFFFF)
    name_end = directory + 46 + len("shogun.py")
    data[name_end:name_end] = extra
    end = data.rindex(b"PK\x05\x06")
    struct.pack_into("<I", data, end + 12, end - directory)
    alice = read_beside_bob(bytes(data))
    assert alice.files == {}
    assert len(alice.problems) == 1


@pytest.mark.parametrize("flag", [0, 0x08])
def test_names_in_other_encodings(read_beside_bob: Callable[[bytes], Submission], flag: int) -> None:
    data = bytearray(zip_bytes(("hwXX/shogun.py", GOOD)))
    for start in (6, data.index(b"PK\x01\x02") + 8):
        data[start + 1] |= flag
    for bad in (b"hw\xe9\xff", b"hw\xc3\xa9"):
        alice = read_beside_bob(bytes(data).replace(b"hwXX", bad))
        if flag and bad.endswith(b"\xff"):
            assert alice.files == {}
            assert len(alice.problems) == 1
        else:
            assert alice.files["shogun"].text == GOOD


def test_utf_8_name_without_its_flag_is_read_as_utf_8(read_beside_bob: Callable[[bytes], Submission]) -> None:
    alice = read_beside_bob(zip_bytes(("hwXX/shogun.py", GOOD)).replace(b"hwXX", b"hw\xc3\xa9"))
    assert alice.files["shogun"].name == "hwé/shogun.py"


def test_hundreds_of_refusals_are_summed_up(read_beside_bob: Callable[[bytes], Submission]) -> None:
    alice = read_beside_bob(zip_bytes(*((f"../{n}.py", "") for n in range(500))))
    assert len(alice.problems) == 10
    assert alice.problems[-1].startswith("and 49")


def test_one_bad_member_of_a_batch_zip_harms_its_student_alone(make_zip: Callable[..., Path]) -> None:
    notes: list[str] = []
    path = make_zip(
        "batch.zip",
        {
            "alice/../bob/shogun.py": "evil = 1\n",
            "../shogun.py": "evil = 1\n",
            "alice/shogun.py": GOOD,
            "bob/shogun.py": GOOD,
        },
    )
    alice, bob = collect([path], SHOGUN, notes.append)
    assert [alice.files["shogun"].text, bob.files["shogun"].text] == [GOOD, GOOD]
    assert alice.problems == ("alice/../bob/shogun.py has a path that leads out of its folder",)
    assert bob.problems == ()
    assert notes == ["../shogun.py in batch.zip has a path that leads out of its folder; it was left out"]


def test_a_batch_zip_with_shared_bytes_is_refused_whole(make_folder: Callable[..., Path]) -> None:
    path = make_folder("x", {"batch.zip": overlapping()}) / "batch.zip"
    with pytest.raises(UsageError, match=r"has files that share their bytes|is a damaged zip"):
        list(collect([path], SHOGUN))


@pytest.fixture
def batch_zip_of_forty(make_zip: Callable[..., Path]) -> Path:
    return make_zip("b.zip", {f"s{n:02}/shogun.py": f"n = {n}\n" + "#" * 50_000 for n in range(40)})


def test_threads_can_share_a_batch_zip(batch_zip_of_forty: Path) -> None:
    wanted = list(collect([batch_zip_of_forty], SHOGUN))
    results: list[list[Submission]] = []
    threads = [
        threading.Thread(target=lambda: results.append(list(collect([batch_zip_of_forty], SHOGUN))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [wanted] * 4


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_processes_can_share_a_batch_zip(batch_zip_of_forty: Path) -> None:
    candidates = discover([batch_zip_of_forty], SHOGUN)  # opens the zip here, before the fork
    wanted = [read(candidate, SHOGUN) for candidate in candidates]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.starmap(read, [(candidate, SHOGUN) for candidate in candidates], chunksize=1)
    assert found == wanted
    assert not any(submission.problems for submission in found)


def test_deflate_stream_that_never_ends(read_beside_bob: Callable[[bytes], Submission]) -> None:
    data = zip_bytes(("shogun.py", GOOD * 100))
    start = 30 + len("shogun.py")
    broken = bytearray(data)
    broken[start] ^= 0xFF
    with pytest.raises(zlib.error):
        zlib.decompress(bytes(broken[start:]), -15)
    assert read_beside_bob(bytes(broken)).problems == ("shogun.py is damaged in the zip",)
