"""Validations built from model objects: one with something of every kind, and one where all is well."""

from dataclasses import replace

from grader.model.validation import (
    Check,
    Distinction,
    Gravity,
    Mutant,
    QuestionScore,
    Remark,
    Survivor,
    Validation,
)


def _mutant(id: str, line: int, before: str, after: str) -> Mutant:
    return Mutant(
        id=id, operator="boundary", module="work", function="in_range", line=line, before=before, after=after
    )


def _distinction() -> Distinction:
    return Distinction(
        call="in_range(0, 0, 5)",
        reference="True",
        mutant="False",
        lines=("- call: in_range(0, 0, 5)", "  returns: true"),
    )


def faulty() -> Validation:
    """Return a validation with something of every kind, and with texts that must be escaped."""
    less = _mutant("work.in_range/boundary/1", 4, "return low <= x < high", "return low < x < high")
    same = _mutant("work.in_range/boundary/2", 4, "return low <= x < high", "return 0 < x < high")
    loop = _mutant("work.total/<b>/3", 9, "if x:\n    total += x", "\x1b[31mtotal += x")
    return Validation(
        task="small",
        title="Small <spec>",
        spec="small.yaml",
        spec_sha256="0123456789abcdef",
        checks=dict.fromkeys(Check, 3),
        remarks=(
            Remark(
                check=Check.REFERENCE,
                gravity=Gravity.FAULT,
                question="1",
                case="1.2",
                place="small.yaml:12:9",
                text="the reference does not pass this case",
                hint="mend the spec or the reference: nobody who is right can pass it",
                details=(("expected", "4.0"), ("actual", "4")),
            ),
            Remark(
                check=Check.CHECKERS,
                gravity=Gravity.ODD,
                question="2",
                case="2.1",
                text="tour(dim=5) accepts odd answers; are they right?",
                details=tuple((f"answer {number}", "said <nothing>") for number in range(6)),
            ),
            Remark(check=Check.PROGRAMS, gravity=Gravity.FAULT, text="wrong/one is \x1b[1mnot right"),
            Remark(check=Check.NEEDED, gravity=Gravity.NOTE, question="3", text="1 of 9 cases catch all"),
        ),
        questions=(
            QuestionScore(
                id="1",
                title="in_range",
                caught=31,
                survivors=(
                    Survivor(mutant=less, distinction=_distinction()),
                    Survivor(mutant=same, distinction=_distinction()),
                ),
                unsure=(Survivor(mutant=less, distinction=replace(_distinction(), certain=False)),),
                alike=(Survivor(mutant=loop),),
                equivalent=(Survivor(mutant=loop, reason="zero adds nothing"),),
            ),
            QuestionScore(id="2", title="tour", caught=12),
            QuestionScore(id="3", title="total", caught=5),
        ),
        mutants=40,
        elapsed_s=61.2,
    )


def well() -> Validation:
    return Validation(
        task="small",
        title="Small",
        spec="small.yaml",
        spec_sha256="0123456789abcdef",
        checks={check: 3 for check in Check if check is not Check.STEADY},
        remarks=(),
        questions=(QuestionScore(id="1", title="in_range", caught=31),),
        mutants=31,
        quick=True,
    )
