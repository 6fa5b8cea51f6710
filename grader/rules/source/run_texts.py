"""Tells which parts of the library run a text as code, and where the source shows the text that they run.

`doctest.testmod()` at the end of a module runs the examples in its docstrings, and `timeit.timeit` a text or
a function that stands in the call.  Such texts are searched by their words, so each word that may lead to
something forbidden keeps the call in doubt.
"""

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from grader.rules.source.gateways import GATEWAYS
from grader.rules.source.library import value_of
from grader.rules.source.modules import Module, RuleHit, every_node, line_of, lines_of_program, words
from grader.rules.source.origins import Origins
from grader.rules.source.scopes import RUNNERS, Bound, Scope, folded

_RUN_TEXTS = (
    "timeit.", "typing.get_type_hints.", "typing.ForwardRef.", "inspect.get_annotations.", "annotationlib.",
    "importlib.metadata.EntryPoint.", "builtins.breakpoint.", "sys.breakpointhook.",
    "sys.__breakpointhook__.",
    "pydoc.", "pkgutil.resolve_name.", "logging.config.", "runpy.", "code.", "codeop.", "doctest.", "pdb.",
    "bdb.", "cProfile.", "profile.", "trace.", "unittest.mock.", "importlib.machinery.", "importlib.util.",
    "importlib.abc.", "imp.", "zipimport.", "sys.path_hooks.", "sys.meta_path.", "sys.path_importer_cache.",
)  # fmt: skip
"""Parts of the library that run a text as code, or look up names in it: they stand for `eval`."""
_CALL_BY_NAME = (
    "pickle.load.", "pickle.loads.", "pickle.Unpickler.", "pickle._load.", "pickle._loads.",
    "pickle._Unpickler.", "_pickle.load.", "_pickle.loads.", "_pickle.Unpickler.", "shelve.", "marshal.load.",
    "marshal.loads.", "copyreg.", "multiprocessing.reduction.", "ctypes.", "_ctypes.", "_xxsubinterpreters.",
    "_interpreters.", "inspect.getmembers.", "inspect.getmembers_static.", "inspect.getmodule.",
    "inspect.getattr_static.", "inspect.getclosurevars.", "sys.setprofile.", "sys.settrace.",
    "threading.setprofile.", "threading.settrace.", "sys.monitoring.", "importlib.metadata.",
    "string.Formatter.", "gc.", "inspect.currentframe.", "inspect.stack.", "inspect.trace.", "sys._getframe.",
    "sys._current_frames.", "pkgutil.get_loader.", "pkgutil.find_loader.", "pkgutil.get_importer.",
    "pkgutil.iter_importers.", "pkgutil.iter_modules.", "pkgutil.walk_packages.",
    "pandas.read_pickle.", "pandas.io.pickle.", "joblib.load.", "dill.", "cloudpickle.",
)  # fmt: skip
"""Functions that call, import or find what bytes, a text or an object name."""
_CLOCK = "timeit.default_timer"
_TESTS = "doctest.testmod"
_TEXTS_OF = {
    "timeit.timeit": ("stmt", "setup"),
    "timeit.repeat": ("stmt", "setup"),
    "timeit.Timer": ("stmt", "setup"),
    "cProfile.run": ("statement",),
    "profile.run": ("statement",),
}
"""Functions that run their first arguments, with the names of these."""
_PLAIN_OPTIONS = words("verbose report optionflags raise_on_error exclude_empty")
_WAYS_ON = (
    words(
        "getattr vars globals locals dir __import__ __builtins__ __dict__ attrgetter methodcaller builtins "
        "importlib sys modules unittest typing inspect logging"
    )
    | GATEWAYS
    | {*RUNNERS}
    | {part.partition(".")[0] for part in _RUN_TEXTS}
)
_WAYS_TO_DOCSTRINGS = words("__doc__ __test__ __dict__ __setattr__ setattr vars globals locals")


