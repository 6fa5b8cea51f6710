"""The alphabet of nodes: trees by which values cross to and from a box where plain data is not enough.

A node is a list; its first item names the rest.  A letter means the same in every tree:

    v value             plain data as it is
    l t s z nodes       list, tuple, set, frozenset
    m pairs             dict: pairs of nodes
    x name parts        value of the standard library, see `library_values`

Arguments of calls, where a spec declares classes; see `grader.worker.box.records`:

    r name nodes        record: its class's name and its fields, in order
    e name name         enum member: its class's name and its own
    p name nodes        table of pandas: a node for each of its four lists

Between a test file and a program; see `grader.worker.box.live.objects`:

    h number            object of the program's: the number by which it knows it
    f module name       what a module of the program's has under that name; the module itself for ""
    c number name doc is_function parameters annotations   function of the tests, which the program can call;
                        on the way back the number, and what the program has set on it: names and nodes
    b name              what is built into Python
    u name nodes        exception of Python's own, and its arguments

What a program answers to a test file has these besides, which never go to it; see `grader.sandbox.served`:

    object number type shape class        object: its number, the name of its class, what it is, its class
    dual number type node class           object of a class that derives from data, with that data
    exception number name nodes names     class of an exception, its bases, its module and qualified name
    given number                          argument of the call itself, by its place
    opaque type text                      what is nothing of all this

A class there is a list: its number, module, qualified name, the module and the name that lead to it (an empty
list if none do), and the type of data that it derives from ("" for none).
"""

from collections.abc import Callable
from typing import Any

Node = list[Any]

CONTAINERS: dict[str, Callable[[list[Any]], Any]] = {"l": list, "t": tuple, "s": set, "z": frozenset}
LETTERS: dict[type, str] = {list: "l", tuple: "t", set: "s", frozenset: "z"}


def items_of(node: Node) -> list[Node]:
    """Return the nodes of what is in a list or a tuple.  Raises `ValueError` for another node."""
    shape, items = node
    if shape == "v" and type(items) in (list, tuple):
        return [["v", item] for item in items]
    if shape not in ("l", "t"):
        raise ValueError("no list")
    found: list[Node] = items
    return found
