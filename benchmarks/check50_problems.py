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

from foreign import grader, marked_by

from grader.plugins.convert import read_tests

COMMIT = "6728ebf34755c1c1e833aebb97090cb08f0e8d6d"
_MOST_MUTANTS = 6
_MOST_B = 1 << 20
_WITH_TESTS = {"numb3rs"}
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
    "numb3rs": """
def validate(ip):
    parts = ip.split(".")
    return len(parts) == 4 and all(part.isdigit() and int(part) <= 255 for part in parts)
""",
    "playback": """
print("...".join(input().split(" ")))
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
            converted = re.search(r"(\d+) of (\d+) assertions", done.stderr)
            kept, total = map(int, converted.groups()) if converted else (0, len(reasons))
            left.update(reasons)
            said, offered = said + kept, offered + total
            unlike = []
            programs = dict(laid(PROGRAMS.get(name, ""), root / "in", checks.parent.name)) if kept else {}
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
    texts |= {f"mutant-{number}": each for number, each in enumerate(mutants(text), 1)}
    for label, each in texts.items():
        path = folder / label / f"{name}.py"
        path.parent.mkdir(parents=True)
        path.write_text(each, "utf-8")
        if name in _WITH_TESTS:
            path.with_name(f"test_{name}.py").touch()
        yield label, path


def mutants(text: str) -> list[str]:
    """Return a few programs that differ from a right one by a number, a text or an operator."""
    others = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.LtE: ast.Lt, ast.Lt: ast.LtE}
    others |= {ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.NotIn: ast.In}
    found: list[str] = []
    for index in range(sum(1 for _ in ast.walk(ast.parse(text)))):
        tree = ast.parse(text)
        node = [*ast.walk(tree)][index]
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            node.value += 1  # type: ignore[operator]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            node.value = node.value[1:]
        elif isinstance(node, ast.BinOp) and type(node.op) in others:
            node.op = others[type(node.op)]()
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in others:
            node.ops = [others[type(node.ops[0])]()]
        else:
            continue
        found.append(ast.unparse(ast.fix_missing_locations(tree)))
    return found[:: max(1, len(found) // _MOST_MUTANTS)][:_MOST_MUTANTS]


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
    return {
        one["id"]: {each["id"]: each["mark"] == each["max_mark"] for each in one["questions"]}
        for one in found
    }


if __name__ == "__main__":
    sys.exit(main())
