"""Which file is which module, and what is said where none is."""

from grader.intake.matching import match
from grader.model.task import AskedFiles

KNIGHTS = {f"knight{n}": f"knight{n}.py" for n in (1, 2, 3, 4)}
SHOGUN = {"shogun": "shogun.py"}
COUNTS = AskedFiles(
    {"count": "count.py"}, {"count": ("count.cpp", "count.cc")}, {".cpp": (".cpp", ".h"), ".cc": ()}
)


def test_expected_files_come_in_the_order_of_the_task_then_helpers() -> None:
    matched = match(["a_helper.py", "knight4.py", "knight3.py", "knight2.py", "knight1.py", "x.txt"], KNIGHTS)
    assert list(matched.files) == ["knight1", "knight2", "knight3", "knight4", "a_helper"]
    assert (matched.problems, matched.notes) == ((), ())


def test_module_and_file_names_may_differ() -> None:
    assert match(["tour-program.py"], {"main": "tour-program.py"}).files == {"main": "tour-program.py"}


def test_upper_case_is_taken_with_a_note() -> None:
    matched = match(["Shogun.PY"], SHOGUN)
    assert matched.files == {"shogun": "Shogun.PY"}
    assert matched.problems == ()
    assert "Shogun.PY was taken as shogun.py" in matched.notes[0]


def test_the_only_file_of_a_task_with_one_module_is_taken_with_a_note() -> None:
    matched = match(["alice.py", "readme.txt"], SHOGUN)
    assert matched.files == {"shogun": "alice.py"}
    assert matched.problems == ()
    assert matched.notes == ("alice.py was taken as shogun.py, the only file that the task asks for",)


def test_files_beside_a_program_in_another_language_go_by_their_names() -> None:
    matched = match(["count.cpp", "words.cpp", "words.h", "words.hpp", "notes.txt", "-o.cpp"], COUNTS)
    assert matched.files == {"count": "count.cpp", "words.cpp": "words.cpp", "words.h": "words.h"}
    assert matched.notes == (
        "-o.cpp was left out: begin with a letter or digit, and use letters without accents, "
        "digits, `_`, `-`, `+` and `.`",
    )


def test_a_program_in_python_has_no_files_in_another_language_beside_it() -> None:
    assert match(["count.py", "words.cpp", "words.h"], COUNTS).files == {"count": "count.py"}


def test_files_beside_a_program_are_bounded() -> None:
    matched = match(["count.cpp", *(f"words{n}.h" for n in range(100))], COUNTS)
    assert len(matched.files) == 65
    assert matched.notes == ("only 64 of the 100 files beside the program were read",)


def test_the_only_file_may_be_in_another_language() -> None:
    matched = match(["main.cpp", "words.h"], COUNTS)
    assert matched.files == {"count": "main.cpp", "words.h": "words.h"}
    assert matched.notes == ("main.cpp was taken as count.py, the only file that the task asks for",)
    (problem,) = match(["main.txt"], COUNTS).problems
    assert problem == "no program was found; expected count.py, or in its place count.cpp and count.cc"


def test_a_misnamed_file_among_others_is_not_guessed() -> None:
    matched = match(["shogn.py", "helper.py"], SHOGUN)
    assert "shogun" not in matched.files
    assert matched.problems == ("found helper.py and shogn.py; expected shogun.py — did you mean shogun.py?",)


def test_a_misnamed_file_of_a_task_with_several_modules_is_a_problem() -> None:
    matched = match(["knigth1.py"], KNIGHTS)
    assert "knight1" not in matched.files
    assert matched.problems == (
        "found knigth1.py; expected knight1.py, knight2.py, knight3.py and knight4.py"
        " — did you mean knight1.py?",
    )


def test_missing_files_are_named_together() -> None:
    assert match(["knight1.py", "knight2.py"], KNIGHTS).problems == ("knight3.py and knight4.py are missing",)


def test_a_missing_file_is_guessed_from_what_is_there() -> None:
    matched = match(["knight1.py", "knight2.py", "knight3.py", "knight4.py.txt"], KNIGHTS)
    assert matched.problems == ("knight4.py is missing; found knight4.py.txt — did you mean knight4.py?",)


def test_nothing_at_all() -> None:
    assert match([], SHOGUN).problems == ("no Python file was found; expected shogun.py",)
    assert match(["report.pdf"], SHOGUN).problems == ("no Python file was found; expected shogun.py",)


def test_a_notebook_stands_for_the_file_that_is_asked_for() -> None:
    matched = match(["shogun.ipynb", "notes.txt"], SHOGUN)
    assert matched.files == {"shogun": "shogun.ipynb"}
    assert matched.notes == ("shogun.ipynb was taken as shogun.py: the code of its cells",)
    assert match(["Week 3.ipynb"], SHOGUN).files == {"shogun": "Week 3.ipynb"}


def test_a_file_stands_for_the_notebook_that_is_asked_for() -> None:
    matched = match(["shogun.py"], {"shogun": "shogun.ipynb"})
    assert matched.files == {"shogun": "shogun.py"}
    assert matched.notes == ("shogun.py was taken as shogun.ipynb",)


def test_of_both_the_one_that_is_asked_for_is_read_and_the_other_is_told() -> None:
    for asked, other in (("shogun.py", "shogun.ipynb"), ("shogun.ipynb", "shogun.py")):
        matched = match(["shogun.ipynb", "shogun.py"], {"shogun": asked})
        assert matched.files == {"shogun": asked}
        assert other in matched.notes[0]


def test_a_python_file_beside_notebooks_is_still_the_only_one() -> None:
    matched = match(["solution.py", "scratch.ipynb"], SHOGUN)
    assert matched.files == {"shogun": "solution.py"}
    assert "scratch.ipynb was not read; a notebook is, where the task asks for its name" in matched.notes


def test_twins_leave_the_one_that_is_asked_for() -> None:
    matched = match(["shogun.py", "Shogun.py"], SHOGUN)
    assert matched.files == {"shogun": "shogun.py"}
    assert len(matched.problems) == 1


def test_twins_of_which_none_is_asked_for_are_both_left_out() -> None:
    matched = match(["SHOGUN.py", "Shogun.py"], SHOGUN)
    assert matched.files == {}
    assert "none of them was read" in matched.problems[0]


def test_twins_in_another_unicode_form() -> None:
    matched = match(["shogun.py", "caf\u00e9.py", "cafe\u0301.py"], SHOGUN)
    assert list(matched.files) == ["shogun"]
    assert "same name" in matched.problems[0]


def test_helper_that_hides_the_standard_library_is_kept_and_noted() -> None:
    matched = match(["shogun.py", "random.py"], SHOGUN)
    assert matched.files["random"] == "random.py"
    assert "standard library" in matched.notes[0]


def test_task_that_asks_for_such_a_name_is_not_noted() -> None:
    assert match(["queue.py"], {"queue": "queue.py"}).notes == ()


def test_files_that_no_import_can_name_are_left_out() -> None:
    matched = match(["shogun.py", "my-helper.py", "class.py", "2nd.py", "kn\udce9.py"], SHOGUN)
    assert list(matched.files) == ["shogun"]
    assert "can't be imported" in matched.notes[0]
