"""Rules read each place of the language where an expression can stand."""

import sys

import pytest
from support.rule_sources import messages

PLACES = r"""
x = @
x[@] = 1
x[@] += 1
x[@]: int
y[x[@]].a: int = 2
del x[@]
for x[@] in y: pass
for i in @: pass
for i in y: pass\nelse: @
[0 for x[@] in y]
[i for i in y if @]
[@ for i in y]
{@: 1 for i in y}
{1: @ for i in y}
{@ for i in y}
(@ for i in y)
[j for i in y for j in @]
{**@}
[*@]
print(*@)
print(**@)
print(a=@)
y[1:2:@]
f'''{1:{@}}'''
f'''{@!r}'''
lambda: @
lambda a=@: a
def g(a=@): pass
def g(*, a=@): pass
def g(a: @, /, b: int, *c: int, **d: int): pass
def g(*a: @): pass
def g(**a: @): pass
def g(*, a: @): pass
def g() -> @: pass
async def g(a: @): pass
~@\ndef g(): pass
~@\nclass A: pass
class A(@): pass
class A(metaclass=@): pass
class A(**@): pass
class A:\n    a: @ = 1
class A:\n    a: @
with @ as a: pass
with y as x[@]: pass
while @: break
if y: pass\nelif @: pass
y if @ else 1
assert y, @
raise y from @
try: pass\nexcept @: pass
try: pass\nexcept* @: pass
try: pass\nfinally: @
match @:\n    case 1: pass
match y:\n    case 1 if @: pass
match y:\n    case 1: @
y < @ < 2
(a := @)
async def g(): await @
async def g():\n    async for i in @: pass
async def g():\n    async with @: pass
def g(): yield from @
def g(): return @
def g():\n    x[@]: int
def g():\n    global a\n    a = @
""".strip().splitlines()
SINCE_312 = r"""
type X = @
type X[T: @] = int
def g[T: @](): pass
def g[T: (int, @)](): pass
def g[*Ts, **P, T: @](): pass
async def g[T: @](): pass
class A[T: @]: pass
""".strip().splitlines()
SINCE_313 = r"""
type X[T = @] = int
def g[T: int = @](): pass
def g[*T = @](): pass
def g[**T = @](): pass
class A[T = @]: pass
""".strip().splitlines()
if sys.version_info >= (3, 12):
    PLACES += SINCE_312
if sys.version_info >= (3, 13):
    PLACES += SINCE_313
USES = {
    "eval": ("forbidden names", ["eval"]),
    'eval("1")': ("forbidden names", ["eval"]),
    "y.sort": ("forbidden names", [".sort"]),
    "print.__self__": ("forbidden names", ["eval"]),
    '__import__("os")': ("forbidden imports", ["os"]),
    "random._os": ("forbidden imports", ["os"]),
}


def source(place: str, use: str) -> str:
    """A program with something in a place.  `@` is the place, and `~` the sign of a decorator."""
    lines = place.replace(r"\n", "\n").replace("@", use).replace("~", "@")
    return f"import random\nx, y = {{}}, []\n{lines}\n"


@pytest.mark.parametrize("use", USES)
def test_what_stands_there_is_found(use: str) -> None:
    kind, names = USES[use]
    unseen = [place for place in PLACES if not messages(kind, source(place, use), names=names)]
    assert not unseen


@pytest.mark.parametrize("kind", ["forbidden names", "forbidden imports"])
def test_the_places_themselves_break_nothing(kind: str) -> None:
    for place in PLACES:
        assert not messages(kind, source(place, "y"), names=["os"])
