"""All layouts give everybody the same mark, and all sheets have everybody."""

import pytest
from support.class_of_40.every import LAYOUTS, SHEETS
from support.class_of_40.people import BY_KEY, CLASS, TEAM
from support.class_of_40.rendered import Rendered


@pytest.fixture(scope="module", params=LAYOUTS)
def rendered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    """Return one of the layouts."""
    return LAYOUTS[request.param](tmp_path_factory.mktemp("layout"))


def test_each_layout_gives_everybody_the_same_mark(rendered: Rendered) -> None:
    """But for group members who uploaded nothing: some layouts do not know them without a roster."""
    assert rendered.path.exists()
    marks = rendered.marks()
    assert marks.keys() == {student.key for student in CLASS}
    wrong = {key for key, mark in marks.items() if mark != BY_KEY[key].mark()}
    assert wrong in (set(), {"s37", "s38"})
    assert all(BY_KEY[key].group == TEAM and key in rendered.missing for key in wrong)


def test_times_and_lateness_are_told_or_left_open(rendered: Rendered) -> None:
    for entry in rendered.entries:
        student = BY_KEY[entry.students[0]]
        attempts = [one for one in student.attempts if one.work == entry.work]
        assert attempts
        if entry.late is not None:
            assert entry.late in {bool(student.late_s(one)) for one in attempts}
        if entry.at is not None:
            assert entry.at in {one.at for one in attempts}


@pytest.mark.parametrize("name", SHEETS)
def test_an_untouched_sheet_gives_no_marks(name: str) -> None:
    sheet = SHEETS[name]
    assert sheet.read(sheet.blank, sheet.blank) == {}
    assert len({str(getattr(student, sheet.ident)) for student in CLASS}) == 40
