"""Whatever stands in a spec file, loading gives a task or a SpecError, and soon."""

import pickle
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from grader.model.errors import SpecError
from grader.model.task import Task
from grader.spec import load_task
from grader.yamlfile.source import EXCERPT_WIDTH

DATA = Path(__file__).parents[1] / "data" / "spec"
VALID = (DATA / "valid.yaml").read_text(encoding="utf-8")
FRAGMENTS = (
    *"[](){}:,-|>'\"#&*!%@`?~^.=\t\n\r\\",
    *(
        "\n  ",
        "\n      ",
        "- ",
        ": ",
        "null",
        "''",
        '""',
        "|\n",
        ">-\n",
        "---\n",
        "...\n",
        "<<: ",
        "&a ",
        "*a",
        "!!x ",
    ),
    *("lambda x: x", "lambda: y", "range(9)", "10**10**10", "'a' * 10**9", "(" * 300, "-" * 300, "[" * 300),
    *(
        "same as reference",
        "call: f(x)",
        "over: {x: range(99999)}",
        "watch: {f: {answer: 1}}",
        "1e999",
        "0x" + "f" * 99,
    ),
    *(
        "\ud7ff",
        "\ufffd",
        "\U0010ffff",
        "\x85",
        "\u2028",
        "\ufeff",
        "\x00",
        '"\\ud800"',
        '"\\0"',
        "%YAML 1.2\n",
        "9" * 5000,
    ),
    *(
        ".inf",
        ".nan",
        "-0",
        "012",
        "1/0",
        "f'{x}'",
        "{1: 2, **x}",
        "{*x}",
        "f(*x)",
        "x.y",
        "x[0]",
        "...",
        "not 1",
        "1j ** 1j",
    ),
)
quick = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the fixture's reference and checkers, to put a spec into."""
    path = tmp_path_factory.mktemp("spec")
    shutil.copytree(DATA / "reference", path / "reference")
    shutil.copy(DATA / "checkers.py", path)
    return path


def load(folder: Path, content: bytes) -> Task | None:
    """Load a spec; None where it is refused, in a way that a front end can show."""
    path = folder / "any.yaml"
    path.write_bytes(content)
    try:
        task = load_task(path)
    except SpecError as error:
        refused = error
    else:
        again = pickle.loads(pickle.dumps(task))
        # No NaN equals another one, and `returns: .nan` is a value.
        assert again == task or repr(again) == repr(task)
        return task
    check_faults(refused, folder)
    return None


def check_faults(error: SpecError, folder: Path) -> None:
    assert error.faults
    str(error).encode("utf-8")
    for fault in error.faults:
        assert fault.message
        assert fault.where.startswith(str(folder))
        assert len(fault.excerpt) <= EXCERPT_WIDTH
        assert fault.excerpt.replace("\xa0", " ").isprintable()
        assert 0 <= fault.column <= len(fault.excerpt) + 1


@quick
@given(content=st.binary(max_size=300))
@example(content=b"\xff\xfet\x00a\x00")
@example(content=b"\xef\xbb\xbf")
@example(content=b"a: " + b"[" * 100_000)
@example(content=b"a: " + b"{" * 100_000)
@example(content=b"- " * 100_000)
@example(content=b"? " * 100_000)
def test_any_bytes_are_a_task_or_a_spec_error(folder: Path, content: bytes) -> None:
    load(folder, content)


@quick
@given(content=st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_any_text_is_a_task_or_a_spec_error(folder: Path, content: str) -> None:
    load(folder, content.encode())


@st.composite
def damaged_specs(draw: st.DrawFn) -> str:
    """The valid spec with some characters taken out, and something else put in."""
    text = VALID
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 40))
        text = text[:start] + draw(st.sampled_from(FRAGMENTS)) + text[start + length :]
    return text


@quick
@given(text=damaged_specs())
def test_a_damaged_spec_is_a_task_or_a_spec_error(folder: Path, text: str) -> None:
    load(folder, text.encode("utf-8", "surrogatepass"))


@quick
@given(
    fragment=st.sampled_from(FRAGMENTS) | st.text(alphabet="[](){}'\"\\,.:-*+/% \nabflmnrx019", max_size=30),
    data=st.data(),
)
def test_any_value_in_the_place_of_another_is_a_task_or_a_spec_error(
    folder: Path, fragment: str, data: st.DataObject
) -> None:
    lines = VALID.splitlines()
    candidates = [i for i, line in enumerate(lines) if ": " in line and not line.startswith("#")]
    index = data.draw(st.sampled_from(candidates))
    key, _, _ = lines[index].partition(": ")
    quoted = "'" + fragment.replace("'", "''") + "'"
    lines[index] = f"{key}: {data.draw(st.sampled_from((fragment, quoted)))}"
    load(folder, "\n".join(lines).encode("utf-8", "surrogatepass"))


def test_the_spec_that_is_damaged_is_valid(folder: Path) -> None:
    assert load(folder, VALID.encode()) is not None
