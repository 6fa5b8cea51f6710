"""The script that makes a release, which is no module of the package."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def _loaded() -> ModuleType:
    path = Path(__file__).parents[2] / ".ci" / "release.py"
    spec = importlib.util.spec_from_file_location("release", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["release"] = module
    spec.loader.exec_module(module)
    return module


release = _loaded()
