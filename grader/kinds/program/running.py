"""Runs programs of a submission, and of the reference."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from grader.judge.finding import Expected
from grader.kinds.program.dialogue import Conversation, Programs, to_outcome
from grader.kinds.program.passes import in_passes
from grader.lab.lab import Lab
from grader.lab.oracle import Oracle
from grader.lab.own_boxes import what_happened
from grader.lab.turn import CaseTurn
from grader.languages.artefact import Artefact
from grader.languages.toolchain import Toolchain
from grader.model.case import Case, ProgramRun
from grader.model.limits import allowed
from grader.model.outcome import Ending, Outcome
from grader.model.submission import SourceFile
from grader.model.task import OwnCode, Task
from grader.sandbox.box import Program, StopHere
from grader.sandbox.evidence import Evidence, watched_call_of
from grader.sandbox.request import encode_program
from grader.sandbox.zygote import SandboxFailure


def run_program(turn: CaseTurn, run: ProgramRun, lab: Lab) -> Outcome:
    """Return the outcome of a case with a program.  Raises `SandboxFailure`."""
    absence = lab.boxes.absence(run.module)
    if absence is not None:
        return absence
    case = turn.case
    expected = lab.inputs.expectations.get(case.id)
    reference = expected.outcome if expected is not None else None
    programs = _programs(turn, run, lab)
    if isinstance(programs, Outcome):
        return programs
    if run.passes > 1:

        def once(one: ProgramRun, seeded: Case) -> Outcome:
            return _once(replace(turn, case=seeded), one, lab, programs, reference)

        return in_passes(case, run, once, lab.inputs.task.seed_of(case), lab.tools.oracle, reference)
    known = None if lab.cache.is_blank or run.interactor is not None else lab.find(turn)
    if known is None:
        return _once(turn, run, lab, programs, reference)
    conversation = programs.conversation(run, reference)
    lab.budget.charge(known.report)
    if conversation is not None:
        # The same calls give the same lines again, and so the same record of the dialogue.
        with suppress(StopHere):
            for call in known.calls:
                conversation(watched_call_of(call))
    return to_outcome(known, conversation)


def _once(
    turn: CaseTurn, run: ProgramRun, lab: Lab, programs: Programs, reference: Outcome | None
) -> Outcome:
    """Run a program and end its conversation.  Raises `SandboxFailure`."""
    conversation = programs.conversation(run, reference)
    try:
        return _gathered(turn, run, lab, programs, conversation)
    finally:
        if conversation is not None:
            conversation.close()


def _gathered(
    turn: CaseTurn, run: ProgramRun, lab: Lab, programs: Programs, conversation: Conversation | None
) -> Outcome:
    """Run a case, and keep its evidence.  Raises `SandboxFailure`.

    That of a talk with an interactor, and of several passes, is not kept: it may be otherwise the next time.
    """
    with lab.working():
        found = programs.gather(turn.case, run, allowed(turn.case.limits), conversation)
        if isinstance(found, Outcome):
            return found
        lab.note_waiting(found)
    outcome = to_outcome(found, conversation)
    is_sure = (
        run.interactor is None and run.passes == 1 and (conversation is None or not conversation.failure)
    )
    counted = lab.counted(turn, found, is_sure=is_sure)
    return outcome if isinstance(counted, Evidence) else counted


def _programs(turn: CaseTurn, run: ProgramRun, lab: Lab) -> Programs | Outcome:
    """Return the runner of a case's program, or the outcome of all its cases if it can't be built.

    Raises `SandboxFailure`.
    """
    boxes, inputs, tools = lab.boxes, lab.inputs, lab.tools
    programs = boxes.held(turn, Programs)
    if programs is not None:
        return programs
    boxes.close()
    sources = boxes.sources_of(turn)
    toolchain = inputs.task.toolchain_of(boxes.submission.files[run.module].name)
    if run.harness is not None:
        if toolchain is not None:
            detail = f"{run.harness.module}.py can only run a program in Python"
            return Outcome(ending=Ending.LOAD_FAILED, detail=detail)
        sources = {**sources, run.harness.module: run.harness.text}
    artefact = _artefact(run.module, toolchain, lab) if toolchain is not None else None
    if isinstance(artefact, Outcome):
        return artefact
    programs = Programs(
        tools.zygote_of(toolchain),
        sources,
        tools.oracle,
        inputs.longest_s,
        inputs.task.seed,
        purse=lab.budget,
        on_wait=boxes.wait,
        artefact=artefact,
    )
    boxes.hold(turn, programs)
    return programs


def _artefact(module: str, toolchain: Toolchain, lab: Lab) -> Artefact | Outcome:
    """Return the program of a module, built once a submission.  Raises `SandboxFailure`."""
    boxes = lab.boxes
    if module not in boxes.built:
        found = lab.tools.build(toolchain, module, boxes.submission.files, lab.budget)
        boxes.built[module] = found if found is not None else boxes.skipped()
    return boxes.built[module]


def loaded_program(run: ProgramRun, program: Program, task: Task, files: Mapping[str, SourceFile]) -> Program:
    """Return the program that a case runs, given that of the question's module."""
    file = files[run.module]
    # Another language's text is no Python, and the same text in another file would be.
    module = run.main if task.toolchain_of(file.name) is None else file.name
    return replace(program, module=module, runs=True)


def expected_of(case: Case, run: ProgramRun, reference: OwnCode, oracle: Oracle) -> Expected:
    """Return what the reference's program did, or the reason why it is not known."""
    longest_s = allowed(case.limits).time_s
    sources, seed = dict(reference.texts), oracle.task.seed
    if run.harness is not None:
        sources[run.harness.module] = run.harness.text
    programs = Programs(oracle.zygote, sources, oracle, longest_s, seed, purse=oracle.purse)
    try:
        if run.passes > 1:
            limits = allowed(case.limits)

            def once(one: ProgramRun, seeded: Case) -> Outcome:
                return programs.outcome(seeded, one, limits, programs.conversation(one, lenient=True))

            outcome = in_passes(case, run, once, oracle.task.seed_of(case), oracle, None)
        else:
            outcome = programs.run(case, run)
    except SandboxFailure as failure:
        return Expected(failure=str(failure))
    finally:
        programs.close()
    if outcome.ending not in (Ending.ANSWERED, Ending.STOPPED):
        return Expected(failure=f"reference: {what_happened(outcome)}")
    return Expected(outcome=outcome)


def about(task: Task, case: Case, run: ProgramRun, reference: Outcome | None) -> tuple[bytes, str]:
    """Return all that the evidence of a program depends on, besides its text and the conditions."""
    said = reference.dialogue if reference is not None else ()
    players = sorted(task.checkers.texts.items()) if run.player and task.checkers else ()
    return encode_program(run, case.limits), repr((run.dialogue, said, run.player, players))
