"""The parts of a package as questions."""

from grader.authoring.written import WrittenQuestion
from grader.plugins.convert.draft import Draft, Meaning, slug_of
from grader.plugins.convert.packages.tests import Part, case_of


def add_questions(draft: Draft, parts: list[Part], module: str) -> None:
    """Add a question for each part."""
    ids: dict[str, str] = {}
    for part in parts:
        if not part.tests or not part.marks:
            continue
        name = part.name.rpartition("/")[2]
        for each in part.needs:
            if each not in ids:
                reason = f"{part.name} counts without {each}, which was left out"
                draft.remark(part.tests[0].place, 1, Meaning.KINDER, reason)
        group = "tests" if part.stops else ""
        names: set[str] = set()
        cases = tuple(case_of(test, module, group, _case_name(test.name, names)) for test in part.tests)
        groups = f"{{tests: {{award: {part.award}, stops: true}}}}" if group else ""
        draft.add(
            WrittenQuestion(
                slug_of(name) or "tests",
                "All tests" if name == "all" else f"Tests {name}",
                part.marks,
                cases,
                award="" if groups else part.award,
                groups=groups,
                needs=tuple(ids[each] for each in part.needs if each in ids),
                part=draft.offer(part.name, part.marks),
            )
        )
        ids[part.name] = draft.questions[-1].id


def _case_name(test: str, taken: set[str]) -> str:
    """Return the name of a case: letters, digits and hyphens, not used yet."""
    base = slug_of(test)
    base = base if base[:1].isalpha() else f"t-{base}"
    number, name = 1, base
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name
