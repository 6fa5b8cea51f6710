"""Runs programs of a package that make its data: in boxes, within limits, and only where the user says so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from grader.judge.finding import CheckFailed
from grader.lab import feedback
from grader.lab.folders import no_folder
from grader.lab.own_boxes import what_happened
from grader.lab.validators import exit_code, program_of
from grader.languages.toolchain import language_named
from grader.model.case import ProgramRun
from grader.model.closing import Closing
from grader.model.limits import GIB, MIB, Limits
from grader.model.own_code import Validator
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.packages.foreign import inside
from grader.plugins.convert.packages.validators import defined_by
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.budget import Budget
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.request import encode_program
from grader.sandbox.strongest import strongest_zygote
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.spec.decode.answers.expectations import LARGEST_TEXT_B
from grader.spec.reference.files import MAX_FILE_B
from grader.wire.byte_text import bytes_of, text_of
from grader.worker.box.native import INPUT_MOST_B

OPTION = "--run-generators"
_LIMITS = Limits(time_s=10.0, wall_s=20.0, output_b=LARGEST_TEXT_B)
_LOAD_LIMITS = Limits(time_s=10.0, wall_s=40.0)
_MEMORY_B = 1 * GIB
_CPU_S, _WALL_S = 300.0, 600.0
"""For all programs of a package together."""
_LANGUAGES = {
    ".py": "",
    ".py2": "",
    ".py3": "",
    ".c": "c",
    ".cpp": "c++",
    ".cc": "c++",
    ".cxx": "c++",
}
_MOST_B = 256 * MIB
_HEADERS = (".h", ".hpp", ".hh")


@dataclass(frozen=True, slots=True)
class Made:
    """What a program printed, and the files that it left in its folder, by name."""

    stdout: bytes
    stderr: bytes
    files: dict[str, bytes]


class OwnPrograms(Closing):
    """Runs programs of one package.  Use it as a context manager.

    The sandbox starts with the first program.
    """

    def __init__(self) -> None:
        self._purse = Budget(_CPU_S, _WALL_S)
        self._zygote: Zygote | None = None
        self._programs: dict[Validator, Program] = {}
        self._made_b = 0

    def run(self, source: Validator, arguments: Sequence[str], given: bytes) -> Made:
        """Run a program.  Raises `Unconvertible` if it makes nothing, or too much."""
        if source.language and len(given) > INPUT_MOST_B:
            raise Unconvertible(f"{source.file} would be given more than {INPUT_MOST_B >> 20} MiB")
        if self._purse.is_used_up:
            raise Unconvertible(f"the programs that make its data took {_CPU_S:g} s of computing before it")
        module = source.file if source.language else PurePosixPath(source.file).stem
        asked = ProgramRun(module=module, arguments=tuple(arguments), stdin=text_of(given))
        if not source.language:
            asked = replace(asked, keeps=feedback.KEPT)
        try:
            zygote = self._started()
            with Box(
                zygote, self._built(source), _MEMORY_B, _LOAD_LIMITS, _LIMITS.time_s, purse=self._purse
            ) as box:
                outcome, _ = box.load()
                if loaded(outcome):
                    (outcome,) = box.run([Job(encode_program(asked, _LIMITS), _LIMITS)])
        except (SandboxFailure, CheckFailed) as failure:
            raise Unconvertible(str(failure)) from None
        if (code := exit_code(outcome)) != 0:
            told = f"exit code {code}" if code is not None else what_happened(outcome)
            raise Unconvertible(f"{source.file} makes no data ({told})")
        stderr = feedback.without_files(source, outcome.stderr)
        made = Made(bytes_of(outcome.stdout), bytes_of(stderr), feedback.left_by(source, outcome))
        if max(map(len, (made.stdout, made.stderr, *made.files.values()))) > LARGEST_TEXT_B:
            raise Unconvertible(f"{source.file} makes more than {LARGEST_TEXT_B >> 20} MiB")
        self._made_b += len(made.stdout) + len(made.stderr) + sum(map(len, made.files.values()))
        if self._made_b > _MOST_B:
            raise Unconvertible(f"the programs that make its data made more than {_MOST_B >> 20} MiB")
        return made

    def _started(self) -> Zygote:
        if self._zygote is None:
            self._zygote = strongest_zygote(find_interpreter(""), ())
        refused = no_folder(self._zygote, "a generator")
        if refused is not None:
            raise SandboxFailure(refused.detail)
        return self._zygote

    def _built(self, source: Validator) -> Program:
        if source not in self._programs:
            self._programs[source] = program_of(source, self._started())
        return self._programs[source]

    def close(self) -> None:
        """End the sandbox."""
        if self._zygote is not None:
            self._zygote.close()


def source_of(paths: Sequence[Path], package: Path, flags: Sequence[str] = ()) -> Validator:
    """Return a program of these files; the first that is no header begins.  Raises `Unconvertible`."""
    texts: dict[str, str] = {}
    for path in paths:
        if not inside(package, path):
            raise Unconvertible(f"{path.name} is not there, or leads out of the package")
        if path.stat().st_size > MAX_FILE_B:
            raise Unconvertible(f"{path.name} is larger than {MAX_FILE_B >> 20} MiB")
        try:
            texts[path.name] = path.read_bytes().decode()
        except UnicodeDecodeError:
            raise Unconvertible(f"{path.name} is no UTF-8 text") from None
    programs = [name for name in texts if PurePosixPath(name).suffix not in _HEADERS]
    languages = {_LANGUAGES.get(PurePosixPath(name).suffix) for name in programs}
    if len(languages) != 1 or None in languages:
        raise Unconvertible("what makes its data is no program in Python, C or C++")
    language = languages.pop() or ""
    head = defined_by(flags).decode()
    if not language:
        return _of_python(programs, texts)
    usual = (*language_named(language).endings, *_HEADERS)
    texts = {name: head + text if name in programs else text for name, text in texts.items()}
    return Validator(programs[0], _ordered(programs[0], texts, usual), language)


def _of_python(programs: Sequence[str], texts: Mapping[str, str]) -> Validator:
    named = {f"{PurePosixPath(name).stem}.py": texts[name] for name in programs}
    if not all(PurePosixPath(name).stem.isidentifier() for name in named):
        raise Unconvertible(f"{programs[0]} has a name that no module can have here")
    first = f"{PurePosixPath(programs[0]).stem}.py"
    return Validator(first, _ordered(first, named, (".py",)))


def _ordered(first: str, texts: Mapping[str, str], endings: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    others = ((name, text) for name, text in texts.items() if name != first and name.endswith(endings))
    return ((first, texts[first]), *others)
