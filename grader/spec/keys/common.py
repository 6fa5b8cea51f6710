"""The keys of the mappings that several kinds of mappings hold: limits, paces, pictures, expected texts."""

import re
from fractions import Fraction

from grader.model.case import Ignored, Whitespace
from grader.model.limits import GIB, KIB, MIB
from grader.spec.keys.synonyms import OF_LIMITS, OF_TEXT
from grader.spec.keys.values import CALL, NAME, PATTERN, PRINTED, RELATIVE, TEXTS, TOLERANCE
from grader.yamlfile.kinds import (
    BOOLEAN,
    DURATION,
    INTEGER,
    PATH,
    POSITIVE,
    SIZE,
    choice,
    matching,
    or_mapping,
    texts,
    within,
)
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, Key, KeyKind, KeyTable

_LIMIT = within(DURATION, Fraction(1, 100), 24 * 3600, "10ms", "24h")
_FLOOR = DURATION.bounded(lambda floor_s: floor_s <= 60, "must be at most 1min", "duration, up to 1min")


def _is_ignored(fields: Fields, name: str, scalar: Scalar) -> bool:
    if scalar.text in list(Ignored):
        return True
    hint = fields.reporter.nearest_or_all(scalar.text, list(Ignored))
    fields.reporter.report(scalar.span, f"`{name}` can't be `{shown(scalar.text)}`", hint)
    return False


IGNORES = texts(_is_ignored, "`case`, `punctuation`, or both as a list")
LINES = KeyKind(
    "a list of lines, or a mapping of their numbers",
    "list, or mapping of numbers",
    Fields.node,
    {"anyOf": [{"type": "array", "minItems": 1}, {"type": "object"}]},
)
_AGAINST = matching(
    re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?"),
    "a module or a function of the reference",
    "name",
    NAME.must_be,
)


def _size(least_b: int, most_b: int) -> KeyKind:
    return within(SIZE, least_b, most_b, _shown(least_b), _shown(most_b))


def _shown(size_b: int) -> str:
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size_b >= unit:
            return f"{size_b // unit}{name}"
    return f"{size_b}B"


VISIBILITY_MEANT = {
    **dict.fromkeys(("no", "false", "private", "secret", "never", "invisible"), "hidden"),
    **dict.fromkeys(("yes", "true", "visible", "shown", "always", "open"), "public"),
    **dict.fromkeys(
        ("after_due", "later", "after", "released", "after_due_date", "after_published"), "after-due"
    ),
}
"""Words for a visibility, of other tools and of people."""

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

LIMITS = KeyTable(
    "limits",
    (
        Key("time", _LIMIT, "30s", absent="`2s`", meaning=
            "CPU time of a case"),
        Key("wall", _LIMIT, "100s", absent="3 x `time` + 1s", meaning=
            "time by the clock, against code that sleeps; at least `time`"),
        Key("memory", _size(16 * MIB, 1024 * GIB), "1GiB", absent="`512MiB`", meaning=
            "memory of the process"),
        Key("output", _size(1, GIB), "64KiB", absent="`1MiB`", meaning=
            "the most bytes that may be printed, stdout and stderr together"),
        Key("answer", _size(KIB, GIB), "1MiB", absent="`8MiB`", meaning=
            "the encoded answer"),
    ),
    OF_LIMITS,
)

PACE = KeyTable(
    "pace",
    (
        Key("full", POSITIVE, "2", required=True, meaning=
            "up to this multiple of the reference's time, all of the case"),
        Key("none", POSITIVE.described("number, more than `full`"), "4", required=True, meaning=
            "from this multiple on, nothing"),
        Key("steps", within(INTEGER, 1, 100), "1", default=4, meaning=
            "equal bands between the two; with 4, they are worth 4/5, 3/5, 2/5 and 1/5"),
        Key("rounds", within(INTEGER, 1, 50), "7", default=5, meaning=
            "how many times both are run in turns where it matters; near the edge of a band up to "
            "three times as many"),
        Key("floor", _FLOOR, "50ms", default=Fraction(1, 50), absent="`20ms`", meaning=
            "CPU time up to which an answer always earns all, and by which an import may be longer "
            "than the reference's"),
        Key("against", _AGAINST, "plain", absent="the case's own function", meaning=
            "a part of the reference's folder that is timed instead of the question's module: another "
            "module with the same functions, a function with the same parameters, or `module.function`"),
    ),
)

PICTURE = KeyTable(
    "picture",
    (
        Key("by", CALL, "image(limit=1000)", required=True, meaning=
            "the call of the renderer: `tour_board`, `numbered_board`, `squares`, `cells`, `image`,"
            " or a function of the checkers file"),
        Key("always", BOOLEAN, "true", default=False, meaning=
            "`true`: accepted answers are drawn too"),
    ),
)

PRINTED_TEXT = KeyTable(
    "an expected text",
    (
        Key("text", PRINTED, '"Well done!\\n"', meaning=
            "all of the text, or `same as reference`"),
        Key("from", PATH, "data/tours.txt", meaning=
            "instead: a file beside the spec with all of the text, at most 16 MiB"),
        Key("contains", TEXTS, '["tour", "64 moves"]', meaning=
            "instead: texts that stand in it, one after another"),
        Key("pattern", PATTERN, "'^Score: [0-9]+$'", meaning=
            "instead: a pattern that matches somewhere in it; `^` and `$` match at every line"),
        Key("lines", LINES, "{1: Results, -1: {pattern: '^Total'}}", meaning=
            "instead: its lines, as a list of all of them, or those of the given numbers, -1 for the last; "
            "each is a text or a mapping like this one"),
        Key("whitespace", choice(Whitespace), "trailing", default=Whitespace.EXACT, meaning=
            "which blanks count: all; not those at the ends of lines, and no empty lines at the "
            "end; none but that words are apart; or `none` at all"),
        Key("unordered", BOOLEAN, "true", default=False, meaning=
            "`true`: the order of its lines does not matter"),
        Key("ignores", IGNORES, "[case, punctuation]", default=(), absent="nothing", meaning=
            "what does not count: capital and small letters, punctuation outside numbers"),
        Key("rel", RELATIVE, "1e-6", default=0.0, meaning=
            "tolerance of the numbers in it, as a share of the expected one; of two whole numbers there is "
            "none"),
        Key("abs", TOLERANCE, "0.01", default=0.0, meaning=
            "the same, absolute"),
    ),
    OF_TEXT,
)
# fmt: on

DRAWN = or_mapping(CALL, PICTURE, "a call such as f(1, 2), or a mapping", "call of a renderer, or mapping")
PRINTS = or_mapping(PRINTED, PRINTED_TEXT, "a text or a mapping", "text, `same as reference`, or mapping")
