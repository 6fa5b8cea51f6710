import unittest

import leap


class LeapTest(unittest.TestCase):
    def test_years(self):
        years = [1600, 1700, 1701, 1704]
        self.assertEqual([leap.is_leap(year) for year in years], [True, False, False, True])

    def test_text(self):
        self.assertRaises(TypeError, leap.is_leap, "1704")
