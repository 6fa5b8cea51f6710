"""`results.json` (schema `grader-results/1`): how the JSON differs from the result types, and writing it.

The file has one submission per line, so a run of ten thousand can be written and read one at a time, and two
runs can be compared line by line.  The text is pure ASCII (JSON escapes), so the file is safe to view in a
terminal.  `grader.store.reading` reads the file.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from grader.judge.pictures.vocabulary import NotAPicture, read_picture
from grader.model import results as model
from grader.model.drawing import MAX_IMAGE_SIDE, MAX_PIXELS, Cell, Grid, Line, Picture, Raster, Sheet
from grader.model.person import Person
from grader.model.submission import Instead, MarkAside, MarkGiven, Remark
from grader.store.codec import Codec, Misfit, Shape
from grader.store.whole_file import replacing

KEPT_OUTPUT = 64 * 1024
"""The most characters that are kept of one stream of a case.  The middle of a longer text is left out;
otherwise one student could make the results of a whole course too large to read."""
_HEAD_OF_OUTPUT = KEPT_OUTPUT * 3 // 4
_LEFT_OUT = "\n… {:,} characters are left out here …\n"
_WAS_CUT = re.compile(_LEFT_OUT.replace("{:,}", "[0-9,]+"))

_PICTURE_KEYS = {"title", "text", "grid", "image"}
_ZLIB_LEVEL = 9
_ENCODER = json.JSONEncoder(allow_nan=False)


# -- conversions of single fields --------------------------------------------------------------------


def kept_output(text: str) -> str:
    """Return the text; if it is long, its beginning, the length of the omitted part, and its end."""
    if len(text) <= KEPT_OUTPUT:
        return text
    cut = _WAS_CUT.match(text, _HEAD_OF_OUTPUT)
    if cut and len(text) == KEPT_OUTPUT + len(cut.group()):
        return text
    tail = KEPT_OUTPUT - _HEAD_OF_OUTPUT
    return text[:_HEAD_OF_OUTPUT] + _LEFT_OUT.format(len(text) - KEPT_OUTPUT) + text[-tail:]


def _microseconds(seconds: float) -> float:
    return round(seconds, 6)


def _four_places(ratio: float) -> float:
    return round(ratio, 4)


def picture_as_json(picture: Picture) -> dict[str, Any]:
    """Return a picture: a grid or a table in the words of a spec's renderers, an image packed."""
    content = picture.content
    return {
        "title": picture.title,
        "text": picture.text,
        "grid": RESULTS.write(content) if isinstance(content, Grid) else None,
        "image": _image_as_json(content) if isinstance(content, Raster) else None,
        **({"table": RESULTS.write(content)} if isinstance(content, Sheet) else {}),
    }


def _pictures_as_json(pictures: Iterable[Picture]) -> list[dict[str, Any]]:
    return [picture_as_json(picture) for picture in pictures]


def _image_as_json(raster: Raster) -> dict[str, Any]:
    return {
        "width": raster.width,
        "height": raster.height,
        "palette": [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in raster.palette],
        "pixels": base64.b64encode(zlib.compress(raster.pixels, _ZLIB_LEVEL)).decode("ascii"),
    }


def _pictures_of(plain: Any) -> tuple[Picture, ...]:
    """Return the pictures in a results file, which can come from anywhere.

    They are read as strictly as a renderer's: one that exceeds a bound is left out.  Raises `Misfit`.
    """
    if type(plain) is not list or not all(type(one) is dict and one.keys() >= _PICTURE_KEYS for one in plain):
        raise Misfit("something stands where pictures should")
    return tuple(picture for one in plain if (picture := picture_of(one)) is not None)


