"""Classes whose special methods loop, raise, lie, or end the process, under operators and built-in functions.

An expression is the student's word, as a call is.  So what counts is: no wrong answer becomes a right one by
what a class says of itself on the trusted side, no process hangs, and the cases beside stay as they are.
"""

from pathlib import Path

import pytest
from support.marking import cases, mark, question, verdicts

from grader.model.results import SubmissionResult

REFERENCE = """
class Thing:
    def __init__(self, kind=""):
        self.size = 3

    def __eq__(self, other): return True
    def __len__(self): return 3
    def __iter__(self): return iter([1, 2])
    def __str__(self): return "thing"
    def __repr__(self): return "Thing()"
    def __hash__(self): return 7
    def __bool__(self): return True
    def __contains__(self, item): return True
    def __getitem__(self, index): return 1
    def __add__(self, other): return 5
    def total(self): return 3

def numbers(kind=""): return iter([1, 2])
def same(x): return x
"""

HOSTILE = """
import os, sys, time, builtins

class Text(str):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __len__(self): return 3
    def encode(self, *args): os._exit(0)
    def __str__(self): return "thing"

class Number(int):
    def __eq__(self, other): return True
    def __hash__(self): return 7
    def __index__(self): os._exit(0)

class Everything:
    # A result whose class overrides all that can be asked of it.
    def __getattribute__(self, name): return Everything()
    def __eq__(self, other): return True
    def __class_getitem__(cls, item): return cls
    def __len__(self): return 3
    def __iter__(self): return self
    def __next__(self): return 1
    def __repr__(self): return "True"
    def __reduce__(self): os._exit(0)
    def __bool__(self): return True
    def __hash__(self): return 7
    __class__ = bool

def act(kind, answer):
    if kind == "loops":
        while True:
            pass
    if kind == "raises": raise ValueError("no")
    if kind == "exits": os._exit(0)
    if kind == "kills": os.kill(os.getpid(), 15)
    if kind == "leaves": sys.exit(0)
    if kind == "stops": raise StopIteration
    if kind == "recurs": return act(kind, answer)
    return {"text": Text("thing"), "number": Number(3), "everything": Everything(), "nothing": None}[kind]

class Thing:
    def __init__(self, kind=""): self.kind = kind
    def __eq__(self, other): return act(self.kind, True)
    def __len__(self): return act(self.kind, 3)
    def __iter__(self): return Endless() if self.kind == "endless" else act(self.kind, iter([1, 2]))
    def __str__(self): return act(self.kind, "thing")
    def __repr__(self): return act(self.kind, "Thing()")
    def __hash__(self): return act(self.kind, 7)
    def __bool__(self): return act(self.kind, True)
    def __contains__(self, item): return act(self.kind, True)
    def __getitem__(self, index): return act(self.kind, 1)
    def __add__(self, other): return act(self.kind, 5)
    def total(self): return act(self.kind, 3)
    @property
    def size(self): return act(self.kind, 3)

class Endless:
    def __iter__(self): return self
    def __next__(self): return 1

def numbers(kind=""):
    if kind == "endless":
        while True: yield 1
    if kind == "heavy":
        while True: yield "x" * 5_000_000
    act(kind, None)

def same(x): return Everything()

# The functions that a formula calls are Python's own.
for name in ("sorted", "sum", "max", "hash", "enumerate"):
    setattr(builtins, name, lambda *args, **kwargs: os._exit(0))
"""

