"""Places in a text, and what a message shows of the line."""

from grader.yamlfile.source import EXCERPT_WIDTH, Source, Span, shown


def test_lines_end_in_any_of_three_ways() -> None:
    source = Source("a.yaml", "one\r\ntwo\rthree\nfour")
    assert [source.position(source.text.index(word)) for word in ("one", "two", "three", "four")] == [
        (1, 1),
        (2, 1),
        (3, 1),
        (4, 1),
    ]
    assert [source.line(number) for number in (1, 2, 3, 4)] == ["one", "two", "three", "four"]


def test_offset_undoes_position() -> None:
    source = Source("a.yaml", "one\ntwo\n\nfour")
    assert all(source.offset(*source.position(offset)) == offset for offset in range(len(source.text)))


def test_a_place_beyond_the_text_is_its_end() -> None:
    source = Source("a.yaml", "one")
    assert source.position(99) == (1, 4)
    assert source.offset(7, 7) == 3


def test_a_fault_points_at_its_span() -> None:
    fault = Source("a.yaml", "first\n  second: x\n").fault(Span(8, 14), "wrong", "write it right")
    assert str(fault) == "a.yaml:2:3: wrong\n      second: x\n      ^^^^^^\nhint: write it right"


def test_a_span_over_several_lines_is_marked_on_the_first() -> None:
    fault = Source("a.yaml", "abc\ndef").fault(Span(1, 6), "wrong")
    assert (fault.excerpt, fault.column, fault.width) == ("abc", 2, 2)


def test_a_long_line_is_cut_around_the_caret() -> None:
    line = "x" * 500 + "HERE" + "x" * 500
    fault = Source("a.yaml", line).fault(Span(500, 504), "wrong")
    assert len(fault.excerpt) == EXCERPT_WIDTH
    assert fault.excerpt[fault.column - 1 : fault.column - 1 + fault.width] == "HERE"
    assert fault.where == "a.yaml:1:501"
    assert fault.excerpt[0] == fault.excerpt[-1] == "…"


def test_control_characters_do_not_reach_the_excerpt_and_columns_stay() -> None:
    fault = Source("a.yaml", "\ta\x1b[31mb").fault(Span(7, 8), "wrong")
    assert fault.excerpt == " a\ufffd[31mb"
    assert fault.excerpt[fault.column - 1] == "b"


def test_a_name_in_a_message_is_short_and_on_one_line() -> None:
    assert shown("a\nb\x07") == "a b\ufffd"
    assert len(shown("x" * 1000)) == 60
