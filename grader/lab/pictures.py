"""Draws the answers of cases as the spec asks: evidence for people, which no mark depends on.

A failure here costs the picture alone, and leaves a note for the staff.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

from grader.judge.finding import CheckFailed, Expected
from grader.model.case import Case, Expectation, Rendering, Returns, SameAsReference
from grader.model.drawing import MAX_PICTURES, MAX_TITLE, TABLE, Drawn, Picture
from grader.model.kinds import kind_of
from grader.model.outcome import Answer, Outcome, Returned
from grader.model.results import CaseResult
from grader.model.values import Table, Value
from grader.model.verdict import WITH_AN_ANSWER, Verdict
from grader.registry.blame import blamed, is_plugins
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.registry.shapes import misfit
from grader.values.show import safe_line

_LONGEST_NOTE = 400


class Renderers(Protocol):
    """The spec's own renderers."""

    def draw(
        self, renderer: str, actual: Value, expected: Value, arguments: tuple[tuple[str, Value], ...]
    ) -> Value:
        """Return the result of the renderer of that name.  Raises `CheckFailed`."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One answer to draw; `title` begins the titles of its pictures."""

    rendering: Rendering
    actual: Value
    expected: Value
    title: str = ""


def with_pictures(
    case: Case, outcome: Outcome, expected: Expected | None, result: CaseResult, renderers: Renderers
) -> CaseResult:
    """Return the result with the pictures that the spec asks for, as far as they can be drawn."""
    pictures: tuple[Picture, ...] = ()
    notes = []
    try:
        for subject in kind_of(case).subjects(case, outcome, expected, result):
            drawn = draw(subject.rendering, subject.actual, subject.expected, renderers)
            pictures += tuple(_titled(picture, subject.title) for picture in drawn.pictures)
            notes += [f"{subject.title}{drawn.note}"] if drawn.note else []
    except BaseException as error:  # of a plugin's kind
        if not is_plugins(error):
            raise
        notes.append(safe_line(f"it could not be drawn ({blamed(error)})", _LONGEST_NOTE))
    return replace(result, pictures=pictures[:MAX_PICTURES], picture_note="; ".join(notes)[:_LONGEST_NOTE])


def draw(rendering: Rendering, actual: Value, expected: Value, renderers: Renderers) -> Drawn:
    """Draw one answer; a renderer that fails gives a note, never an exception."""
    from grader.judge.pictures.tables import table
    from grader.judge.pictures.vocabulary import NotAPicture, read_pictures

    name = rendering.renderer
    try:
        if rendering.own:
            return Drawn(read_pictures(renderers.draw(name, actual, expected, rendering.arguments)))
        of_table: Callable[..., list[Picture]] = table
        if name != TABLE and registry().is_foreign(Group.RENDERERS, name):
            return Drawn(_of_plugin(name, actual, expected, dict(rendering.arguments)))
        draws = of_table if name == TABLE else registry().load(Group.RENDERERS, name).draw
        return Drawn(tuple(draws(actual, expected, **dict(rendering.arguments))))
    except NotAPicture as problem:
        reason = f"its drawing is not valid: {problem}" if rendering.own else str(problem)
    except CheckFailed as failure:
        reason = str(failure)
    except (
        BaseException
    ) as error:  # a fault of ours, a plugin's, or of the spec's arguments; never the student's
        if not isinstance(error, Exception) and not is_plugins(error):
            raise
        reason = blamed(error)
    return Drawn(note=safe_line(f"{name} could not draw this ({reason})", _LONGEST_NOTE))


def _of_plugin(
    name: str, actual: Value, expected: Value, arguments: Mapping[str, Value]
) -> tuple[Picture, ...]:
    """Return what a plugin's renderer draws.  Raises `NotAPicture`.

    It gets copies: the expected answer is the spec's, and all other students are compared with it.
    """
    from grader.judge.pictures.vocabulary import NotAPicture

    draws = registry().load(Group.RENDERERS, name).draw
    pictures = tuple(islice(draws(*deepcopy((actual, expected)), **deepcopy(arguments)), MAX_PICTURES + 1))
    for number, picture in enumerate(pictures, 1):
        problem = "it is none" if type(picture) is not Picture else misfit(picture)
        if problem:
            plugin = registry().plugin_of(Group.RENDERERS, name)
            raise NotAPicture(f"plugin {plugin}: picture {number}: {problem}")
    return pictures


def _titled(picture: Picture, lead: str) -> Picture:
    return replace(picture, title=f"{lead}{picture.title}"[:MAX_TITLE]) if lead else picture


def of_table(expect: Expectation | None, answers: Sequence[Answer]) -> Rendering | None:
    """Return the renderer for an answer that is a DataFrame or a Series; None for any other."""
    match answers:
        case (Returned(value=Table()),) if isinstance(expect, Returns | SameAsReference):
            return Rendering(TABLE, (("comparison", expect.comparison),))
    return None


def is_due(rendering: Rendering, verdict: Verdict) -> bool:
    """Tell whether an answer with this verdict is drawn."""
    return rendering.always or verdict in WITH_AN_ANSWER
