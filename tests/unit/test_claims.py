"""Commands, options, keys, numbers and lists that a page states are those of the code."""

import re
import shlex
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator

from grader.cli.exit_code import ExitCode
from grader.cli.run import _commands
from grader.engine.submission.sources import FILE_MAX_B
from grader.intake.attempts import MOST_ATTEMPTS
from grader.intake.matching import BESIDE_MAX
from grader.intake.source.notebook import CELLS_MAX, NOTEBOOK_MAX_B
from grader.intake.trees.clone import MOST_COMMITS
from grader.intake.trees.tree import DEPTH_MAX, FILES_MAX, SOURCE_MAX_B, TOTAL_MAX_B
from grader.kinds.calls.shrinking import MOST_TRIES, SHRINK_S
from grader.kinds.program.sides import MOST_LINE_B, MOST_LINES, MOST_SAID, MOST_TURNS
from grader.marking.growth import FLOOR_S, IMPORT_FLOOR_S, TOLERANCE
from grader.marking.pace import MORE_ROUNDS
from grader.model import drawing
from grader.model.limits import BUDGET_S, BUDGET_TIMES, BUDGET_WALLS, GRACE, KIB, MIB, Limits, wall_for
from grader.model.rule import CONSTRUCTS, RuleKind
from grader.model.verdict import Verdict
from grader.plugins.convert import TOOLS
from grader.plugins.similar.comparison import LEAST_CLASS, LEAST_OWN
from grader.plugins.similar.scanner import LONGEST
from grader.plugins.tests.test_file.running import TEST_LIMITS
from grader.plugins.validate.checks.limits import LEAST
from grader.plugins.validate.mutants.mutants import MOST as MOST_MUTANTS
from grader.plugins.validate.whole import MUTANTS, QUICK_MUTANTS
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.reports.html.index_parts import MAPPED
from grader.reports.html.parts import ROWS
from grader.sandbox.driver import LADDER, SCRATCH_FILES, Guarantee
from grader.sandbox.served import MOST_OPERATIONS
from grader.serving.handler import MOST_BODY_B
from grader.spec.decode.answers import data_files
from grader.spec.decode.answers.expectations import LARGEST_TEXT_B
from grader.spec.decode.answers.files import MOST_B, MOST_FILES
from grader.spec.given.strategies import STRATEGIES
from grader.spec.schema import json_schema, plain
from grader.wire.codec import MOST_TAKEN
from grader.worker.box.formulas import BUILT_IN

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
_IN_TEXT = re.compile(r"`(grader [^`]+)`")
_IN_BLOCK = re.compile(r"^(?:    |\$ )(?:python -m )?(grader [a-z].*)$", re.MULTILINE)
_OPTION = re.compile(r"`(--[a-z][a-z-]+)")
_ROW = re.compile(r"^\| (.*?) \|", re.MULTILINE)
_YAML = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
_NUMBERS = {"Seven": 7}


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def every_command(
    command: click.Command = _commands, context: click.Context | None = None
) -> Iterator[tuple[str, click.Command]]:
    """Yield our commands with their names, such as `course mark`."""
    context = context or click.Context(command, info_name="grader")
    if not isinstance(command, click.Group):
        yield context.command_path.removeprefix("grader "), command
        return
    for word in command.list_commands(context):
        inner = command.get_command(context, word)
        assert inner is not None
        yield from every_command(inner, click.Context(inner, info_name=word, parent=context))


COMMANDS = dict(every_command())


def options(command: str) -> set[str]:
    shown = [one for one in COMMANDS[command].params if not getattr(one, "hidden", False)]
    return {option for one in shown for option in one.opts if option.startswith("--")}


OPTIONS = {option for command in COMMANDS for option in options(command)} | {"--version"}
OF_OTHERS = {
    "docs/cluster.md": {
        "--build-arg",
        "--dashboard-address",
        "--memory-limit",
        "--no-dashboard",
        "--nthreads",
    },
    "docs/containers.md": {"--build-arg", "--cap-add", "--memory", "--pids-limit", "--privileged"},
    "docs/coming-from/pytest.md": {"--junitxml"},
    "docs/design/handout.md": {"--find-links", "--no-deps"},
    "docs/design/pytest.md": {"--tamper"},
    "docs/intake.md": {"--depth"},
    "docs/pytest-plugin.md": {"--dist", "--junit-xml", "--lf", "--submission"},
    "docs/students.md": {"--no-deps"},
}


def typed(page: str) -> Iterator[str]:
    """Yield what a page says one can type, with what stands for words left out."""
    page = page.replace("\\\n", " ")
    for line in [*_IN_TEXT.findall(page), *_IN_BLOCK.findall(page)]:
        said = re.sub(r"\s#.*$|\.\.\.|…|[\[\]]", "", line)
        yield re.sub(r"(\w+)\|\w+", r"\1", said)


