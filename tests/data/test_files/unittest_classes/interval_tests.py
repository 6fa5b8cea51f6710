import unittest

import solution


class IntervalTests(unittest.TestCase):
    def setUp(self):
        self.closed = solution.Interval(1, 10)

    def test_inside(self):
        with self.subTest("closed"):
            self.assertIn(10, self.closed)
            self.assertNotIn(11, self.closed)
        with self.subTest("open"):
            self.assertNotIn(10, solution.Interval(1, 10, is_open=True))

    def test_label(self):
        self.assertEqual("[1..10]", self.closed.label())
        self.assertEqual("(1..10)", solution.Interval(1, 10, is_open=True).label())

    def test_length(self):
        self.assertEqual(10, len(self.closed))
        self.assertAlmostEqual(self.closed.start / 3, 0.3333333)

    def test_cover(self):
        found = solution.cover([self.closed, solution.Interval(4, 7719)])
        self.assertIsInstance(found, solution.Interval)
        self.assertEqual((found.start, found.end), (1, 7719))
