"""When a machine may mark for a run, and which driver machines that differ have in common."""

import json

import pytest

from grader.plugins.cluster.eligibility import (
    Profile,
    common_driver,
    decode_profile,
    encode_profile,
    ineligibility,
    profile_for,
)
from grader.sandbox.driver import Driver

OWN = Profile(
    python="3.12.1",
    packages=("numpy-2.1.0.dist-info",),
    tools={"ruff": "0.17.5"},
    held={"namespaces": ("cpu", "network"), "landlock": ("cpu",)},
)


def profile(**changes: object) -> Profile:
    return decode_profile(json.dumps({**json.loads(encode_profile(OWN)), **changes}).encode())


def test_the_same_machine_is_fit() -> None:
    assert profile() == OWN
    assert ineligibility(profile(), OWN, Driver.NAMESPACES) == ""


def test_a_machine_without_a_plugin_of_the_run_says_so() -> None:
    """The run's task holds a class of the plugin's."""
    packed = b"cgrader_shapes.kind\nMaze\n."
    assert profile_for(packed).problem == "it lacks a plugin of the run: No module named 'grader_shapes'"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"problem": "there is no Python 3.12 here"},
            "there is no Python 3.12 here",
        ),
        (
            {"python": "3.12.2"},
            "it would run submissions with Python 3.12.2, and the run with 3.12.1",
        ),
        ({"packages": ["numpy-2.2.0.dist-info"]}, "it has numpy-2.2.0, and the run numpy-2.1.0"),
        ({"packages": []}, "it has none of its packages and tools, and the run numpy-2.1.0"),
        ({"tools": {"ruff": "0.17.6"}}, "it has ruff 0.17.6, and the run ruff 0.17.5"),
        (
            {"plugins": {"shapes": "1.2, code 0123456789abcdef0123"}},
            "it has shapes 1.2, code 0123456789abcd, and the run no plugins",
        ),
        (
            {"held": {"landlock": ["cpu"]}, "failures": {"namespaces": "not permitted"}},
            "it does not have the sandbox namespaces (namespaces: not permitted)",
        ),
        (
            {"held": {"namespaces": ["cpu"]}},
            "its sandbox does not hold network, which is held here",
        ),
    ],
)
def test_what_differs_makes_it_unfit(changes: dict[str, object], reason: str) -> None:
    assert ineligibility(profile(**changes), OWN, Driver.NAMESPACES) == reason


def test_the_strongest_driver_that_all_have_is_taken() -> None:
    poor = profile(held={"landlock": ["cpu"]})
    assert common_driver(OWN, [profile(), profile()]) is Driver.NAMESPACES
    assert common_driver(OWN, [profile(), poor]) is Driver.LANDLOCK
    assert common_driver(OWN, [poor]) is Driver.LANDLOCK


def test_who_cannot_take_part_at_all_has_no_say() -> None:
    older = profile(python="3.11.1", held={"landlock": ["cpu"]})
    nothing = profile(held={})
    leaky = profile(held={"namespaces": ["cpu", "network"], "landlock": []})
    assert common_driver(OWN, [profile(), older, nothing, leaky]) is Driver.NAMESPACES
    assert common_driver(OWN, [older, nothing]) is None
    assert common_driver(OWN, []) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"{}",
        b"[" * 100_000,
        json.dumps({**json.loads(encode_profile(OWN)), "held": {"namespaces": [1]}}).encode(),
        json.dumps({**json.loads(encode_profile(OWN)), "more": 1}).encode(),
        json.dumps({**json.loads(encode_profile(OWN)), "python": None}).encode(),
    ],
)
def test_what_is_no_profile_is_a_problem(data: bytes) -> None:
    assert decode_profile(data).problem == "what it says about itself can't be understood"
