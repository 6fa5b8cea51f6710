import unittest

from solution import longest, seal


class SealTest(unittest.TestCase):
    def test_granite(self):
        self.assertEqual(seal("granite"), "etinarg0746")

    def test_a_word_is_needed(self):
        with self.assertRaises(ValueError) as err:
            seal("")
        self.assertEqual(type(err.exception), ValueError)
        self.assertEqual(err.exception.args[0], "no word")

    def test_longest(self):
        self.assertEqual(longest("fig", "quince"), "quince")
        self.assertEqual(longest("fig", "quince", key=lambda word: -len(word)), "fig")


if __name__ == "__main__":
    unittest.main()
