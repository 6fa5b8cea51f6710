"""The families that a plugin can add to, and what of ours is in each.

A family is a group of entry points, as the `pyproject.toml` of a plugin names it.  Ours are found by name as
well, and imported when they are first needed.
"""

from collections.abc import Mapping
from enum import StrEnum


class Group(StrEnum):
    """A family, by the name of its group of entry points."""

    KINDS = "grader.kinds"
    """Kinds of cases: a `Kind`, in a module that has a module `keys` beside it, with `KEYS`."""
    VALUES = "grader.values"
    """Sorts of values that a spec can write: a `Sort` that has a `constructor`."""
    LANGUAGES = "grader.languages"
    """Languages in which programs are handed in: a `Language`."""
    LAYOUTS = "grader.layouts"
    """Layouts of downloads: a `Layout`."""
    EXPORTS = "grader.exports"
    """Formats of results: a `Format`."""
    RENDERERS = "grader.renderers"
    """Renderers, which draw an answer: a `Renderer`."""
    RULES = "grader.rules"
    """Rules on source: a `NamedRule`, which says in a spec's words what our own rules are to look for."""
    COMMANDS = "grader.commands"
    """Commands of the command line: a `click.Command`."""
    MACHINES = "grader.machines"
    """Clusters, by the scheme of their addresses (`tcp` of `tcp://host:8786`): a `Connector`."""


IN_MARKS = (Group.KINDS, Group.VALUES, Group.LANGUAGES, Group.LAYOUTS, Group.RENDERERS, Group.RULES)
"""The families on which a mark, or what is shown with it, can depend."""

WANTED: Mapping[Group, str] = {
    Group.KINDS: "grader.kinds.kind:Kind",
    Group.VALUES: "grader.values.sort:Sort",
    Group.LANGUAGES: "grader.languages.language:Language",
    Group.LAYOUTS: "grader.intake.layouts.piece:Layout",
    Group.EXPORTS: "grader.exports.format:Format",
    Group.RENDERERS: "grader.judge.pictures.renderer:Renderer",
    Group.RULES: "grader.model.rule:NamedRule",
    Group.COMMANDS: "click:Command",
    Group.MACHINES: "grader.engine.batch:Connector",
}
"""The type of what an entry point of each family names."""

STATED: Mapping[Group, tuple[str, ...]] = {
    Group.KINDS: ("name", "runs", "as_main"),
    Group.VALUES: (
        "classes", "is_value", "is_container", "is_alike", "is_open", "is_unordered", "forgives",
        "tells_type", "stands_for", "has_keys",
    ),
    Group.LANGUAGES: (
        "name", "title", "endings", "exact_endings", "headers", "keeps_capitals", "tools", "version_option",
        "trial", "runs_in_build", "headroom_mib", "linker_words", "like_python",
    ),
    Group.COMMANDS: (),
}  # fmt: skip
"""What an object of a family says about itself; of the others, which are dataclasses, all fields do."""

