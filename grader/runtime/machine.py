"""Which machine this is, for the record of a mark."""

import hashlib
import socket
from functools import cache
from pathlib import Path

_IDS = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))
_CARDS = Path("/sys/class/net")
_LABEL = b"grader machine 1\n"


@cache
def this_machine() -> str:
    """Return the host's name and, behind a slash, what tells it from another of that name.

    That is a digest of the system's own id and of the addresses of its network cards: copies of a machine
    often share the first, and containers have neither.
    """
    told = [text for path in _IDS if (text := _text(path))][:1]
    cards = sorted(_CARDS.glob("*/device")) if _CARDS.is_dir() else []
    told += [text for card in cards if (text := _text(card.parent / "address"))]
    digest = hashlib.sha256(_LABEL + "\n".join(told).encode()).hexdigest()[:8]
    return f"{socket.gethostname() or 'unknown'}/{digest}" if told else socket.gethostname() or "unknown"


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace").strip()[:200]
    except OSError:
        return ""