def picture_of(plain: dict[str, Any]) -> Picture | None:
    """Return the picture in plain data, None if there is none."""
    try:
        title, text, image = plain["title"], plain["text"], plain["image"]
        if plain["grid"] is not None:
            return read_picture({"title": title, "text": text, **plain["grid"]})
        if plain.get("table") is not None:
            table = dict(plain["table"])
            return read_picture({"title": title, "text": text, "table": table.pop("rows"), **table})
        return None if image is None else _image_of(title, text, image)
    except (NotAPicture, KeyError, TypeError, ValueError, zlib.error):
        return None


def _image_of(title: str, text: str, image: dict[str, Any]) -> Picture:
    """Rebuild an image.  Raises `NotAPicture`, and the errors of values with wrong types."""
    width, height = image["width"], image["height"]
    if not (0 < width <= MAX_IMAGE_SIDE and 0 < height <= MAX_IMAGE_SIDE and width * height <= MAX_PIXELS):
        raise NotAPicture("the image is too large")
    # The palette, title and text are checked on an image of one pixel.
    whole = read_picture({"title": title, "text": text, "palette": image["palette"], "image": [[0]]})
    assert isinstance(whole.content, Raster)
    unpacking = zlib.decompressobj()
    pixels = unpacking.decompress(base64.b64decode(image["pixels"], validate=True), width * height + 1)
    if len(pixels) != width * height or max(pixels) >= len(whole.content.palette):
        raise NotAPicture("the pixels do not fit the image")
    return Picture(whole.title, whole.text, Raster(width, height, whole.content.palette, pixels))


# -- the exceptions ----------------------------------------------------------------------------------

SHAPES = {
    model.RunResults: Shape("document", order=("schema", "run", "task", "submissions")),
    model.RunInfo: Shape(
        "run",
        optional=frozenset({"tools", "plugins", "spec_faults", "lock_sha256", "files", "commit", "code"}),
    ),
    model.RunFile: Shape("file of the run"),
    model.SandboxInfo: Shape("sandbox"),
    model.TaskHead: Shape("task", optional=frozenset({"language"})),
    model.SubmissionResult: Shape(
        "submission",
        renamed={"content_sha256": "sha256"},
        never=frozenset({"sha256"}),
        optional=frozenset(
            {
                *("awaiting", "deadline", "submitted", "rules", "caps", "attempts", "counting", "person"),
                *("sources", "made", "instead", "remarks", "aside"),
            }
        ),
        goes_with={"submitted": "deadline"},
    ),
    MarkAside: Shape("mark aside"),
    MarkGiven: Shape("mark given", optional=frozenset({"date"})),
    Instead: Shape("instead", optional=frozenset({"given_for", "state", "attempt"})),
    Remark: Shape("remark", optional=frozenset({"date", "question", "file", "line", "text"})),
    model.MarkOrigin: Shape("made", optional=frozenset({"worker", "evidence"})),
    model.QuestionResult: Shape("question", optional=frozenset({"criteria", "groups", "bonus"})),
    model.GroupResult: Shape("group", optional=frozenset({"at_least", "bonus"})),
    model.Cap: Shape("cap"),
    model.AttemptResult: Shape("attempt"),
    Person: Shape(
        "person", never=frozenset({"id"}), optional=frozenset({"mail", "ids", "group", "by_download", "work"})
    ),
    model.CaseResult: Shape(
        "case",
        never=frozenset({"withheld"}),
        optional=frozenset(
            {
                *("printed", "expected_print", "steps", "given", "dialogue", "timing", "growth"),
                *(
                    "pictures",
                    "findings",
                    "near_limit",
                    "picture_note",
                    "checker_note",
                    "stopped_at",
                    "title",
                ),
            }
        ),
        write={
            **{"cpu_s": _microseconds, "wall_s": _microseconds, "pictures": _pictures_as_json},
            **{"stdout": kept_output, "stderr": kept_output},
        },
        read={"pictures": _pictures_of},
    ),
    model.Difference: Shape("difference", never=frozenset({"sentence"}), optional=frozenset({"code"})),
    model.Raised: Shape("raised", renamed={"type_name": "type"}, never=frozenset({"suggestion"})),
    model.Frame: Shape("frame", optional=frozenset({"column", "end_column"})),
    model.StepResult: Shape("step", optional=frozenset({"printed", "expected_print"})),
    model.GivenText: Shape("given"),
    model.TurnResult: Shape("turn", optional=frozenset({"stopped"})),
    model.Timing: Shape(
        "timing",
        write={
            **{"reference_s": _microseconds, "submission_s": _microseconds},
            **{"ratio": _four_places, "spread": _four_places},
        },
    ),
    model.GrowthResult: Shape(
        "growth",
        optional=frozenset({"others", "too_quick", "import_s", "remark"}),
        write={"power": _four_places, "import_s": _microseconds},
    ),
    model.GrowthPoint: Shape("growth point", write={"cpu_s": _microseconds}),
    model.CriterionResult: Shape("criterion", optional=frozenset({"work", "given"})),
    model.Penalty: Shape("penalty"),
    model.Override: Shape("override", optional=frozenset({"work"})),
    model.RuleResult: Shape("rule", order=("rule", "broken", "effect", "findings", "hint", "note")),
    model.RuleFinding: Shape("finding"),
    model.SourceText: Shape("source"),
    Picture: Shape("picture"),
    Grid: Shape(
        "grid",
        order=("columns", "rows", "chequered", "across", "down", "legend", "cells", "lines"),
        write={"legend": dict},
    ),
    Sheet: Shape("table"),
    Cell: Shape("cell", optional=frozenset({"text", "fill", "piece", "mark"})),
    Line: Shape("line", optional=frozenset({"mark", "arrow", "number"})),
}
"""All differences between the JSON and the declared types."""

