"""What a handout carries of the grader, so that a student can check without a network."""

from collections.abc import Sequence

from grader.authoring.bundle.wheel import OWN, Wheel, wheel_of

FOLDER = "wheels"
LIST = f"{FOLDER}/requirements.txt"
_NEEDED = (OWN, "click", "pyyaml")
"""All that `grader check` imports of what is no part of Python."""
_HEAD = f"""\
# What `grader check` needs: python -m pip install --no-deps -r {LIST}
--no-index
--find-links .
"""


def carried_wheels() -> tuple[Wheel, ...]:
    """Return the wheels that a check needs.  Raises `UsageError` if one cannot be made."""
    return tuple(map(wheel_of, _NEEDED))


def carried_files(wheels: Sequence[Wheel]) -> dict[str, bytes]:
    """Return the wheels by their paths in a handout, with the list of them that pip reads; {} for none."""
    if not wheels:
        return {}
    lines = "".join(f"{each.distribution}=={each.version} --hash=sha256:{each.sha256}\n" for each in wheels)
    return {
        LIST: (_HEAD + lines).encode(),
        **{f"{FOLDER}/{each.name}": each.content for each in wheels},
    }
