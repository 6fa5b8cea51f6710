"""The keys of a program, of a turn of its dialogue, and of what judges its output."""

from grader.model.own_code import Protocol
from grader.spec.keys.answers import CONTENT_KIND, DRAWING, OF_FILES, OF_FOLDER
from grader.spec.keys.common import PRINTS
from grader.spec.keys.forms import OF_EVERY, CaseForm, KindKeys
from grader.spec.keys.synonyms import OF_TURN
from grader.spec.keys.values import CALL, EXIT, MARKS, MODULE, SCALAR
from grader.yamlfile.kinds import BOOLEAN, INTEGER, LIST, PATH, TEXT, choice, each, or_mapping, ref, within
from grader.yamlfile.table import Fields, Key, KeyKind, KeyTable

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

MOST_PASSES = 100

TURN_END = KeyTable(
    "an answer",
    (
        Key("end", BOOLEAN.described("`true`"), "true", required=True, meaning=
            "`true`: the input ends, the same as `answer: end`"),
    ),
)

_ANSWER = KeyKind(
    "a line of text, or end", "a line of text, `end`, or [a mapping](#an-answer)",
    Fields.node, {"anyOf": [TEXT.schema, ref(TURN_END)]})
_ARGUMENTS = KeyKind(LIST.must_be, "list of texts, at most 100", LIST.read, {**LIST.schema, "items": SCALAR})

TURN = KeyTable(
    "a turn of a dialogue",
    (
        Key("says", PRINTS, '"Make a move: "', absent="not compared", meaning=
            "the text printed between the last input and this one, with the prompt, see [an expected "
            "text](#an-expected-text); where a blank too many is no fault, write `{text: 'Size? ', "
            "whitespace: any}`"),
        Key("answer", _ANSWER, "1 3", meaning=
            "the line that the program is then given, without its line end; `end` (without quotes): the "
            "end of its input"),
        Key("stop", choice(("here",)), "here", meaning=
            "`here`, in the last turn and without `answer`: the case ends when the program asks, and what it "
            "would do then does not count"),
    ),
    OF_TURN,
)

VALIDATOR = KeyTable(
    "a validator",
    (
        Key("file", PATH, "paths/validate.cpp", required=True, meaning=
            "its source file, in Python, C or C++; files of its language beside it, in a folder below the "
            "spec's, go with it"),
        Key("arguments", _ARGUMENTS, '["1e-6"]', absent="none", meaning=
            "further arguments"),
        Key("all_arguments", _ARGUMENTS, '["{answer}", "{output}"]', absent="those of the protocol", meaning=
            "all of its arguments, in place of those of the protocol; `{input}`, `{output}` and `{answer}` "
            "are the files"),
        Key("protocol", choice(Protocol), "testlib", absent="`kattis`", meaning=
            "how it is asked, see [Validators](cases/validators.md)"),
        Key("passes", within(INTEGER, 2, MOST_PASSES), "2", absent="1", meaning=
            "how often the program runs at most: each time with the input that the validator wrote "
            "for it, see [Several passes](cases/validators.md#several-passes)"),
        Key("score", MARKS, "100", absent="scores are shares from 0 to 1", meaning=
            "the score of an output that is right in full, of which a given one is a share, see "
            "[Scores](cases/validators.md#scores)"),
    ),
)

_VALIDATOR = or_mapping(
    PATH, VALIDATOR, "a path or a mapping", "path, or [a mapping](#a-validator)")

_KEYS = (
    Key("program", MODULE, "main", meaning=
        "a module that is run as `__main__`, as `python main.py` would run it, see "
        "[Programs](cases/programs.md)"),
    Key("arguments", _ARGUMENTS, '["--fast", "8"]', meaning=
        "its arguments"),
    Key("stdin", CONTENT_KIND,
        '"8\\na0\\n"', meaning=
        "all of its input"),
    Key("dialogue", each(TURN, "list, at most 500 turns"),
        '[{says: "Size? ", answer: 8}]', meaning=
        "its outputs and inputs, turn by turn, see [a turn](#a-turn) and "
        "[Dialogues](cases/dialogues.md)"),
    Key("player", CALL.described("Python call, see [Dialogues](cases/dialogues.md#players)"),
        "guess(n=8)", meaning=
        "a function of the checkers file that answers it line by line"),
    Key("prompts", choice(("ignored",)), "ignored", absent="part of its output", meaning=
        "`ignored`: what `input(prompt)` shows is left out of the output of a Python program"),
    Key("stdout", PRINTS, '"304\\n"', absent="not compared", meaning=
        "its output; in a dialogue, the output after its last input; see [an expected "
        "text](#an-expected-text)"),
    Key("validator", _VALIDATOR, "paths/validate.cpp", absent="the output is compared with `stdout`", meaning=
        "a program of yours that judges the output, with `stdout` as an answer that is right, see "
        "[Validators](cases/validators.md)"),
    Key("interactor", _VALIDATOR, "paths/interact.cpp", absent="none", meaning=
        "a program of yours that talks with it and judges it, given `stdin` and `stdout`, see "
        "[Validators](cases/validators.md#interactors)"),
    Key("stderr", PRINTS, '""', absent="not compared", meaning=
        "its error output"),
    Key("exit", EXIT, "2", absent="`0`", meaning=
        "its exit code"),
    *OF_FILES,
    *DRAWING,
)
# fmt: on

PROGRAM_INPUTS = ("stdin", "dialogue", "player")
"""Each is all of a program's input."""
_OF_PROGRAMS = (
    "arguments",
    *PROGRAM_INPUTS,
    "prompts",
    "stdout",
    "validator",
    "interactor",
    "stderr",
    "exit",
)

KEYS = KindKeys(
    _KEYS,
    {
        "program": CaseForm(
            ("check", "picture", *_OF_PROGRAMS, "harness", *OF_FOLDER, *OF_EVERY),
            {"plot": "a case with `plot` alone looks at what a module draws when it is imported"},
        )
    },
    only_with={
        **dict.fromkeys(_OF_PROGRAMS, ("program", "`program` names the module to run")),
        "stdout": ("program", "what a call prints is `prints`; `program` names a module to run"),
        "stdin": ("program", "a call gets its values as arguments; `program` names a module to run"),
        "arguments": ("program", "write them in the call, such as `call: f(1, 2)`"),
    },
    tables=(TURN, TURN_END, VALIDATOR),
)
