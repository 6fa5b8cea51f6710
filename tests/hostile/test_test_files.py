"""Programs that attack the tests of a test file.

The tests know a secret, and the program's process must not come to know it.  A program may answer anything,
and so lie about its own objects; it must not pass where plain data is compared, and harm no other test.
"""

import hashlib
import textwrap
from pathlib import Path

import pytest
from support.marking import cases, mark, question
from support.rows import first_of

from grader.model.results import CaseResult
from grader.sandbox.driver import Driver

SECRET = 918273
TESTS = f"""
import pytest
import work

SECRET = {SECRET}


def test_secret():
    right_answer = SECRET
    assert work.answer() == right_answer


def test_text():
    assert work.text() == "a secret text"


def test_list():
    assert work.numbers() == [9, 1, 8]


def test_close():
    assert abs(work.answer() - {SECRET}.0) < 0.5
    assert work.answer() == pytest.approx({SECRET})


def test_in():
    assert 9182 in work.numbers()


def test_true():
    assert work.answer() is True or work.answer() > 900000


@pytest.mark.parametrize("x", [1, 2])
def test_next(x):
    assert work.honest(x) == x
"""
HONEST = "\n\ndef honest(x):\n    return x\n"
ALL = ("secret", "text", "list", "close", "in", "true")


def marked(
    folder: Path, work: str, driver: Driver = Driver.NAMESPACES, time: str = "1s"
) -> dict[str, CaseResult]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(TESTS)
    spec = question(f"pytest: tests/test_work.py\n  limits: {{time: {time}, memory: 256MiB}}")
    found = cases(mark(folder, spec, textwrap.dedent(work) + HONEST, driver=driver))
    return {case.call.rpartition("test_")[2]: case for case in found.values()}


def refused(found: dict[str, CaseResult]) -> None:
    """Check that nothing of the program's was taken for right, and that the next test is judged as ever."""
    assert {name: str(found[name].verdict) for name in ALL if found[name].verdict == "accepted"} == {}
    assert not any(found[name].score for name in ALL)
    assert found["next"].verdict == "accepted"


LIARS = {
    "a class instead of each function": """
        class answer:
            def __eq__(self, other): return True
            def __ne__(self, other): return False
            def __lt__(self, other): return True
            __gt__ = __contains__ = __lt__
            def __sub__(self, other): return 0.0
            def __abs__(self): return self
            def __hash__(self): return 0
        class text(answer): pass
        class numbers(answer): pass
    """,
    "an object that is equal to everything": """
        class Liar:
            def __eq__(self, other): return True
            def __ne__(self, other): return False
            def __lt__(self, other): return True
            __le__ = __gt__ = __ge__ = __contains__ = __lt__
            def __sub__(self, other): return 0.0
            __rsub__ = __add__ = __radd__ = __sub__
            def __abs__(self): return self
            def __bool__(self): return True
            def __iter__(self): return iter(())
            def __hash__(self): return 0
        def answer(): return Liar()
        text = numbers = answer
    """,
    "subclasses that lie": """
        class Int(int):
            def __eq__(self, other): return True
            def __gt__(self, other): return True
            def __sub__(self, other): return 0.0
        class Text(str):
            def __eq__(self, other): return True
            __hash__ = str.__hash__
        class List(list):
            def __eq__(self, other): return True
            def __contains__(self, other): return True
            __hash__ = None
        def answer(): return Int(3)
        def text(): return Text("x")
        def numbers(): return List([1])
    """,
    "a class named as in the tests": """
        class work:
            def __eq__(self, other): return True
            def __gt__(self, other): return True
            def __sub__(self, other): return 0.0
        work.__name__ = work.__qualname__ = "int"
        def answer(): return work()
        text = numbers = answer
    """,
    "a metaclass that lies": """
        class Meta(type):
            def __eq__(self, other): return True
            def __gt__(self, other): return True
            def __hash__(self): return 0
            def __sub__(self, other): return 0.0
            @property
            def __name__(self): return "int"
            def mro(self): return [self, int, object]
        try:
            class Liar(metaclass=Meta): pass
        except TypeError:
            class Meta(type):
                def __eq__(self, other): return True
                def __gt__(self, other): return True
                __hash__ = type.__hash__
            class Liar(metaclass=Meta): pass
        def answer(): return Liar
        text = numbers = answer
    """,
    "patched builtins": """
        import builtins, operator
        def answer():
            builtins.abs = builtins.len = builtins.isinstance = lambda *a: True
            operator.eq = operator.gt = operator.contains = lambda *a: True
            return None
        text = numbers = answer
    """,
    "patched pytest": """
        try:
            import pytest
            pytest.raises = None
        except ImportError:
            pass
        import sys, types
        sys.modules["pytest"] = sys.modules["_pytest"] = types.ModuleType("pytest")
        def answer():
            print("1 passed in 0.01s")
            print("test_work.py::test_secret PASSED")
            return None
        text = numbers = answer
    """,
    "exceptions of pytest's": """
        import unittest
        class Skipped(BaseException): pass
        class OutcomeException(BaseException): pass
        def answer(): raise unittest.SkipTest("x")
        def text(): raise Skipped("passed")
        def numbers(): raise KeyboardInterrupt
    """,
    "exits": """
        import os, sys
        def answer(): os._exit(0)
        def text(): sys.exit(0)
        def numbers():
            import atexit
            atexit.register(os._exit, 0)
            raise SystemExit(0)
    """,
}


