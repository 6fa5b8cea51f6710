"""The keys that several kinds of cases have: the expected answer, files, pictures."""

from fractions import Fraction

from grader.spec.keys.common import DRAWN, PRINTS
from grader.spec.keys.values import (
    CALL,
    NAME,
    PATTERN,
    PRINTED,
    RELATIVE,
    SHARE,
    TOLERANCE,
    VALUE,
)
from grader.yamlfile.kinds import BOOLEAN, NAMES, PATH, choice, mapping_of, or_mapping
from grader.yamlfile.table import Fields, Key, KeyKind, KeyTable

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

RAISES = KeyTable(
    "raises",
    (
        Key("type", NAME.described("a built-in exception, or a class of the module"),
            "ValueError", required=True, meaning=
            "the exception's class; a subclass is accepted too"),
        Key("message", PATTERN,
            '"must be positive"', absent="any text", meaning=
            "a pattern that must match somewhere in its text"),
    ),
)

CONTENT = KeyTable(
    "a file's content",
    (
        Key("from", PATH.described("path, relative to the spec's folder; at most 1 MiB, for `stdin` 16 MiB"),
            "knights/board.txt", required=True, meaning=
            "a file whose content it is; part of the spec's digest"),
    ),
)

CONTENT_KIND = or_mapping(
    PRINTED, CONTENT, "a text or a mapping", "text of at most 1 MiB, or [a file's content](#a-files-content)")
DATA = KeyTable(
    "a data file",
    (
        Key("from", PATH.described("path, relative to the spec's folder; at most 128 MiB together"),
            "data/euro.csv", required=True, meaning=
            "the file that it is, or a folder with all that it holds; part of the spec's digest"),
    ),
)

DATA_KIND = or_mapping(
    PRINTED, DATA, "a text or a mapping", "text, or [a file or folder](#a-data-file)")
_LEAVES = KeyKind(
    "a name, a list of names, or a mapping of names", "name, list of names, or mapping",
    Fields.node, {"anyOf": [NAMES.schema, {"type": "object", "additionalProperties": PRINTS.schema}]})

EXPECTED = (
    Key("returns", VALUE, "304", meaning=
        "the answer, or the text `same as reference`: then the reference answers the same call"),
    Key("check", CALL.described("Python call, see [checkers](#checkers)"),
        "tour(dim=5)", meaning=
        "a call of a checker, which looks at the answer; beside `scenario`, at the answers that its "
        "arguments name, see [Values](cases/values.md#several-answers)"),
    Key("raises", or_mapping(NAME, RAISES, "a text or a mapping", "name of a class, or mapping"),
        "ValueError", meaning=
        "the exception that the call must raise, see [raises](#raises)"),
    Key("prints", PRINTS, '"K . .\\n"', absent="not compared", meaning=
        "the text that the call prints, beside or instead of the three above, see [an expected "
        "text](#an-expected-text) and [Printed text](cases/printed-text.md)"),
    Key("reads", NAMES.described("list of texts"), "[size, head.value, total()]", default=(),
        absent="the answer itself", meaning=
        "what is read of the answer and compared instead of it, as one would type it after a dot, or with "
        "`_` for the answer, such as `len(_)`: the answer becomes a dict with these texts as keys"),
    Key("sequence", choice(("any",)), "any", absent="they differ", meaning=
        "`any`: a list is accepted for a tuple and a tuple for a list, at every level; a set "
        "for a frozenset too, and the reverse"),
    Key("unordered", BOOLEAN, "true", default=False, meaning=
        "`true`: the order of the outermost list or tuple, or of a table's rows, does not matter"),
    Key("columns", choice(("any",)), "any", absent="as expected", meaning=
        "`any`: the order of a DataFrame's columns does not matter, nor a Series' name"),
    Key("index", choice(("any",)), "any", absent="as expected", meaning=
        "`any`: the labels of the rows of a DataFrame or Series do not matter"),
    Key("equality", choice(("python", "types")), "python", absent="the task's", meaning=
        "`python`: values are equal where Python's `==` says so, at every level: `1`, `1.0` and `True` are, "
        "a list and a tuple are not, see [Values](cases/values.md); `types`: types count"),
    Key("rel", RELATIVE, "1e-9", default=0.0, meaning=
        "tolerance of floats, complex numbers, Fractions and Decimals, relative to the expected number"),
    Key("abs", TOLERANCE, "0.001", default=0.0, meaning=
        "tolerance of the same, absolute; of a datetime and a timedelta, in seconds"),
    Key("differing", SHARE, "1%", default=Fraction(0), absent="nothing", meaning=
        "share of the items of nested lists or tuples that may differ; their shape must be the "
        "same, see [images](cases/images.md)"),
)
"""The keys for the expected answer, of a call and of a step."""

OF_FILES = (
    Key("files", mapping_of(
        CONTENT_KIND, "name: text, or [a file's content](#a-files-content); at most 100, and 4 MiB"),
        '{board.txt: "1 0\\n"}', meaning=
        "the files that a program, a call or steps find in their folder, see [Files](cases/files.md)"),
    Key("leaves", _LEAVES, "{tour.txt: same as reference}", meaning=
        "the files that must be left in that folder: their names, or name: [expected "
        "text](#an-expected-text)"),
)
DRAWING = (
    Key("picture", DRAWN, "squares(dim=8)", absent="the question's", meaning=
        "how its answer is drawn where it is not accepted, see [picture](#picture)"),
)
# fmt: on

COMPARED = ("reads", "sequence", "unordered", "columns", "index", "equality", "rel", "abs", "differing")
EXPECTATIONS: dict[str, tuple[str, ...]] = {"returns": COMPARED, "check": ("reads", "sequence"), "raises": ()}
"""The keys for the expected answer, each with the keys of a comparison that have an effect on it."""

OF_FOLDER = tuple(key.name for key in OF_FILES)
"""Keys of programs, and of calls and scenarios that run once."""
