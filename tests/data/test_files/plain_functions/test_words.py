import solution


def test_counted():
    assert solution.counted("a b a") == {"a": 2, "b": 1}
    assert solution.counted("") == {}


def test_collatz():
    assert list(solution.collatz(6)) == [6, 3, 10, 5, 16, 8, 4, 2]
    assert sum(solution.collatz(27)) == 101439


def test_tell(capsys):
    solution.tell("marlin")
    assert capsys.readouterr().out == "marlin was here\n"
