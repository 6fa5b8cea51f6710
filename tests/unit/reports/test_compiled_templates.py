"""Templates are compiled once for all processes, and never taken from a file that does not fit."""

import sys
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from grader.reports.html import compiled
from grader.reports.html.compiled import CompiledTemplates


class Compiler(Environment):
    """An environment that counts what it compiles."""

    def __init__(self, folder: Path) -> None:
        super().__init__(loader=FileSystemLoader(folder), bytecode_cache=CompiledTemplates(folder))
        self.compiled = 0

    def _generate(self, *given: object, **more: object) -> str:
        self.compiled += 1
        return super()._generate(*given, **more)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    (tmp_path / "page.html.j2").write_text("{{ 1 + 1 }} and {{ word }}")
    return tmp_path


def compile_and_render(folder: Path) -> tuple[str, int]:
    """Render the page as a new process does; return its text and how many templates were compiled."""
    fresh = Compiler(folder)
    text = fresh.get_template("page.html.j2").render(word="more")
    return text, fresh.compiled


def kept(folder: Path) -> Path:
    (file,) = (folder / "__pycache__").iterdir()
    return file


def test_the_next_process_compiles_nothing(folder: Path) -> None:
    assert compile_and_render(folder) == ("2 and more", 1)
    assert compile_and_render(folder) == ("2 and more", 0)
    assert kept(folder).name == f"page.html.{sys.implementation.cache_tag}.pyc"


def test_a_template_that_changed_is_compiled_again(folder: Path) -> None:
    compile_and_render(folder)
    (folder / "page.html.j2").write_text("only {{ word }}")
    assert compile_and_render(folder) == ("only more", 1)
    assert compile_and_render(folder) == ("only more", 0)


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 100, -1])
def test_a_file_that_is_cut_off_is_not_used(folder: Path, length: int) -> None:
    compile_and_render(folder)
    whole = kept(folder).read_bytes()
    kept(folder).write_bytes(whole[:length])
    assert compile_and_render(folder) == ("2 and more", 1)
    assert kept(folder).read_bytes() == whole


def test_a_file_with_one_other_bit_is_not_used(folder: Path) -> None:
    compile_and_render(folder)
    whole = bytearray(kept(folder).read_bytes())
    whole[len(whole) // 2] ^= 1
    kept(folder).write_bytes(whole)
    assert compile_and_render(folder) == ("2 and more", 1)


@pytest.mark.parametrize("what", ["MAGIC_NUMBER", "__version__", "_compilers_stamp"])
def test_the_code_of_another_release_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    compile_and_render(folder)
    other = {"MAGIC_NUMBER": b"1234", "__version__": "9.9", "_compilers_stamp": lambda: "9 9"}
    monkeypatch.setattr(compiled, what, other[what])
    assert compile_and_render(folder) == ("2 and more", 1)


def test_nothing_is_written_where_python_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compile_and_render(folder) == ("2 and more", 1)
    assert [each.name for each in folder.iterdir()] == ["page.html.j2"]


def test_a_folder_that_cannot_be_written_does_no_harm(folder: Path) -> None:
    (folder / "__pycache__").write_text("no folder")
    assert compile_and_render(folder) == ("2 and more", 1)


def test_a_folder_for_all_code_is_used(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "code"))
    compile_and_render(folder)
    assert compile_and_render(folder) == ("2 and more", 0)
    assert not (folder / "__pycache__").exists()
