"""Which calls reach what a student's module has in common with the tests: Python itself, files, chance.

Any other call of Python's own modules, and of well-known packages, makes a value and no more.
"""

import ast

CHANGING = {"append", "extend", "insert", "remove", "pop", "clear", "update", "add", "discard", "sort"}
CHANGING |= {"reverse", "setdefault", "popitem", "appendleft"}
"""The methods that change a list, a dict or a set."""

_BUILTINS = {"exec", "eval", "compile", "__import__", "setattr", "delattr", "globals", "locals", "vars"}
_BUILTINS |= {"input", "exit", "quit", "breakpoint", "open"}
_METHODS = {"write_text", "write_bytes", "write", "writelines", "mkdir", "touch", "unlink", "rename", "rmdir"}
_METHODS |= {"symlink_to", "hardlink_to", "chmod", "start", "setenv", "delenv", "setitem", "chdir", "open"}
_METHODS |= {"exec_module", "load_module", "import_module", "enterContext", "enter_context"}
_PACKAGES: tuple[str, ...] = (
    "random.",
    "builtins.",
    "importlib.",
    "locale.set",
    "decimal.getcontext",
    "decimal.setcontext",
)
_PACKAGES += ("signal.", "ctypes.", "resource.", "runpy.", "subprocess.", "turtle.", "tkinter.", "gc.")
_PACKAGES += ("time.tzset", "socket.", "numpy.random", "numpy.set", "pandas.set", "pandas.options")
_PACKAGES += ("pytest.MonkeyPatch", "pytest.skip", "pytest.exit", "pytest.fail", "pytest.importorskip")
_PACKAGES += ("sys.", "os.", "shutil.", "tempfile.tempdir", "io.open", "asyncio.set")
_LOOKING: tuple[str, ...] = (
    "sys.path.",
    "sys.stdout.",
    "sys.stderr.",
    "sys.version",
    "sys.platform",
    "sys.get",
    "sys.argv.copy",
)
_LOOKING += ("os.path.", "os.get", "os.listdir", "os.scandir", "os.walk", "os.stat", "os.access", "os.sep")
_LOOKING += ("os.environ.get", "os.environ.copy", "os.environ.items", "os.environ.keys", "os.cpu_count")
_LOOKING += ("os.fspath", "shutil.which")
_SHARED = ("sys", "os", "builtins", "random", "importlib", "decimal", "locale")


def is_reached_by_name(name: str) -> bool:
    """Tell whether a call of one of Python's built-in functions may do more than to make a value."""
    return name in _BUILTINS


def is_reached_by_method(name: str) -> bool:
    """Tell whether a method of a value of the tests' own may do more than to change that value."""
    return name in _METHODS


def is_reached_by_package(name: str) -> bool:
    """Tell whether a call of a dotted name may do more than to make a value."""
    return name.startswith(_PACKAGES) and not name.startswith(_LOOKING)


def is_shared(name: str) -> bool:
    """Tell whether a dotted name stands for a thing of Python's that others see, and may see changed."""
    return name.partition(".")[0] in _SHARED


def only_reads(call: ast.Call) -> bool:
    """Tell whether a call of `open` reads a file."""
    modes = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "mode")]
    return all(isinstance(one, ast.Constant) and one.value in ("r", "rb", "rt") for one in modes)
