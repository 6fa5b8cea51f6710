"""Judges of DMOJ's that are Python: source texts that ask them as a validator of Kattis' is asked.

They stand in for the modules of DMOJ that a judge imports, as far as `python_judges` lets it import any.
"""

FOLDER_FILE = "ask_judge.py"
_COMMON = '''\
import importlib
import json
import math
import sys
import types


class CheckerResult:
    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        self.passed, self.points = passed, points
        self.feedback, self.extended_feedback = feedback, extended_feedback


def utf8bytes(text):
    return text.encode("utf-8") if isinstance(text, str) else text


def utf8text(data, errors="strict"):
    return data.decode("utf-8", errors) if isinstance(data, bytes) else data


def stand_in(name, **names):
    above, _, last = name.rpartition(".")
    if above and above not in sys.modules:
        stand_in(above)
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__.update(names, __path__=[])
    if above:
        setattr(sys.modules[above], last, module)


def say(name, text):
    with open(sys.argv[3] + name, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)


def end(result, points):
    """End with the verdict for what a judge returned: true, false or a CheckerResult."""
    if not isinstance(result, CheckerResult):
        result = CheckerResult(bool(result), points if result else 0)
    if result.feedback:
        say("teammessage.txt", result.feedback)
    share = result.points / points if points else float(result.passed)
    if share == 0 or not result.passed and math.isclose(share, 1):
        sys.exit(43)
    if not math.isclose(share, 1):
        say("score_multiplier.txt", f"{share:.12f}")
    sys.exit(42)


def content(place):
    with open(sys.argv[place], "rb") as file:
        return file.read()


points, position, batch, given = json.loads(sys.argv[4])
stand_in("dmoj.result", CheckerResult=CheckerResult)
stand_in("dmoj.utils.unicode", utf8bytes=utf8bytes, utf8text=utf8text)
'''
ASK_CHECKER = f'''\
"""Asks a checker of DMOJ's, which stands beside this file, about an output."""

{_COMMON}

def standard(process_output, judge_output, **_):
    """Compare words; those of one line stay in one line."""
    def lines(text):
        found = utf8bytes(text).replace(b"\\r", b"\\n").split(b"\\n")
        return [line.split() for line in found if line.strip()]

    return lines(process_output) == lines(judge_output)


stand_in("dmoj.checkers.standard", check=standard)
output = sys.stdin.read().encode("utf-8", "surrogateescape")
try:
    judged = importlib.import_module("CHECKER").check(
        output,
        content(2),
        judge_input=content(1),
        point_value=points,
        case_position=position,
        batch=batch,
        binary_data=False,
        **dict.fromkeys(NEVER_USED),
        **given,
    )
except UnicodeDecodeError:
    judged = CheckerResult(False, 0, "invalid unicode")
end(judged, points)
'''
ASK_INTERACTOR = f'''\
"""Lets an interactive judge of DMOJ's, which stands beside this file, talk with a program."""

{_COMMON}

class WrongAnswer(BaseException):
    pass


def shortened(token):
    text = utf8text(token, "replace")
    return text[:5] + "..." if len(text) > 5 else text


class Interactor:
    """What a judge reads and writes; lines are bytes."""

    def __init__(self):
        self.left = b""

    def read(self):
        return self.heard(sys.stdin.read())

    def readln(self, strip_newline=True):
        line = self.heard(sys.stdin.readline())
        return line.rstrip() if strip_newline else line

    def heard(self, text):
        if not text:
            raise OSError("the program's output has ended")
        return text.encode("utf-8", "surrogateescape")

    def readtoken(self, delim=None):
        words = (self.left or self.readln()).split(delim, 1)
        self.left = words[1] if len(words) > 1 else b""
        return words[0] if words else b""

    def readint(self, lo=-math.inf, hi=math.inf, delim=None):
        return self.number("int", int, self.readtoken(delim), lo, hi)

    def readfloat(self, lo=-math.inf, hi=math.inf, delim=None):
        return self.number("float", float, self.readtoken(delim), lo, hi)

    def number(self, name, made, token, lo, hi):
        if len(token) > 10000:
            raise WrongAnswer("the number is too long")
        try:
            number = made(token)
        except ValueError:
            raise WrongAnswer(f'expected {{name}}, got "{{shortened(token)}}"') from None
        if not lo <= number <= hi:
            raise WrongAnswer(f"expected {{name}} from {{lo}} to {{hi}}, got {{number}}")
        return number

    def write(self, value):
        sys.stdout.write(str(value))
        sys.stdout.flush()

    def writeln(self, value):
        self.write(f"{{value}}\\n")

    def close(self):
        pass


class InteractiveGrader:
    pass


class Case:
    def __init__(self):
        self.points, self.position, self.batch = points, position, batch

    def input_data(self):
        return content(1)

    def output_data(self):
        return content(2)


stand_in(
    "dmoj.graders.interactive",
    InteractiveGrader=InteractiveGrader,
    Interactor=Interactor,
    WrongAnswer=WrongAnswer,
)
judge = importlib.import_module("CHECKER").Grader()
try:
    judged = judge.interact(Case(), Interactor())
except WrongAnswer as refused:
    judged = CheckerResult(False, 0, str(refused))
except OSError:
    judged = False
end(judged, points)
'''
_LINES = """\
def lines(text):
    return [line for line in text.replace(b"\\r", b"\\n").split(b"\\n") if line]


"""
OF_DMOJ = {
    "linecount": '''\
"""As DMOJ's checker `linecount`: each line of the answer that is right where it stands earns a part."""

from dmoj.result import CheckerResult


'''
    + _LINES
    + """\
def check(process_output, judge_output, point_value, **kwargs):
    got, wanted = lines(process_output), lines(judge_output)
    if len(got) > len(wanted):
        return False
    right = sum(one.strip() == other.strip() for one, other in zip(got, wanted))
    share = right / len(wanted) if wanted else 1
    return CheckerResult(right == len(wanted), point_value * share)
""",
    "rstripped": '''\
"""As DMOJ's checker `rstripped`: blanks at the ends of lines are ignored."""


def check(process_output, judge_output, filter_new_line=False, **kwargs):
    def lines(text):
        found = text.replace(b"\\r", b"\\n").split(b"\\n")
        return [line.rstrip() for line in found if line or not filter_new_line]

    return lines(process_output) == lines(judge_output)
''',
    "unordered": '''\
"""As DMOJ's checker `unordered`: the same words, in any order."""


def check(process_output, judge_output, **kwargs):
    return sorted(process_output.split()) == sorted(judge_output.split())
''',
}
"""Checkers of DMOJ's own that no comparison does, as checkers in Python."""
