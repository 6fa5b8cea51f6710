"""Which students of a finished run have one work together.

They handed it in together, or they are a group all of whose members handed in the same.  A group's name alone
does not tell: it can be that of a class, where an equal work is a copy.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from grader.model.results import SubmissionResult


def first_members(results: Iterable[SubmissionResult]) -> Mapping[str, str]:
    """Return, for each student who has a work together with others, the id of the first of them."""
    by_work: dict[tuple[str, str], list[str]] = defaultdict(list)
    by_group: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for each in results:
        if each.person is not None and each.person.work:
            by_work[each.person.work, each.content_sha256].append(each.id)
        elif each.person is not None and each.person.group:
            by_group[each.person.group].append((each.id, each.content_sha256))
    together = list(by_work.values())
    for members in by_group.values():
        if members[0][1] and len({sha256 for _, sha256 in members}) == 1:
            together.append([own_id for own_id, _ in members])
    return {own_id: members[0] for members in together for own_id in members}
