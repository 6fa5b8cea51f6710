"""Perl."""

import re
from collections.abc import Mapping, Sequence

from grader.api.languages import SOURCE, Artefact, Language

_ERROR = re.compile(r"(.{1,300}?) at ([\w.]{1,100}) line (\d{1,7})[.,]")


class Perl(Language):
    """Perl.  A check of its syntax runs the blocks that the student calls BEGIN."""

    name = "perl"
    title = "Perl"
    endings = (".pl",)
    tools = ("perl",)
    trial = "1;\n"
    runs_in_build = True
    headroom_mib = 256

    def build(self, tools: Sequence[str]) -> tuple[str, ...]:
        return (tools[0], "-c", SOURCE)

    def reads(self, tools: Sequence[str]) -> tuple[str, ...]:
        return (tools[0],)

    def artefact(
        self, file: str, sources: Mapping[str, bytes], built: Mapping[str, bytes], tools: Sequence[str]
    ) -> Artefact | str:
        return Artefact(host=tools[0], command=(tools[0], file), files=tuple(sources.items()))

    def command(self, module: str, file: str) -> str:
        return f"perl {file}"

    def like_gcc(self, line: str) -> str:
        found = _ERROR.match(line)
        return f"{found[2]}:{found[3]}: error: {found[1]}" if found else line


PERL = Perl()