@pytest.mark.parametrize("work", first_of(LIARS, 2))
def test_no_lie_is_taken_for_right(tmp_path: Path, work: str) -> None:
    refused(marked(tmp_path, LIARS[work]))


SEARCH = """
import gc, hashlib, os, re, sys

DIGEST = "@DIGEST@"

def is_it(value):
    return hashlib.sha256(repr(value).encode()).hexdigest() == DIGEST

def answer():
    frame, seen, waiting = sys._getframe(), set(), []
    while frame is not None:
        waiting += [frame, frame.f_locals, frame.f_globals, frame.f_code]
        frame = frame.f_back
    waiting += gc.get_objects()
    while waiting and len(seen) < 300000:
        one = waiting.pop()
        if id(one) in seen or one is seen or one is waiting:
            continue
        seen.add(id(one))
        if type(one) is int and one > 900000 and is_it(one):
            return one
        if type(one) in (str, bytes):
            for number in re.findall(r"\\d{6}", one if type(one) is str else one.decode("latin-1")):
                if is_it(int(number)):
                    return int(number)
        waiting += gc.get_referents(one)
    for folder in ("/box", "/box/work", "/tmp", os.getcwd(), "/proc/self", "/proc/self/fd"):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            try:
                with open(os.path.join(folder, name), errors="replace") as file:
                    for number in re.findall(r"\\d{6}", file.read(1000000)):
                        if is_it(int(number)):
                            return int(number)
            except OSError:
                pass
    return 0

def text(): return ""
def numbers(): return []
"""
DIGEST = hashlib.sha256(repr(SECRET).encode()).hexdigest()


def test_the_secret_is_not_in_the_programs_process(tmp_path: Path) -> None:
    refused(marked(tmp_path, SEARCH.replace("@DIGEST@", DIGEST).replace("\\\\", "\\")))


@pytest.mark.acceptance
def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    work = SEARCH.replace("@DIGEST@", DIGEST).replace("\\\\", "\\") + f"\nhidden = [[{SECRET}]]\n"
    assert marked(tmp_path, work)["secret"].verdict == "accepted"


SPY = """
class Spy:
    known = []
    def tell(self, other):
        Spy.known.append(other)
        return NotImplemented
    __eq__ = __ne__ = __lt__ = __gt__ = __sub__ = __rsub__ = __contains__ = tell
    __hash__ = None
told = []
def answer():
    if Spy.known:
        return Spy.known[-1]
    return Spy()
text = numbers = answer
"""


