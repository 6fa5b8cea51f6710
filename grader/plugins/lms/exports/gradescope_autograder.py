"""Gradescope: the autograder as a zip, to be uploaded for a programming assignment.

gradescope-autograders.readthedocs.io/en/latest/specs: the zip's root has `setup.sh`, which runs once when
the image is built, and `run_autograder`, which runs for each submission in `/autograder/submission` and
writes `/autograder/results/results.json`.  The spec and all that it names come from the record of a run, so
what marks there is what marked here.  `AUTOGRADER_ROOT` names another folder than `/autograder`.
"""

import io
import os
import shlex
import zipfile
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import grader
from grader.course.terms import KIND as COURSE
from grader.course.terms import terms_in
from grader.exports.format import Format
from grader.exports.job import Job
from grader.model.errors import Fault, UsageError
from grader.store.run_record import RunRecord

_DISTRIBUTION = "grader-harness"
"""The name under which pip knows this grader."""

_SETUP = """\
#!/usr/bin/env bash
# Installs what the autograder needs; Gradescope runs this once.
set -eu
source="${AUTOGRADER_ROOT:-/autograder}/source"
fits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
python=python3
for each in python3.13 python3.12 python3.11 python3; do
    if fits "$each"; then python="$each"; break; fi
done
if ! fits "$python"; then
    apt-get update
    apt-get install -y software-properties-common
    add-apt-repository -y ppa:deadsnakes/ppa
    apt-get install -y python3.12 python3.12-venv
    python=python3.12
fi
if ! "$python" -m venv "$source/.venv"; then
    apt-get update
    apt-get install -y python3-venv
    "$python" -m venv "$source/.venv"
fi
"$source/.venv/bin/pip" install --no-cache-dir -r "$source/requirements.txt"
"""

_RUN = """\
#!/usr/bin/env bash
# Marks one submission; Gradescope runs this for each.
set -u
root="${AUTOGRADER_ROOT:-/autograder}"
python="$root/source/.venv/bin/python"
[ -x "$python" ] || python="${AUTOGRADER_PYTHON:-python3}"
export PYTHONPATH="$root/source"
cd "$root/source"
exec "$python" -m grader gradescope %s --root "$root"
"""
_EXECUTABLE = 0o100755 << 16
_PLAIN = 0o100644 << 16


def write(job: Job) -> list[Path]:
    """Write the zip.  Raises `UsageError` if the record of the run is gone."""
    with RunRecord(job.folder, job.results.run.id) as record:
        spec, run = record.spec(), record.run()
    paths = [file.path for file in spec.files]
    top = Path(os.path.commonpath([path.parent for path in paths]))
    names = [f"spec/{path.relative_to(top).as_posix()}" for path in paths]
    files = {name: file.content for name, file in zip(names, spec.files, strict=True)}
    package = Path(grader.__file__).parent
    files |= {
        f"grader/{path.relative_to(package).as_posix()}": path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    wanted = [*_own_requirements(bool(run.info.tools)), *(each.replace(" ", "==") for each in run.packages)]
    files["requirements.txt"] = "".join(f"{each}\n" for each in wanted).encode()
    terms = next((terms_in(file) for file in run.files if file.kind == COURSE), None)
    # Extensions stay here: a student's code could read who has one.
    due = ["--due", terms.due.isoformat()] if terms is not None and terms.due is not None else []
    scripts = {"setup.sh": _SETUP, "run_autograder": _RUN % shlex.join([names[0], *due])}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in scripts.items():
            _add(archive, name, text.encode(), _EXECUTABLE)
        for name, content in files.items():
            _add(archive, name, content, _PLAIN)
    job.tell("the zip has the spec with its hidden cases and the reference: upload it, never hand it out")
    if terms is not None and terms.extensions:
        job.tell("extensions of the course are not packed: nobody has more time there")
    if run.info.plugins:
        listed = ", ".join(run.info.plugins)
        job.tell(f"plugins are not packed ({listed}): where the task needs one, let setup.sh install it")
    return [job.write(job.target, buffer.getvalue())]


def _add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def _own_requirements(with_rules: bool) -> list[str]:
    """Return what this version of grader needs, as pip reads it."""
    try:
        every = requires(_DISTRIBUTION) or []
    except PackageNotFoundError:
        hint = "install grader with pip, and export again"
        raise UsageError(
            Fault("this grader was not installed, so its requirements are not known", hint=hint)
        ) from None
    plain = [each for each in every if "extra ==" not in each]
    rules = [each.partition(";")[0].strip() for each in every if 'extra == "rules"' in each.replace("'", '"')]
    return [*plain, *(rules if with_rules else [])]


FORMAT = Format("a zip that marks on Gradescope", "autograder.zip", write)
