"""Other work for all cores meanwhile, in spells, as on a machine that many use."""

import multiprocessing
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager


def keep_busy(seed: int) -> None:
    """Use a core in spells of work and rest, on small and on large data, until the parent is gone."""
    chance, parent = random.Random(seed), os.getppid()
    large = list(range(400_000))
    while os.getppid() == parent:
        end = time.monotonic() + chance.uniform(0.02, 0.5)
        while time.monotonic() < end:
            if chance.random() < 0.5:
                sum(number * number for number in range(20_000))
            else:
                large.reverse()
        time.sleep(chance.choice([0, 0, 0.05]))


@contextmanager
def all_cores_busy(workers: int) -> Iterator[None]:
    """Have so many other processes at work meanwhile."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=keep_busy, args=(seed,), daemon=True) for seed in range(workers)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
            process.join()