RESULTS = Codec(SHAPES)
RESULTS_FILE = "results.json"
"""The name of the file in a folder of results."""


# -- text --------------------------------------------------------------------------------------------


def json_text(value: object) -> str:
    """Return the JSON of plain data on one line, in ASCII; the same value gives the same text.

    Strict readers refuse half of a surrogate pair, so it is written as the text of its escape.
    Raises `ValueError` for NaN and infinities.
    """
    text = _ENCODER.encode(value)
    # Escapes of whole pairs look the same as those of halves, so a second look decides; such text is rare.
    return _ENCODER.encode(_encodable(value)) if "\\ud" in text else text


def _encodable(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_encodable(key): _encodable(each) for key, each in value.items()}
        case list() | tuple():
            return [_encodable(each) for each in value]
    return value


def submission_text(submission: model.SubmissionResult) -> str:
    return json_text(RESULTS.write(submission))


def submission_of(text: str) -> model.SubmissionResult:
    """Return the submission of a line.  Raises `ValueError` if it holds none."""
    return RESULTS.read(model.SubmissionResult, json.loads(text))


# -- the file ----------------------------------------------------------------------------------------


def write_results(path: Path, results: model.RunResults) -> None:
    """Write the results to `path`, whole or not at all; the submissions are iterated once."""
    write_texts(path, results, map(submission_text, results.submissions))


def write_texts(path: Path, head: model.RunResults, submissions: Iterable[str]) -> None:
    """Write a file whose submissions are lines already, as `submission_text` makes them.

    head: the rest of the file; its own submissions are ignored.
    """
    with replacing(path, encoding="ascii", durable=True) as file:
        file.writelines(_lines(head, submissions))


def _lines(head: model.RunResults, submissions: Iterable[str]) -> Iterator[str]:
    yield "{\n"
    yield f'"schema": {json_text(head.schema)},\n'
    yield f'"run": {json_text(RESULTS.write(head.run))},\n'
    yield f'"task": {json_text(RESULTS.write(head.task))},\n'
    yield '"submissions": [\n'
    separator = ""
    for submission in submissions:
        yield separator + submission
        separator = ",\n"
    yield "\n]\n}\n" if separator else "]\n}\n"
