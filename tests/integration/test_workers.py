"""Pools, threads and tasks in submissions: those of one process work, and others are told by name."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question

HEAD = """
import asyncio, multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.dummy import Pool
from multiprocessing.pool import ThreadPool

def square(x):
    return x * x

async def squares():
    return list(await asyncio.gather(*(asyncio.to_thread(square, x) for x in (2, 3))))

def f():
    """
CASE = "{call: f(), returns: '[4, 9]'}"
TOLD = "`multiprocessing` needs several processes, and there is one here; a ThreadPoolExecutor works"


@pytest.mark.parametrize(
    "body",
    [
        "with ThreadPoolExecutor() as pool: return list(pool.map(square, (2, 3)))",
        "return asyncio.run(squares())",
    ],
)
def test_those_of_one_process_work(tmp_path: Path, body: str) -> None:
    assert str(cases(mark(tmp_path, question(CASE), HEAD + body))["1.1"].verdict) == "accepted"


@pytest.mark.parametrize(
    "body",
    [
        "with multiprocessing.Pool(2) as pool: return pool.map(square, (2, 3))",
        "with ProcessPoolExecutor() as pool: return list(pool.map(square, (2, 3)))",
        "with ThreadPool() as pool: return pool.map(square, (2, 3))",
        "with Pool() as pool: return pool.map(square, (2, 3))",
        "return [4, multiprocessing.Value('i', 9).value]",
    ],
)
def test_others_are_told_by_name(tmp_path: Path, body: str) -> None:
    found = cases(mark(tmp_path, question(CASE), HEAD + body))["1.1"]
    assert str(found.verdict) == "exception"
    assert found.message.endswith(TOLD), found.message


def test_a_file_of_the_students_own_is_not_told_so(tmp_path: Path) -> None:
    found = cases(mark(tmp_path, question(CASE), HEAD + "return open('none.txt')"))["1.1"]
    assert TOLD not in found.message
