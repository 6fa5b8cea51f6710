"""Programs that end where they reach a place."""

import subprocess
import sys

import pytest

from grader.plugins.validate.checks.tripwires import with_tripwire

SOURCES = {
    "a": "STEPS = (1, 2)\n\n\ndef used(x):\n    return helper(x) + STEPS[0]\n\n\ndef helper(x):\n"
    "    'Text.'\n    return x\n\n\nclass Box:\n    def get(self):\n        return 1\n",
    "b": "from a import used\n\nWIDE = 3\nTWICE = 2 * WIDE\n\n\ndef other(x):\n    return x\n",
}


def ends(tmp_path, sources, code):
    for name, text in sources.items():
        (tmp_path / f"{name}.py").write_text(text)
    return subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False).returncode == 81


@pytest.mark.parametrize(
    ("place", "code", "reaches"),
    [
        (("a", "helper"), "from b import used; used(1)", True),
        (("a", "helper"), "from b import other; other(1)", False),
        (("a", "Box.get"), "from a import Box; Box().get()", True),
        (("a", "Box.get"), "from a import Box; Box()", False),
        (("a", "STEPS"), "from a import used; used(1)", True),
        (("a", "STEPS"), "from a import helper; helper(1)", False),
    ],
)
def test_a_call_ends_where_it_reaches_the_place(tmp_path, place, code, reaches) -> None:
    sources = with_tripwire(SOURCES, place)
    assert sources is not None
    assert ends(tmp_path, sources, code) is reaches


@pytest.mark.parametrize("place", [("a", ""), ("a", "nothing"), ("none", "used"), ("b", "WIDE")])
def test_what_an_import_reaches_has_no_tripwire(place) -> None:
    assert with_tripwire(SOURCES, place) is None
