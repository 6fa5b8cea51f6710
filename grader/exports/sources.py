"""The layout that JPlag, Dolos and compare50 take: a folder for each student, the starter code apart.

`submissions/<folder>/…` has each student's sources, `base/` the starter code, and `info.csv` says whose
folder it is.  JPlag (jplag/JPlag, `docs/1.-How-to-Use-JPlag.md`): each entry of the root is a submission,
`-bc` names the base code.  Dolos 2 reads `info.csv` in the archive with `filename`, `full_name`,
`label`.  compare50 takes the folders, and the starter code by `-d`.
"""

import csv
import io
import re
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from grader.exports.format import Format
from grader.exports.job import Job
from grader.exports.tree import replacing_tree
from grader.intake.names import folded, is_junk, is_python, listed, safe_id
from grader.marking.attempts import counting
from grader.model.errors import Fault, UsageError
from grader.model.submission import AS_BYTES, Submission
from grader.records.groups.shared_works import first_members
from grader.reports.escape import csv_cell
from grader.runtime.folders import walked
from grader.store.run_record import RunRecord

SUBMISSIONS, BASE, INFO = "submissions", "base", "info.csv"


def write(job: Job) -> list[Path]:
    """Write the folder.  Raises `UsageError` if the record of the run is gone."""
    return [replacing_tree(job.target, lambda folder: _make(job, folder))]


def _make(job: Job, folder: Path) -> None:
    (folder / SUBMISSIONS).mkdir()
    table = io.StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow(["filename", "label", "full_name"])
    taken: set[str] = set()
    first = first_members(job.results.submissions)
    left_out, together = [], []
    with RunRecord(job.folder, job.results.run.id) as record:
        entries = record.entries()
        for result in job.results.submissions:
            entry = entries.get(result.id)
            work = record.work(entry, result.id) if entry is not None and entry.work else None
            counted = counting(work, result) if work is not None else None
            if counted is None or not any(file.text.strip() for file in counted.files.values()):
                left_out.append(result.name or result.id)
                continue
            if first.get(result.id, result.id) != result.id:
                # A group's work would be its own copy.
                together.append(result.name or result.id)
                continue
            name = _folder_name(result.id, taken)
            place = folder / SUBMISSIONS / name
            place.mkdir()
            for file_name, content in _files(counted):
                (place / file_name).write_bytes(content)
                path = f"{SUBMISSIONS}/{name}/{file_name}"
                writer.writerow([path, name, csv_cell(result.name or result.id)])
    if job.starter is not None:
        _copy_starter(job.starter, folder / BASE)
    (folder / INFO).write_bytes(table.getvalue().encode())
    if left_out:
        job.tell(f"{len(left_out)} left out, who handed in no source: {listed(left_out)}")
    if together:
        job.tell(f"{len(together)} left out, whose work is there once for their group: {listed(together)}")


def _folder_name(own_id: str, taken: set[str]) -> str:
    """Return a folder's name in ASCII, different from all others on every system."""
    plain = unicodedata.normalize("NFKD", own_id).encode("ascii", "ignore").decode()
    wanted = safe_id(re.sub(r"^[^A-Za-z0-9]+", "", plain) or "student")
    name, number = wanted, 2
    while folded(name) in taken:
        name, number = f"{wanted}-{number}", number + 1
    taken.add(folded(name))
    return name


def _files(work: Submission) -> Iterator[tuple[str, bytes]]:
    """Yield the modules by the names that the task gives them, since a student's own may lead anywhere."""
    for module, file in work.files.items():
        text = file.text
        is_raw = text.startswith(AS_BYTES)
        content = file.bare.encode("utf-8", "surrogateescape" if is_raw else "replace")
        yield f"{safe_id(module)}.py", content


def _copy_starter(starter: Path, base: Path) -> None:
    try:
        if starter.is_file():
            base.mkdir()
            shutil.copyfile(starter, base / starter.name)
            return
        found = sorted(Path(parent, name) for parent, _, names in walked(starter) for name in names)
        files = [each for each in found if each.match("*.py") and each.is_file() and is_python(each.name)]
        if not files:
            raise UsageError(Fault("the starter code has no Python file", str(starter)))
        for path in files:
            inside = path.relative_to(starter)
            if not any(map(is_junk, inside.parts)):
                (base / inside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, base / inside)
    except OSError as error:
        raise UsageError(Fault(f"the starter code can't be read: {error.strerror}", str(starter))) from error


FORMAT = Format("sources for JPlag, Dolos and compare50", "sources", write)