def may_run_text(origin: str) -> bool:
    """Tell whether a dotted name of the library may stand for something that runs a text."""
    is_part = f"{origin}.".startswith(_RUN_TEXTS)
    return is_part and origin != _CLOCK and not isinstance(value_of(origin), int | float | str)


def unclear(
    modules: Sequence[Module], origins: Origins, forbidden: Iterable[str], *, texts: bool
) -> Iterator[RuleHit]:
    """Yield the uses of the library by which what is forbidden may be reached, out of sight.

    They are no breach: the source does not tell.  forbidden: the words that make a text that is run doubtful.
    texts: with the parts that run a text as code.
    """
    forbidden = frozenset(forbidden)
    for module in modules:
        harmless = in_front(module) | harmless_runs(module, modules, origins, forbidden)
        told: dict[tuple[int, str], None] = {}
        for node, scope in every_node(module):
            if id(node) not in harmless and _is_used(node):
                for origin in sorted(origins.of(node, scope)):
                    if f"{origin}.".startswith(_CALL_BY_NAME) or (texts and may_run_text(origin)):
                        told[line_of(node), origin] = None
        for line, origin in told:
            text = f"uses `{origin}`, by which anything can be reached"
            yield RuleHit(module.name, line, text, decided=False)


def _is_used(node: ast.AST) -> bool:
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        return isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Call)


def in_front(module: Module) -> frozenset[int]:
    """Return the ids of the nodes that stand in front of an attribute, which is looked at itself."""
    return frozenset(id(node.value) for node, _ in every_node(module) if isinstance(node, ast.Attribute))


def harmless_runs(
    module: Module, modules: Sequence[Module], origins: Origins, forbidden: Iterable[str]
) -> frozenset[int]:
    """Return the ids of the nodes that are called to run a text, where the texts have no forbidden word.

    modules: all that may be the program, whose docstrings `doctest.testmod` reads.
    """
    bad = _WAYS_ON | frozenset(forbidden)
    guarded = lines_of_program(module.tree)
    found = set()
    for node, scope in every_node(module):
        if isinstance(node, ast.Call):
            texts = _texts(node, scope, modules, origins, guarded)
            if texts is not None and bad.isdisjoint(word for text in texts for word in _words_in(text)):
                found.add(id(node.func))
    return frozenset(found)


def _texts(
    call: ast.Call, scope: Scope, modules: Sequence[Module], origins: Origins, guarded: set[int]
) -> list[str] | None:
    """Return the texts that a call runs; None where the source does not show them."""
    names = origins.of(call.func, scope)
    if len(names) != 1:
        return None
    (name,) = names
    options = {keyword.arg for keyword in call.keywords}
    runs_later = line_of(call) in guarded or isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef)
    if name == _TESTS and not call.args and options <= _PLAIN_OPTIONS and runs_later:
        is_fixed = all(_WAYS_TO_DOCSTRINGS.isdisjoint(_words_in(each.text)) for each in modules)
        return [text for each in modules for text in _examples(each)] if is_fixed else None
    if name not in _TEXTS_OF or None in options or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    run = call.args[: len(_TEXTS_OF[name])]
    run += [keyword.value for keyword in call.keywords if keyword.arg in _TEXTS_OF[name]]
    texts = ["" if _is_function(each, scope) else folded(each) for each in run]
    known = [text for text in texts if text is not None]
    return known if len(known) == len(texts) else None


def _is_function(node: ast.expr, scope: Scope) -> bool:
    if isinstance(node, ast.Lambda):
        return True
    bindings = scope.find(node.id) if isinstance(node, ast.Name) else []
    return bool(bindings) and all(binding.kind is Bound.FUNCTION for binding in bindings)


def _examples(module: Module) -> Iterator[str]:
    """Yield the lines of examples in the docstrings of a module."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (ast.get_docstring(node, clean=False) or "").split("\n")
            yield from (line for line in lines if line.lstrip().startswith((">>>", "...")))


def _words_in(text: str) -> list[str]:
    """Return the words of a text as Python reads names."""
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text))
