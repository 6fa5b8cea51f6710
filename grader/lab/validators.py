"""Validators: how a program of the spec's is asked about what a student's program printed, and what it says.

Five protocols are known.  That of Kattis and the ICPC is described at
https://www.kattis.com/problem-package-format/spec/2025-09.html (output validator), testlib's in its own
header (`registerTestlibCmd`, `registerInteraction` and the exit codes `OK_EXIT_CODE` and the like), DMOJ's,
COCI's and PEG's in `dmoj/contrib` of DMOJ's judge.
"""

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.judge.finding import CheckFailed, CheckResult
from grader.judge.messages import place_of
from grader.lab import feedback
from grader.lab.building import build_artefact
from grader.lab.digests import digest
from grader.languages.artefact import Artefact
from grader.languages.toolchain import language_of, toolchain_named
from grader.model.case import ProgramRun
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.model.own_code import Interactor, Place, Protocol, Validator
from grader.sandbox.box import Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.zygote import Zygote
from grader.wire.byte_text import bytes_of, text_of

VALIDATOR_LIMITS = Limits(time_s=10.0, wall_s=30.0)
INTERACTOR_LIMITS = Limits(time_s=10.0, wall_s=120.0)
"""An interactor waits while the program computes; this time does not count, up to a multiple."""
_INPUT, _ANSWER, _OUTPUT = feedback.INPUT, feedback.ANSWER, "output.txt"
_MESSAGES = ("teammessage.txt", "judgemessage.txt")
"""Files in which a validator of Kattis says why; what is meant for the team comes first."""
_ACCEPTED = dict.fromkeys(Protocol, (0,)) | {Protocol.KATTIS: (42,)}
_REFUSED = {
    Protocol.KATTIS: (43,),
    Protocol.TESTLIB: (1, 2, 4, 8),
    Protocol.DMOJ: (1,),
    Protocol.COCI: (1, 2),
    Protocol.PEG: (1,),
}
_PARTLY = 7
"""The exit code of testlib's `quitp`, whose error output says `points 12.5`, and why; and of COCI's."""
_POINTS = re.compile(r"^points ([0-9.]{1,20})[ \t]*(.*)$", re.MULTILINE)
_PART = re.compile(r"^partial ([0-9]{1,9})/([0-9]{0,8}[1-9][0-9]{0,8})$", re.MULTILINE | re.ASCII)
"""What a validator of COCI's says of a part."""
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{0,12})?")
_SCORE, _SHARE = "score.txt", "score_multiplier.txt"
"""Files in which a validator of Kattis says how much an output is worth: in points, or as a share."""
_NOTE = 300
"""The most characters of a validator's error output that the staff is told."""
_ENDINGS = {
    Ending.TIME: "it was stopped: it computed too long",
    Ending.WALL: "it was stopped: it waited too long",
    Ending.MEMORY: "it needed too much memory",
    Ending.OUTPUT: "it printed too much",
    Ending.ANSWER_SIZE: "it left too much, or asked for too many lines",
    Ending.KILLED: "it was ended by a signal",
}


def program_of(validator: Validator, zygote: Zygote) -> Program:
    """Return a validator as a box loads it, built if it is none in Python.  Raises `CheckFailed`.

    Raises `SandboxFailure`.
    """
    if not validator.language:
        sources = {name.removesuffix(".py"): text for name, text in validator.texts}
        return Program(validator.file.removesuffix(".py"), sources, runs=True, lasts=True)
    artefact = _built(validator, zygote)
    return Program(validator.file, dict(validator.texts), runs=True, lasts=True, artefact=artefact)


def _built(validator: Validator, zygote: Zygote) -> Artefact:
    toolchain = toolchain_named(validator.language)
    texts = dict(validator.texts)
    if validator.protocol is Protocol.KATTIS:
        texts[validator.file] = feedback.with_files_told(texts[validator.file], feedback.token_of(validator))
    name = language_of(toolchain).file_of(validator.file.rpartition(".")[0], validator.file)
    found = build_artefact(toolchain, name, texts, zygote, purse=UNBILLED, encode=bytes_of)
    if isinstance(found, Artefact):
        return found
    told = "the compiler says nothing"
    if found is not None and found.raised is not None:
        told = f"{found.raised.message}{place_of(found.raised)}"
    elif found is not None and found.detail:
        told = found.detail
    raise CheckFailed(f"{validator.file} can't be built: {told}")


