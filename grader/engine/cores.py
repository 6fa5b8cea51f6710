"""How much can run at a time on this machine."""

import os


def default_processes() -> int:
    """Return how many processes to keep busy: one for each core we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