def fault(line: str) -> str:
    """Return what click has against the words of a command line; "" if nothing."""
    words = shlex.split(line)[1:]
    command: click.Command = _commands
    context = click.Context(command, info_name="grader")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        inner = command.get_command(context, words[0])
        if inner is None:
            return f"there is no {words[0]}"
        context = click.Context(inner, info_name=words.pop(0), parent=context)
        command = inner
    if isinstance(command, click.Group) or words == ["--to"]:
        return ""
    try:
        _, left, _ = command.make_parser(context).parse_args(words)
    except click.UsageError as error:
        return error.message
    return f"what is {left}?" if left else ""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_can_be_typed_is_a_command_with_its_options(page: Path) -> None:
    faults = {line: found for line in typed(page.read_text("utf-8")) if (found := fault(line))}
    assert faults == {}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_options_are_ours_or_known_to_be_of_others(page: Path) -> None:
    named = set(_OPTION.findall(page.read_text("utf-8")))
    assert named - OPTIONS - OF_OTHERS.get(name(page), set()) == set()


def test_every_command_and_every_option_is_told_somewhere() -> None:
    told = "".join(page.read_text("utf-8") for page in PAGES)
    # Only the autograder that we write for Gradescope calls with this one.
    assert {option for option in OPTIONS if option not in told} == {"--root"}
    assert {command for command in COMMANDS if f"grader {command}" not in told} == set()


@pytest.mark.parametrize(
    "line", ["grader no-such", "grader mark --no-such", "grader diff a b c", "grader mark --output"]
)
def test_what_nobody_can_type_is_found(line: str) -> None:
    assert fault(line)


def rows(page: str, head: str) -> str:
    """Return the first column of the table that begins with `head`."""
    _, found, after = text(page).partition(f"| {head}")
    assert found, head
    return "\n".join(_ROW.findall(after.partition("\n\n")[0]))


@pytest.mark.parametrize(
    ("page", "command"),
    [("docs/guide.md", "mark"), ("docs/explain.md", "replay"), ("docs/intake.md", "intake")],
)
def test_a_table_has_every_option_of_its_command(page: str, command: str) -> None:
    assert set(_OPTION.findall(rows(page, "option |"))) == options(command)


def words_of(page: str, head: str) -> set[str]:
    return set(re.findall(r"`([a-z-]+)`", rows(page, head)))


def test_lists_are_complete() -> None:
    known = registry()
    assert words_of("docs/exports.md", "`--to` |") == set(known.names(Group.EXPORTS))
    assert words_of("docs/guide.md", "verdict |") == {verdict.value for verdict in Verdict}
    assert {int(n) for n in re.findall(r"\d+", rows("docs/guide.md", "|\n|---|---|"))} == set(ExitCode)
    assert words_of("docs/plugins.md", "group `grader.…` |") == {
        group.removeprefix("grader.") for group in Group
    }
    guarantees = re.findall(r"^([a-z-]+):", rows("docs/SECURITY.md", "guarantee |"), re.MULTILINE)
    assert guarantees == [guarantee.value for guarantee in Guarantee]
    drivers = [driver.value for driver in LADDER]
    assert f"| guarantee | {' | '.join(drivers)} |" in text("docs/SECURITY.md")
    assert re.findall(r"`([a-z]+)`", rows("README.md", "driver |")) == drivers
    (layouts,) = re.findall(r"`--layout NAME`.*\|$", text("docs/intake.md"), re.MULTILINE)
    assert set(re.findall(r"`([a-z]+)`", layouts)) == {*known.names(Group.LAYOUTS), "git", "plain"}
    (tools,) = re.findall(r"`TOOL` is .*", text("docs/coming-from/README.md"))
    assert set(re.findall(r"`([a-z0-9-]+)`", tools)) == set(TOOLS)


def test_words_of_specs_are_listed_in_full() -> None:
    expressions, rules = (
        " ".join(text(f"docs/cases/{page}.md").split()) for page in ("expressions", "rules")
    )
    (functions,) = re.findall(r"Python's functions `([^`]+)`", expressions)
    assert set(functions.split()) == BUILT_IN
    strategies = rows("docs/cases/generated.md", "strategy |")
    assert set(re.findall(r"`([a-z_]+)\(", strategies)) == set(STRATEGIES)
    (words,) = re.findall(r"know the words (.*?) With `functions`", rules)
    assert set(re.findall(r"`([a-z -]+)`", words)) == set(CONSTRUCTS)
    assert all(f"`{kind.value}`" in rules for kind in RuleKind)
    renderers = re.findall(r"^\*\*`([a-z_]+)\(", text("docs/cases/pictures.md"), re.MULTILINE)
    assert set(renderers) == set(registry().names(Group.RENDERERS))