def digest_of(validator: Validator) -> str:
    """Return a digest of a validator's program, which calls with other arguments share."""
    return digest(validator.file, *(part for pair in validator.texts for part in pair))


@dataclass(frozen=True, slots=True)
class Said(CheckResult):
    """What a validator says.

    next_input: the input with which the student's program runs once more; None for none.
    left: the files that it finds again then.
    """

    next_input: str | None = None
    left: tuple[tuple[str, bytes], ...] = ()


def talk_with(interactor: Interactor) -> ProgramRun:
    """Return the run of an interactor, given its input and answer."""
    program = interactor.program
    run = question(program, interactor.stdin, interactor.answer, "", interactor.left)
    if program.protocol in (Protocol.DMOJ, Protocol.COCI) and program.all_arguments is None:
        return replace(run, arguments=(_INPUT, _ANSWER, *program.arguments))
    return run


def question(
    validator: Validator, stdin: str, answer: str, output: str, left: tuple[tuple[str, bytes], ...] = ()
) -> ProgramRun:
    """Return the run of a validator that asks it about an output, given the input and a right answer.

    left: the files that it left in an earlier pass.
    """
    files = ((_INPUT, bytes_of(stdin)), (_ANSWER, bytes_of(answer)), *left)
    module = validator.file if validator.language else validator.file.removesuffix(".py")
    if validator.protocol is not Protocol.KATTIS:
        arguments = _arguments(validator)
        return ProgramRun(module=module, arguments=arguments, files=(*files, (_OUTPUT, bytes_of(output))))
    # The folder for its messages is the one in which it works.
    arguments = (_INPUT, _ANSWER, "./", *validator.arguments)
    keeps = () if validator.language else feedback.KEPT
    return ProgramRun(module=module, arguments=arguments, stdin=output, files=files, keeps=keeps)


def _arguments(validator: Validator) -> tuple[str, ...]:
    """Return the arguments of a validator that is given the output as a file."""
    places = {Place.INPUT: _INPUT, Place.OUTPUT: _OUTPUT, Place.ANSWER: _ANSWER}
    if validator.all_arguments is not None:
        return tuple(_replaced(each, places) for each in validator.all_arguments)
    files = (_INPUT, _OUTPUT, _ANSWER)
    return (*(reversed(files) if validator.protocol is Protocol.PEG else files), *validator.arguments)


def _replaced(argument: str, places: dict[Place, str]) -> str:
    for place, file in places.items():
        argument = argument.replace(place, file)
    return argument


def said_by(validator: Validator, outcome: Outcome) -> Said:
    """Return what a validator says by its exit code.  Raises `CheckFailed` if that is no verdict."""
    code = exit_code(outcome)
    is_of_kattis = validator.protocol is Protocol.KATTIS
    files = feedback.left_by(validator, outcome) if is_of_kattis else {}
    stderr = feedback.without_files(validator, outcome.stderr) if is_of_kattis else outcome.stderr
    if validator.protocol is Protocol.PEG and code in (0, 1) and (part := _ratio(validator, outcome.stdout)):
        return _scored(validator, part, "")
    if code in _ACCEPTED[validator.protocol]:
        following = files.pop(feedback.NEXT_INPUT, None) if validator.passes > 1 else None
        if following is not None:
            return Said(Fraction(1), "", _text_of(validator, following), tuple(files.items()))
        return _scored(validator, _points(validator, files), _first_line(files, stderr, validator))
    if code == _PARTLY and validator.protocol is Protocol.COCI:
        found = _PART.search(stderr)
        if found is None:
            raise CheckFailed(f"{validator.file} says no `partial 1/2` beside exit code 7", stderr[-_NOTE:])
        return _scored(validator, (found[1], found[2], "its part"), "")
    if code == _PARTLY and validator.protocol is Protocol.TESTLIB:
        found = _POINTS.search(stderr)
        return _scored(validator, (found[1], "", "its points") if found else None, found[2] if found else "")
    if code in _REFUSED[validator.protocol]:
        if feedback.NEXT_INPUT in files and validator.passes > 1:
            raise CheckFailed(f"{validator.file} refuses an output, and asks for another pass")
        message = _first_line(files, stderr, validator) or f"{validator.file} does not accept it"
        return Said(Fraction(0), message)
    told = f"{validator.file} ended with exit code {code}, which is no verdict"
    raise CheckFailed(told, stderr.strip()[-_NOTE:])


