"""Skips the tests of a module where packages that students may import are not installed."""

from importlib.util import find_spec

import pytest


def needs(*packages: str) -> None:
    """Skip the module that calls this if one of the packages is missing.  None of them is imported."""
    for name in packages:
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed", allow_module_level=True)
