"""Perl."""

from collections.abc import Mapping, Sequence

from grader.api.languages import SOURCE, Artefact, Language


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


PERL = Perl()
