import random

import numpy as np
from code_feedback import Feedback
from pl_helpers import name, not_repeated, points
from pl_unit_test import PLTestCase


class Test(PLTestCase):
    @points(2)
    @name("smallest and largest")
    def test_0(self):
        if Feedback.check_tuple("ends", self.ref.ends, self.st.ends, accuracy_critical=True):
            Feedback.set_score(1)
        else:
            Feedback.set_score(0)

    @points(3)
    @name("mean")
    def test_1(self):
        earned = 0
        for values in ([1, 2], [2.5]):
            answer = Feedback.call_user(self.st.mean, values)
            if Feedback.check_scalar(f"mean({values})", self.ref.mean(values), answer, rtol=1e-3, atol=None):
                earned += 1
        Feedback.set_score(earned / 2)

    @points(2)
    @name("mean of drawn numbers, which stay as they are")
    def test_2(self):
        right = 0
        for _ in range(2):
            values = random.sample(range(9), k=3)
            before = values.copy()
            answer = Feedback.call_user(self.st.mean, values)
            if not Feedback.check_scalar("mean", self.ref.mean(before), answer):
                continue
            if values != before:
                Feedback.add_feedback("it was changed")
                continue
            right += 1
        Feedback.set_score(right / 2)

    @points(1)
    @not_repeated
    @name("an array")
    def test_3(self):
        Feedback.set_score(0)
        if Feedback.check_numpy_array_features("scaled", self.ref.scaled, self.st.scaled):
            Feedback.set_score(0.5)
            if Feedback.check_numpy_array_allclose("scaled", self.ref.scaled, self.st.scaled, rtol=1e-6):
                Feedback.set_score(1)

    @points(1)
    @name("a list")
    def test_4(self):
        if self.st.clean is None:
            Feedback.finish("there is no `clean`")
        Feedback.set_score(1 if Feedback.check_list("clean", self.ref.clean, self.st.clean) else 0)

    @points(1)
    def test_5(self):
        """the first one"""
        self.assertEqual(self.st.clean[0], self.ref.clean[0])
        Feedback.set_score(1)

    @points(1)
    def test_6_of_another_name(self):
        if Feedback.check_scalar("variance", self.ref.variance([1]), self.st.variance([1])):
            Feedback.set_score(1)

    @points(1)
    def test_7_drawn_by_the_server(self):
        if self.st.mean([1]) == self.data["params"]["mean"]:
            Feedback.set_score(1)

    @points(1)
    def test_8_for_nothing(self):
        Feedback.set_score(0.5)
        if Feedback.check_scalar("mean", 1, self.st.mean([1])):
            Feedback.set_score(1)

    def test_9_beside_the_total(self):
        Feedback.set_score(1)

    @points(1)
    def test_a_loop(self):
        while True:
            Feedback.set_score(1)
