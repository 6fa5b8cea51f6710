"""What Jupyter has and Python lacks: `display`, `get_ipython`, the module `IPython`, and `await` in a cell.

A cell may end with `display(table)`.  Without that name it would raise, and be lost with all that it defines.
What is there prints, or does nothing: no command of Jupyter's runs.
"""

import builtins
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

AWAITS = 0x2000
"""The compiler's flag for `await` outside of a function: `ast.PyCF_ALLOW_TOP_LEVEL_AWAIT`."""
_COROUTINE = 0x80
"""The flag of code that awaits something: `inspect.CO_COROUTINE`."""
_ASYNCIO = "asyncio"
_OWN_LOOP = ("asyncio.run(", "run_until_complete(", "Runner(", "run_forever(")
"""Calls that run a loop themselves."""
_loop: "asyncio.AbstractEventLoop | None" = None
"""What runs the cells that await something; tasks that one begins go on while another waits."""
_NAMES = ("IPython", "IPython.display")
_VERSION = (8, 37, 0, "")
"""Libraries that find IPython compare its version; with one of these they need nothing more of it."""


def display(*objects: object, **_: object) -> None:
    """Print objects, as IPython's `display` does outside of Jupyter."""
    if objects:
        print(*objects)


class Shell:
    """Stands for the running Jupyter: it takes every command, and does nothing.

    It is false: matplotlib asks so whether there is one, and would work with it.
    """

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _nothing


def get_ipython() -> Shell:
    return _SHELL


_SHELL = Shell()


def _nothing(*_: object, **__: object) -> None:
    return None


class _Shown:
    """Something to be shown, such as `HTML("<b>x</b>")`."""

    def __init__(self, data: object = None, *_: object, **__: object) -> None:
        self.data = data


def _attribute(name: str) -> Any:
    """Return what `IPython.display` has under a name: a class, if it begins with a capital letter."""
    if name.startswith("__"):
        raise AttributeError(name)
    return _Shown if name[:1].isupper() else _nothing


class _Finder:
    """Finds a stand-in for IPython where that is not installed; it is asked last."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in _NAMES:
            return None
        return ModuleSpec(name, self, is_package=name == _NAMES[0])  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None: the import system makes an ordinary module."""

    def exec_module(self, module: ModuleType) -> None:
        package, part = _NAMES
        if module.__name__ == package:
            vars(module).update(get_ipython=get_ipython, version_info=_VERSION)
            import_module(part)
        else:
            vars(module).update(display=display, __getattr__=_attribute)


def run_cell(text: str, code: CodeType, names: dict[str, Any]) -> None:
    """Run a cell.  code: its text, compiled with `AWAITS`."""
    if _loop is None and not (_ASYNCIO in text or code.co_flags & _COROUTINE):
        exec(code, names)
        return
    import asyncio  # noqa: PLC0415  (few notebooks await anything)

    loop = _the_loop()
    if any(word in text for word in _OWN_LOOP) and not code.co_flags & _COROUTINE:
        # Where Jupyter refuses to run a loop within its own, a file of Python does it.
        exec(code, names)
        asyncio.set_event_loop(loop)
    else:
        loop.run_until_complete(_run_in_loop(code, names))


def _the_loop() -> "asyncio.AbstractEventLoop":
    """Return the loop in which the cells run, as Jupyter has one in every cell."""
    global _loop
    import asyncio  # noqa: PLC0415  (few notebooks await anything)

    if _loop is None:
        _loop = asyncio.new_event_loop()
        asyncio.set_event_loop(_loop)
    return _loop


async def _run_in_loop(code: CodeType, names: dict[str, Any]) -> None:
    begun = eval(code, names)
    if begun is not None:
        await begun


# asyncio shows where a task runs, and a student need not read where this file lies.
_run_in_loop.__code__ = _run_in_loop.__code__.replace(co_filename="a cell")


def end_waiting() -> None:
    """Close what ran the cells of a notebook; a task that is not done by then does not go on."""
    global _loop
    if _loop is not None:
        import asyncio  # noqa: PLC0415  (few notebooks await anything)

        _loop.close()
        _loop = None
        # A function that asks for a loop later gets one of its own.
        asyncio.set_event_loop_policy(None)


def install() -> None:
    """Have the names of Jupyter's where code looks for them, unless the program has its own."""
    if hasattr(builtins, "get_ipython"):
        return
    vars(builtins).setdefault("display", display)
    vars(builtins)["get_ipython"] = get_ipython
    sys.meta_path.append(_Finder())
