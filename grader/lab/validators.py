"""Validators: how a program of the spec's is asked about what a student's program printed, and what it says.

Three protocols are known.  That of Kattis and the ICPC is described at
https://www.kattis.com/problem-package-format/spec/2025-09.html (output validator), testlib's in its own
header (`registerTestlibCmd`, `registerInteraction` and the exit codes `OK_EXIT_CODE` and the like), DMOJ's in
`dmoj/contrib/default.py` of its judge.
"""

from dataclasses import replace
from fractions import Fraction

from grader.judge.finding import CheckFailed, CheckResult
from grader.judge.messages import failed_build, place_of
from grader.lab.digests import digest
from grader.languages.artefact import Artefact
from grader.languages.toolchain import language_of, toolchain_named
from grader.model.case import ProgramRun
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.model.own_code import Protocol, Validator
from grader.sandbox.box import Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.zygote import Zygote
from grader.wire.byte_text import bytes_of, text_of

VALIDATOR_LIMITS = Limits(time_s=10.0, wall_s=30.0)
INTERACTOR_LIMITS = Limits(time_s=10.0, wall_s=120.0)
"""An interactor waits while the program computes; this time does not count, up to a multiple."""
_INPUT, _ANSWER, _OUTPUT = "input.txt", "answer.txt", "output.txt"
_MESSAGES = ("teammessage.txt", "judgemessage.txt")
"""Files in which a validator of Kattis says why; what is meant for the team comes first."""
_ACCEPTED = {Protocol.KATTIS: (42,), Protocol.TESTLIB: (0,), Protocol.DMOJ: (0,)}
_REFUSED = {Protocol.KATTIS: (43,), Protocol.TESTLIB: (1, 2, 4, 8), Protocol.DMOJ: (1,)}
_NOTE = 300
"""The most characters of a validator's error output that the staff is told."""
_ENDINGS = {
    Ending.TIME: "it was stopped: it computed too long",
    Ending.WALL: "it was stopped: it waited too long",
    Ending.MEMORY: "it needed too much memory",
    Ending.OUTPUT: "it printed too much",
    Ending.ANSWER_SIZE: "it asked for too many lines",
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
    # Most tasks need no compiler.
    from grader.sandbox.tools.build import build, refusal
    from grader.sandbox.tools.toolchains import artefact_of

    toolchain = toolchain_named(validator.language)
    reason = refusal(toolchain, zygote.driver, zygote.interpreter)
    if reason:
        raise CheckFailed(f"{validator.file} can't be built: {reason}")
    texts = dict(validator.texts)
    name = language_of(toolchain).file_of(validator.file.rpartition(".")[0], validator.file)
    built = build(toolchain, name, texts, zygote.interpreter, purse=UNBILLED)
    said = built.said
    if built.files is not None:
        sources = {each: bytes_of(text) for each, text in texts.items()}
        artefact = artefact_of(toolchain, name, sources, built.files)
        if isinstance(artefact, Artefact):
            return artefact
        said = artefact
    raised = failed_build(texts, said).raised
    told = f"{raised.message}{place_of(raised)}" if raised is not None else "the compiler says nothing"
    raise CheckFailed(f"{validator.file} can't be built: {told}")


def digest_of(validator: Validator) -> str:
    """Return a digest of a validator's program, which calls with other arguments share."""
    return digest(validator.file, *(part for pair in validator.texts for part in pair))


def talk_with(interactor: Validator, stdin: str, answer: str) -> ProgramRun:
    """Return the run of an interactor, given its input and answer."""
    run = question(interactor, stdin, answer, "")
    if interactor.protocol is Protocol.DMOJ:
        return replace(run, arguments=(_INPUT, _ANSWER, *interactor.arguments))
    return run


def question(validator: Validator, stdin: str, answer: str, output: str) -> ProgramRun:
    """Return the run of a validator that asks it about an output, given the input and a right answer."""
    files = ((_INPUT, bytes_of(stdin)), (_ANSWER, bytes_of(answer)))
    module = validator.file if validator.language else validator.file.removesuffix(".py")
    if validator.protocol is not Protocol.KATTIS:
        arguments = (_INPUT, _OUTPUT, _ANSWER, *validator.arguments)
        return ProgramRun(module=module, arguments=arguments, files=(*files, (_OUTPUT, bytes_of(output))))
    # The folder for its messages is the one in which it works.
    arguments = (_INPUT, _ANSWER, "./", *validator.arguments)
    keeps = () if validator.language else _MESSAGES
    return ProgramRun(module=module, arguments=arguments, stdin=output, files=files, keeps=keeps)


def said_by(validator: Validator, outcome: Outcome) -> CheckResult:
    """Return what a validator says by its exit code.  Raises `CheckFailed` if that is no verdict."""
    code = exit_code(outcome)
    if code in _ACCEPTED[validator.protocol]:
        return CheckResult(Fraction(1))
    if code in _REFUSED[validator.protocol]:
        return CheckResult(Fraction(0), _message(validator, outcome))
    told = f"{validator.file} ended with exit code {code}, which is no verdict"
    raise CheckFailed(told, outcome.stderr.strip()[-_NOTE:])


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


def exit_code(outcome: Outcome) -> int | None:
    """Return the exit code with which a validator ended by itself; None if it was stopped."""
    match outcome.answers:
        # What it raised follows: its exit code is then Python's, and no verdict.
        case (Returned(value={"exit_code": int() as code}),) if outcome.ending is Ending.ANSWERED:
            return code
    return outcome.exit_status


def _message(validator: Validator, outcome: Outcome) -> str:
    """Return the first line that a validator says about an output that it refuses."""
    if validator.protocol is not Protocol.KATTIS:
        texts = [outcome.stderr]
    else:
        left = (
            outcome.answers[0].value if outcome.answers and isinstance(outcome.answers[0], Returned) else {}
        )
        files = left.get("files", {}) if isinstance(left, dict) else {}
        texts = [text_of(files[name]) for name in _MESSAGES if type(files.get(name)) is bytes]
    lines = (line.strip() for text in texts for line in text.splitlines())
    return next(filter(None, lines), f"{validator.file} does not accept it")
