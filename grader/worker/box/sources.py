"""Imports the submission's modules from memory.

The files of a submission never exist on the box's disk: their text came over the wire.  For its own code they
come before the standard library, as for a program that is run in its folder, but for what is loaded by then.
So a student's `queue.py` is what their `import queue` finds, and the library finds its own.
"""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec
from types import CodeType, FrameType, ModuleType
from typing import Any, TypeAlias

from grader.wire import notebook
from grader.wire.messages import STOPPED_MAX
from grader.wire.source_text import CARRIED_ON, REFUSED, source_of
from grader.worker.box import jupyter, plots

Failed: TypeAlias = tuple[str, str, BaseException]
"""A cell's name and text, and what it raised."""


def compiled(text: str, file: str, flags: int = 0) -> CodeType:
    """Return the code of a text.  Raises what Python says to it, and `SyntaxError` if it is refused."""
    code: CodeType = compile(source_of(text.removeprefix(REFUSED)), file, "exec", flags, dont_inherit=True)
    if text.startswith(REFUSED):
        # Python takes it now, by what the program has changed since.
        raise SyntaxError(f"{file} was not Python when the rules of the task read it", (file, 1, 0, ""))
    return code


def run_source(
    name: str, text: str, names: dict[str, Any], failed: list[Failed] | None = None, *, keeps: bool = False
) -> None:
    """Run the source of a module, a notebook's cell by cell.

    failed: gets the cells that raise.  The others run on, and what such a cell defined before stays, as in
    Jupyter.  If all raise and nothing is defined, the module raises as the first did.  None: the first that
    raises ends it.
    keeps: a file that raises stays as it is then, and `failed` gets it.
    """
    cells = notebook.cells_of(text)
    if not cells:
        _run_file(f"{name}.py", text, names, failed if keeps else None)
        return
    import linecache  # noqa: PLC0415  (tracebacks read a cell's lines there; few submissions are notebooks)

    jupyter.install()
    future, before = 0, frozenset(names)
    for cell in cells:
        file = notebook.cell_file(name, cell.number)
        bare = cell.text.removeprefix(REFUSED)
        linecache.cache[file] = len(bare), None, bare.splitlines(keepends=True), file
        try:
            code = compiled(cell.text, file, future | jupyter.AWAITS)
            future |= code.co_flags & CARRIED_ON
            jupyter.run_cell(bare, code, names)
        except MemoryError:
            raise
        except BaseException as error:
            if failed is None:
                raise
            failed.append((file, cell.text, error))
        plots.close_all()
    jupyter.end_waiting()
    if (
        failed is not None
        and len(failed) == len(cells)
        and not any(_is_new(each, before) for each in [*names])
    ):
        raise failed[0][2]


def _run_file(file: str, text: str, names: dict[str, Any], failed: list[Failed] | None) -> None:
    """Run the source of a file.

    failed: gets it if it raises after it defined something; then that stays.  None: nothing is kept.
    """
    of_notebook = notebook.was_notebook(text)
    if of_notebook:
        jupyter.install()
    code, before = compiled(text, file, jupyter.AWAITS if of_notebook else 0), frozenset(names)
    try:
        jupyter.run_cell(text, code, names) if of_notebook else exec(code, names)
    except MemoryError:
        raise
    except BaseException as error:
        if failed is None or not any(_is_new(name, before) for name in [*names]):
            raise
        failed.append((file, text, error))


def _catches(text: str, frame: FrameType, error: BaseException) -> bool:
    """Tell whether a frame is at a line whose `except` takes an exception.  text: of its module."""
    import ast  # noqa: PLC0415  (few modules are imported by others)

    cells = notebook.cells_of(text)
    number = notebook.module_of(frame.f_code.co_filename)[1]
    own = next((cell.text for cell in cells if cell.number == number), text)
    try:
        tree = ast.parse(source_of(own.removeprefix(REFUSED)))
    except (SyntaxError, ValueError):
        return False
    return any(
        handler.type is None or _is_of(error, ast.unparse(handler.type), frame)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try | ast.TryStar)
        and node.body[0].lineno <= frame.f_lineno <= (node.body[-1].end_lineno or 0)
        for handler in node.handlers
    )


def _is_of(error: BaseException, classes: str, frame: FrameType) -> bool:
    """Tell whether an exception is of the classes that an `except` names."""
    try:
        return isinstance(error, eval(classes, frame.f_globals, frame.f_locals))
    except BaseException:
        return False


def _is_new(name: object, before: frozenset[str]) -> bool:
    """Tell whether a module's code defined a name; keys of other types than text are of no use to anybody."""
    return type(name) is str and name not in before and not name.startswith("__")


