"""Java, built by javac to classes that a Java machine runs."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from grader.languages.artefact import Artefact
from grader.languages.language import Language, Trace
from grader.languages.toolchain import MEMORY, SOURCE

_JVM: tuple[str, ...] = (
    *("-XX:ThreadStackSize=1024", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"),
    *("-XX:-UseContainerSupport", "-XX:ReservedCodeCacheSize=48m", "-XX:CompressedClassSpaceSize=64m"),
)
"""Few threads, and little address space beside the heap."""
_STACK = "-Xss64m"
"""For the first thread alone, before what the others have: as problemtools gives it, for deep recursion."""
_JAVAC: tuple[str, ...] = (
    *(f"-J{option}" for option in ("-Xmx256m", *_JVM)),
    *("-proc:none", "-encoding", "UTF-8", "-Xlint:none", "-Xmaxerrs", "5", "-d", "."),
)
_PARTS = ("conf", "lib/jvm.cfg", "lib/security", "lib/modules")
"""Of an installation: Debian keeps some of them in /etc."""
_CLASS_FILE = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{0,99}\.[jJ][aA][vV][aA]")
_OTHER_CLASS = " is public, should be declared in a file named "
_BEGINS, _AT = 'Exception in thread "', "\tat "
"""What a trace begins with, and its frames."""


class Java(Language):
    """Java.  A file has the name of its class, with its capital letters, whatever the task calls it."""

    name = "java"
    title = "Java"
    endings = (".java",)
    keeps_capitals = True
    tools = ("javac", "java")
    trial = "class trial { public static void main(String[] arguments) {} }\n"
    headroom_mib = 1024
    like_python: ClassVar[Mapping[str, str]] = {
        "OutOfMemoryError": "MemoryError",
        "StackOverflowError": "RecursionError",
    }

    def file_of(self, module: str, file: str) -> str:
        name = file.rpartition("/")[2]
        return name if _CLASS_FILE.fullmatch(name) else super().file_of(module, file)

    def build(self, tools: Sequence[str]) -> tuple[str, ...]:
        return (tools[0], *_JAVAC, SOURCE)

    def reads(self, tools: Sequence[str]) -> tuple[str, ...]:
        homes = [Path(tool).parents[1] for tool in tools]
        parts = [part for home in homes for part in (home, *(home / name for name in _PARTS))]
        places = [Path(os.path.realpath(part)) for part in parts if part.exists()]
        return tuple(str(place.parent if place.is_file() else place) for place in places)

    def libraries(self, tools: Sequence[str]) -> str:
        return str(Path(tools[0]).parents[1] / "lib")

    def release(self, tool: str) -> str:
        # Starting a Java machine only for its version takes a second.
        told = Path(tool).parents[1] / "release"
        for line in told.read_text("utf-8", "replace").splitlines() if told.is_file() else ():
            if line.startswith("JAVA_VERSION="):
                return line.partition("=")[2].strip('"')
        return ""

    def artefact(
        self, file: str, sources: Mapping[str, bytes], built: Mapping[str, bytes], tools: Sequence[str]
    ) -> Artefact | str:
        wanted, java = file.rpartition(".")[0], tools[1]
        main = _main_class(wanted, built)
        if not main:
            return f"it has no class {wanted}: the class with main has the name of the file, {file}"
        return Artefact(
            host=java,
            command=(java, f"-Xmx{MEMORY}m", _STACK, *_JVM, "-Dfile.encoding=UTF-8", "-cp", ".", main),
            environment=(("LD_LIBRARY_PATH", self.libraries(tools)),),
            files=tuple((name, code) for name, code in built.items() if name.endswith(".class")),
        )

    def command(self, module: str, file: str) -> str:
        return f"java {file.rpartition('.')[0]}"

    def advice(self, file: str, error: str) -> str:
        is_other = _OTHER_CLASS in error
        return f"this file is {file}, so call the class {file.rpartition('.')[0]}" if is_other else ""

    def trace_at(self, lines: Sequence[str]) -> int | None:
        return next((n for n in reversed(range(len(lines))) if lines[n].startswith(_BEGINS)), None)

    def trace(self, lines: Sequence[str], shown: int) -> Trace | None:
        name, _, message = lines[shown].removeprefix(_BEGINS).partition('" ')[2].partition(": ")
        # Frames of Java's own classes begin with a module.
        places = [
            line.rpartition("(")[2].removesuffix(")")
            for line in lines[shown + 1 :]
            if line.startswith(_AT) and "/" not in line.partition("(")[0]
        ]
        return Trace(name.rpartition(".")[2].strip(), message, places)


def _main_class(wanted: str, built: Mapping[str, bytes]) -> str:
    """Return the class that a program begins with: the one of its file's name, else the only one there is.

    It may lie in a package, as editors write it.
    """
    classes = [name.removesuffix(".class").replace("/", ".") for name in built if name.endswith(".class")]
    outer = sorted(name for name in classes if "$" not in name)
    bare = [(name.rpartition(".")[2], name) for name in outer]
    alike = [name for last, name in bare if last == wanted] or [
        name for last, name in bare if last.casefold() == wanted.casefold()
    ]
    return alike[0] if alike else outer[0] if len(outer) == 1 else ""


LANGUAGE = Java()
