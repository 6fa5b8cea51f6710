"""A validation in words: what to do first, the checks, and the parts by question."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.model.validation import Check, Gravity, QuestionScore, Remark, Survivor, Validation
from grader.reports.views.wording import Tone, counted

_CHECK_WORDS = {
    Check.REFERENCE: "the reference gets every mark",
    Check.HEAD_ROOM: "limits leave room",
    Check.PROGRAMS: "wrong and right programs get their declared verdicts",
    Check.BLANK: "an empty file and the handout get no marks",
    Check.CHECKERS: "checkers stand odd answers",
    Check.MUTANTS: "mutants are caught",
    Check.STEADY: "verdicts do not depend on seeds, order or load",
    Check.SECRETS: "hidden cases stay hidden",
    Check.FAILURES: "every case can fail",
    Check.NEEDED: "every case is needed",
}
TONES = {Gravity.FAULT: Tone.BAD, Gravity.ODD: Tone.PART, Gravity.NOTE: Tone.IDLE}
_GRAVITIES = (Gravity.FAULT, Gravity.ODD, Gravity.NOTE)


@dataclass(frozen=True, slots=True)
class CheckView:
    """A check, and how it went.  done: in words."""

    words: str
    tone: Tone
    done: str


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """The findings about one question; id: empty for the whole task.

    alike: for the whole task, the mutants that pass all questions and that no input tells from the reference.
    elsewhere: the mutants that pass this question, and that another one catches or lacks a case for.
    """

    id: str
    title: str
    score: str
    tone: Tone
    remarks: tuple[Remark, ...]
    survivors: tuple[Survivor, ...]
    unsure: tuple[Survivor, ...]
    alike: tuple[Survivor, ...]
    elsewhere: tuple[Survivor, ...]
    equivalent: tuple[Survivor, ...]

    @property
    def is_quiet(self) -> bool:
        """Tell whether there is nothing that a person has to look at."""
        return not (self.survivors or self.unsure) and all(
            remark.gravity is Gravity.NOTE for remark in self.remarks
        )


def verdict_of(validation: Validation) -> tuple[str, Tone]:
    """Return the result in a sentence."""
    survivors = validation.total - validation.caught
    odd = sum(remark.gravity is Gravity.ODD for remark in validation.remarks)
    odd += sum(len(question.unsure) for question in validation.questions)
    parts = []
    if validation.faults:
        parts.append(counted(len(validation.faults), "fault"))
    if survivors:
        parts.append(f"{counted(survivors, 'mutant')} not caught")
    look = f"{counted(odd, 'thing')} to look at" if odd else ""
    if not parts:
        well = "No fault in this quick look" if validation.quick else "No fault was found"
        return well + (f"; {look}." if look else "."), Tone.GOOD
    return ", ".join([*parts, *([look] if look else [])]) + ".", Tone.BAD


def score_of(validation: Validation) -> str:
    """Return how many mutants are caught, in words."""
    if not validation.total:
        return "No mutant touches a question."
    share = 100 * validation.caught / validation.total
    shown = f"{share:.1f}".rstrip("0").rstrip(".") if share < 100 else "100"
    alike = len(validation.alike)
    rest = "not looked at" if validation.quick else "perhaps the same as the reference"
    others = f"; {alike} more pass, {rest}" if alike else ""
    return (
        f"{counted(validation.mutants, 'mutant')}: caught {validation.caught:,} of {validation.total:,} "
        f"times ({shown} %) in the questions that they touch{others}."
    )


def first_steps(validation: Validation) -> Iterator[str]:
    """Yield what to do first, most grave first."""
    faults = validation.faults
    for check, words in (
        (Check.REFERENCE, "Mend the cases that the reference does not pass: {}"),
        (Check.CHECKERS, "Mend the checkers that fail: {}"),
        (Check.SECRETS, "Hide what gives hidden cases away: {}"),
        (Check.STEADY, "Make the reference's answers the same each time: {}"),
        (Check.BLANK, "Take the marks away that an empty program gets: {}"),
        (Check.PROGRAMS, "Look at the programs that do not get what is declared{}"),
    ):
        about = [remark.case or remark.question for remark in faults if remark.check is check]
        if about:
            named = ", ".join(dict.fromkeys(filter(None, about)))
            yield words.format(named).removesuffix(": ") + "."
    lacking = [question for question in validation.questions if question.survivors]
    if lacking:
        worst = max(lacking, key=lambda question: len(question.survivors))
        yield (
            f"Add cases to question {worst.id}: {counted(len(worst.survivors), 'mutant')} passes it."
            if len(worst.survivors) == 1
            else f"Add cases to question {worst.id}: {len(worst.survivors)} mutants pass it."
        )


def check_views(validation: Validation) -> list[CheckView]:
    """Return the checks that were done, in their order."""
    found = []
    for check, words in _CHECK_WORDS.items():
        remarks = [remark for remark in validation.remarks if remark.check is check]
        if not remarks and check not in validation.checks:
            continue
        graves = [sum(remark.gravity is gravity for remark in remarks) for gravity in _GRAVITIES]
        faults, odd, notes = graves
        tone = Tone.BAD if faults else Tone.PART if odd else Tone.GOOD
        parts = [counted(faults, "fault")] if faults else []
        if check is Check.MUTANTS:
            odd += sum(len(question.unsure) for question in validation.questions)
        parts += [f"{odd} to look at"] if odd else []
        parts += [counted(notes, "note")] if notes else []
        if check is Check.MUTANTS and validation.caught < validation.total:
            tone = Tone.BAD
            parts.insert(0, f"{validation.total - validation.caught} not caught")
        found.append(CheckView(words, tone, ", ".join(parts)))
    return found


def question_parts(validation: Validation) -> list[QuestionPart]:
    """Return what is told about the task, and about each question that there is something to tell of."""
    parts = [_part("", "The whole task", None, validation)]
    scores = {score.id: score for score in validation.questions}
    others = dict.fromkeys(remark.question for remark in validation.remarks if remark.question)
    parts += [_part(id, score.title, score, validation) for id, score in scores.items()]
    parts += [_part(id, "", None, validation) for id in others if id not in scores]
    return [part for part in parts if part.id in scores or part.remarks or part.alike]


def _part(id: str, title: str, score: QuestionScore | None, validation: Validation) -> QuestionPart:
    remarks = sorted(
        (remark for remark in validation.remarks if remark.question == id),
        key=lambda remark: _GRAVITIES.index(remark.gravity),
    )
    words, tone = "", Tone.IDLE
    if score is not None and score.total:
        words = f"{score.caught} of {score.total} mutants caught"
        tone = Tone.GOOD if score.caught == score.total else Tone.BAD
    elif score is not None:
        words = "no mutant touches it"
    return QuestionPart(
        id=id,
        title=title,
        score=words,
        tone=tone,
        remarks=tuple(remarks),
        survivors=score.survivors if score else (),
        unsure=score.unsure if score else (),
        alike=() if id else validation.alike,
        elsewhere=_without(score.alike, validation.alike) if score else (),
        equivalent=score.equivalent if score else (),
    )


def _without(survivors: Iterable[Survivor], others: Iterable[Survivor]) -> tuple[Survivor, ...]:
    """Return the survivors whose mutant is not among others."""
    known = {one.mutant.id for one in others}
    return tuple(one for one in survivors if one.mutant.id not in known)
