import random

import numpy as np
from code_feedback import Feedback

readings = [random.randint(-5, 60) for _ in range(20)]
np.mean = Feedback.not_allowed
