"""For the keys of a kind of case in a spec: how their values are read, and which of them go together.

All specs need the keys of all kinds, so this is light.  A module of keys should import nothing else.
"""

from grader.spec.keys.forms import OF_EVERY, CaseForm, KindKeys
from grader.spec.keys.values import ATTRIBUTE, CALL, EXPRESSION, LAMBDA, PRINTED, VALUE
from grader.yamlfile.kinds import (
    BOOLEAN,
    DURATION,
    INTEGER,
    LIST,
    MAPPING,
    NAMES,
    NUMBER,
    PATH,
    SIZE,
    TEXT,
    choice,
    each,
    inner,
    mapping_of,
    or_mapping,
    quantity,
    texts,
    within,
)
from grader.yamlfile.table import Key, KeyKind, KeyTable

__all__ = [
    "ATTRIBUTE",
    "BOOLEAN",
    "CALL",
    "DURATION",
    "EXPRESSION",
    "INTEGER",
    "LAMBDA",
    "LIST",
    "MAPPING",
    "NAMES",
    "NUMBER",
    "OF_EVERY",
    "PATH",
    "PRINTED",
    "SIZE",
    "TEXT",
    "VALUE",
    "CaseForm",
    "Key",
    "KeyKind",
    "KeyTable",
    "KindKeys",
    "choice",
    "each",
    "inner",
    "mapping_of",
    "or_mapping",
    "quantity",
    "texts",
    "within",
]
