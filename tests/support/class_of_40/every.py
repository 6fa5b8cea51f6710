"""Every rendering of the class and every sheet by a name, for tests of all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

from support.class_of_40.layouts import (
    blackboard,
    brightspace,
    canvas,
    gradescope,
    moodle,
    plain,
    repositories,
)
from support.class_of_40.rendered import Rendered
from support.class_of_40.sheets import blackboard as blackboard_sheet
from support.class_of_40.sheets import brightspace as brightspace_sheet
from support.class_of_40.sheets import canvas as canvas_sheet
from support.class_of_40.sheets import moodle as moodle_sheet

LAYOUTS: dict[str, Callable[[Path], Rendered]] = {
    "moodle": moodle.render,
    "moodle, unpacked": partial(moodle.render, unpacked=True),
    "moodle before 4.1": partial(moodle.render, underscore=True),
    "moodle, flat": partial(moodle.render, flat=True),
    "moodle, blind": partial(moodle.render, blind=True),
    "canvas": canvas.render,
    "canvas, unpacked": partial(canvas.render, unpacked=True),
    "canvas, groups": partial(canvas.render, groups=True),
    "canvas, anonymous": partial(canvas.render, anonymous=True),
    "canvas, names not marked as UTF-8": partial(canvas.render, utf8_flag=False),
    "gradescope": gradescope.render,
    "gradescope, unpacked": partial(gradescope.render, packed=False),
    "classroom": repositories.render,
    "repositories": partial(repositories.render, by_hand=True),
    "blackboard": blackboard.render,
    "blackboard, unpacked": partial(blackboard.render, unpacked=True),
    "blackboard, last attempts": partial(blackboard.render, all_attempts=False),
    "brightspace": brightspace.render,
    "brightspace, unpacked": partial(brightspace.render, unpacked=True),
    "brightspace, flat": partial(brightspace.render, flat=True),
    "folders": plain.render,
    "zip of folders": partial(plain.render, how="zip of folders"),
    "zips": partial(plain.render, how="zips"),
}
"""All but a team assignment of Moodle, which has the group of three alone."""


@dataclass(frozen=True)
class Sheet:
    """A sheet as it comes from the LMS, and a reader for it when it is filled in.

    ident: the name of the property of `Student` that `read` gives marks by, as text.
    """

    blank: bytes
    ident: str
    column: str
    read: Callable[[bytes, bytes], dict[str, Fraction]]


def _moodle(before: bytes, after: bytes, language: str = "en") -> dict[str, Fraction]:
    return dict(moodle_sheet.read(before, after, language=language).marks)


def _brightspace(before: bytes, after: bytes) -> dict[str, Fraction]:
    return brightspace_sheet.read(after)


SHEETS: dict[str, Sheet] = {
    "moodle": Sheet(moodle_sheet.blank(), "participant", "Grade", _moodle),
    "moodle, blind": Sheet(moodle_sheet.blank(blind=True), "participant", "Grade", _moodle),
    "moodle, teams": Sheet(moodle_sheet.blank(team=True), "participant", "Grade", _moodle),
    "moodle, German": Sheet(
        moodle_sheet.blank(language="de"), "participant", "Bewertung", partial(_moodle, language="de")
    ),
    "canvas": Sheet(canvas_sheet.blank(), "canvas_id", canvas_sheet.COLUMN, canvas_sheet.read),
    "brightspace": Sheet(brightspace_sheet.blank(), "sis_id", brightspace_sheet.COLUMN, _brightspace),
    "blackboard": Sheet(blackboard_sheet.blank(), "login", blackboard_sheet.COLUMN, blackboard_sheet.read),
    "blackboard, UTF-16": Sheet(
        blackboard_sheet.blank(tabs=True), "login", blackboard_sheet.COLUMN, blackboard_sheet.read
    ),
}
