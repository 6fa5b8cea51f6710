import unittest

from meter import (
    Empty,
    Meter,
    each_coin,
    fee,
    split,
)

COINS = [1, 2, 5]
DAY = 24 * 60


class MeterTest(unittest.TestCase):
    def setUp(self):
        self.meter = Meter()

    def test_empty(self):
        self.assertEqual(self.meter.minutes(), 0)

    def test_coins(self):
        for coin in COINS:
            self.meter.put(coin)
        self.assertCountEqual(self.meter.coins, [5, 1, 2])
        self.assertEqual(96, self.meter.minutes(), "no time for {}".format(self.meter))

    def test_chain(self):
        meter = self.filled(5, 5)
        self.assertEqual(meter.put(2).take(), 2)
        self.assertIs(meter.put(2) is None, False)
        self.assertIn(5, meter.coins)

    def test_wrong_coin(self):
        with self.assertRaises(ValueError) as err:
            self.meter.put(3)
        self.assertEqual(type(err.exception), ValueError)
        self.assertEqual(err.exception.args[0], "a coin of 3 does not fit (1, 2, 5)")

    def test_nothing_to_take(self):
        with self.assertRaisesRegex(Empty, "^nothing"):
            Meter([]).take()

    def filled(self, first, second):
        meter = Meter([first])
        meter.put(second)
        return meter


class FunctionTest(unittest.TestCase):
    def test_fee(self):
        self.assertAlmostEqual(fee(40), 3.3333, places=3)
        self.assertTrue(fee(DAY) > 100)

    def test_split(self):
        whole, rest = split(17, 5)
        self.assertEqual(whole, 3)
        self.assertEqual(rest, 2)

    def test_each_coin(self):
        factor = 10
        self.assertEqual(each_coin(COINS, lambda coin: coin * factor), [10, 20, 50])
        self.assertEqual(COINS, [1, 2, 5])

    def test_for_each(self):
        for total, expected in [(4, (2, 0)), (5, (2, 1))]:
            with self.subTest(total=total):
                self.assertEqual(split(total, 2), expected)

    @unittest.skip("extra credit")
    def test_large(self):
        self.assertEqual(fee(10**9), 0)

    def test_kinds(self):
        kinds = each_coin(COINS, lambda coin: [coin, coin])
        self.assertEqual(set(map(frozenset, kinds)), {frozenset([1]), frozenset([2]), frozenset([5])})

    def test_double(self):
        purse = Purse()
        self.assertEqual(Meter(purse).minutes(), 36)
        self.assertTrue(purse.is_empty)


class Purse:
    is_empty = False

    def __iter__(self):
        yield from (1, 2)
        self.is_empty = True


if __name__ == "__main__":
    unittest.main()
