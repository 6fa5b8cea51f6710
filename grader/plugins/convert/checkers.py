"""The checkers that a converted spec calls, as source text: they are written beside the spec."""

CHECKERS = {
    "truthy": '''\
def truthy(answer):
    """Accept what Python takes for true, as a bare `assert` does."""
    return None if answer else "expected a true value"
''',
    "falsy": '''\
def falsy(answer):
    """Accept what Python takes for false, as `assert not` does."""
    return None if not answer else "expected a false value"
''',
    "said": '''\
def said(did, expected, prompts, ends=False):
    """Look for the expected texts as check50 does.

    expected: after how many inputs, the text, and whether it is a pattern.
    prompts: for each input, whether something must be printed before it.
    ends: whether it must end by itself, and so may not wait for input that does not come.
    """
    if ends and did["stderr"].rstrip().endswith("EOFError: EOF when reading a line"):
        return "it asked for input, and gets none"
    turns = [said for said, _ in did["dialogue"]]
    turns.append(did["stdout"][sum(map(len, turns)) :])
    waiting, left = list(expected), ""
    for number, text in enumerate(turns):
        left += text
        while waiting and waiting[0][0] == number:
            _, wanted, pattern = waiting.pop(0)
            found = re.search(wanted, left, re.DOTALL) if pattern else None
            start = left.find(wanted) if not pattern else found.start() if found else -1
            if start < 0:
                return f"expected output {wanted!r}, got {left!r}"
            left = left[found.end() if found else start + len(wanted) :]
        if number < len(prompts) and prompts[number]:
            if not left:
                return "expected a prompt for input, found none"
            left = ""
    return f"expected output {waiting[0][1]!r}, got none" if waiting else None
''',
}


def checkers_source(names: frozenset[str]) -> str:
    """Return a module with these checkers."""
    head = '"""Checkers of a converted spec."""\n'
    if "said" in names:
        head += "\nimport re\n"
    return head + "".join(f"\n\n{CHECKERS[name]}" for name in sorted(names))