OURS: Mapping[Group, Mapping[str, str]] = {
    # In the order in which a case of the spec is taken for one.
    Group.KINDS: {
        "rule": "grader.kinds.rule.kind:KIND",
        "program": "grader.kinds.program.kind:KIND",
        "pytest": "grader.plugins.tests.test_file.kind:KIND",
        "student tests": "grader.plugins.tests.student_tests.kind:KIND",
        "calls": "grader.kinds.calls.kind:KIND",
    },
    Group.LANGUAGES: {
        "c": "grader.languages.c:LANGUAGE",
        "c++": "grader.languages.cpp:LANGUAGE",
        "java": "grader.languages.java:LANGUAGE",
        "javascript": "grader.languages.javascript:LANGUAGE",
    },
    # Those with the most distinct names first.
    Group.LAYOUTS: {
        "moodle": "grader.plugins.lms.layouts.moodle:MOODLE",
        "blackboard": "grader.plugins.lms.layouts.blackboard:BLACKBOARD",
        "brightspace": "grader.plugins.lms.layouts.brightspace:BRIGHTSPACE",
        "gradescope": "grader.plugins.lms.layouts.gradescope:GRADESCOPE",
        "canvas": "grader.plugins.lms.layouts.canvas:CANVAS",
    },
    Group.EXPORTS: {
        "moodle": "grader.plugins.lms.exports.moodle:FORMAT",
        "canvas": "grader.plugins.lms.exports.canvas:FORMAT",
        "brightspace": "grader.plugins.lms.exports.brightspace:FORMAT",
        "blackboard": "grader.plugins.lms.exports.blackboard:FORMAT",
        "gradescope": "grader.plugins.lms.exports.gradescope:FORMAT",
        "gradescope-autograder": "grader.plugins.lms.exports.gradescope_autograder:FORMAT",
        "github-classroom": "grader.exports.forge.github_classroom:FORMAT",
        "github-actions": "grader.exports.forge.github_actions:FORMAT",
        "gitlab": "grader.exports.forge.gitlab:FORMAT",
        "junit": "grader.exports.junit:FORMAT",
        "markdown": "grader.exports.markdown:FORMAT",
        "csv": "grader.exports.csv_file:FORMAT",
        "jplag": "grader.exports.sources:FORMAT",
    },
    Group.RENDERERS: {
        "tour_board": "grader.plugins.boards.tours:TOUR_BOARD",
        "numbered_board": "grader.plugins.boards.tours:NUMBERED_BOARD",
        "squares": "grader.plugins.boards.squares:SQUARES",
        "cells": "grader.plugins.boards.squares:CELLS",
        "image": "grader.plugins.boards.images:IMAGE",
    },
    Group.RULES: {
        "no recursion": "grader.model.rule:RuleKind.NO_RECURSION",
        "forbidden imports": "grader.model.rule:RuleKind.FORBIDDEN_IMPORTS",
        "allowed imports": "grader.model.rule:RuleKind.ALLOWED_IMPORTS",
        "forbidden names": "grader.model.rule:RuleKind.FORBIDDEN_NAMES",
        "no globals": "grader.model.rule:RuleKind.NO_GLOBALS",
        "header": "grader.model.rule:RuleKind.HEADER",
        "forbidden constructs": "grader.model.rule:RuleKind.FORBIDDEN_CONSTRUCTS",
        "required constructs": "grader.model.rule:RuleKind.REQUIRED_CONSTRUCTS",
        "required recursion": "grader.model.rule:RuleKind.REQUIRED_RECURSION",
        "docstrings": "grader.model.rule:RuleKind.DOCSTRINGS",
        "type hints": "grader.model.rule:RuleKind.TYPE_HINTS",
        "no warnings": "grader.model.rule:RuleKind.NO_WARNINGS",
        "linter": "grader.model.rule:RuleKind.LINTER",
    },
    Group.COMMANDS: {
        "new": "grader.cli.commands.new:new",
        "try": "grader.cli.commands.try_:try_",
        "mark": "grader.cli.commands.mark:mark",
        "review": "grader.cli.commands.review:review",
        "course": "grader.cli.commands.course.group:course",
        "check": "grader.cli.commands.check:check",
        "bundle": "grader.cli.commands.bundle:bundle",
        "intake": "grader.cli.commands.intake:intake",
        "validate": "grader.plugins.validate.command:validate",
        "library": "grader.plugins.validate.library.command:library",
        "report": "grader.cli.commands.report:report",
        "export": "grader.cli.commands.export:export",
        "gradescope": "grader.plugins.lms.gradescope_command:gradescope",
        "release": "grader.cli.commands.release:release",
        "explain": "grader.cli.commands.explain:explain",
        "replay": "grader.cli.commands.replay:replay",
        "remark": "grader.cli.commands.remark:remark",
        "similar": "grader.plugins.similar.command:similar",
        "diff": "grader.cli.commands.diff:diff",
        "convert": "grader.plugins.convert.command:convert",
        "doctor": "grader.cli.commands.doctor:doctor",
        "plugin": "grader.cli.commands.plugin:plugin",
        "plugins": "grader.cli.commands.plugins:plugins",
    },
    Group.MACHINES: {
        "tcp": "grader.plugins.cluster.connector:CONNECTOR",
        "tls": "grader.plugins.cluster.connector:CONNECTOR",
    },
}
"""The entry points of ours: name and `module:object` in each group."""
