"""The checkers that a converted spec calls, as source text: they are written beside the spec."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

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
    "lies": '''\
def lies(answer, above=None, below=None, least=None, most=None):
    """Accept a number between others."""
    try:
        right = (above is None or answer > above) and (below is None or answer < below)
        right = right and (least is None or answer >= least) and (most is None or answer <= most)
    except TypeError:
        return f"{answer!r} is no number"
    return None if right else f"{answer!r} is out of range"
''',
    "near": '''\
def near(answer, expected, rtol=1e-05, atol=1e-08, close=True):
    """Accept numbers that are near the expected ones, as NumPy does; with `close=False`, others."""
    pairs = _pairs(answer, expected)
    if pairs is None:
        return "it has another shape"
    try:
        right = all(abs(got - wanted) <= atol + rtol * abs(wanted) for got, wanted in pairs)
    except TypeError:
        return "it is no number, or has one among others"
    return None if right is close else "it is not near" if close else "it is near"


def _pairs(answer, expected):
    """Return the numbers of both, side by side; None where one has another shape.  One number meets all."""
    if isinstance(answer, list | tuple):
        others = expected if isinstance(expected, list | tuple) else [expected] * len(answer)
        found = [_pairs(*pair) for pair in zip(answer, others)] if len(answer) == len(others) else [None]
        return None if None in found else [pair for pairs in found for pair in pairs]
    if isinstance(expected, list | tuple):
        return _pairs([answer] * len(expected), expected)
    return [(answer, expected)]
''',
    "said": '''\
def said(did, expected, prompts, ends=False, asks=False, fails=False):
    """Look for the expected texts as check50 does."""
    return _heard(did, expected, prompts, ends, asks, fails)[0]
''',
    "typed": '''\
def typed(turns, lines):
    """Type one line after the other, as far as the program asks; then the input ends."""
    return lines[len(turns) - 1] if len(turns) <= len(lines) else None
''',
}


_HEARD = '''\
def _heard(did, expected, prompts, ends=False, asks=False, fails=False):
    """Look for the expected texts as check50 does, at a terminal that has stdout and stderr.

    Returns what is wrong, None for nothing, and what is left of the output.

    expected: after how many inputs, the text, and whether it is a pattern.
    prompts: for each input, whether something must be printed before it.
    ends: whether it must end by itself, and so may not wait for input that does not come.
    asks: whether it must ask once more.  fails: whether its exit code must be other than 0.
    """
    if ends and did["stderr"].rstrip().endswith("EOFError: EOF when reading a line"):
        return "it asked for input, and gets none", ""
    if fails and did["exit_code"] == 0:
        return "expected an exit code other than 0", ""
    turns = [said for said, _ in did["dialogue"]]
    if asks and len(turns) <= len(prompts):
        return "it did not ask again", ""
    turns.append(did["stdout"][sum(map(len, turns)) :] + did["stderr"])
    waiting, left = list(expected), ""
    for number, text in enumerate(turns):
        left += text
        last = number == len(turns) - 1
        while waiting and (waiting[0][0] == number or (last and waiting[0][0] > number)):
            _, wanted, pattern = waiting.pop(0)
            end = _end_of(wanted, pattern, left)
            if end < 0:
                return f"expected output {wanted!r}, got {left!r}", ""
            left = left[end:]
        if any(prompts[number : None if last else number + 1]):
            if not left:
                return "expected a prompt for input, found none", ""
            left = ""
    return f"expected output {waiting[0][1]!r}, got none" if waiting else None, left


def _end_of(wanted, pattern, text):
    """Return where the wanted text ends; -1 if it is not there.

    A terminal ends lines by two characters.  A pattern for the end of the output is met by each line that is
    the last one so far.
    """
    if not pattern:
        start = text.find(wanted)
        return start + len(wanted) if start >= 0 else -1
    wanted, shown = wanted.replace("\\n", "\\r\\n"), text.replace("\\n", "\\r\\n")
    ends = [each.end() for each in re.finditer("\\r\\n", shown)] if "$" in wanted else []
    for end in [*ends[:1000], len(shown)]:
        found = re.search(wanted, shown[:end], re.DOTALL)
        if found:
            return len(shown[: found.end()].replace("\\r\\n", "\\n").removesuffix("\\r"))
    return -1
'''


_OWN = '''\
class check50:
    """What the checks name of check50."""

    class Failure(AssertionError):
        def __init__(self, rationale, help=None):
            super().__init__(rationale if help is None else f"{rationale} ({help})")

    class Mismatch(Failure):
        def __init__(self, expected, actual, help=None):
            super().__init__(f"expected {expected!r}, not {actual!r}", help)

    class Missing(Failure):
        def __init__(self, missing_item, collection, help=None):
            super().__init__(f"did not find {missing_item!r} in {collection!r}", help)
'''
_OPENER = '''\
def _opener(texts, did):
    """Return a function that opens these texts, and the files that the program left."""
    return lambda name, mode="r": io.StringIO(texts[name] if name in texts else did["files"][name], None)
'''
_HASH = """\
def _hash(did, name):
    return hashlib.sha256(did["files"][name].encode("utf-8", "surrogateescape")).hexdigest()
