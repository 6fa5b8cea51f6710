"""Our renderers as functions, by the names that specs have for them."""

from collections.abc import Callable

from grader.judge.pictures.renderer import Renderer
from grader.model.drawing import Picture
from grader.registry.groups import Group
from grader.registry.registry import registry

RENDERERS: dict[str, Renderer] = registry().all_of(Group.RENDERERS)
BUILT_IN: dict[str, Callable[..., list[Picture]]] = {name: each.draw for name, each in RENDERERS.items()}