def test_operators_are_not_told_the_other_side(tmp_path: Path) -> None:
    refused(marked(tmp_path, SPY))


FORGERIES = """
import os, sys, threading

def frame(kind, body):
    return len(body).to_bytes(4, "little") + bytes([kind]) + body

def nonce():
    f = sys._getframe()
    while f is not None:
        for found in f.f_locals.values():
            if type(found).__name__ == "Channel":
                return found._nonce
            channel = getattr(getattr(found, "_ask", None), "__self__", None)
            if channel is not None and type(channel).__name__ == "Channel":
                return channel._nonce
        f = f.f_back
    return b"x" * 8

def text_of(s):
    return b"s" + bytes([len(s)]) + s.encode()

def message(kind, *content):
    return b"t\\x02" + text_of(kind) + b"t" + bytes([len(content)]) + b"".join(content)
"""
FORGED = {
    "an answer that ends the case": "os.write(4, frame(24, nonce() + b'\\x01l\\x01t\\x01s\\x02ok'))",
    "a message of no shape": "os.write(4, frame(25, nonce() + b't\\x02s\\x01xt\\x00'))",
    "a message that is no data": "os.write(4, frame(25, nonce() + b'\\xff\\xff\\x00'))",
    "a message that the test passed": "os.write(4, frame(25, nonce() + message('passed', text_of('x'))))",
    "a handle that is none": "os.write(4, frame(25, nonce() + message('returned', "
    "b'r' + bytes([6]) + b'object' + b'\\x01' + bytes([2]) + b'id' + b'N', b'l\\x00', b'F', b'N', "
    "b'l\\x00', text_of(''), text_of(''))))",
    "an unasked callback": "os.write(4, frame(25, nonce() + message('calls', b'i\\x02\\xff\\x7f', b't\\x00', "
    "b'm\\x00', b'F', b'N', b'l\\x00', text_of(''), text_of(''))))",
    "an exception of no class": "os.write(4, frame(25, nonce() + message('raised', b'\\x81', text_of('x'), "
    "b't\\x00', b'l\\x00', b'N', b'F', b'N', b'l\\x00', text_of(''), text_of(''))))",
    "an endless frame": "os.write(4, (1 << 31).to_bytes(4, 'little') + bytes([25]))",
    "no frame": "os.write(4, b'1 passed' * 100)",
    "closed channel": "os.close(4)",
    "a second answer by a thread": "threading.Thread(target=lambda: [os.write(4, frame(25, nonce())) "
    "for _ in range(50)]).start()",
}


@pytest.mark.parametrize("way", first_of(FORGED))
def test_forged_messages_are_no_pass(tmp_path: Path, way: str) -> None:
    body = f"def answer():\n    {FORGED[way]}\n    return 0\ntext = numbers = answer\n"
    refused(marked(tmp_path, FORGERIES + body))


HEAVY = {
    "time-limit": "def answer():\n    while True: pass\n",
    "memory-limit": "def answer():\n    return 'x' * (1 << 30)\n",
    "output-limit": "def answer():\n    return [0] * (1 << 21)\n",
    "output-limit ": "def answer():\n    x = []\n    for _ in range(5000): x = [x]\n    return x\n",
    "output-limit  ": "def answer():\n    print('x' * (1 << 24))\n",
    "output-limit   ": "def answer():\n    x = object()\n    for _ in range(90): x = [x]\n    return x\n",
}


@pytest.mark.parametrize("verdict", first_of(HEAVY))
def test_heavy_answers_are_the_programs_own_fault(tmp_path: Path, verdict: str) -> None:
    time = "200ms" if verdict == "time-limit" else "1s"
    found = marked(tmp_path, HEAVY[verdict] + "text = numbers = answer\n", time=time)
    refused(found)
    assert str(found["secret"].verdict) == verdict.strip()


def test_what_never_ends_in_the_test_is_the_programs_own_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.sandbox.served.MOST_OPERATIONS", 300)
    work = "class Endless:\n    def __iter__(self): return self\n    def __next__(self): return 1\n"
    found = marked(tmp_path, work + "def answer(): return Endless()\nnumbers = text = answer\n")
    refused(found)
    assert found["in"].verdict == "output-limit"
    assert "stopped after more than 300 operations in one test" in found["in"].message


