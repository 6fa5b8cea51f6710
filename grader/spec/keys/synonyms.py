"""Words of other tools for our keys: each with the key that is meant, and a hint."""

from collections.abc import Mapping

Synonyms = Mapping[str, tuple[str, str]]
"""By word: the key that is meant, and the hint."""


def _all(words: str, key: str, hint: str = "") -> dict[str, tuple[str, str]]:
    """hint: an example of the key, or a sentence about it."""
    is_example = ": " in hint and "`" not in hint
    return dict.fromkeys(
        words.split(), (key, f"here it is `{hint}`" if is_example else hint or f"here it is `{key}`")
    )


_MARKS = _all("points point score max_score max_points mark grade worth weighting", "marks")
_LIMITS = {
    **_all("timeout time_limit timelimit time cpu cpu_time seconds max_time", "limits", "limits: {time: 2s}"),
    **_all("memory memory_limit max_memory", "limits", "limits: {memory: 64MiB}"),
}
_HIDDEN = _all("hidden private public secret visible show hide", "visibility", "visibility: hidden")
_SET_UP = "setup setUp helper helpers driver mock mocks stub stubs double doubles fixture fixtures"
_NEEDS = _all("depends depends_on requires require after prerequisite prerequisites", "needs")

OF_TASK: Synonyms = {
    **_MARKS,
    **_LIMITS,
    **_all("name assignment", "title", "here it is `title` for people, and `task` for the id"),
    **_all("id assignment_id", "task"),
    **_all("tests test testcases test_cases exercises parts problems items sections cases", "questions"),
    **_all("solution solutions model_solution answer", "reference"),
    **_all("file filename module submission_files", "modules", "modules: {leap: leap.py}"),
    **_all("data_files datasets attachments", "files", "files: {euro.csv: {from: data/euro.csv}}"),
    **_all("deadline due due_date late_penalty", "late"),
    **_all("requirements dependencies libraries imports", "packages"),
    **_all("setup variables constants fixtures data", "let"),
    **_all("checker scripts", "checkers"),
}
OF_QUESTION: Synonyms = {
    **_MARKS,
    **_LIMITS,
    **_HIDDEN,
    **_all("name description label", "title"),
    **_all("number nr no question", "id"),
    **_all("tests test testcases test_cases checks examples assertions calls", "cases"),
    **_all("rubric", "criteria"),
    **_all("fail_fast stop_on_timeout max_timeouts", "stop after", "stop after: 2 timeouts"),
    **_all("scoring partial partial_credit mode grading", "award", "award: each"),
    **_all("file filename", "module"),
    **_all(_SET_UP, "harness", "harness: shop_harness.py"),
}
_ANSWERS = {
    **_all("expected expect expects want result results answer return equals value", "returns"),
    **_all(
        "output expected_output",
        "returns",
        "here it is `returns`; what a call prints is `prints`, and a program's output `stdout`",
    ),
    **_all("exception error throws expected_exception raise", "raises"),
    **_all("tolerance precision delta atol epsilon abs_tol absolute", "abs", "abs: 0.001"),
    **_all("rtol rel_tol relative", "rel", "rel: 1e-9"),
    **_all("checker validator assert", "check"),
}
OF_CASE: Synonyms = {
    **_ANSWERS,
    **_LIMITS,
    **_HIDDEN,
    **_NEEDS,
    **_all("function func method code expression test", "call", "call: f(1, 2)"),
    **_all("args argument parameters params kwargs", "call", "write them in the call: `call: f(1, 2)`"),
    **_all(
        "input inputs", "stdin", "a program has `stdin`; a call gets its values as arguments: `call: f(1, 2)`"
    ),
    **_all("command cmd run script main", "program"),
    **_all(
        "points point score max_score max_points marks mark worth",
        "weight",
        "a question has `marks`; a case has a `weight` among its cases",
    ),
    **_all("id", "name"),
    **_all("label description", "title"),
    **_all("message feedback comment tip", "hint"),
    **_all("exit_code exitcode return_code returncode status", "exit"),
    **_all("steps sequence_of_calls", "scenario"),
    **_all("interaction conversation", "dialogue"),
    **_all("for range loop", "over"),
    **_all(_SET_UP, "harness", "harness: shop_harness.py"),
    **_all("expected_files creates writes files_after", "leaves", "leaves: {out.txt: same as reference}"),
}
OF_STEP: Synonyms = {
    **_ANSWERS,
    **_all("create construct make init object", "new", "new: Lamp(3)"),
    **_all("function func method", "call", "call: lamp.on()"),
    **_all("get attribute attr", "read", "read: lamp.level"),
    **_all("name bind save assign", "as"),
    **_all("stdout", "prints"),
}
OF_LIMITS: Synonyms = {
    **_all("timeout cpu cpu_time seconds time_limit max_time", "time", "time: 2s"),
    **_all("real clock wall_time elapsed", "wall", "wall: 10s"),
    **_all("mem ram memory_limit max_memory", "memory", "memory: 64MiB"),
    **_all("stdout", "output", "output: 64KiB"),
}
OF_TEXT: Synonyms = {
    **_all("regex regexp match matches re", "pattern"),
    **_all("includes include part parts substring has", "contains"),
    **_all("ignore_case case_insensitive ignore case", "ignores", "ignores: case"),
    **_all("tolerance precision delta", "abs", "abs: 0.01"),
    **_all("line", "lines"),
    **_all("value equals exact", "text"),
}
OF_TURN: Synonyms = {
    **_all("prompt asks expect expects output", "says"),
    **_all("input reply stdin line types typed", "answer"),
    **_all("stops reject rejects end", "stop", "stop: here"),
}
