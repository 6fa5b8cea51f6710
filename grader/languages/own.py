"""A language whose commands the spec says."""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.languages.artefact import Artefact
from grader.languages.language import Language
from grader.languages.toolchain import MEMORY, SOURCE, Toolchain, every_language


class Own(Language):
    """A language whose commands the spec says.  They begin with programs of the host, or of the build's."""

    runs_in_build = True
    headroom_mib = 256

    def __init__(self, toolchain: Toolchain) -> None:
        self._toolchain = toolchain
        self.name = self.title = toolchain.name
        self.endings = toolchain.endings
        words = (command[0] for command in (toolchain.build, toolchain.run) if command)
        self.tools = tuple(word for word in words if not word.startswith("./"))
        alike = (each for each in every_language() if set(each.endings) & set(self.endings))
        self.keeps_capitals = any(each.keeps_capitals for each in alike)

    def build(self, tools: Sequence[str]) -> tuple[str, ...]:
        return (tools[0], *self._toolchain.build[1:]) if self._toolchain.build else ()

    def reads(self, tools: Sequence[str]) -> tuple[str, ...]:
        return (*filter(os.path.exists, self._toolchain.reads), *tools)

    def artefact(
        self, file: str, sources: Mapping[str, bytes], built: Mapping[str, bytes], tools: Sequence[str]
    ) -> Artefact | str:
        words = tuple(word.replace(SOURCE, file) for word in self._toolchain.run)
        # Where nothing is built, the sources themselves run; else only what the build left.
        files = tuple((built if self._toolchain.build else sources).items())
        if not words[0].startswith("./"):
            return Artefact(host=tools[-1], command=words, files=files)
        program = dict(files).get(words[0].removeprefix("./"))
        if not program:
            return f"the build left no {words[0].removeprefix('./')}"
        others = tuple(pair for pair in files if f"./{pair[0]}" != words[0])
        return replace(Artefact(program=program, files=others), command=words)

    def command(self, module: str, file: str) -> str:
        return " ".join(word.replace(SOURCE, file) for word in self._toolchain.run if MEMORY not in word)

    def written(self) -> object:
        own = self._toolchain
        keys: dict[str, object] = {"language": own.name, "ending": own.endings[0]}
        if own.build:
            keys["build"] = shlex.join(own.build)
        keys["run"] = shlex.join(own.run)
        return keys | ({"reads": list(own.reads)} if own.reads else {})
