"""The parts of a run's record: what is packed comes back, and damaged bytes are refused in one way."""

import json
import zlib
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.person import Person
from grader.model.policy import Extension
from grader.model.results import RunInfo, SandboxInfo
from grader.model.submission import (
    AS_BYTES,
    CriterionMark,
    OverridingMark,
    Record,
    Review,
    SourceFile,
    Submission,
)
from grader.store.record_parts import (
    RecordedRun,
    RecordedSpec,
    Unpackable,
    pack,
    pack_work,
    unpack,
    unpack_work,
)

TIME = datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=2)))
REVIEW = Review(
    (CriterionMark(criterion="1.a", marks=Fraction(1, 3), comment="so \udc80", by="A", date="2026-01-02"),),
    (OverridingMark(question="", marks=Fraction(2), reason="ill", by="B"),),
)
SUBMISSION = Submission(
    id="student-01",
    name="Zoë \u202e",
    files={
        "a": SourceFile("sub/a.py", "x = 'é'\n", ("read as latin-1",)),
        "b": SourceFile("b.py", AS_BYTES + "\udcff\udcfe"),
    },
    unread={"c": "c.ipynb is no notebook: it has no cells"},
    problems=("odd",),
    notes=("told",),
    sha256="1" * 64,
    content_sha256="2" * 64,
    origin=Path("/tmp/it's \udcff here"),
    record=Record(TIME, REVIEW, Extension("student-01", TIME, 60)),
    attempts=(Submission(id="student-01", name="Zoë", attempt="2"),),
    person=Person(name="Zoë", ids={"sis": "17"}),
)


def test_a_record_of_an_earlier_version_is_read() -> None:
    """What it lacks is optional: these are the fields that the first records of a work had."""
    whole = json.loads(zlib.decompress(pack_work(Submission(id="student-01", name=""))))["whole"]
    assert whole.keys() == {
        *("id", "name", "files", "problems", "unreadable", "notes", "sha256", "content_sha256", "origin"),
        *("record", "attempt", "person"),
    }


def test_work_comes_back_as_it_was() -> None:
    assert unpack_work(pack_work(SUBMISSION)) == SUBMISSION


@given(st.text(st.characters()), st.text(st.characters()))
def test_any_text_and_name_comes_back(text: str, name: str) -> None:
    work = Submission(id="a", name=name, files={"m": SourceFile("m.py", text)}, record=None)
    assert unpack_work(pack_work(work)) == work


def test_the_start_of_a_run_comes_back() -> None:
    info = RunInfo(
        id="r",
        grader="1",
        spec_sha256="3" * 64,
        seed=4,
        python="3.12.1",
        sandbox=SandboxInfo("landlock", {"cpu": True}),
    )
    run = RecordedRun(info=info, python="3.12", command="/usr/bin/python3.12", code="5" * 64)
    assert unpack(RecordedRun, pack(run)) == run


@pytest.mark.parametrize("kind", [unpack_work, partial(unpack, RecordedSpec), partial(unpack, RecordedRun)])
def test_other_bytes_are_refused(kind) -> None:
    whole = pack_work(SUBMISSION)
    for data in (b"", b"x", whole[:-1], whole[: len(whole) // 2], whole[5:]):
        with pytest.raises(Unpackable):
            kind(data)
    if kind is not unpack_work:
        with pytest.raises(Unpackable):
            kind(whole)


def test_marks_by_hand_of_an_earlier_version_are_read() -> None:
    """Fields that came later are optional: the record of a finished run stays readable."""
    mark = CriterionMark(criterion="1.a", marks=Fraction(1), by="A")
    later = {"level", "uses", "role"}
    plain = json.loads(zlib.decompress(pack(Review((mark,)))))
    assert not later & plain["marks"][0].keys()
    assert "remarks" not in plain
    assert unpack(Review, zlib.compress(json.dumps(plain).encode())) == Review((mark,))
