"""The keys of a plot: the parts of its axes that a case compares."""

from grader.spec.keys.values import VALUE
from grader.yamlfile.kinds import NAMES, ref
from grader.yamlfile.table import Fields, Key, KeyKind, KeyTable

_WORDS = KeyKind(
    "a text", "text, or `same as reference`", Fields.node, {"type": ["string", "number", "boolean"]}
)
_LISTED = KeyKind(NAMES.must_be, "list of texts, or `same as reference`", Fields.node, NAMES.schema)
_DATA = VALUE.described("value, or `same as reference`")
TEXTS = ("title", "xlabel", "ylabel", "xscale", "yscale")
"""Parts that are a text."""
LISTS = ("legend", "xticks", "yticks")
"""Parts that are a list of texts."""

# fmt: off
PLOT = KeyTable(
    "a plot",
    (
        Key("title", _WORDS, "Prices", absent="not compared, as all others", meaning=
            "the title of the axes"),
        Key("xlabel", _WORDS, "day", meaning="the label of the x axis"),
        Key("ylabel", _WORDS, "CHF", meaning="the label of the y axis"),
        Key("legend", _LISTED, "[Bern, Genf]", meaning="the texts of the legend; `[]` for none"),
        Key("lines", _DATA, '"[[(0, 1), (1, 4)]]"', meaning="the points of each line, in the order drawn"),
        Key("points", _DATA, '"[[(0, 1), (1, 4)]]"', meaning="the points of each `scatter`"),
        Key("bars", _DATA, '"[[3, 5, 2]]"', meaning="the lengths of each group of bars, of a histogram too"),
        Key("xticks", _LISTED, "[Bern, Genf]", meaning="the texts below the x axis, such as the bars' names"),
        Key("yticks", _LISTED, "[0, 5, 10]", meaning="the texts beside the y axis"),
        Key("xlim", _DATA, '"(0, 10)"', meaning="both ends of the x axis"),
        Key("ylim", _DATA, '"(0, 10)"', meaning="both ends of the y axis"),
        Key("xscale", _WORDS, "log", meaning="the scale of the x axis, such as `linear` and `log`"),
        Key("yscale", _WORDS, "log", meaning="the scale of the y axis"),
    ),
)
# fmt: on

PLOTTED = KeyKind(
    "a mapping, a list of mappings, or same as reference",
    "[a plot](#a-plot), a list of them, or `same as reference`",
    Fields.node,
    {"anyOf": [ref(PLOT), {"type": "array", "minItems": 1, "items": ref(PLOT)}, {"type": "string"}]},
)
