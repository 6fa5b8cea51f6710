"""Archives with every detail fixed: order, times, the flag for UTF-8 names."""

import io
import zipfile
from collections.abc import Mapping

_UTF8_FLAG = 0x08  # bit 11 of the general purpose flags: bit 3 of their second byte
_CENTRAL, _LOCAL = b"PK\x01\x02", b"PK\x03\x04"
_CENTRAL_FLAGS, _LOCAL_FLAGS = 9, 7
"""Where the second byte of the flags stands in a header (PKWARE APPNOTE.TXT 6.3.10, 4.3.7 and 4.3.12)."""


def zipped(files: Mapping[str, bytes], *, utf8_flag: bool = True) -> bytes:
    """Return a zip of `files`, in their order.  A name that ends with a slash is a folder.

    utf8_flag: names that are not ASCII are marked as UTF-8.  Without it they are UTF-8 and unmarked, which
    readers must guess.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, (2026, 11, 2, 9, 0, 0))
            info.external_attr = (0o40755 << 16) | 0x10 if name.endswith("/") else 0o100644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith("/") else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue() if utf8_flag else _unmarked(buffer.getvalue())


def _unmarked(data: bytes) -> bytes:
    """Clear the flag for UTF-8 names in all headers."""
    changed = bytearray(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        place = archive.start_dir
        for info in archive.infolist():
            assert data[place : place + 4] == _CENTRAL
            assert data[info.header_offset : info.header_offset + 4] == _LOCAL
            changed[place + _CENTRAL_FLAGS] &= ~_UTF8_FLAG
            changed[info.header_offset + _LOCAL_FLAGS] &= ~_UTF8_FLAG
            lengths = (int.from_bytes(data[place + at : place + at + 2], "little") for at in (28, 30, 32))
            place += 46 + sum(lengths)
    return bytes(changed)
