"""Which students of a finished run have one work together, as a group handed it in.

A group's name alone does not tell: it can be that of a class whose members hand in one by one, where an equal
work is a copy.  So it counts only where all in the group have the same work.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from grader.model.results import SubmissionResult


def first_members(results: Iterable[SubmissionResult]) -> Mapping[str, str]:
    """Return, for each student whose work is that of their whole group, the id of its first member."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for each in results:
        if each.person is not None and each.person.group:
            groups[each.person.group].append((each.id, each.content_sha256))
    return {
        own_id: members[0][0]
        for members in groups.values()
        if len(members) > 1 and members[0][1] and len({sha256 for _, sha256 in members}) == 1
        for own_id, _ in members
    }
