"""What a format of results is."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.exports.job import Job
from grader.model.errors import Fault, UsageError
from grader.registry.groups import Group
from grader.registry.registry import PluginFailed, registry


@dataclass(frozen=True, slots=True)
class Format:
    """A format that results can be exported to; its name is that of its entry point.

    title: for the help.  file: the name of what it writes, in the folder of exports.
    write: writes an export and returns the files that it wrote; see `Job`.  Raises `UsageError`.
    takes_sheet: whether it fills in a sheet of the LMS's.
    """

    title: str
    file: str
    write: Callable[[Job], list[Path]]
    takes_sheet: bool = False


def written_by(name: str, chosen: Format, job: Job, hint: str = "") -> list[Path]:
    """Write an export into its folder, which is made; return the files.

    name: of the format.  hint: what to do where nothing can be written.
    Raises `UsageError`, and `PluginFailed` where a plugin's format does not say which files it wrote.
    """
    try:
        job.target.parent.mkdir(parents=True, exist_ok=True)
        written: object = chosen.write(job)
    except OSError as error:
        what = f"the export can't be written: {error.strerror or error}"
        raise UsageError(Fault(what, str(job.target), hint=hint)) from error
    if isinstance(written, list | tuple) and all(isinstance(each, Path) for each in written):
        return list(written)
    plugin = registry().plugin_of(Group.EXPORTS, name)
    raise PluginFailed(f"plugin {plugin}: its format {name} does not say which files it wrote")
