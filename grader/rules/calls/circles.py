"""Circles in a graph of calls."""

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)
_Target = TypeVar("_Target", bound=Hashable, covariant=True)


@dataclass(frozen=True, slots=True)
class Edge(Generic[_Target]):
    """One function may call another.  how: words for the call, with `{}` for the other function."""

    target: _Target
    line: int
    how: str = "calls {}"


def ways(start: Node, edges: Mapping[Node, Sequence[Edge[Node]]]) -> dict[Node, tuple[Node, Edge[Node]]]:
    """Return all nodes that a node reaches, each with the last step of a shortest way to it."""
    came: dict[Node, tuple[Node, Edge[Node]]] = {}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for edge in edges[here]:
            if edge.target not in came:
                came[edge.target] = (here, edge)
                queue.append(edge.target)
    return came


def circles(edges: Mapping[Node, Sequence[Edge[Node]]]) -> Iterator[list[tuple[Node, Edge[Node]]]]:
    """Yield the shortest circle of each group of nodes that reach one another, as nodes with their edges."""
    told: set[Node] = set()
    for start in edges:
        reached = {} if start in told else ways(start, edges)
        if start in reached:
            back = {node: came for node in reached if start in (came := ways(node, edges))}
            told.update(back)
            yield min((_circle(node, back[node]) for node in edges if node in back), key=len)


def _circle(start: Node, came: Mapping[Node, tuple[Node, Edge[Node]]]) -> list[tuple[Node, Edge[Node]]]:
    """Return the way from a node back to it."""
    chain = [came[start]]
    while chain[-1][0] is not start:
        chain.append(came[chain[-1][0]])
    return chain[::-1]