def test_extras_targets_and_variables_exist() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert words_of("docs/guide.md", "`pip install") == set(project["optional-dependencies"]) - {"dev"}
    told = "".join(page.read_text("utf-8") for page in PAGES)
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))
    assert set(re.findall(r"(?:`|^ {4}|^)make ([a-z]+)", told, re.MULTILINE)) <= targets
    code = "".join(
        path.read_text("utf-8") for folder in ("grader", "tests", ".gitlab") for path in sources(folder)
    )
    assert {name for name in set(re.findall(r"\bGRADER_[A-Z_]+\b", told)) if name not in code} == set()


def sources(folder: str) -> Iterator[Path]:
    yield from (path for ending in ("py", "yml") for path in (ROOT / folder).rglob(f"*.{ending}"))


def test_the_bounds_of_the_tree_are_those_of_its_test() -> None:
    bounds = dict(re.findall(r"^(\w+) = (\d+)$", text("tests/integration/test_house.py"), re.MULTILINE))
    size = text("docs/design/size.md")
    assert f"outside the packages of the kinds | {bounds['MOST_ASKS']} |" in size
    assert f"| lines of a module | {bounds['LONGEST']}; " in size
    assert f"| modules in a folder | {bounds['MOST_MODULES']} |" in size
    assert f"{bounds['MOST_FLOORS_OF_ALL']}, with `api` and `plugins` on top" in size


def test_pages_of_other_tools_are_listed_everywhere() -> None:
    pages = {page.name for page in (DOCS / "coming-from").glob("*.md")} - {"README.md"}
    assert set(re.findall(r"\((\w[\w-]*\.md)\)", text("docs/coming-from/README.md"))) >= pages
    assert set(re.findall(r"coming-from/([\w-]+\.md)", text("docs/index.md"))) >= pages


def test_things_are_counted_right() -> None:
    (assignments,) = re.findall(r"^(\w+) assignments come with it", text("README.md"), re.MULTILINE)
    assert _NUMBERS[assignments] == len([*(ROOT / "specs").glob("*.yaml")])
    folders = [folder for folder in (ROOT / "tests/hostile/attacks").iterdir() if [*folder.glob("*.py")]]
    attacks = {folder.name.replace("_", " "): len([*folder.glob("*.py")]) for folder in folders}
    (families,) = re.findall(r"By family: (.*?)\.\n", text("docs/SECURITY.md"), re.DOTALL)
    told = {
        family: int(number) for family, number in re.findall(r"([a-z ]+) (\d+)", " ".join(families.split()))
    }
    assert {family.strip(): number for family, number in told.items()} == attacks
    assert f"| all families | {sum(attacks.values())} |" in text("docs/SECURITY.md")


LIMITS = Limits()
NUMBERS = [
    ("guide", f"{LIMITS.time_s:g} s of CPU time unless the spec says otherwise"),
    ("guide", "the import of a module has 5 s"),
    ("guide", f"`index-2.html` and so on for more than {ROWS} students"),
    ("guide", f"The map shows {MAPPED:,} students"),
    ("intake", f"share the {TOTAL_MAX_B // MIB} MiB that are read of a submission"),
    ("explain", f"{SOURCE_MAX_B // MIB} MiB a module"),
    ("spec", f"At most {MOST_ATTEMPTS} attempts of a student are marked"),
    ("spec", f"at most 1 MiB, for `stdin` {LARGEST_TEXT_B // MIB} MiB"),
    ("cases/programs", f"beside the spec, of at most {LARGEST_TEXT_B // MIB} MiB"),
    ("validate", f"more or fewer than {MUTANTS}"),
    ("validate", f"a limit below {['', 'one', 'two', 'three'][LEAST]} times"),
    ("validate", f"{QUICK_MUTANTS} mutants"),
    ("similar", f"a class of fewer than {['', 'ten'][LEAST_CLASS // 10]} works"),
    ("similar", f"fewer than {LEAST_OWN} codes"),
    ("similar", f"{LONGEST:,} codes"),
    ("cases/notebooks", f"up to {NOTEBOOK_MAX_B // MIB} MiB with {CELLS_MAX:,} cells"),
    ("cases/files", f"at most {MOST_FILES}, of at most {data_files.MOST_B // MIB} MiB together"),
    ("cases/files", f"at most {MOST_FILES} files, of at most 1 MiB each and {MOST_B // MIB} MiB together"),
    ("cases/files", f"holds 16 MiB and {SCRATCH_FILES:,} files"),
    ("cases/dialogues", f"After {MOST_TURNS:,} turns, or {MOST_SAID // KIB} Ki characters"),
    ("cases/validators", f"at most {MOST_LINES:,} lines to each other, of {MOST_LINE_B:,} bytes"),
    ("cases/expressions", f"at most {MOST_TAKEN:,} of an iterator"),
    (
        "cases/generated",
        f"at most {MOST_TRIES} inputs a case and {['', '', '', 'three'][int(SHRINK_S)]} CPU seconds",
    ),
    ("cases/growing", f"within {TOLERANCE:g} of it"),
    ("cases/growing", f"less than {['', '', 'two'][int(1000 * FLOOR_S)]} thousandths of a second"),
    ("cases/growing", f"takes {1000 * IMPORT_FLOOR_S:g} ms more"),
    ("cases/time", f"up to {['', '', '', 'three'][MORE_ROUNDS]} times as many"),
    ("cases/pytest", f"more than {TEST_LIMITS.time_s:g} s, or wait for {TEST_LIMITS.wall_s:g} s"),
    ("cases/pytest", f"more than {MOST_OPERATIONS:,} things"),
    ("cases/toolchains", f"Up to {BESIDE_MAX} are read"),
    ("cases/pictures", f"| {drawing.MAX_LINES}, with {drawing.MAX_POINTS:,} points in all |"),
    ("cases/pictures", f"required; {drawing.MAX_TITLE} characters"),
    ("SECURITY", f"of more than {MOST_BODY_B // KIB} KiB"),
    ("SECURITY", f"{MOST_COMMITS:,} commits"),
    ("SECURITY", f"{FILES_MAX:,} files, {DEPTH_MAX} folders deep"),
    ("design/mutants", f"`MOST`, {MOST_MUTANTS}"),
    ("design/source", f"At most {FILE_MAX_B // KIB} KiB of a file"),
]
"""Numbers in sentences and hand-made tables; those of keys are generated into the reference."""


