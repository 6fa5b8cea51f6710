from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 2


@test_case(points=None, hidden=False)
def test_double(double):
    assert double(2) == 4
    assert double("ab") == "abab"


@test_case(points=1, hidden=True)
def test_double_list(double):
    assert double([1]) == [1, 1]
