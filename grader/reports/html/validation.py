"""The page of a validation: one file for the instructor."""

from grader.model.validation import Validation
from grader.reports.html.templating import templates
from grader.reports.views.validation import (
    TONES,
    check_views,
    first_steps,
    question_parts,
    score_of,
    verdict_of,
)
from grader.reports.views.wording import TONE_SYMBOLS, counted


def validation_page(validation: Validation) -> str:
    """Return the page; see `pages` for its safety."""
    template = templates("validation.css").get_template("validation.html.j2")
    verdict, tone = verdict_of(validation)
    kept = f", {counted(validation.kept, 'result')} kept from before" if validation.kept else ""
    return template.render(
        task_title=validation.title,
        spec=validation.spec,
        quick=validation.quick,
        tone=tone,
        verdict=verdict,
        score=score_of(validation),
        caught=validation.caught,
        total=validation.total,
        steps=list(first_steps(validation)),
        checks=check_views(validation),
        parts=sorted(question_parts(validation), key=lambda part: part.is_quiet),
        symbols=TONE_SYMBOLS,
        tones=TONES,
        facts=f"Spec {validation.spec_sha256[:12]}, validated in {validation.elapsed_s:.0f} s{kept}.",
    )
