"""Where a module passes for stateless, no order of calls in one process makes a difference."""

import copy
import sys
from typing import Any

import pytest
import stateless_modules
from hypothesis import given
from hypothesis import strategies as st

from grader.worker.sources import Sources
from grader.worker.stateless import is_stateless

Call = tuple[str, tuple[Any, ...]]


class Fresh:
    """The modules of one submission, imported anew; taken off again at the end."""

    def __init__(self, entry: str, texts: dict[str, str]) -> None:
        self._texts = texts
        finder = Sources(texts)
        sys.meta_path.append(finder)  # type: ignore[arg-type]
        try:
            self._module = __import__(entry)
        finally:
            sys.meta_path.remove(finder)  # type: ignore[arg-type]
            for name in texts:
                sys.modules.pop(name, None)

    def call(self, call: Call) -> object:
        """Return what the call did: its answer or exception, and its arguments afterwards."""
        function, args = call[0], copy.deepcopy(call[1])
        try:
            answer = repr(getattr(self._module, function)(*args))
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        return answer, repr(args)


@pytest.mark.parametrize("name", stateless_modules.MODULES)
@given(data=st.data())
def test_calls_in_any_order_answer_as_fresh_ones(name: str, data: st.DataObject) -> None:
    entry, texts = stateless_modules.MODULES[name]
    assert is_stateless(texts, entry)
    calls = data.draw(st.lists(st.sampled_from(stateless_modules.CALLS_OF[name]), max_size=12))
    shared = Fresh(entry, texts)
    assert [shared.call(call) for call in calls] == [Fresh(entry, texts).call(call) for call in calls]


STATEMENTS = (
    "S.append(x)", "S[0] = x", "s = S", "s = list(S)", "s.append(x)", "s = max(S, s)", "s = max(S)",
    "S = s", "s = sum(s, S)", "s = S if x else s", "s += S", "s = s + [S[0]]", "del s[0]", "f.n = x",
    "s = [*map(g, S)]", "s = g(S)", "s = g(s)", "g(s).append(x)", "global S", "s, x = x, s",
    "for s[0] in S: pass", "s = (t := S)", "s = [y for y in S]", "s = [S for y in s]", "T[0].append(x)",
    "s = list(T[0:1])", "s = T[0]", "s.extend(S)", "s = dict(zip(S, S))", "s = min(S, S, s)",
    "s = sorted(S)", "s = [next(I, 0)]", "s = (lambda y=S: y)()", "s = [max(S)]", "s = sum(S, s)",
    "S.pop()", "s = {**S}", "s = [S][0]", "s = reversed(S)", "s = next(s)",
)  # fmt: skip
TABLES = ("S = [1, 2]", "S = {1: 2}", "S = [[1]]", "S = (1, 2)", "S = []")


@given(st.sampled_from(TABLES), st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=4))
def test_no_combination_of_statements_slips_state_through(table: str, statements: list[str]) -> None:
    """Of modules put together at random: those that pass answer the same call alike again and again."""
    body = "".join(f"    {statement}\n" for statement in statements)
    head = f"{table}\nT = ((1,), 2)\n\n\ndef g(y):\n    return y\n\n\ndef f(x):\n    s = [0]\n"
    text = f"{head}{body}    return len(S), [y for y in s]\n"
    if is_stateless({"m": text}, "m"):
        module = Fresh("m", {"m": text})
        assert len({module.call(("f", (7,))) for _ in range(3)}) == 1