"""


_STARTED = '''\
class _Run:
    """A program that has ended, as `subprocess.run` tells it.  pipes: those of its streams that are read."""

    def __init__(self, did, pipes, text, checked=False):
        came = {each: did[each].encode("utf-8", "surrogateescape") for each in pipes}
        if text:
            came = {each: io.TextIOWrapper(io.BytesIO(part), "utf-8").read() for each, part in came.items()}
        self.returncode, self.stdout, self.stderr = did["exit_code"], came.get("stdout"), came.get("stderr")
        assert not (checked and self.returncode), f"it ended with the exit code {self.returncode}"


class _Popen(_Run):
    """The same, as `subprocess.Popen` tells it."""

    def __init__(self, did, pipes, text, checked=False):
        super().__init__(did, pipes, text)
        self._code, self._came, self.returncode = self.returncode, (self.stdout, self.stderr), None
        kind = io.StringIO if text else io.BytesIO
        self.stdout, self.stderr = (None if each is None else kind(each) for each in self._came)

    def wait(self, *_, **__):
        self.returncode = self._code
        return self._code

    def communicate(self, *_, **__):
        self.wait()
        return self._came

    def terminate(self):
        """It has ended."""

    kill = terminate


class _Asserts(unittest.TestCase):
    """The assertions of a test, without the differences of large texts, which would take long."""

    def __init__(self):
        super().__init__()
        self._type_equality_funcs = {}
        self.assertMultiLineEqual = self.assertListEqual = self.assertTupleEqual = self.assertEqual
        self.assertDictEqual = self.assertSetEqual = self.assertEqual
'''


def started_checker(name: str, part: str, lines: Sequence[str]) -> str:
    """Return a checker that judges a program as a test does that starts it, by these lines."""
    head = [f"def {name}(_did):", f"    # As the test {part} does.", "    try:"]
    tail = [
        "    except AssertionError as error:",
        '        return str(error) or "an assertion does not hold"',
        "    except Exception as error:",
        '        return f"{type(error).__name__}: {error}"',
        "    return None",
    ]
    return "\n".join([*head, *(f"        {each}" for each in lines), *tail, ""])


def own_checker(name: str, part: str, said: str, lines: Sequence[str]) -> str:
    """Return a checker that judges as a check of check50 does, by these lines; `left` is the output."""
    head = [f"def {name}(did):", f"    # As the check {part} does.", f"    wrong, left = _heard(did, {said})"]
    return "\n".join([*head, "    if wrong:", "        return wrong", *(f"    {each}" for each in lines), ""])


def checkers_source(
    names: frozenset[str],
    own: Mapping[str, str] = MappingProxyType({}),
    sources: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a module with these checkers.

    own: those that are none of ours, by name.  sources: what these call, by the file from which it comes.
    """
    head = '"""Checkers of a converted spec."""\n'
    parts = [CHECKERS[name] for name in sorted(names) if name not in own]
    kept = [own[name] for name in own if name in names]
    if sources:
        parts = [*sources.values(), *parts, *kept]
    elif kept and all("_did" in each for each in kept):
        head += "\nimport io\nimport unittest\n"
        parts = [_STARTED, *parts, *kept]
    elif kept:
        used = [(_OPENER, "io"), (_HASH, "hashlib")]
        used = [each for each in used if f" {each[0][4:].partition('(')[0]}(" in "".join(kept)]
        head += "".join(f"\nimport {name}" for name in sorted(["re", *(name for _, name in used)])) + "\n"
        parts = [_OWN, *(text for text, _ in used), *parts, *kept, _HEARD]
    elif "said" in names:
        head += "\nimport re\n"
        parts.append(_HEARD)
    return head + "".join(f"\n\n{part}" for part in parts)
