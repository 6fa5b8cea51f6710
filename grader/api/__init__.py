"""The surface for plugins: what one may import, a module for each family that a plugin can add to.

It has a version of its own, `VERSION`: a plugin that is made for 1.x works with any 1.y that is not older.
Everything else of the grader may change with any release.  docs/plugins.md leads through it.

    kinds, keys a kind of case            exports     a format of results
    values      a sort of value           renderers   a picture of an answer
    languages   a language                rules       a rule on source
    layouts     a layout of downloads     commands    a command
    machines    a cluster
"""

from grader.registry.registry import API as VERSION

__all__ = ["VERSION"]
