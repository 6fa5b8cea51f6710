import unittest

from geometry import area, name, sides, unit
from gradescope_utils.autograder_utils.decorators import hide_errors, number, partial_credit, visibility, weight


class TestArea(unittest.TestCase):
    @weight(2)
    @number("1.1")
    def test_squares(self):
        """area of squares"""
        self.assertEqual(area(3), 9)
        self.assertEqual(16, area(4), "4 times 4")

    @weight(1.5)
    @visibility("hidden")
    def test_circles(self):
        self.assertAlmostEqual(area(1, kind="circle"), 3.14159, places=4)
        self.assertAlmostEqual(area(2, kind="circle"), 12.6, delta=0.1)
        self.assertAlmostEqual(area(0, kind="circle"), 0)

    @weight(1)
    @visibility("after_due_date")
    @hide_errors("look again")
    def test_names(self):
        self.assertTrue(name(4) == "square")
        self.assertFalse(name(2))
        self.assertIsNone(name(0))
        self.assertRaises(ValueError, name, -1)
        with self.assertRaises(TypeError):
            name("x")
        with self.assertRaisesRegex(ValueError, "too many"):
            name(10**9)
        self.assertListEqual(sides("triangle"), [1, 2, 3])
        self.assertIn(3, sides("square"))

    @partial_credit(5)
    def test_partly(self, set_score=None):
        set_score(3)

    @weight(0)
    def test_worth_nothing(self):
        self.assertEqual(area(5), 25)


class TestUnits(unittest.TestCase):
    def setUp(self):
        self.wanted = "m"

    @weight(1)
    def test_unit(self):
        self.assertEqual(unit(), self.wanted)
