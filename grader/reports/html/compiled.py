"""The code of the templates: compiled once, and kept beside them as Python keeps the code of a module."""

import contextlib
import hashlib
import marshal
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType

from jinja2 import BytecodeCache, compiler
from jinja2.bccache import Bucket

from grader import __version__
from grader.store.whole_file import replace_bytes

_DIGEST_B = hashlib.sha256().digest_size


class CompiledTemplates(BytecodeCache):
    """The code of templates, in memory for all runs of this process and on disk for the next process.

    Its files lie where Python writes a module's code (`__pycache__`, or what `PYTHONPYCACHEPREFIX` says), and
    are written only if Python would write there.  Who can write there can replace our modules as well.
    """

    def __init__(self, folder: Path) -> None:
        """folder: where the templates lie."""
        self._folder = folder
        self._code: dict[tuple[str, str], CodeType] = {}

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return name

    def get_source_checksum(self, source: str) -> str:
        return hashlib.sha256(f"{_compilers_stamp()}\n{__version__}\n{source}".encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        known = (bucket.key, bucket.checksum)
        # A file that is missing, unreadable, cut off or of another Python: the template is compiled again.
        with contextlib.suppress(OSError, EOFError, ValueError, TypeError):
            if known not in self._code:
                self._code[known] = _code_in(self._path(bucket).read_bytes(), bucket.checksum)
            bucket.code = self._code[known]

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        self._code[bucket.key, bucket.checksum] = bucket.code
        if not sys.dont_write_bytecode:
            path, content = self._path(bucket), marshal.dumps(bucket.code)
            # Without a right to write there, templates are compiled at each start, as modules are.
            with contextlib.suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                replace_bytes(path, _digest(bucket.checksum, content) + content)

    def _path(self, bucket: Bucket) -> Path:
        return Path(cache_from_source(str(self._folder / bucket.key)))


def _compilers_stamp() -> str:
    """Return what changes with jinja's compiler, as Python tells whether a module changed."""
    with contextlib.suppress(OSError):
        found = Path(compiler.__file__).stat()
        return f"{found.st_size} {found.st_mtime_ns}"
    return ""


def _code_in(file: bytes, checksum: str) -> CodeType:
    """Return the code in a file.  Raises `ValueError` if it is not that of the source with this checksum."""
    content = file[_DIGEST_B:]
    if file[:_DIGEST_B] != _digest(checksum, content):
        raise ValueError(checksum)
    code: CodeType = marshal.loads(content)
    return code


def _digest(checksum: str, content: bytes) -> bytes:
    # Code that is not whole could end this process: Python's own reader trusts what it reads.
    return hashlib.sha256(MAGIC_NUMBER + checksum.encode() + content).digest()
