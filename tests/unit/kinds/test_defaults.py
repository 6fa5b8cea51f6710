"""What a kind of case answers to a question that it does not answer by itself."""

from dataclasses import dataclass, replace

from support.marking import HEAD, question

from grader.kinds.kind import Kind
from grader.model.case import Case
from grader.model.kinds import What
from grader.spec import load_task


@dataclass(frozen=True, slots=True)
class Repeated(What):
    kind_name = "repeat"
    times: int


class RepeatCases(Kind[Repeated]):
    name = "repeat"

    def read(self, fields, common, context, inherited) -> list[Case]:
        return [common]


def test_evidence_depends_on_all_of_a_case(tmp_path) -> None:
    """Else a case gets the evidence of another."""
    (tmp_path / "spec.yaml").write_text(HEAD + question("{call: f(), returns: 1}"))
    task = load_task(tmp_path / "spec.yaml")
    cases = [replace(task.cases[0], what=Repeated(times)) for times in (2, 3)]
    about = [
        tuple(RepeatCases().about(task, case, request, None)) for case in cases for request in (b"f", b"g")
    ]
    assert len(set(about)) == 4