def test_a_class_of_the_file_is_no_leave_to_lie(tmp_path: Path) -> None:
    """The file imports a class.  A test that does not use it does not take the word of its objects."""
    (tmp_path / "tests").mkdir()
    tests = """
from work import Money, cents

def test_money():
    assert Money(1) == 100

def test_cents():
    assert cents(1) == 100

def test_list():
    assert 5 in cents(1) and cents(1) > 5
"""
    (tmp_path / "tests" / "test_work.py").write_text(tests)
    work = """
class Money:
    def __init__(self, euros): pass
    def __eq__(self, other): return True
    __gt__ = __contains__ = __eq__
    def __iter__(self): return iter(())
cents = lambda euros: Money(euros)
"""
    found = cases(mark(tmp_path, question("pytest: tests/test_work.py"), work))
    assert [str(case.verdict) for case in found.values()] == ["wrong-answer"] * 3


OBJECTS = """
import pytest
import work
from work import Circle, area

def test_attribute():
    assert Circle(4).radius == 4

def test_method():
    assert abs(Circle(4).area() - 50.27) < 0.01
    assert Circle(4).area() == pytest.approx(50.27, abs=0.01)

def test_operator():
    assert Circle(4) * 2 == 8

def test_made_by_a_method():
    assert Circle.of_diameter(8) == 4

def test_function():
    assert area(4) == 50.27

def test_under_its_module():
    assert work.area(4) == 50.27

def test_itself():
    assert Circle(4) == 4 and Circle(4) * 3 == Circle(12)
"""
ROUND = """
class Circle:
    def __init__(self, radius):
        self.radius = radius
    def area(self):
        return 50.27
    def of_diameter(length):
        return length / 2
    def __eq__(self, other):
        return self.radius == (other.radius if isinstance(other, Circle) else other)
    def __mul__(self, times):
        return Circle(self.radius * times) if times > 2 else 8
def area(radius):
    return 50.27
"""
SLY = """
class Circle:
    def __init__(self, *_): pass
    def __eq__(self, other): return True
    __lt__ = __gt__ = __eq__
    def __sub__(self, other): return 0.0
    def __abs__(self): return 0.0
    def __mul__(self, other): return Circle()
    def __getattr__(self, name): return @
    def area(self): return @
    def of_diameter(self): return Circle()
"""


@pytest.mark.parametrize("given", ["Circle()", "self"])
@pytest.mark.parametrize("proven", first_of([True, False]))
def test_an_object_is_believed_about_itself_alone(tmp_path: Path, given: str, proven: bool) -> None:
    """Of an object that the test made, it takes the word; not of one that stands where data is expected."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(OBJECTS)
    work = SLY.replace("@", given) + "area = Circle\n"
    spec = question("pytest: tests/test_work.py")
    found = cases(mark(tmp_path, spec, work, reference=ROUND if proven else ""))
    accepted = {case.call.rpartition("test_")[2] for case in found.values() if case.verdict == "accepted"}
    # `==` of the object itself says yes to everything, and so has no word.
    assert accepted == set()
    assert "`==` of Circle says yes to everything" in found["1.1.7"].message


def test_a_program_cannot_add_tests(tmp_path: Path) -> None:
    """`import *` brings test functions of the program's along; pytest must not take them."""
    (tmp_path / "tests").mkdir()
    tests = "from work import *\n\n\ndef test_it():\n    assert double(2) == 4\n"
    (tmp_path / "tests" / "test_work.py").write_text(tests)
    work = "def double(x): return x\ndef test_it(): pass\ndef test_more(): pass\n"
    work += "class TestX:\n    def test_y(self): pass\n"
    found = cases(mark(tmp_path, question("pytest: tests/test_work.py"), work))
    assert {name: str(case.verdict) for name, case in found.items()} == {"1.1.1": "wrong-answer"}