ENDLESS = "output-limit", "the answer is too large (an iterator goes on after 100,000 items)"
ENDED = "crashed", "the program ended by itself before it gave an answer (exit status 0)"
OPERATIONS = {
    "Thing({}) == 3": True,
    "len(Thing({}))": 3,
    "list(Thing({}))": [1, 2],
    "str(Thing({}))": "'thing'",
    "repr(Thing({}))": "'Thing()'",
    "hash(Thing({}))": 7,
    "bool(Thing({}))": True,
    "4 in Thing({})": True,
    "Thing({})[0]": 1,
    "Thing({}) + 1": 5,
}
ENDINGS = {
    "raises": ("exception", "raised ValueError: no"),
    "exits": ENDED,
    "kills": ("crashed", "the program was ended by a signal"),
    "leaves": ("exception", "called sys.exit() or exit()"),
    "recurs": ("exception", "raised RecursionError"),
}
CASES: dict[str, tuple[object, str, str]] = {
    call.format(f"'{kind}'"): (answer, *told)
    for kind, told in ENDINGS.items()
    for call, answer in OPERATIONS.items()
} | {
    "str(Thing('loops'))": ("'thing'", "time-limit", ""),
    "Thing('loops') == 3": (True, "time-limit", ""),
    "Thing('text') == 3": (True, "wrong-answer", "expected True (bool), got 'thing'"),
    "Thing('number') == 3": (True, "wrong-answer", "expected True (bool), got 3 (int)"),
    "Thing('everything') == 3": (True, "wrong-answer", "expected True"),
    "Thing('nothing') == 3": (True, "wrong-answer", "expected True, got None"),
    "Thing('everything') + 1": (5, "wrong-answer", "expected 5"),
    "str(Thing('text'))": ("'thing'", "accepted", ""),
    "len(Thing('number'))": (3, "accepted", ""),
    "str(Thing('nothing'))": ("'thing'", "exception", "raised TypeError: __str__ returned non-string"),
    "list(Thing('nothing'))": ([1, 2], "exception", "raised TypeError"),
    "list(Thing('endless'))": ([1, 2], *ENDLESS),
    "sorted(Thing('endless'))": ([1, 2], *ENDLESS),
    "list(numbers('endless'))": ([1, 2], *ENDLESS),
    "sum(numbers('endless'))": (3, *ENDLESS),
    "max(numbers('endless'))": (2, *ENDLESS),
    "dict(enumerate(numbers('endless')))": ("{0: 1, 1: 2}", *ENDLESS),
    "list(numbers('heavy'))": ([1, 2], "memory-limit", ""),
    "list(numbers('stops'))": ([1, 2], "exception", "raised RuntimeError"),
    "next(numbers('exits'))": (1, *ENDED),
    "same(3)": (3, "wrong-answer", "expected 3"),
    "[same(3)]": ([3], "wrong-answer", "item 1"),
    "list(same([1]))": ([1], *ENDLESS),
}


def line(call: str, answer: object, verdict: str) -> str:
    limits = "time: 300ms" if verdict == "time-limit" else "memory: 64MiB"
    return f'{{call: "{call}", returns: "{answer}", limits: {{{limits}}}}}'


LOOKS = [
    """{call: "Thing('raises')", reads: [size], returns: {size: 3}}""",
    """{call: "Thing('exits')", reads: ["total()"], returns: {"total()": 3}}""",
    """{call: "Thing('everything')", reads: [size], returns: {size: 3}}""",
    """{call: "same(3)", reads: [len(_)], returns: {len(_): 3}}""",
    """scenario:
        - {call: "numbers('endless')", as: it}
        - {call: next(it), returns: 1}
        - {call: list(it), returns: [2]}""",
]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> SubmissionResult:
    lines = [line(call, answer, verdict) for call, (answer, verdict, _) in CASES.items()]
    return mark(tmp_path_factory.mktemp("hostile"), question(*lines, *LOOKS), HOSTILE, reference=REFERENCE)


@pytest.mark.parametrize("call", CASES)
def test_an_expression_ends_as_a_call_does(result: SubmissionResult, call: str) -> None:
    _, verdict, told = CASES[call]
    case = cases(result)[f"1.{[*CASES].index(call) + 1}"]
    assert (str(case.verdict), case.message[: len(told)]) == (verdict, told)


def test_what_is_read_of_an_answer_is_data_or_nothing(result: SubmissionResult) -> None:
    found = [(str(case.verdict), case.message) for case in [*cases(result).values()][len(CASES) :]]
    assert [verdict for verdict, _ in found] == [
        "exception", "crashed", "wrong-answer", "accepted", "output-limit"
    ]  # fmt: skip
    assert found[2][1].startswith("answer['size']: expected 3") or "expected 3" in found[2][1]
    assert found[4][1].startswith("step 3, list(it): the answer is too large")


@pytest.mark.parametrize(
    ("body", "verdict"),
    [("os._exit(0)", "crashed"), ("raise SystemExit", "missing"), ("return P", "accepted")],
)
def test_a_module_that_answers_for_its_names_changes_nothing(tmp_path: Path, body: str, verdict: str) -> None:
    spec = question('{call: "len(Thing())", returns: 3}')
    work = f"import os\nclass P:\n    def __len__(self): return 3\ndef __getattr__(name): {body}\n"
    assert verdicts(mark(tmp_path, spec, work, reference=REFERENCE)) == {"1.1": verdict}
