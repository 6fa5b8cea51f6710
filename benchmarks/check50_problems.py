"""CS50's Python problems, converted and marked: the verdicts of check50?

    python benchmarks/check50_problems.py CLONE CHECK50

CLONE: a git clone of cs50/problems (no licence is stated), read at the commit named here.  Nothing of it is a
part of this project.  CHECK50: the command of check50 3.5.0, which must find `python3`.

Each `__init__.py` whose checks run `python3` is converted.  For some problems a right program stands below;
it, its mutants, an empty one and one that only asks are judged by check50 and marked here, and the verdicts
are compared check by check.  The programs run without a sandbox in check50, so none is from elsewhere.

Prints a line for each problem, then what is left out and why.  Exits with 1 if a verdict differs without an
explanation.
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from foreign import grader, marked_by, mutants, points_by

from grader.plugins.convert import read_tests

COMMIT = "6728ebf34755c1c1e833aebb97090cb08f0e8d6d"
_MOST_MUTANTS = 6
_MOST_B = 2 << 20
_OTHERS = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.LtE: ast.Lt, ast.Lt: ast.LtE},
    **{ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.NotIn: ast.In},
}
_FILES = {"less": "mario"}
"""By problem, the name of its program where that is another one."""
_WITH_TESTS = {"numb3rs", "seasons"}
"""The problems in which students hand in tests of their own too."""
EXPLAINED: dict[str, str] = {}
"""By problem, program and check, why a verdict is another one."""
PROGRAMS = {
    "adieu": """
names = []
while True:
    try:
        names.append(input("Name: "))
    except EOFError:
        break
if len(names) < 3:
    print("Adieu, adieu, to " + " and ".join(names))
else:
    print("Adieu, adieu, to " + ", ".join(names[:-1]) + ", and " + names[-1])
""",
    "bank": """
words = input("Greeting: ").strip().lower()
print("$0" if words.startswith("hello") else "$20" if words.startswith("h") else "$100")
""",
    "cash": """
while True:
    try:
        cents = round(float(input("Change: ")) * 100)
        if cents >= 0:
            break
    except ValueError:
        pass
coins = 0
for coin in (25, 10, 5, 1):
    coins += cents // coin
    cents %= coin
print(coins)
""",
    "camel": """
name = input("camelCase: ")
print("snake_case:", "".join("_" + each.lower() if each.isupper() else each for each in name))
""",
    "coke": """
due = 50
while due > 0:
    print("Amount Due:", due)
    coin = int(input("Insert Coin: "))
    if coin in (5, 10, 25):
        due -= coin
print("Change Owed:", -due)
""",
    "deep": """
print("Yes" if input("? ").strip().lower() in ("42", "forty-two", "forty two") else "No")
""",
    "einstein": """
print("E:", int(input("m: ")) * 300000000 ** 2)
""",
    "faces": """
print(input().replace(":)", "\N{SLIGHTLY SMILING FACE}").replace(":(", "\N{SLIGHTLY FROWNING FACE}"))
""",
    "fuel": """
while True:
    try:
        x, y = map(int, input("Fraction: ").split("/"))
        if x <= y:
            break_even = x / y
            break
    except (ValueError, ZeroDivisionError):
        pass
percent = round(break_even * 100)
print("E" if percent <= 1 else "F" if percent >= 99 else f"{percent}%")
""",
    "game": """
import random
def ask(text):
    while True:
        try:
            number = int(input(text))
            if number > 0:
                return number
        except ValueError:
            pass
level = ask("Level: ")
wanted = random.randint(1, level)
while True:
    guess = ask("Guess: ")
    if guess > wanted:
        print("Too large!")
    elif guess < wanted:
        print("Too small!")
    else:
        print("Just right!")
        break
""",
    "grocery": """
items = {}
while True:
    try:
        item = input().upper()
    except EOFError:
        break
    items[item] = items.get(item, 0) + 1
for item in sorted(items):
    print(items[item], item)
""",
    "indoor": """
print(input().lower())
""",
    "interpreter": """
x, y, z = input("Expression: ").split()
x, z = int(x), int(z)
print(float(x + z if y == "+" else x - z if y == "-" else x * z if y == "*" else x / z))
""",
    "less": """
