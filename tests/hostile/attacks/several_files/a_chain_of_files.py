"""Forty files that import each other in a chain and in circles, with the forbidden code in the last.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

from m0 import total
### file: m0.py
import strict
from m1 import total
### file: m1.py
import strict
from m2 import total
### file: m2.py
import strict
from m3 import total
### file: m3.py
import strict
from m4 import total
### file: m4.py
import strict
from m5 import total
### file: m5.py
import strict
from m6 import total
### file: m6.py
import strict
from m7 import total
### file: m7.py
import strict
from m8 import total
### file: m8.py
import strict
from m9 import total
### file: m9.py
import strict
from m10 import total
### file: m10.py
import strict
from m11 import total
### file: m11.py
import strict
from m12 import total
### file: m12.py
import strict
from m13 import total
### file: m13.py
import strict
from m14 import total
### file: m14.py
import strict
from m15 import total
### file: m15.py
import strict
from m16 import total
### file: m16.py
import strict
from m17 import total
### file: m17.py
import strict
from m18 import total
### file: m18.py
import strict
from m19 import total
### file: m19.py
import strict
from m20 import total
### file: m20.py
import strict
from m21 import total
### file: m21.py
import strict
from m22 import total
### file: m22.py
import strict
from m23 import total
### file: m23.py
import strict
from m24 import total
### file: m24.py
import strict
from m25 import total
### file: m25.py
import strict
from m26 import total
### file: m26.py
import strict
from m27 import total
### file: m27.py
import strict
from m28 import total
### file: m28.py
import strict
from m29 import total
### file: m29.py
import strict
from m30 import total
### file: m30.py
import strict
from m31 import total
### file: m31.py
import strict
from m32 import total
### file: m32.py
import strict
from m33 import total
### file: m33.py
import strict
from m34 import total
### file: m34.py
import strict
from m35 import total
### file: m35.py
import strict
from m36 import total
### file: m36.py
import strict
from m37 import total
### file: m37.py
import strict
from m38 import total
### file: m38.py
import strict
from m39 import total
### file: m39.py
import strict
from m40 import total
### file: m40.py
import m0
import itertools
import os


def total(numbers):
    eval("1")
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers
