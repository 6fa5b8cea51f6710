"""What is kept of a case's output."""

from grader.store.output_text import KEPT, kept_output


def test_output_of_ordinary_length_is_kept_whole() -> None:
    for text in ("", "x\n", "x" * KEPT):
        assert kept_output(text) == text


def test_a_flood_keeps_its_beginning_and_its_end() -> None:
    text = "begin" + "x" * (3 * KEPT) + "end"
    kept = kept_output(text)
    assert kept.startswith("begin")
    assert kept.endswith("end")
    assert f"… {len(text) - KEPT:,} characters are left out here …" in kept
    assert len(kept) < KEPT + 100
