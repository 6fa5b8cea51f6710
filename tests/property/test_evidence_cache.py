"""What a run found out comes back whole in the next one, and bytes that are no evidence are none."""

from hypothesis import given
from hypothesis import strategies as st
from support.wire_strategies import reports

from grader.lab.evidence import EvidenceCache
from grader.sandbox.evidence import Evidence
from grader.wire import messages

evidence = st.builds(Evidence, reports, st.lists(st.binary(max_size=20), max_size=3).map(tuple))
digests = st.binary(min_size=1, max_size=4)


@given(st.dictionaries(st.tuples(digests, digests), evidence, max_size=6))
def test_what_was_added_is_found_again(found: dict[tuple[bytes, bytes], Evidence]) -> None:
    # Of two digests that run together the same key would come; real ones all have the same length.
    found = {(program.ljust(4), case.ljust(4)): one for (program, case), one in found.items()}
    cache = EvidenceCache()
    for (program, case), one in found.items():
        cache.add(program, case, one)
    after = EvidenceCache(cache.packed())
    for (program, case), one in found.items():
        # The clock's limit, and a fault of ours, are no evidence for another day.
        assert after.find(program, case) == (None if one.report.ending in ("wall", "internal") else one)


@given(evidence)
def test_what_no_longer_holds_is_dropped(one: Evidence) -> None:
    first = EvidenceCache()
    first.add(b"program", b"case", one)
    second = EvidenceCache(first.packed())
    second.add(b"program", b"other", one)
    third = EvidenceCache(second.packed())
    assert third.find(b"program", b"case") is None


@given(evidence)
def test_what_is_forgotten_is_gone_from_this_run_and_from_earlier_ones(one: Evidence) -> None:
    first = EvidenceCache()
    first.add(b"program", b"case", one)
    second = EvidenceCache(first.packed())
    for cache in (first, second):
        cache.forget(b"program", b"case")
        assert cache.find(b"program", b"case") is None
    assert second.is_blank


@given(st.binary(max_size=200))
def test_noise_is_no_evidence(noise: bytes) -> None:
    assert EvidenceCache(noise).is_blank


@given(evidence, st.data())
def test_damaged_evidence_does_no_harm(one: Evidence, data: st.DataObject) -> None:
    cache = EvidenceCache()
    cache.add(b"program", b"case", one)
    packed = bytearray(cache.packed() or b"x")
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    assert EvidenceCache(bytes(packed)).packed() == b""


def test_a_large_answer_is_rather_found_again() -> None:
    report = messages.Report("answered", 0.0, 0.0, 0, "", bytes(100_000), b"", b"", "", ())
    cache = EvidenceCache()
    cache.add(b"program", b"case", Evidence(report))
    assert cache.packed() == b""
