"""Writes images of at most 256 colours as PNG, the only kind that pages need.

An imaging library would do much that is never needed here; see docs/design/pictures.md.
"""

import base64
import struct
import zlib

from grader.model.drawing import Raster

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PALETTE_OF_BYTES = (8, 3, 0, 0, 0)
"""Bits per pixel, colours by palette, and the only methods of compression, filtering and interlacing."""


def png(raster: Raster) -> bytes:
    head = struct.pack(">IIBBBBB", raster.width, raster.height, *_PALETTE_OF_BYTES)
    palette = b"".join(bytes(colour) for colour in raster.palette)
    starts = range(0, len(raster.pixels), raster.width)
    rows = b"".join(b"\0" + raster.pixels[start : start + raster.width] for start in starts)
    data = zlib.compress(rows, 9)
    return (
        _SIGNATURE
        + _chunk(b"IHDR", head)
        + _chunk(b"PLTE", palette)
        + _chunk(b"IDAT", data)
        + _chunk(b"IEND")
    )


def data_uri(raster: Raster) -> str:
    """Return the image as a `data:` address that holds all of it."""
    return f"data:image/png;base64,{base64.b64encode(png(raster)).decode('ascii')}"


def _chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
