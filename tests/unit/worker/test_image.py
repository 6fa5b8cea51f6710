"""What the warm Python has loaded, which every fork of every box carries: as little as can be."""

import subprocess

from grader.sandbox import zygote_process
from grader.sandbox.interpreter import find_interpreter

ALLOWED = {"_ctypes", "_socket", "_struct", "_typing", "select"}
"""Modules that are shared libraries: each costs every fork some 20 microseconds."""


def test_few_shared_libraries_are_loaded() -> None:
    program = (
        f"{zygote_process.PACKAGES}\n"
        "from grader.worker import zygote\n"
        "zygote._warm_up()\n"
        "libraries = [n for n, m in sys.modules.items() if str(getattr(m, '__file__', '')).endswith('.so')]\n"
        "print(*libraries)\n"
    )
    command = [
        find_interpreter("").command,
        *zygote_process.FLAGS,
        "-c",
        program,
        "",
        zygote_process.package_folder(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= ALLOWED
