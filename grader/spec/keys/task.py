"""The keys of a task and of its questions."""

import re
from fractions import Fraction

from grader.languages.toolchain import language_names
from grader.model.case import Visibility
from grader.model.policy import Attempts
from grader.model.submission import ImportPolicy, Repairs
from grader.model.task import Award, PageLanguage, RoundingMode
from grader.spec.keys.answers import DATA_KIND
from grader.spec.keys.case import CASE
from grader.spec.keys.common import DRAWN, LIMITS, PACE, VISIBILITY_MEANT
from grader.spec.keys.penalties import INSTEAD, LATE, SMOKE
from grader.spec.keys.policy import GROUP, SECOND, SECTION
from grader.spec.keys.rules import RULE_VALUE
from grader.spec.keys.synonyms import OF_QUESTION, OF_TASK
from grader.spec.keys.values import EXPRESSION, ID, IDS, MARKS, MODULE, NAME, PRINTED, SEED, TASK_ID
from grader.yamlfile.kinds import (
    BOOLEAN,
    DURATION,
    INTEGER,
    LIST,
    MAPPING,
    NAMES,
    NUMBER,
    PATH,
    TEXT,
    choice,
    each,
    inner,
    mapping_of,
    matching,
    more_than_0,
    named,
    or_mapping,
)
from grader.yamlfile.table import Fields, Key, KeyKind, KeyTable

BOARD_SIZE = re.compile(r"([1-9][0-9]{0,3}) ?x ?([1-9][0-9]{0,3})")

_TIME = more_than_0(DURATION, "duration, more than 0")
_PYTHON = matching(
    re.compile(r"3\.[0-9]{1,2}|.*/.+"),
    "a version such as 3.12 or the path of an interpreter",
    "a version `3.N`, or a path with a `/`",
    TEXT.must_be,
)
_RULES = KeyKind(
    LIST.must_be, "list of rules, not empty", LIST.read, {**LIST.schema, "items": RULE_VALUE.schema}
)
_BOARD_SIZE = matching(BOARD_SIZE, "columns x rows, such as 8x8", "`8x8`", TEXT.must_be)