def _ratio(validator: Validator, stdout: str) -> tuple[str, str, str] | None:
    """Return the two lines in a row that are numbers above zero, as a part and its whole.

    A validator may repeat what it was given.  So two such pairs that differ are no verdict.  Raises
    `CheckFailed`.
    """
    found = set[tuple[str, str]]()
    part = ""
    for line in map(str.strip, stdout.split("\n")):
        is_number = _NUMBER.fullmatch(line) is not None and Fraction(line) > 0
        if is_number and part:
            found.add((part, line))
        part = line if is_number and not part else ""
    if len(found) > 1:
        raise CheckFailed(f"{validator.file} says several parts, so it can't be told which one counts")
    return (*found.pop(), "its part") if found else None


def _points(validator: Validator, files: dict[str, bytes]) -> tuple[str, str, str] | None:
    """Return the number that a validator of Kattis wrote, of what it is a share, and the file's name."""
    if (share := files.get(_SHARE)) is not None:
        return text_of(share).strip(), "1", _SHARE
    if validator.full and (score := files.get(_SCORE)) is not None:
        return text_of(score).strip(), "", _SCORE
    return None


def _scored(validator: Validator, points: tuple[str, str, str] | None, message: str) -> Said:
    """Return what a score comes to; all where there is none.  Raises `CheckFailed` if it is no share."""
    if points is None:
        return Said(Fraction(1))
    number, whole, what = points
    full = Fraction(whole) if whole else validator.full or Fraction(1)
    if not _NUMBER.fullmatch(number) or not Fraction(number) <= full:
        told = (
            f"{validator.file} gives {number[:20]!r} as {what}, which is no number from 0 to {float(full):g}"
        )
        raise CheckFailed(told)
    score = Fraction(number) / full
    return Said(score, "" if score == 1 else message.strip() or f"it earns {number} of {float(full):g}")


def _text_of(validator: Validator, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        told = f"{validator.file} wrote a next input that is no UTF-8 text"
        raise CheckFailed(told) from None


def failure(validator: Validator, outcome: Outcome) -> CheckFailed:
    """Return what is said of a validator that did not end by itself.

    What it raised may quote the input or the answer, so its message is for the staff.
    """
    raised = next((each.raised for each in outcome.answers if isinstance(each, RaisedAnswer)), outcome.raised)
    if raised is None:
        return CheckFailed(
            f"{validator.file} gave no verdict ({_ENDINGS.get(outcome.ending, outcome.ending)})"
        )
    line = place_of(raised)
    note = f"{raised.type_name}: {raised.message}"
    return CheckFailed(f"{validator.file} gave no verdict: it raised {raised.type_name}{line}", note[:_NOTE])


def ended_by_end_of_input(outcome: Outcome) -> bool:
    """Tell whether a program in Python ended since its input had, as by `input()`."""
    raised = next((each.raised for each in outcome.answers if isinstance(each, RaisedAnswer)), None)
    return raised is not None and raised.type_name == "EOFError"


def exit_code(outcome: Outcome) -> int | None:
    """Return the exit code with which a validator ended by itself; None if it was stopped."""
    match outcome.answers:
        # What it raised follows: its exit code is then Python's, and no verdict.
        case (Returned(value={"exit_code": int() as code}),) if outcome.ending is Ending.ANSWERED:
            return code
    return outcome.exit_status


def _first_line(files: dict[str, bytes], stderr: str, validator: Validator) -> str:
    """Return the first line that a validator says about an output; empty if it says nothing."""
    texts = [stderr]
    if validator.protocol is Protocol.KATTIS:
        texts = [text_of(files[name]) for name in _MESSAGES if name in files]
    lines = (line.strip() for text in texts for line in text.splitlines())
    return next(filter(None, lines), "")