@pytest.mark.parametrize(("page", "said"), NUMBERS, ids=str)
def test_a_number_is_that_of_the_code(page: str, said: str) -> None:
    assert said in " ".join(text(f"docs/{page}.md").split())


def test_what_a_limit_means_is_said_once_and_right() -> None:
    assert (GRACE, wall_for(1.0)) == (1.2, 4.0)
    assert (BUDGET_S, BUDGET_TIMES, BUDGET_WALLS) == (60, 3, 2)
    spec = " ".join(text("docs/spec.md").split())
    assert "A case is stopped a fifth after its limit" in spec
    assert "duration, 10ms to 24h | 3 x `time` + 1s |" in spec
    assert "| `1min`, or 3 x the longest time limit of a case if that is more |" in spec


SCHEMA = json_schema()
KINDS = ("a-task", "a-question", "a-case", "a-step", "a-turn-of-a-dialogue")
"""What a piece of a spec on a page can be a part of."""
NO_SPECS = {
    "docs/authoring.md": {"returns-nothing"},
    "docs/cases/late.md": {"student-01", "student-03"},
    "docs/cases/manual.md": {"comment", "student"},
    "docs/coming-from/problem-packages.md": {"name"},
    "docs/coming-from/tested.md": {"tab"},
    "docs/course.md": {"course", "student", "student-01"},
    "docs/exports.md": {"run"},
    "docs/policy.md": {"student-01"},
}
"""Files of other forms, by their first key: most are read where their page is typed in."""


def validator(kind: str) -> Draft202012Validator:
    """Return a validator of some keys of a part; what goes with them may be left out."""
    keys = {"properties": SCHEMA["$defs"][kind]["properties"], "additionalProperties": False}
    return Draft202012Validator({"$schema": SCHEMA["$schema"], "$defs": SCHEMA["$defs"], **keys})


VALIDATORS = [validator(kind) for kind in KINDS]


def pieces(page: Path) -> Iterator[dict[str, object]]:
    """Yield the mappings of a page's blocks in YAML that are a spec, or belong into one."""
    for block in _YAML.findall(page.read_text("utf-8")):
        read = plain(textwrap.dedent(block))
        for piece in read if isinstance(read, list) else [read]:
            if next(iter(piece)) not in NO_SPECS.get(name(page), set()):
                yield piece


def test_keys_in_examples_are_keys_of_a_spec() -> None:
    """A plugin's own words need the plugin; what the cookbook quotes is compared with its specs."""
    for page in PAGES:
        if page.name != "plugins.md" and page.parent.name != "cookbook":
            for piece in pieces(page):
                assert any(one.is_valid(piece) for one in VALIDATORS), (name(page), piece)


@pytest.mark.parametrize("piece", [{"call": "f(1)", "retuns": 1}, {"says": "?", "answr": 1}, {"titel": "x"}])
def test_a_key_that_there_is_not_is_found(piece: dict[str, object]) -> None:
    assert not any(one.is_valid(piece) for one in VALIDATORS)