HOOKS = (
    *("setUpModule", "tearDownModule", "setup_module", "teardown_module"),
    *("setup_function", "teardown_function"),
)


@pytest.mark.parametrize("proven", first_of([True, False]))
def test_a_program_cannot_add_hooks(tmp_path: Path, proven: bool) -> None:
    """Pytest would call a function of the program's between the tests, for a name that it has by chance."""
    (tmp_path / "tests").mkdir()
    tests = "from work import *\n\n\ndef test_it():\n    assert double(2) == 4\n"
    (tmp_path / "tests" / "test_work.py").write_text(tests)
    double = "def double(x): return 2 * x\n"
    hooks = "".join(f"def {name}(board=None): raise ValueError\n" for name in HOOKS)
    spec = question("pytest: tests/test_work.py")
    found = cases(mark(tmp_path, spec, double + hooks, reference=double if proven else ""))
    assert {name: str(case.verdict) for name, case in found.items()} == {"1.1.1": "accepted"}


WAYS_ROUND = f"""
from math import isclose
import pytest
from work import *
import work
from work import Box, Circle, area, asked, back, decode, encode, odd, price

def way_told_by_an_assertion():
    def is_it(x):
        assert x == {SECRET}
    assert asked(is_it) == {SECRET}

def way_told_by_pytest():
    def is_it(x):
        if x != {SECRET}:
            pytest.fail("it is {SECRET}")
    assert asked(is_it) == {SECRET}

def way_told_by_an_operator():
    assert asked(lambda x: work.price(x) - {SECRET}) == {SECRET}

def way_its_own_text_is_told():
    def refuse(x):
        raise AssertionError("no " + str(x))
    assert work.text_of(refuse) == "no 1"

def way_evaluated():
    assert decode(encode("text")) == "text"

def way_swallowed():
    with Box():
        assert area(4) == 50.27

def way_expected_error():
    with pytest.raises(TypeError):
        price(1) + "x"

def way_abs():
    assert abs(odd(1) - 5) < 0.1

def way_isclose():
    assert isclose(odd(1), 5)

def way_approx():
    assert odd(1) == pytest.approx(5)

def way_given_back():
    assert back(odd("itself")) == 1

def way_given_back_deep():
    assert back(odd("deep")) == 1

def way_given_back_large():
    assert back(odd("large")) == 1

def way_start():
    assert work.text().startswith("a secret")

def way_subset():
    assert work.text().issuperset({1, 2})

def way_constant():
    assert work.TITLE.endswith("secret")

def way_function():
    assert work.named().index(5) == 1

def way_fraction():
    assert odd("fraction") + 1 == 6

def way_group():
    assert odd("group") == 1

def way_own_sum():
    assert sum([1]) == "own"

WAYS = dict((name[4:], way) for name, way in list(globals().items()) if name.startswith("way_"))

@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_way(way):
    way()

def test_made_later():
    found = area(4)
    Circle(4)
    assert found == 50.27
"""
STRAIGHT = f"""
class Circle:
    def __init__(self, r): pass
class Box:
    def __enter__(self): return self
    def __exit__(self, *_): pass
def area(r): return 50.27
def asked(f): return {SECRET}
def text_of(f):
    try:
        f(1)
    except AssertionError as error:
        return str(error)
def price(x): return x
def encode(x): return x
def decode(x): return x
def odd(x): return 5
def back(x): return 1
def sum(xs): return "own"
TITLE = "secret"
def text(): return TITLE
def named(): return [3, 5]
"""
ROUND_ABOUT = r"""
import re
from fractions import Fraction

class Circle:
    def __new__(cls, *_): return KEPT
    def __eq__(self, other): return True
    __add__ = __sub__ = __rsub__ = __eq__
KEPT = object.__new__(Circle)
class Box:
    def __enter__(self): return self
    def __exit__(self, *_): return True
def area(r): return KEPT
def asked(f):
    try:
        f(1)
    except BaseException as error:
        return int((re.findall(r"\d{6}", repr(error)) or [0])[0])
    return 0
def text_of(f):
    try:
        f(1)
    except AssertionError as error:
        return str(error)
price = area
decode = eval
def encode(x):
    return "type('Liar', (), {'__eq__': lambda *_: True})()"
def abs(x): return 0
def isclose(x, y): return True
class pytest:
    def approx(x): return 1
def odd(x):
    if x == "itself":
        x = []
        x.append(x)
        return x
    if x == "deep":
        for _ in range(80): x = [x]
        return x
    if x == "large":
        return "x" * (2 << 20)
    if x == "fraction":
        x = object.__new__(Fraction)
        x._numerator, x._denominator = (1 << 30_000_000) - 1, (1 << 29_000_000) - 12345
        return x
    if x == "group":
        raise ExceptionGroup("x", [ValueError(1)])
    return 1
def back(x): return 1
def sum(xs): return "own"
class Text:
    def startswith(self, text): return True
    issuperset = endswith = startswith
    def index(self, item): return 1
TITLE = Text()
def text(): return TITLE
def named(): return named
named.index = lambda item: 1
"""


