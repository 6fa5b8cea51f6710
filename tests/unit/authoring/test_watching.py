"""A change of a file ends the waiting, once the files are still."""

from pathlib import Path

from grader.authoring.watching import await_change, look


def test_a_round_waits_until_the_files_are_still(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b.py"
    file.parent.mkdir()
    file.write_text("1")
    before = look([tmp_path])
    texts = iter(["1", "12", "123", "123", "123"])

    def sleep(_s: float) -> None:
        text = next(texts)
        if file.read_text() != text:
            file.write_text(text)

    seen = await_change(lambda: [tmp_path], before, sleep)
    assert seen[str(file)][1] == 3
    assert list(texts) == ["123"]


def test_it_looks_often_and_settles_sooner(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    naps: list[float] = []

    def sleep(s: float) -> None:
        naps.append(s)
        if len(naps) == 2:
            (tmp_path / "a.py").write_text("12")

    await_change(lambda: [tmp_path], look([tmp_path]), sleep, look_s=0.02, settle_s=0.01)
    assert naps == [0.02, 0.02, 0.01]


def test_hidden_files_and_caches_are_no_change(tmp_path: Path) -> None:
    for name in (".a.swp", "__pycache__/a.pyc", ".git/b"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert look([tmp_path]) == {}
    assert look([tmp_path / "none.yaml"]) == {}
