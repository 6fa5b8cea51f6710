"""Which files of a student results keep, and how much of them."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from support.marking import cases, mark, question

from grader.engine.run_config import prepare_run
from grader.engine.submission.sources import FILE_MAX_B, FILES_MAX, TOTAL_MAX_B, kept_sources
from grader.engine.worker import Marker
from grader.model.results import SourceText
from grader.model.submission import AS_BYTES, SourceFile, Submission
from grader.model.task import Task
from grader.sandbox.driver import Driver
from grader.spec import load_task


def kept(files: dict[str, str], *modules: str) -> tuple[SourceText, ...]:
    task = cast(Task, SimpleNamespace(modules=tuple((name, f"{name}.py") for name in modules or ("work",))))
    given = {name: SourceFile(f"{name}.py", text) for name, text in files.items()}
    return kept_sources(task, Submission("s", "s", given))


def names(found: tuple[SourceText, ...]) -> list[str]:
    return [one.module for one in found]


def test_the_tasks_files_come_first_then_those_that_they_import() -> None:
    files = {
        "diary": "private",
        "work": "import helper",
        "helper": "from deep import x",
        "deep": "",
        "more": "",
    }
    assert names(kept(files, "work", "more")) == ["work", "more", "helper", "deep"]


def test_a_file_that_is_imported_by_a_computed_name_is_still_named() -> None:
    files = {"work": "import importlib\nm = importlib.import_module('helper')", "helper": "", "other": ""}
    assert names(kept(files)) == ["work", "helper"]


def test_a_file_that_was_not_handed_in_is_none() -> None:
    assert kept({"helper": "import work"}) == ()


def test_a_long_file_is_cut_between_characters_and_says_so() -> None:
    (one,) = kept({"work": "é" * FILE_MAX_B})
    assert one.text == "é" * (FILE_MAX_B // 2)
    assert one.cut_b == FILE_MAX_B
    (odd,) = kept({"work": "x" + "é" * FILE_MAX_B})
    assert len(odd.text.encode()) == FILE_MAX_B - 1
    assert odd.cut_b == FILE_MAX_B + 2


def test_all_files_together_are_bounded() -> None:
    texts = {
        f"m{number}": " ".join(f"m{each}" for each in range(200)) + "#" * FILE_MAX_B for number in range(200)
    }
    found = kept(texts, "m0")
    assert sum(len(one.text) for one in found) == TOTAL_MAX_B
    small = {f"m{number}": f"import m{number + 1}" for number in range(10_000)}
    assert len(kept(small, "m0")) == FILES_MAX


def test_odd_characters_are_replaced_and_lines_stay() -> None:
    (one,) = kept({"work": "a\ud800b\x00\n\u202ec"})
    assert one.text == "a?b\x00\n\u202ec"
    (raw,) = kept({"work": AS_BYTES + b"x = '\xff'\n".decode("utf-8", "surrogateescape")})
    assert raw.text == "x = '?'\n"


def marked(tmp_path: Path, work: Any, *lines: str) -> Any:
    return mark(tmp_path, question(*lines), work)


def test_results_have_them_and_the_line_in_which_a_case_hung(tmp_path: Path) -> None:
    work = "def f():\n    while True:\n        pass\n"
    result = marked(
        tmp_path, {"work": work, "diary": "secret"}, "{call: f(), returns: 1, limits: {time: 0.2s}}"
    )
    assert result.sources == (SourceText("work", "work.py", work),)
    stopped = cases(result)["1.1"].stopped_at
    assert stopped is not None
    assert (stopped.file, stopped.source) in (("work.py", "while True:"), ("work.py", "pass"))


BESIDE = """
task: sample
title: Sample
marks: 1
modules: {work: work.py, tools: tools.py}
reference: reference
questions:
  - {id: "1", title: One, module: work, beside: [tools], marks: 1, cases: [{call: f(), returns: 1}]}
"""


def test_a_line_of_the_references_file_beside_is_not_taken_for_the_students(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "tools.py").write_text("def half(x):\n    return x / 0\n")
    (tmp_path / "reference" / "work.py").write_text("def f():\n    return 1\n")
    (tmp_path / "sample.yaml").write_text(BESIDE)
    work = {"work": "import tools\ndef f():\n    return tools.half(1)\n", "tools": "A = 1\nB = 2\n"}
    files = {name: SourceFile(f"{name}.py", text) for name, text in work.items()}
    with Marker(prepare_run(load_task(tmp_path / "sample.yaml"), Driver.NAMESPACES, "")) as marker:
        result = marker.mark(Submission("s", "s", files)).result
    raised = cases(result)["1.1"].raised
    assert raised is not None
    assert [(frame.file, frame.source) for frame in raised.frames] == [
        ("work.py", "return tools.half(1)"),
        ("tools.py", ""),
    ]
