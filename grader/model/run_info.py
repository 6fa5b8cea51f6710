"""What is known of a run as a whole."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """Under what conditions a run took place.

    guarantees: name of each guarantee of the sandbox, and whether it held on this host.
    tools: the programs that looked at source, with their versions.
    """

    id: str
    grader: str
    spec_sha256: str
    seed: int
    python: str
    driver: str
    guarantees: dict[str, bool] = field(default_factory=dict)
    tools: dict[str, str] = field(default_factory=dict)
    started: str = ""
    finished: str = ""
