"""Keys of a spec as YAML, as a person would write them."""

import yaml

_ESCAPED = frozenset('"\\')


class InQuotes(str):
    """A text that YAML must not take for a word of its own or of the spec."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are, below `|`."""


def _text_as_it_is(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text.strip("\n") else None
    if text.startswith("'") and not _ESCAPED.intersection(text) and text.isprintable():
        style = '"'  # a text of Python: "'AL'" is easier to read than '''AL'''
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


def _mapping(dumper: _Dumper, mapping: dict[str, object]) -> yaml.MappingNode:
    """A mapping with a text of several lines does not fit into braces."""
    node = dumper.represent_mapping("tag:yaml.org,2002:map", mapping.items())
    if any(_is_tall(value) for _, value in node.value):
        node.flow_style = False
    return node


def _is_tall(node: yaml.Node) -> bool:
    if isinstance(node, yaml.ScalarNode):
        return node.style == "|"
    return isinstance(node, yaml.CollectionNode) and node.flow_style is False


def _in_quotes(dumper: _Dumper, text: InQuotes) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), '"')


_Dumper.add_representer(InQuotes, _in_quotes)
_Dumper.add_representer(str, _text_as_it_is)
_Dumper.add_representer(dict, _mapping)


def dumped(content: object, *, flow: bool | None = False) -> str:
    """Return keys as YAML.  flow: None for braces where they hold plain values alone."""
    text: str = yaml.dump(
        content, Dumper=_Dumper, sort_keys=False, width=10**6, allow_unicode=True, default_flow_style=flow
    )
    return text