while True:
    try:
        height = int(input("Height: "))
        if 1 <= height <= 8:
            break
    except ValueError:
        pass
for row in range(1, height + 1):
    print(" " * (height - row) + "#" * row)
""",
    "meal": """
def main():
    hours = convert(input("What time is it? "))
    if 7 <= hours <= 8:
        print("breakfast time")
    elif 12 <= hours <= 13:
        print("lunch time")
    elif 18 <= hours <= 19:
        print("dinner time")
def convert(time):
    hours, minutes = time.split(":")
    return int(hours) + int(minutes) / 60
if __name__ == "__main__":
    main()
""",
    "numb3rs": """
def validate(ip):
    parts = ip.split(".")
    return len(parts) == 4 and all(part.isdigit() and int(part) <= 255 for part in parts)
""",
    "nutrition": """
calories = {"apple": 130, "avocado": 50, "kiwifruit": 90, "pear": 100, "sweet cherries": 100}
item = input("Item: ").lower()
if item in calories:
    print("Calories:", calories[item])
""",
    "playback": """
print("...".join(input().split(" ")))
""",
    "professor": """
import random
def main():
    level, score = get_level(), 0
    for _ in range(10):
        x, y = generate_integer(level), generate_integer(level)
        for _ in range(3):
            try:
                if int(input(f"{x} + {y} = ")) == x + y:
                    score += 1
                    break
            except ValueError:
                pass
            print("EEE")
        else:
            print(f"{x} + {y} = {x + y}")
    print("Score:", score)
def get_level():
    while True:
        try:
            level = int(input("Level: "))
            if level in (1, 2, 3):
                return level
        except ValueError:
            pass
def generate_integer(level):
    return random.randint(0 if level == 1 else 10 ** (level - 1), 10 ** level - 1)
if __name__ == "__main__":
    main()
""",
    "scourgify": """
import csv
import sys
if len(sys.argv) != 3:
    sys.exit("two files are needed")
try:
    with open(sys.argv[1]) as file:
        rows = list(csv.DictReader(file))
except OSError:
    sys.exit("no such file")
with open(sys.argv[2], "w") as file:
    writer = csv.writer(file, lineterminator="\\n")
    writer.writerow(["first", "last", "house"])
    for row in rows:
        last, first = row["name"].split(", ")
        writer.writerow([first, last, row["house"]])
""",
    "seasons": """
import sys
from datetime import date
WORDS = {525600: "Five hundred twenty-five thousand, six hundred minutes"}
WORDS[1051200] = "One million, fifty-one thousand, two hundred minutes"
WORDS[2629440] = "Two million, six hundred twenty-nine thousand, four hundred forty minutes"
WORDS[6092640] = "Six million, ninety-two thousand, six hundred forty minutes"
WORDS[806400] = "Eight hundred six thousand, four hundred minutes"
def main():
    try:
        born = date.fromisoformat(input("Date of birth: "))
    except ValueError:
        sys.exit("Invalid date")
    print(WORDS[(date.today() - born).days * 24 * 60])
if __name__ == "__main__":
    main()
""",
    "taqueria": """
menu = {"Baja Taco": 4.25, "Burrito": 7.5, "Bowl": 8.5, "Nachos": 11, "Quesadilla": 8.5}
menu |= {"Super Burrito": 8.5, "Super Quesadilla": 9.5, "Taco": 3, "Tortilla Salad": 8}
total = 0
while True:
    try:
        item = input("Item: ").title()
    except EOFError:
        print()
        break
    if item in menu:
        total += menu[item]
        print(f"Total: ${total:.2f}")
""",
    "tip": """
dollars = float(input("How much was the meal? ").removeprefix("$"))
percent = float(input("What percentage would you like to tip? ").removesuffix("%"))
print(f"Leave ${dollars * percent / 100:.2f}")
""",
    "twttr": """
