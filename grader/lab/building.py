"""Builds a program from its sources, of a submission or of the spec's own."""

from collections.abc import Callable, Mapping

from grader.judge.messages import failed_build
from grader.languages.artefact import Artefact
from grader.languages.toolchain import Toolchain
from grader.model.outcome import Ending, Outcome
from grader.sandbox.budget import Budget
from grader.sandbox.zygote import Zygote


def build_artefact(
    toolchain: Toolchain,
    name: str,
    texts: Mapping[str, str],
    zygote: Zygote,
    *,
    purse: Budget,
    encode: Callable[[str], bytes],
) -> Artefact | Outcome | None:
    """Return the program built of sources, or the outcome of all its cases if it can't be built.

    name: the file with which it begins.  encode: gives the bytes of a source.  purse: pays for it; None if it
    cut the build short.  Raises `SandboxFailure`.
    """
    # Most tasks need no compiler.
    from grader.sandbox.tools.build import build, refusal
    from grader.sandbox.tools.toolchains import artefact_of

    reason = refusal(toolchain, zygote.driver, zygote.interpreter)
    if reason:
        return Outcome(ending=Ending.INTERNAL, detail=reason)
    built = build(toolchain, name, texts, zygote.interpreter, purse=purse)
    if built.files is None:
        return None if built.lacks_budget else failed_build(texts, built.said)
    sources = {each: encode(text) for each, text in texts.items()}
    artefact = artefact_of(toolchain, name, sources, built.files)
    return artefact if isinstance(artefact, Artefact) else failed_build(texts, artefact)
