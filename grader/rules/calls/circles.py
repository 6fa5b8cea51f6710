"""Circles in a graph of calls."""

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

_MAX_STARTS = 100
"""The most functions of one group from which the shortest circle is searched."""

Node = TypeVar("Node", bound=Hashable)
_Target = TypeVar("_Target", bound=Hashable, covariant=True)


@dataclass(frozen=True, slots=True)
class Edge(Generic[_Target]):
    """One function may call another.  how: words for the call, with `{}` for the other function."""

    target: _Target
    line: int
    how: str = "calls {}"


def components(edges: Mapping[Node, Sequence[Edge[Node]]]) -> Iterator[list[Node]]:
    """Yield groups of nodes that reach one another (Tarjan's algorithm, without recursion)."""
    number: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    on_path: dict[Node, None] = {}
    for root in edges:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        on_path[root] = None
        work = [(root, iter(edges[root]))]
        while work:
            node, further = work[-1]
            edge = next(further, None)
            if edge is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    component = []
                    while node in on_path:
                        component.append(on_path.popitem()[0])
                    yield component
            elif edge.target not in number:
                number[edge.target] = lowest[edge.target] = len(number)
                on_path[edge.target] = None
                work.append((edge.target, iter(edges[edge.target])))
            elif edge.target in on_path:
                lowest[node] = min(lowest[node], number[edge.target])


def circles(
    edges: Mapping[Node, Sequence[Edge[Node]]], order: Callable[[Node], Any]
) -> Iterator[list[tuple[Node, Edge[Node]]]]:
    """Yield the shortest circle of each group of nodes that reach one another, as nodes with their edges."""
    for component in components(edges):
        members = set(component)
        best: list[tuple[Node, Edge[Node]]] = []
        for start in sorted(component, key=order)[:_MAX_STARTS]:
            chain = _circle_from(start, members, edges)
            if chain and (not best or len(chain) < len(best)):
                best = chain
            if len(best) == 1:
                break
        if best:
            yield best


def _circle_from(
    start: Node, members: set[Node], edges: Mapping[Node, Sequence[Edge[Node]]]
) -> list[tuple[Node, Edge[Node]]]:
    """Return the shortest way from a node back to it; empty if there is none."""
    came: dict[Node, tuple[Node, Edge[Node]]] = {}
    queue = deque([start])
    while queue and start not in came:
        here = queue.popleft()
        for edge in edges[here]:
            if edge.target in members and edge.target not in came:
                came[edge.target] = (here, edge)
                queue.append(edge.target)
    if start not in came:
        return []
    chain = [came[start]]
    while chain[-1][0] is not start:
        chain.append(came[chain[-1][0]])
    return chain[::-1]