print("Output:", "".join(each for each in input("Input: ") if each.lower() not in "aeiou"))
""",
}


def main() -> int:
    """Convert, judge twice and compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("check50", type=Path)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    left: Counter[str] = Counter()
    said = offered = verdicts = differing = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        unpack(given.clone, root / "problems")
        for checks in sorted((root / "problems").rglob("__init__.py")):
            name = checks.parent.relative_to(root / "problems").as_posix()
            if "python3 " not in checks.read_text() or given.only not in name:
                continue
            spec = root / "spec" / f"{checks.parent.name}.yaml"
            shutil.rmtree(spec.parent, ignore_errors=True)
            spec.parent.mkdir()
            done = grader("convert", checks, "--from", "check50", "-o", spec)
            if "Traceback" in done.stderr:
                sys.exit(f"{checks}: {done.stderr}")
            listed = done.stdout or "\n".join(map(str, read_tests(checks, "check50", "work").remarks))
            reasons = re.findall(r"left out: \w+: (.*)", listed)
            total = len(read_tests(checks, "check50", "work").offered)
            kept = total - len(reasons) if spec.exists() else 0
            left.update(reasons)
            said, offered = said + kept, offered + total
            unlike = []
            programs = (
                dict(laid(PROGRAMS.get(checks.parent.name, ""), root / "in", checks.parent.name))
                if kept
                else {}
            )
            ours = marked(spec, root / "in") if programs else {}
            for label, file in programs.items():
                theirs = judged(given.check50, checks.parent, file.parent)
                for check, verdict in ours[label].items():
                    verdicts += 1
                    if theirs[check] != verdict:
                        why = EXPLAINED.get(f"{name}/{label}/{check}", "")
                        differing += not why
                        unlike.append(f"{label} {check}: {theirs[check]} there, {verdict} here {why}")
            print(f"{name:24} {kept:3} of {total:3} checks  {len(programs)} programs", *unlike, flush=True)
    for reason, number in left.most_common():
        print(f"{number:4} left out: {reason}")
    print(f"said {said} of {offered} checks; {verdicts} verdicts compared, {differing} unlike")
    return 1 if differing else 0


def unpack(clone: Path, folder: Path) -> None:
    """Write the files of the commit, but for large ones and those that the clone lacks."""
    listed = subprocess.run(
        ["git", "-C", clone, "ls-tree", "-r", "-l", "-z", COMMIT], check=True, capture_output=True
    )
    for entry in filter(None, listed.stdout.split(b"\0")):
        about, _, name = entry.partition(b"\t")
        digest, size = about.split()[2:]
        path = folder / os.fsdecode(name)
        blob = subprocess.run(["git", "-C", clone, "cat-file", "blob", digest], capture_output=True)
        if not blob.returncode and (size == b"-" or int(size) <= _MOST_B):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(blob.stdout)


def laid(text: str, folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Write the programs of a problem; yield them by names."""
    shutil.rmtree(folder, ignore_errors=True)
    if not text:
        return
    texts = {"right": text, "empty": "", "asks": "input('? ')\n"}
    texts |= {
        f"mutant-{number}": each
        for number, each in enumerate(mutants(text, _OTHERS, _MOST_MUTANTS, texts=True), 1)
    }
    for label, each in texts.items():
        path = folder / label / f"{_FILES.get(name, name)}.py"
        path.parent.mkdir(parents=True)
        path.write_text(each, "utf-8")
        if name in _WITH_TESTS:
            path.with_name(f"test_{name}.py").touch()
        yield label, path


def judged(check50: Path, checks: Path, work: Path) -> dict[str, bool]:
    """Return check50's verdicts, by checks."""
    told = work.parent.parent / "told.json"
    path = f"{check50.absolute().parent}{os.pathsep}{os.environ['PATH']}"
    command = [check50.absolute(), "--dev", checks, "-o", "json", "--output-file", told]
    done = subprocess.run(command, cwd=work, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    if not told.exists():
        sys.exit(done.stderr)
    document = json.loads(told.read_text())
    told.unlink()
    if "results" not in document:
        sys.exit(f"{checks.name}: {document['error']['value']}")
    results = document["results"]
    return {each["name"]: each["passed"] is True for each in results}


def marked(spec: Path, folder: Path) -> dict[str, dict[str, bool]]:
    """Return whether each check earns its mark here, by programs."""
    found = marked_by(spec, folder, spec.parent / "out")
    return points_by(found, "id", lambda each: each["mark"] == each["max_mark"])


if __name__ == "__main__":
    sys.exit(main())
