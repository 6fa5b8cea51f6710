"""What is kept of a case's output."""

from grader.store.results_json import KEPT_OUTPUT, kept_output


def test_output_of_ordinary_length_is_kept_whole() -> None:
    for text in ("", "x\n", "x" * KEPT_OUTPUT):
        assert kept_output(text) == text


def test_a_flood_keeps_its_beginning_and_its_end() -> None:
    text = "begin" + "x" * (3 * KEPT_OUTPUT) + "end"
    kept = kept_output(text)
    assert kept.startswith("begin")
    assert kept.endswith("end")
    assert f"… {len(text) - KEPT_OUTPUT:,} characters are left out here …" in kept
    assert len(kept) < KEPT_OUTPUT + 100