_ENDING = matching(
    re.compile(r"\.(?!py$|ipynb$)[a-z0-9]{1,10}"),
    "an ending such as .pl, and not Python's",
    "`.` and letters",
)
_PATHS = NAMES.described("absolute path, or list of them")
_TOOLCHAINS = KeyKind(
    "a language, or a list of languages",
    f"{', '.join(f'`{name}`' for name in language_names())}, or [a mapping](#a-toolchain), or a list of them",
    Fields.node,
    {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/a-toolchain"}, {"type": "array"}]},
)

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

LEVEL = KeyTable(
    "a level",
    (
        Key("marks", NUMBER.described("marks, from 0"), "0.5", required=True, meaning=
            "the marks of this level; one level has all marks of the criterion"),
        Key("description", TEXT, "Some functions are explained.", required=True, meaning=
            "the work that earns them"),
        Key("id", ID, "some", absent="reviews name its marks", meaning=
            "its id, unique in the criterion: a review with `level: some` gives the marks that it has now"),
    ),
)

CRITERION = KeyTable(
    "a criterion",
    (
        Key("id", ID, "structure", required=True, meaning=
            "its id, unique in the question; reviews name it `<question>.<id>`"),
        Key("title", TEXT, "Structure of the report", required=True, meaning=
            "its name for people"),
        Key("marks", MARKS, "1", required=True, meaning=
            "its marks"),
        Key("description", TEXT, "Every function is explained.", default="", meaning=
            "a description for the marker; students see it too"),
        Key("levels", each(LEVEL), default=(), absent="any marks up to its own", meaning=
            "the marks to choose from, see [levels](#levels)"),
    ),
)

_TIMEOUTS = matching(
    re.compile(r"[1-9][0-9]{0,3} timeouts?"), "a number of timeouts such as `2 timeouts`", "`2 timeouts`"
)

QUESTION = KeyTable(
    "a question",
    (
        Key("id", ID, '"3"', required=True, meaning=
            "the question's id, unique in the task"),
        Key("title", TEXT, "count_tours", required=True, meaning=
            "its name for people"),
        Key("module", MODULE, "knight1", absent="the only module, or the first of its programs", meaning=
            "the module whose functions its cases call"),
        Key("marks", MARKS, "2", required=True, meaning=
            "its marks"),
        Key("award", choice(Award), "each", default=Award.ALL, meaning=
            "how its cases become its mark: `all` or nothing; `each` case in proportion to its weight; "
            "`groups`, where a group counts when all of its cases are accepted, or by its rule in `groups`; "
            "`by-time`, as `each`, but a right answer earns marks by its time"),
        Key("groups", named(GROUP), "{big: {award: threshold, at least: 3}}", absent="all cases of a group",
            meaning=
            "the rule of each group, see [groups](#groups); implies `award: groups`"),
        Key("bonus", BOOLEAN, "true", default=False, meaning=
            "`true`: its marks come on top of the task's, see [cap](#bonus-sections-and-cap)"),
        Key("pace", inner(PACE), "{full: 2, none: 4}", absent="nothing, within the limits", meaning=
            "the worth of times, compared with the reference's, see [pace](#pace)"),
        Key("limits", inner(LIMITS), "{time: 30s}", absent="the task's", meaning=
            "limits of its cases, see [limits](#limits)"),
        Key("stop after", _TIMEOUTS, "2 timeouts", absent="never; with `award: all`, the first", meaning=
            "once this many of its cases ran out of time, the others are skipped; cases run in the order of "
            "the spec, public ones first"),
        Key("visibility", choice(Visibility, VISIBILITY_MEANT), "hidden", default=Visibility.PUBLIC, meaning=
            "how much students see of its cases: everything (`public`); that there is a case, and its "
            "verdict (`hidden`); the same until marks are released, then everything (`after-due`)"),
        Key("picture", DRAWN, "tour_board(dim=5)", absent="not drawn", meaning=
            "how answers that are not accepted are drawn, see [picture](#picture)"),
        Key("cases", each(CASE), default=(), absent="required, or `criteria`", meaning=
            "the cases, see [case](#a-case)"),
        Key("criteria", each(CRITERION), default=(), meaning=
            "the criteria that a person marks, instead of `cases`, see [criterion](#a-criterion)"),
        Key("harness", PATH, "shop/harness.py", absent="none", meaning=
            "the harness of its cases with calls and scenarios, see [Harnesses](cases/harness.md)"),
        Key("before", PATH, "sensor_setup.py", absent="none", meaning=
            "code of yours that runs before the module is imported, and gives it names, see [Code around a "
            "module](cases/around.md)"),
        Key("gives", NAMES, "[readings, limit]", absent="all of its names without `_`", meaning=
            "the names that the code of `before` gives to the module"),
        Key("after", PATH, "sensor_after.py", absent="none", meaning=
            "code of yours that runs after the module was imported, with names of it; cases can use what it "
            "defines"),
        Key("takes", NAMES, "[mean]", absent="all names of the module without `_`", meaning=
            "the names of the module that the code of `after` gets; one that is not there is a load error"),
        Key("beside", NAMES.described("a name of `modules`, or a list of them"),
            "[knights_tour]", default=(), meaning=
            "modules of the reference that stand beside the submission, instead of its own"),
        Key("include", TEXT.described("path, relative to the spec's folder, `#` and the question's id"),
            "shogun/questions.yaml#3", meaning=
            "a question of another file, from which all keys come that this one lacks, see "
            "[include](#include)"),
    ),
    OF_QUESTION,
)

BUDGET = KeyTable(
    "a budget",
    (
        Key("time", _TIME,
            "2min", absent="`1min`, or 3 x the longest time limit of a case if that is more", meaning=
            "CPU time"),
        Key("wall", _TIME, "5min", absent="2 x `time`", meaning=
            "time in which it waits"),
    ),
)

ROUNDING = KeyTable(
    "rounding",
    (
        Key("step", more_than_0(NUMBER, "marks, more than 0"), "0.5", default=Fraction(1, 100), meaning=
            "marks are rounded to a multiple of this, once, for the whole submission"),
        Key("mode", choice(RoundingMode), "half-even", default=RoundingMode.HALF_UP, meaning=
            "which way a mark between two steps goes"),
    ),
)

TYPE = KeyTable(
    "a class of `types`",
    (
        Key("fields", NAMES, "[pos, colour, energy]", meaning=
            "the class's instances are *records*: told by these attributes, and built by calling "
            "the class with them in this order; a dataclass, a NamedTuple, or any class that does "
            "so"),
        Key("members", NAMES.described("a name or a list of names, not starting with `_`"),
            "[Red, White]", meaning=
            "the class is an enum, or has a fixed choice of instances as its attributes"),
    ),
)

LAYOUT = KeyTable(
    "a layout",
    (
        Key("legend", mapping_of(EXPRESSION, "token: expression"),
            '{r4: "Pawn((x, y), Red, 4)"}', required=True, meaning=
            "the value of a cell by its token: an expression over `x` and `y`, the cell's "
            "coordinates, and names of `let`"),
        Key("empty", NAMES.described("a token or a list of tokens"), '".."', default=(), meaning=
            "tokens of cells without a value"),
        Key("origin", choice(("bottom-left", "top-left")), "top-left", default="bottom-left", meaning=
            "the corner from which `x` and `y` are counted: `x` to the right, `y` away from it"),
        Key("first", INTEGER, "0", default=1, meaning=
            "the coordinates in that corner"),
        Key("size", _BOARD_SIZE, "8x8", absent="as many columns as the first row has", meaning=
            "columns and rows that a board must have"),
        Key("value", EXPRESSION, "Board(frozenset(cells))", absent="`rows`", meaning=
            "the value of the whole: an expression over `cells`, the list of all values row by row; "
            "`rows`, a list of lists of them, None where a cell is empty; `width` and `height`"),
    ),
)

LAYOUT_USE = KeyTable(
    "a value by a layout",
    (
        Key("layout", NAME.described("a name of `layouts`"), "board", required=True, meaning=
            "a layout's name"),
        Key("rows", PRINTED, required=True, meaning=
            "the rows, one a line, the topmost first; tokens are separated by blanks"),
    ),
)

CELLS = KeyTable(
    "cells",
    (
        Key("tagged", NAMES.described("a tag or a list of tags"), "[answer]", default=(), meaning=
            "the cells that have one of these tags"),
        Key("defining", NAMES.described("a name or a list of names"), "[leap, days]", default=(), meaning=
            "the cells that define one of these functions, classes or names at the left margin"),
        Key("numbers", NAMES.described("a number or a list of numbers"), "[2, 4]", default=(), meaning=
            "the cells of these numbers, from 1; cells of text count too"),
    ),
)

_BUDGET = or_mapping(
    _TIME, BUDGET, "a duration such as 2min, or a mapping {time: 2min, wall: 5min}", "duration, or mapping")

OWN_TOOLCHAIN = KeyTable(
    "a toolchain",
    (
        Key("language", ID, "perl", required=True, meaning=
            "its name, for people"),
        Key("ending", _ENDING, ".pl", required=True, meaning=
            "the ending of its source files"),
        Key("build", TEXT, '"g++ -O2 -o program {file}"', absent="nothing is built", meaning=
            "the command that builds a program of `{file}`, once a submission; what it leaves is kept"),
        Key("run", TEXT, "./program", required=True, meaning=
            "the command that runs it: a program of the host's, or `./` and a file that `build` left; "
            "`{memory}` is its memory in MiB"),
        Key("reads", _PATHS, "[/usr/share/perl]", default=(), meaning=
            "folders of the host that the commands need besides the system's libraries"),
    ),
)

TASK = KeyTable(
    "a task",
    (
        Key("task", TASK_ID, "knights-tour", required=True, meaning=
            "the task's id, for folders and reports"),
        Key("title", TEXT, "Knight's Tour", required=True, meaning=
            "its name for people"),
        Key("marks", MARKS.described("marks, exact: `11`, `0.5`"), "11", required=True, meaning=
            "the marks of the task; the sum of the questions' marks, without bonus questions, and of a "
            "section at most its cap"),
        Key("cap", MARKS, "12", absent="`marks`", meaning=
            "the most marks that a submission gets, see [cap](#bonus-sections-and-cap)"),
        Key("sections", each(SECTION), default=(), meaning=
            "questions that share a cap, see [sections](#bonus-sections-and-cap)"),
        Key("language", choice(PageLanguage), "de", default=PageLanguage.ENGLISH, meaning=
            "the language of the pages for students, and of `check`: `en` or `de`, see "
            "[the words](policy.md#the-language-of-students-pages)"),
        Key("reference", PATH, "../reference/knights_tour", meaning=
            "folder of the reference solution, with the modules that a submission has"),
        Key("checkers", PATH, "knights-tour/checkers.py", meaning=
            "file with the functions that `check` calls"),
        Key("modules", mapping_of(TEXT, "module name: file name, without folders"),
            "{knight1: knight1.py}", required=True, meaning=
            "the modules of a submission"),
        Key("repairs", choice(Repairs), "none", default=Repairs.USUAL, meaning=
            "the repairs to a submission's files, see [repairs](#repairs)"),
        Key("import", choice(ImportPolicy), "keep", default=ImportPolicy.WHOLE, meaning=
            "what counts of a module that raises while it is imported: nothing (`whole`), or what it defined "
            "before that line (`keep`), see [import](#import)"),
        Key("cells", inner(CELLS), "{tagged: [answer]}", absent="all cells with code", meaning=
            "the cells that are read where a module comes as a notebook, see "
            "[notebooks](cases/notebooks.md)"),
        Key("python", _PYTHON, '"3.12"', default="", absent="the grader's own", meaning=
            "interpreter of the submissions"),
        Key("toolchains", _TOOLCHAINS, "[c++, java]", default=(), meaning=
            "languages besides Python in which programs may be handed in, see "
            "[other languages](cases/toolchains.md)"),
        Key("packages", NAMES, "[numpy]", default=(), meaning=
            "third-party packages that submissions may import, with what these need"),
        Key("lock", PATH, "requirements.txt", absent="any versions", meaning=
            "lock file with the versions of `packages` and of what they need: pip's requirements with `==`, "
            "a `uv.lock` or a `pylock.toml`, see [packages](#packages)"),
        Key("files", mapping_of(DATA_KIND, "name: text, or [a file or folder](#a-data-file); at most 100"),
            "{euro.csv: {from: data/euro.csv}}", absent="none", meaning=
            "files that every case finds in its folder, and the import of its module too, see "
            "[Files](cases/files.md#files-of-the-whole-task)"),
        Key("limits", inner(LIMITS), "{time: 30s}", absent="see there", meaning=
            "limits of every case, see [limits](#limits)"),
        Key("budget", _BUDGET,
            "10min", absent="see there", meaning=
            "the time that one whole submission may use; cases beyond it are skipped, see "
            "[budget](#budget)"),
        Key("rounding", inner(ROUNDING), "{step: 0.5}", absent="`{step: 0.01, mode: half-up}`", meaning=
            "how a submission's mark is rounded at the end, see [rounding](#rounding)"),
        Key("seed", SEED, "7", default=0, meaning=
            "seed of everything random in a run"),
        Key("equality", choice(("python", "types")), "python", absent="types count", meaning=
            "when values are equal, in all cases that do not say so themselves, see "
            "[Values](cases/values.md)"),
        Key("include", PATH, "shogun/boards.yaml", meaning=
            "a file with `types`, `layouts` and `let` that several specs share, see "
            "[include](#include)"),
        Key("types", named(TYPE), "{Pawn: {fields: [pos, energy]}}", default=(), meaning=
            "classes of the modules whose instances are data, see [types](#types)"),
        Key("layouts", named(LAYOUT), default=(), meaning=
            "how boards are written as text, see [layouts](#layouts)"),
        Key("let", MAPPING.described("name: value, see [expressions](#values-and-expressions)"),
            '{start: "[(0, 0)]"}', meaning=
            "names for values, usable in calls and answers; a value can use the names before it"),
        Key("late", inner(LATE), absent="nothing", meaning=
            "the penalty for late submissions, see [late](#late)"),
        Key("attempts", choice(Attempts), "best", absent="the latest, and no other is marked", meaning=
            "the attempt that counts where a student has several, see [attempts](#attempts)"),
        Key("alone", BOOLEAN, "true", default=False, meaning=
            "each hands in alone, whatever groups a roster has, see [Groups](people.md#groups)"),
        Key("smoke", inner(SMOKE), '{cases: ["1"], penalty: 10%}', absent="nothing", meaning=
            "the penalty for a submission that fails its smoke test, see [smoke](#smoke)"),
        Key("blind", BOOLEAN, "true", default=False, meaning=
            "who marks by hand sees numbers instead of names, see [Marks by hand](cases/manual.md)"),
        Key("second", inner(SECOND), "{share: 20%, within: 0.5, then: mean}", absent="none", meaning=
            "the second marking by hand, see [second](#second)"),
        Key("instead", inner(INSTEAD), "{penalty: 20%}", absent="nothing", meaning=
            "the penalty for a submission in whose place another file is marked, see [instead](#instead)"),
        Key("more cases", IDS, '["1", "3"]', default=(), meaning=
            "questions of which marking has more cases than this file, as `grader bundle` writes it; "
            "`grader check` then tells no marks"),
        Key("rules", _RULES, "[no recursion]", default=(), meaning=
            "rules on the source of every submission, see [a rule](#a-rule)"),
        Key("questions", each(QUESTION), required=True, default=(), meaning=
            "the questions, see [question](#a-question)"),
    ),
    OF_TASK,
)
# fmt: on

INCLUDED = KeyTable(
    "an included file",
    (
        *(TASK.key(name) for name in ("types", "layouts", "let")),
        Key(
            "questions",
            KeyKind(LIST.must_be, "list of mappings, not empty", LIST.read, LIST.schema),
            default=(),
            meaning="questions for specs that name them with `include`; keys may be missing here",
        ),
    ),
)