class Sources:
    """Finder and loader of the modules of one submission; `texts` holds each source by module name.

    keeps: the modules that stay as they are where they raise.
    """

    def __init__(self, texts: dict[str, str], keeps: Iterable[str] = ()) -> None:
        self._texts = texts
        self._keeps = frozenset(keeps)
        self.folder = os.getcwd()
        """The one in which the files would lie; that of each module's `__file__`, as in Python."""
        self.entries: frozenset[str] = frozenset()
        """The modules that we import ourselves."""
        self.given: dict[str, Callable[[], dict[str, Any]]] = {}
        """For a module, what returns the names that it has before its code runs."""
        self.failed: dict[str, list[Failed]] = {}
        """The cells of each notebook that raised, and the files that stayed as they were, with what they
        raised."""

    @property
    def names(self) -> Collection[str]:
        """The names of the modules."""
        return self._texts

    def stopped(self) -> list[BaseException]:
        """Return what the files and cells raised that stayed as they were."""
        return [error for failed in self.failed.values() for _, _, error in failed][:STOPPED_MAX]

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find `name` among the submission's files (the import system calls this)."""
        if name not in self._texts:
            return None
        spec = ModuleSpec(name, self, origin=f"{name}.py")  # type: ignore[arg-type]
        spec.has_location = False
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None: the import system makes an ordinary module."""

    def get_source(self, name: str) -> str | None:
        """Return a module's source (tracebacks ask for the lines that they show)."""
        return self._texts.get(name)

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        module.__file__ = os.path.join(self.folder, f"{name}.py")
        failed = self.failed.setdefault(name, [])
        keeps = name in self._keeps
        if name in self.given:
            module.__dict__.update(self.given[name]())
        run_source(name, self._texts[name], module.__dict__, failed, keeps=keeps)
        if keeps and failed and failed[0][0] == f"{name}.py" and self._is_caught(failed[0][2]):
            raise failed.pop()[2]

    def _is_caught(self, error: BaseException) -> bool:
        """Tell whether code of the submission catches what an import raised.

        It goes on by itself then, without what the module lacks.
        """
        frame = sys._getframe()
        while frame.f_back is not None:
            frame = frame.f_back
            name = frame.f_globals.get("__name__")
            if type(name) is str and name in self._texts and _catches(self._texts[name], frame, error):
                return True
        return False


_IMPORTERS = ("importlib", "_frozen_importlib", "_frozen_importlib_external")
"""Whose code runs between an import and its finder."""
_OURS = frozenset(
    {"ast", "asyncio", "dataclasses", "enum", "fcntl", "linecache", "pydoc", "tempfile", "traceback"}
)
"""What we import beside the submission's code, when it is needed."""
_taken: frozenset[str] = frozenset()
"""Every name that may belong to a module of the interpreter's, and some more."""


def prepare() -> None:
    """In the zygote: collect the names that are the interpreter's, and keep imports to its folders."""
    global _taken
    _keep_to_known_folders()
    names = {*sys.builtin_module_names, *sys.stdlib_module_names}
    for folder in sys.path:
        with suppress(OSError):
            names.update(entry.partition(".")[0] for entry in os.listdir(folder))
    _taken = frozenset(names)


def _keep_to_known_folders() -> None:
    """Have imports look for files in the folders of now alone: a program could write a module, and import it.

    The rules on source would not have read that.
    """
    packages = [folder for module in [*sys.modules.values()] for folder in getattr(module, "__path__", ())]
    known = tuple(os.path.join(os.path.realpath(folder), "") for folder in (*sys.path, *packages) if folder)

    def keeping(hook: Callable[[str], Any]) -> Callable[[str], Any]:
        def find(path: str) -> Any:
            if not os.path.join(os.path.realpath(path), "").startswith(known):
                raise ImportError("modules are imported from the submission and the library alone", path=path)
            return hook(path)

        return find

    sys.path_hooks[:] = [keeping(hook) for hook in sys.path_hooks]


class _OwnImports:
    """Finder of a submission's modules for its own imports, before the library's are looked for."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = self._sources.find_spec(name)
        if found is None or name not in _taken or name in self._sources.entries:
            return found
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            importer = frame.f_globals.get("__name__")
            if type(importer) is not str or importer.partition(".")[0] not in _IMPORTERS:
                is_own = importer == "__main__" or importer in self._sources.names
                return found if is_own and name not in _OURS else None
            frame = frame.f_back
        return None


def install(sources: Sources) -> None:
    """In the box: have imports find the submission's modules, also those that the library has elsewhere."""
    sys.meta_path.insert(0, _OwnImports(sources))
    sys.meta_path.append(sources)


def warm_up() -> None:
    """In the zygote: compile and run a module once."""
    sources = Sources({"warm_up": "MOVES = [(1, 2)]\n\n\ndef f(x):\n    return [x for m in MOVES]\n"})
    module = ModuleType("warm_up")
    sources.exec_module(module)
