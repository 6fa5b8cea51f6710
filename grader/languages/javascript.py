"""JavaScript, checked and run by Node."""

from collections.abc import Mapping, Sequence

from grader.languages.artefact import Artefact
from grader.languages.language import Language, Trace
from grader.languages.toolchain import MEMORY, SOURCE, WORK

_ENDS, _AT = "Node.js v", "    at "
"""What the last line of a trace begins with, and its frames."""


class JavaScript(Language):
    """JavaScript."""

    name = "javascript"
    title = "JavaScript"
    endings = (".js", ".mjs", ".cjs")
    tools = ("node",)
    trial = "let trial = 1;\n"
    headroom_mib = 1024

    def build(self, tools: Sequence[str]) -> tuple[str, ...]:
        return (tools[0], "--check", SOURCE)

    def reads(self, tools: Sequence[str]) -> tuple[str, ...]:
        return (tools[0],)

    def artefact(
        self, file: str, sources: Mapping[str, bytes], built: Mapping[str, bytes], tools: Sequence[str]
    ) -> Artefact | str:
        command = (tools[0], f"--max-old-space-size={MEMORY}", file)
        return Artefact(host=tools[0], command=command, files=tuple(sources.items()), reads_ahead=True)

    def command(self, module: str, file: str) -> str:
        return f"node {file}"

    def error_near(self, lines: Sequence[str], place: int) -> str:
        return next((line for line in lines[place + 1 :] if line.startswith("SyntaxError: ")), "")

    def trace_at(self, lines: Sequence[str]) -> int | None:
        return len(lines) - 1 if lines[-1].startswith(_ENDS) else None

    def trace(self, lines: Sequence[str], shown: int) -> Trace | None:
        end = next((n for n, line in enumerate(lines[:shown]) if line.startswith(_AT)), None)
        if end is None:
            return None
        # Above are the place, the student's line with a mark below it, and an empty line; the message can
        # have several lines.
        blank = next((n for n, line in enumerate(lines[:end]) if not line), 0)
        name, _, message = lines[blank + 1].partition(":") if blank else ("", "", "")
        places = [lines[0], *(line.rpartition("(")[2].removeprefix(_AT) for line in lines[end:shown])]
        inside = [place.removesuffix(")") for place in places if place.startswith(WORK)]
        return Trace(name, message.strip(), inside)


LANGUAGE = JavaScript()
