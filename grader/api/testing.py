"""For the tests of a plugin's kind of case: every consumer of a case, and programs that attack.

    from grader.api.testing import ATTACKS, CONSUMERS, KindSample

A sample is one case of the kind, with a right and a wrong program.  Each consumer is a command of the
grader's, which runs in a process of its own: it must have an answer for the case, or refuse it by name.  Each
attack is a program in the place of the student's: it must get no marks, and harm nothing.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

__all__ = ["ATTACKS", "CONSUMERS", "KindSample", "Sampled", "attack"]

_SPEC = """\
task: sample
title: A sample
marks: 1
modules: {{work: work.py}}
reference: reference
questions:
  - id: 1
    title: The kind
    module: work
    marks: 1
    cases:
{case}
"""
_TIMEOUT_S = 120


@dataclass(frozen=True, slots=True)
class KindSample:
    """The smallest case of a kind.

    case: the keys of the case as a spec writes them, as YAML.
    right, wrong: texts of the student's module `work.py`; the right one is the reference too.
    message: a part of what the wrong one is told.
    function: a function that the case calls, which attacks define anew.
    """

    case: str
    right: str
    wrong: str
    message: str
    function: str

    def laid_out(self, folder: Path, **works: str) -> "Sampled":
        """Write the task, and a work for each name and text."""
        (folder / "reference").mkdir(parents=True)
        (folder / "reference" / "work.py").write_text(self.right, encoding="utf-8")
        case = indent(self.case.strip("\n"), " " * 8)
        spec = folder / "sample.yaml"
        spec.write_text(_SPEC.format(case=f"      - {case[8:]}"), encoding="utf-8")
        for name, text in works.items():
            (folder / "works" / name).mkdir(parents=True)
            (folder / "works" / name / "work.py").write_text(text, encoding="utf-8")
        return Sampled(self, folder)

    def marked(self, folder: Path) -> "Sampled":
        """Mark the right and the wrong program in a new folder; fail if either gets what it should not."""
        sampled = self.laid_out(folder, right=self.right, wrong=self.wrong)
        sampled.mark()
        assert sampled.marks == {"right": "1", "wrong": "0"}, sampled.marks
        told = sampled.case_of("wrong")["message"]
        assert self.message in told, f"the wrong program is told {told!r}"
        return sampled


@dataclass(frozen=True, slots=True)
class Sampled:
    """A sample that is laid out in a folder."""

    sample: KindSample
    folder: Path

    def run(self, *arguments: str, code: int = 0) -> str:
        """Run a command of the grader's in the folder; return what it prints.  Fails for another status."""
        done = subprocess.run(
            [sys.executable, "-m", "grader", *arguments],
            cwd=self.folder,
            env={**os.environ, "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
        )
        command = " ".join(("grader", *arguments))
        assert done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, f"{command}: {done.stderr}"
        return done.stdout + done.stderr

    def mark(self, *options: str) -> str:
        """Mark the works; return what is printed."""
        return self.run("mark", "sample.yaml", "works", "-o", "out", *options)

    @property
    def document(self) -> Any:
        """The results, as `results.json` has them."""
        return json.loads((self.folder / "out" / "results.json").read_text(encoding="utf-8"))

    @property
    def marks(self) -> dict[str, str]:
        """The mark of each work, or its status where it has none."""
        works = self.document["submissions"]
        return {one["id"]: one["mark"] if one["status"] == "marked" else one["status"] for one in works}

    def case_of(self, work: str) -> Any:
        """Return the case in the results of a work."""
        (found,) = (one for one in self.document["submissions"] if one["id"] == work)
        return found["questions"][0]["cases"][0]


# -- consumers -----------------------------------------------------------------------------------------


def _check(sampled: Sampled) -> None:
    assert "Mark: 1 of 1" in sampled.run("check", "sample.yaml", "works/right")
    assert sampled.sample.message in sampled.run("check", "sample.yaml", "works/wrong", code=1)


def _try(sampled: Sampled) -> None:
    assert "Every program gets what it should." in sampled.run("try", "sample.yaml")


def _validate(sampled: Sampled) -> None:
    sampled.run("validate", "--quick", "sample.yaml")


def _explain(sampled: Sampled) -> None:
    assert sampled.sample.message in " ".join(sampled.run("explain", "out", "wrong").split())


def _replay(sampled: Sampled) -> None:
    assert "The same verdict as recorded" in sampled.run("replay", "out", "wrong", "1.1")


def _bundle(sampled: Sampled) -> None:
    """The case is in the handout, and is the same there; or it is left out with a reason."""
    told = sampled.run("bundle", "sample.yaml", "-o", "handout")
    if "left out: 1.1: " not in told:
        assert "Mark: 1 of 1" in sampled.run("check", "handout/sample.yaml", "works/right")
        assert sampled.sample.message in sampled.run("check", "handout/sample.yaml", "works/wrong", code=1)


def _pages(sampled: Sampled) -> None:
    sampled.run("report", "out")
    page = (sampled.folder / "out" / "staff" / "wrong.html").read_text(encoding="utf-8")
    assert "1.1" in page


def _exports(sampled: Sampled) -> None:
    for name in ("csv", "junit", "markdown", "gitlab", "gradescope"):
        sampled.run("export", "out", "--to", name)


def _again(sampled: Sampled) -> None:
    before = sampled.marks
    assert "2 of 2 submissions unchanged" in sampled.mark()
    assert sampled.marks == before
    sampled.mark("--no-cache")
    assert sampled.marks == before


def _remark(sampled: Sampled) -> None:
    sampled.run("remark", "out", "-o", "remarked")
    sampled.run("diff", "out", "remarked")


CONSUMERS: Mapping[str, Callable[[Sampled], None]] = {
    "check": _check,
    "try": _try,
    "validate": _validate,
    "explain": _explain,
    "replay": _replay,
    "bundle": _bundle,
    "pages": _pages,
    "exports": _exports,
    "a second run": _again,
    "remark and diff": _remark,
}
"""What is done with a case, by name; each takes a marked sample, and fails where it has no answer."""


# -- attacks -------------------------------------------------------------------------------------------

ATTACKS: Mapping[str, str] = {
    "it ends its process": "import os\ndef {function}(*args, **kwargs):\n    os._exit(0)\n",
    "it leaves": "import sys\ndef {function}(*args, **kwargs):\n    sys.exit(0)\n",
    "it raises": "def {function}(*args, **kwargs):\n    raise BaseException('all is well')\n",
    "it never ends": "def {function}(*args, **kwargs):\n    while True:\n        pass\n",
    "it takes all memory": "def {function}(*args, **kwargs):\n    return [bytes(1 << 20)] * (1 << 40)\n",
    "it answers without end": (
        "def {function}(*args, **kwargs):\n    answer = []\n    answer.append(answer)\n    return answer\n"
    ),
    "its answer equals everything": (
        "class Any:\n    def __eq__(self, other): return True\n    def __hash__(self): return 0\n"
        "    def __getattr__(self, name): return self\n    def __call__(self, *args): return self\n"
        "    def __iter__(self): return iter([self])\n"
        "def {function}(*args, **kwargs):\n    return Any()\n"
    ),
    "its number equals everything": (
        "import random\nclass Whole(int):\n"
        "    def __eq__(self, other): return True\n    def __hash__(self): return 0\n"
        "def {function}(*args, **kwargs):\n    return Whole(random.getrandbits(60))\n"
    ),
    "it writes to all that is open": (
        "import os\nfrom contextlib import suppress\ndef {function}(*args, **kwargs):\n"
        "    for number in range(3, 20):\n        with suppress(OSError):\n"
        "            os.write(number, b'accepted' * 100)\n"
    ),
    "it forks": "import os\ndef {function}(*args, **kwargs):\n    return os.fork()\n",
    "it changes Python": (
        "import builtins\ndef {function}(*args, **kwargs):\n"
        "    builtins.len = builtins.repr = builtins.isinstance = lambda *args: True\n"
    ),
    "its import raises": "raise SystemExit(0)\n",
    "it is not there": "",
    "it is no Python": "def (:\n",
}
"""Programs in the place of the student's, by what they do; `{function}` stands for the sample's function.

None of them gets a mark from a sample whose right program answers with anything of substance.
"""


def attack(sample: KindSample, name: str, folder: Path) -> None:
    """Mark an attack beside a right program; fail if it gets marks, or costs the other any."""
    text = ATTACKS[name].replace("{function}", sample.function)
    sampled = sample.laid_out(folder, attack=text, right=sample.right)
    sampled.mark()
    assert sampled.marks == {"attack": "0", "right": "1"}, f"{sampled.marks}: {sampled.case_of('attack')}"
