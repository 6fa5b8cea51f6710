from leap import is_leap


def test_1900():
    assert not is_leap(1900)
