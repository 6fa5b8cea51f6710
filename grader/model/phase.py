"""The phases of a command, which people are told while they wait."""

from collections.abc import Callable
from typing import TypeAlias

TellPhase: TypeAlias = Callable[[str], None]
"""Is called with the phase that begins, in a few words of ours such as `asking the reference`."""


def ignore_phase(phase: str) -> None:
    """Do nothing with a phase."""
