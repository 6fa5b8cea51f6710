"""The same files by descriptors, links, handles, maps and folders above.

Must not: be read.
Holds from: landlock
Verdicts: wrong-answer
Succeeds under: posix
"""

import ctypes
import mmap
import os


def by_descriptor(path):
    return open(f"/proc/self/fd/{os.open(path, os.O_PATH)}", "rb").read()


def by_folder(path):
    folder = os.open(os.path.dirname(path), os.O_PATH)
    return os.read(os.open(os.path.basename(path), os.O_RDONLY, dir_fd=folder), 99)


def by_parents(path):
    return open("../" * 40 + path.lstrip("/"), "rb").read()


def by_link(path):
    os.symlink(path, "link")
    return open("link", "rb").read()


def by_hard_link(path):
    os.link(path, "hard")
    return open("hard", "rb").read()


def by_map(path):
    return mmap.mmap(os.open(path, os.O_RDONLY), 0, prot=mmap.PROT_READ)[:99]


def by_copy(path):
    target = os.open("copy", os.O_RDWR | os.O_CREAT)
    os.copy_file_range(os.open(path, os.O_RDONLY), target, 99)
    return os.pread(target, 99, 0)


def by_rename(path):
    os.rename(path, "mine")
    return open("mine", "rb").read()


def by_chroot_of_old(path):
    os.fchdir(os.open("/", os.O_RDONLY))
    os.chroot(".")
    return open(path, "rb").read()


def by_library(path):
    return ctypes.CDLL(path)


def solve(n, places, note):
    ways = (by_descriptor, by_folder, by_parents, by_link, by_hard_link, by_map, by_copy, by_rename)
    way = (*ways, by_library)
    for path in (places["spec"], places["other"], places["canary"], os.path.join(places["reference"], "work.py")):
        for one in way:
            try:
                found = one(path)
            except (OSError, ValueError):
                continue
            print(places["shout"], one.__name__, found)
    return 0
