"""C, built by gcc to a static program."""

from collections.abc import Sequence

from grader.languages.language import PROGRAM, Language
from grader.languages.toolchain import SOURCE


class C(Language):
    """C.

    standard: the language's name for gcc, and its version.
    """

    name = "c"
    title = "C"
    endings: tuple[str, ...] = (".c",)
    headers: tuple[str, ...] = (".h",)
    tools: tuple[str, ...] = ("gcc",)
    version_option = "-dumpfullversion"
    trial = '#include <stdio.h>\nint main(void) { return printf("") != 0; }\n'
    linker_words = ("undefined reference to ", "multiple definition of ")
    standard = ("c", "gnu17")

    def build(self, tools: Sequence[str]) -> tuple[str, ...]:
        name, version = self.standard
        return (
            *(tools[0], "-x", name, f"-std={version}", "-O2", "-static", "-s", "-pipe"),
            *("-fmax-errors=5", "-fdiagnostics-color=never", "-o", PROGRAM, SOURCE, "-lm"),
        )


LANGUAGE = C()