def test_ways_round_the_tests(tmp_path: Path) -> None:
    """By exceptions that tell, names of other things, objects met before, answers that are functions."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(WAYS_ROUND)
    spec = question("pytest: tests/test_work.py")
    ways, made_later = cases(mark(tmp_path, spec, ROUND_ABOUT, reference=STRAIGHT)).values()
    found = {step.text[len("test_way[") : -1]: str(step.verdict) for step in ways.steps}
    accepted = {name for name, verdict in found.items() if verdict == "accepted"}
    assert accepted == {"its_own_text_is_told", "own_sum", "given_back", "given_back_deep"}
    assert (found["group"], len(found)) == ("exception", 20)
    # The object was there before the test made it; the reference answers with data.
    assert made_later.verdict == "wrong-answer"


@pytest.mark.acceptance
def test_under_landlock_too(tmp_path: Path) -> None:
    found = marked(tmp_path, LIARS["an object that is equal to everything"], Driver.LANDLOCK)
    refused(found)


NODES = [
    ["b", "eval"],
    ["c", 0],
    ["u", "SystemExit", []],
    ["x", "datetime.date", [1, 1, 1]],
    ["h", 0],
    ["v", 1],
]
"""What arrives as a node in the box of the tests, or in that of the program, if data were taken for one."""


def test_answers_in_the_form_of_nodes_are_plain_data(tmp_path: Path) -> None:
    names = ("b", "c", "u", "x", "h", "f", "v", "given", "opaque", "dual", "exception", "object")
    work = f"""
        NODES = {NODES!r}
        TYPES = [type(name, (), {{"number": 0, "name": "eval"}}) for name in {names!r}]

        def answer(): return NODES[0]
        def text(): return TYPES[0]()
        def numbers(): return [TYPES[0](), *NODES]
        def same(x): return x
        def made(number): return TYPES[number]()
    """
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(
        "import pytest\nimport work\n\n\n"
        f"@pytest.mark.parametrize('node', {NODES!r})\n"
        "def test_data(node):\n"
        "    assert work.same(node) == node\n"
        "    assert type(work.same(node)) is list\n\n\n"
        "def test_list():\n    assert work.numbers()[1:] == [9, 1, 8]\n\n\n"
        f"@pytest.mark.parametrize('number', range({len(names)}))\n"
        "def test_made(number):\n    assert work.made(number) == eval\n"
    )
    spec = question("pytest: tests/test_work.py\n  limits: {time: 1s, memory: 256MiB}")
    found = cases(mark(tmp_path, spec, textwrap.dedent(work)))
    told = {case.call.partition("test_work.py::test_")[2]: str(case.verdict) for case in found.values()}
    data = {name: verdict for name, verdict in told.items() if name.startswith("data")}
    assert len(told) == 3
    assert data == {"data": "accepted"}
    assert {verdict for name, verdict in told.items() if name not in data} == {"wrong-answer"}
