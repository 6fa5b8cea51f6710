"""Zips that lead out of their folder, lie about sizes, hold links, bombs and each other.

Must not: be unpacked, followed or believed.
Handed in by: hand_in
Verdicts: any
"""

import io
import stat
import struct
import warnings
import zipfile
import zlib

WORK = "def solve(n, places, note):\n    return n * n + 1\n"
OUT = ("../student-01/work.py", "/tmp/work.py", "..\\work.py", "C:\\work.py", "a/../../work.py", "//host/work.py")


def zipped(*members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            with warnings.catch_warnings(action="ignore"):
                archive.writestr(info, content)
    return file.getvalue()


def lying(content, size):
    """A member whose stated size is another than what comes out."""
    packed = zlib.compress(content)[2:-4]
    head = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, zlib.crc32(content), len(packed), size, 7, 0)
    local = b"PK\3\4" + head + b"work.py" + packed
    rest = struct.pack("<HHHII", 0, 0, 0, 0, 0)
    directory = b"PK\1\2\x14\0" + head + rest + b"work.py"
    end = struct.pack("<HHHHIIH", 0, 0, 1, 1, len(directory), len(local), 0)
    return local + directory + b"PK\5\6" + end


def hand_in(batch, places):
    regular = stat.S_IFREG | 0o644
    archives = {f"out-{number}": zipped((name, WORK, regular)) for number, name in enumerate(OUT)}
    archives["link"] = zipped(("work.py", places["other"], stat.S_IFLNK | 0o777))
    # Taken through the link, it would stand in place of another's work; as the student's own it earns nothing.
    bad = "def solve(n, places, note):\n    return -1\n"
    archives["link-folder"] = zipped(("a", "..", stat.S_IFLNK | 0o777), ("a/student-01/work.py", bad, regular))
    archives["bomb"] = zipped(("work.py", "#" * 12_000_000, regular))
    archives["nested"] = zipped(("work.zip", zipped(("work.py", WORK, regular)), regular))
    archives["size"] = lying(b"#" * 9_000_000, 10)
    archives["cut"] = zipped(("work.py", WORK, regular))[:-30]
    archives["device"] = zipped(("work.py", "", stat.S_IFCHR | 0o666))
    archives["twice"] = zipped(("work.py", WORK, regular), ("work.py", "x = 1", regular))
    archives["many"] = zipped(*((f"{number}.py", "", regular) for number in range(11_000)))
    archives["text"] = b"PK but not a zip"
    for name, content in archives.items():
        (batch / f"zip-{name}.zip").write_bytes(content)
