"""The page of a validation: one file for the instructor."""

from markupsafe import Markup

from grader.model.validation import Validation
from grader.reports.html.pages import policy, style_and_templates
from grader.reports.views.validation import check_views, first_steps, question_parts, score_of, verdict_of
from grader.reports.views.wording import TONE_SYMBOLS, counted

_STYLE = Markup("""
.question > h3 { margin-top: 1.25rem; }
@media (max-width: 44rem) { .top .mark { white-space: normal; } }
.others { margin-top: .75rem; } .others > summary { cursor: pointer; }
""")


def validation_page(validation: Validation) -> str:
    """Return the page; see `pages` for its safety."""
    common, environment = style_and_templates()
    css = common + _STYLE
    environment.globals.update(css=css)
    template = environment.get_template("validation.html.j2", globals={"policy": policy(style=css)})
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
        facts=f"Spec {validation.spec_sha256[:12]}, validated in {validation.elapsed_s:.0f} s{kept}.",
    )
