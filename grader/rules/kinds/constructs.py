"""The constructs of the language by the spec's words, and the rule that forbids some of them."""

import ast
from collections.abc import Iterator

from grader.rules.source.modules import Module, RuleHit, every_node, line_of

CONSTRUCTS: dict[str, tuple[type[ast.AST], ...]] = {
    "while": (ast.While,),
    "for": (ast.For, ast.AsyncFor),
    "loop": (ast.While, ast.For, ast.AsyncFor),
    "if": (ast.If,),
    "conditional expression": (ast.IfExp,),
    "match": (ast.Match,),
    "list comprehension": (ast.ListComp,),
    "comprehension": (ast.ListComp, ast.SetComp, ast.DictComp),
    "generator expression": (ast.GeneratorExp,),
    "yield": (ast.Yield, ast.YieldFrom),
    "lambda": (ast.Lambda,),
    "class": (ast.ClassDef,),
    "nested function": (ast.FunctionDef, ast.AsyncFunctionDef),
    "try": (ast.Try, ast.TryStar),
    "bare except": (ast.ExceptHandler,),
    "raise": (ast.Raise,),
    "assert": (ast.Assert,),
    "with": (ast.With, ast.AsyncWith),
    "import": (ast.Import, ast.ImportFrom),
    "star import": (ast.ImportFrom,),
    "global": (ast.Global,),
    "nonlocal": (ast.Nonlocal,),
    "break": (ast.Break,),
    "continue": (ast.Continue,),
    "slice": (ast.Slice,),
    "f-string": (ast.JoinedStr,),
    "assignment expression": (ast.NamedExpr,),
    "async": (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await),
}
"""The spec's words for constructs, each with its kinds of nodes."""


def forbidden_constructs(modules: list[Module], constructs: list[str], functions: list[str]) -> list[RuleHit]:
    """Find the constructs in the named functions, or everywhere if none are named."""
    found = []
    for module in modules:
        roots = [*_roots(module, functions), *(() if functions else _texts_run(module))]
        found += [
            RuleHit(module.name, line_of(node), f"`{word}` is not allowed{_inside(functions)}")
            for word in constructs
            for root in roots
            for node in _instances(root, word)
        ]
    return found


def _roots(module: Module, functions: list[str]) -> Iterator[ast.AST]:
    if not functions:
        yield module.tree
        return
    for scope in module.scope.walk():
        match scope.node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if name in functions or scope.name in functions:
                    yield scope.node


def _texts_run(module: Module) -> Iterator[ast.AST]:
    """Yield the code in literal texts that the module hands to `exec` and its like."""
    own = set(map(id, ast.walk(module.tree)))
    seen: set[int] = set()
    for node, _ in every_node(module):
        if id(node) not in own and id(node) not in seen:
            seen.update(map(id, ast.walk(node)))
            yield node


def _instances(root: ast.AST, word: str) -> Iterator[ast.AST]:
    within = _in_functions(root) if word == "nested function" else ast.walk(root)
    return (node for node in within if is_instance(node, word))


def is_instance(node: ast.AST, word: str) -> bool:
    """Tell whether a node is the construct of that word, wherever it stands."""
    if not isinstance(node, CONSTRUCTS[word]):
        return False
    if word == "bare except":
        return getattr(node, "type", None) is None
    return word != "star import" or any(alias.name == "*" for alias in getattr(node, "names", ()))


def _in_functions(root: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes in functions within `root`, or in `root` if it is a function."""
    for node in ast.walk(root):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from (inner for inner in ast.walk(node) if inner is not node)


def _inside(functions: list[str]) -> str:
    return f" in {' and '.join(f'`{name}`' for name in functions)}" if functions else ""
