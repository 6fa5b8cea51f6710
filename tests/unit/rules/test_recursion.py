"""The rule against recursion: what it must see, and what it must leave alone."""

import pytest
from support.rule_sources import checked, findings, messages

RECURSIVE = {
    "a list that shows its text": """
        class Items(list):
            def __repr__(self):
                return f"Items({self})"
        """,
    "a derived class that is asked first": """
        class A:
            def __add__(self, o): return 0
        class C(A):
            def __init__(self, n): self.n = n
            def __radd__(self, o): return 1 if self.n < 2 else self.n * (A() + C(self.n - 1))
        """,
    "a decorator": """
        def fact(n):
            if isinstance(n, type): n = n.k
            if n < 2: return 1
            @fact
            class rest: k = n - 1
            return n * rest
        """,
    "the body of a class": """
        def fact(n):
            if n < 2: return 1
            class rest: k = fact(n - 1)
            return n * rest.k
        """,
    "an annotation of a class": """
        def fact(n):
            if n < 2: return 1
            class rest:
                k: fact(n - 1)
            return n * rest.__annotations__["k"]
        """,
    "a star in a list": """
        class C:
            def __init__(self, n): self.n = n
            def __iter__(self): return iter((fact(self.n),))
        def fact(n):
            if n < 2: return 1
            return n * [*C(n - 1)][0]
        """,
    "a star in a call": """
        class C:
            def __init__(self, n): self.n = n
            def __iter__(self): return iter((fact(self.n),))
        def one(x): return x
        def fact(n):
            if n < 2: return 1
            return n * one(*C(n - 1))
        """,
    "unpacking": """
        class C:
            def __init__(self, n): self.n = n
            def __iter__(self): return iter((fact(self.n),))
        def fact(n):
            if n < 2: return 1
            rest, = C(n - 1)
            return n * rest
        """,
    "two stars": """
        class C:
            def __init__(self, n): self.n = n
            def keys(self): return ["x"]
            def __getitem__(self, k): return fact(self.n)
        def fact(n):
            if n < 2: return 1
            return n * {**C(n - 1)}["x"]
        """,
    "two stars in a call": """
        class C:
            def __init__(self, n): self.n = n
            def keys(self): return ["x"]
            def __getitem__(self, k): return fact(self.n)
        def one(x): return x
        def fact(n):
            if n < 2: return 1
            return n * one(**C(n - 1))
        """,
    "and": """
        out = []
        class C:
            def __init__(self, n): self.n = n
            def __bool__(self):
                out.append(fact(self.n))
                return True
        def fact(n):
            if n < 2: return 1
            C(n - 1) and 0
            return n * out.pop()
        """,
    "the condition of a comprehension": """
        out = []
        class C:
            def __init__(self, n): self.n = n
            def __bool__(self):
                out.append(fact(self.n))
                return True
        def fact(n):
            if n < 2: return 1
            [0 for _ in "a" if C(n - 1)]
            return n * out.pop()
        """,
    "a guard": """
        out = []
        class C:
            def __init__(self, n): self.n = n
            def __bool__(self):
                out.append(fact(self.n))
                return True
        def fact(n):
            if n < 2: return 1
            match n:
                case _ if C(n - 1): pass
            return n * out.pop()
        """,
    "a pattern that reads a property": """
        class C:
            def __init__(self, n): self.n = n
            @property
            def v(self): return fact(self.n)
        def fact(n):
            if n < 2: return 1
            match C(n - 1):
                case C(v=v): return n * v
        """,
    "a pattern with a value": """
        out = []
        class C:
            def __init__(self, n): self.n = n
            def __eq__(self, o):
                out.append(fact(self.n))
                return True
        def fact(n):
            if n < 2: return 1
            match C(n - 1):
                case 7: return n * out.pop()
        """,
    "a set": """
        out = []
        class C:
            def __init__(self, n): self.n = n
            def __hash__(self):
                out.append(fact(self.n))
                return 1
        def fact(n):
            if n < 2: return 1
            {C(n - 1)}
            return n * out.pop()
        """,
    "a key of a dict": """
        out = []
        class C:
            def __init__(self, n): self.n = n
            def __hash__(self):
                out.append(fact(self.n))
                return 1
        def fact(n):
            if n < 2: return 1
            {C(n - 1): 1}
            return n * out.pop()
        """,
    "a key of an item": """
        out = []
        D = {}
        class C:
            def __init__(self, n): self.n = n
            def __hash__(self):
                out.append(fact(self.n))
                return 1
        def fact(n):
            if n < 2: return 1
            D[C(n - 1)] = 1
            return n * out.pop()
        """,
    "an index": """
        class C:
            def __init__(self, n): self.n = n
            def __index__(self): return fact(self.n)
        R = range(10**9)
        def fact(n):
            if n < 2: return 1
            return n * R[C(n - 1)]
        """,
    "a slice": """
        class C:
            def __init__(self, n): self.n = n
            def __index__(self): return fact(self.n)
        R = range(10**9)
        def fact(n):
            if n < 2: return 1
            return n * R[C(n - 1):].start
        """,
    "an inequality": """
        out = []
        class C:
            def __init__(self, n): self.n = n
            def __eq__(self, o):
                out.append(fact(self.n))
                return True
        def fact(n):
            if n < 2: return 1
            C(n - 1) != 0
            return n * out.pop()
        """,
    "a text that is formatted": """
        class C:
            def __init__(self, n): self.n = n
            def __str__(self): return str(fact(self.n))
        def fact(n):
            if n < 2: return 1
            return n * int("%s" % C(n - 1))
        """,
    "the method format": """
        class C:
            def __init__(self, n): self.n = n
            def __str__(self): return str(fact(self.n))
        def fact(n):
            if n < 2: return 1
            return n * int("{}".format(C(n - 1)))
        """,
    "an exception": """
        class E(Exception):
            def __init__(self): self.v = fact(S.pop())
        S = []
        def fact(n):
            if n < 2: return 1
            S.append(n - 1)
            try:
                raise E
            except E as e:
                return n * e.v
        """,
    "setting a property": """
        class C:
            @property
            def v(self): return self.k
            @v.setter
            def v(self, n): self.k = fact(n)
        def fact(n):
            if n < 2: return 1
            c = C()
            c.v = n - 1
            return n * c.k
        """,
    "an asynchronous with": """
        class C:
            def __init__(self, n): self.n = n
            async def __aenter__(self): return await fact(self.n)
            async def __aexit__(self, *a): pass
        async def fact(n):
            if n < 2: return 1
            async with C(n - 1) as r: return n * r
        """,
    "an asynchronous for": """
        class C:
            def __init__(self, n): self.n = n
            def __aiter__(self): return self
            async def __anext__(self): return await fact(self.n)
        async def fact(n):
            if n < 2: return 1
            async for r in C(n - 1): return n * r
        """,
    "an asynchronous comprehension": """
        class C:
            def __init__(self, n): self.n = n
            def __aiter__(self): return self
            async def __anext__(self):
                if self.n is None: raise StopAsyncIteration
                n, self.n = self.n, None
                return await fact(n)
        async def fact(n):
            if n < 2: return 1
            return n * [x async for x in C(n - 1)][0]
        """,
    "await": """
        class C:
            def __init__(self, n): self.n = n
            def __await__(self):
                return (yield from fact(self.n).__await__())
        async def fact(n):
            if n < 2: return 1
            return n * await C(n - 1)
        """,
    "a thread's run": """
        from threading import Thread
        class T(Thread):
            def __init__(self, n):
                super().__init__()
                self.n = n
            def run(self): self.v = fact(self.n)
        def fact(n):
            if n < 2: return 1
            t = T(n - 1)
            t.start()
            t.join()
            return n * t.v
        """,
    "math.floor": """
        import math
        class C:
            def __init__(self, n): self.n = n
            def __floor__(self): return fact(self.n)
        def fact(n):
            if n < 2: return 1
            return n * math.floor(C(n - 1))
        """,
    "the larger of two": """
        out=[]
        class C:
            def __init__(self, n): self.n = n
            def __gt__(self, o):
                out.append(fact(self.n))
                return True
        def fact(n):
            if n < 2: return 1
            max(C(1), C(n - 1))
            return n * out[-1]
        """,
    "a comprehension over an object": """
        class C:
            def __init__(self, n): self.n = n
            def __iter__(self): return iter((fact(self.n),))
        def fact(n):
            if n < 2: return 1
            return n * [x for x in C(n - 1)][0]
        """,
    "another class without an answer": """
        class A:
            def __sub__(self, o): return NotImplemented
        class C:
            def __init__(self, n): self.n = n
            def __rsub__(self, o): return 1 if self.n < 2 else self.n * (A() - C(self.n - 1))
        """,
    "int": """
        class V:
            def __init__(self, x):
                self.x = x
            def __index__(self):
                return sum(int(V(y)) for y in self.x)
        """,
    "addition": """
        class V:
            def __add__(self, other):
                return V() + other
        """,
    "addition from the right": """
        class V:
            def __radd__(self, other):
                return other + V()
        """,
    "comparison": """
        class V:
            def __lt__(self, other):
                return 1 > self
        """,
    "negation": """
        class V:
            def __neg__(self):
                return -V()
        """,
    "in": """
        class V:
            def __contains__(self, x):
                return x in V()
        """,
    "with": """
        class V:
            def __enter__(self):
                with V() as v:
                    return v
        """,
    "setting an item": """
        class V:
            def __setitem__(self, key, value):
                self[key] = value
        """,
    "direct": """
        def f(n):
            return 1 if n < 2 else n * f(n - 1)
    """,
    "mutual": """
        def even(n):
            return n == 0 or odd(n - 1)
        def odd(n):
            return n != 0 and even(n - 1)
    """,
    "three": """
        def a(): b()
        def b(): c()
        def c(): a()
    """,
    "method": """
        class Solver:
            def walk(self, n):
                if n:
                    self.walk(n - 1)
    """,
    "mutual methods": """
        class Solver:
            def walk(self): self.step()
            def step(self): self.walk()
    """,
    "method through the class": """
        class Solver:
            def walk(self): Solver.walk(self)
    """,
    "method through type": """
        class Solver:
            def walk(self): type(self).walk(self)
    """,
    "method through __class__": """
        class Solver:
            def walk(self): self.__class__.walk(self)
    """,
    "method of another object": """
        class Node:
            def __init__(self, left: "Node | None"):
                self.left = left
            def size(self):
                return 1 + (Node(None).size() if self.left else 0)
    """,
    "method through a copy of self": """
        class Solver:
            def walk(self):
                me = self
                me.walk()
    """,
    "classmethod": """
        class Solver:
            @classmethod
            def walk(cls, n): return cls.walk(n - 1)
    """,
    "staticmethod": """
        class Solver:
            @staticmethod
            def walk(n): return Solver.walk(n - 1)
    """,
    "super": """
        class Base:
            def walk(self): self.go()
        class Solver(Base):
            def go(self): super().walk()
    """,
    "overridden": """
        class Base:
            def walk(self): self.go()
            def go(self): raise NotImplementedError
        class Solver(Base):
            def go(self): self.walk()
    """,
    "method of a part of a tree": """
        class Node:
            def __init__(self):
                self.left = None
            def insert(self, key):
                if self.left:
                    self.left.insert(key)
                else:
                    self.left = Node()
    """,
    "constructor": """
        class Solver:
            def __init__(self, n):
                if n:
                    self.next = Solver(n - 1)
    """,
    "call operator": """
        class Solver:
            def __call__(self, n): return self(n - 1)
    """,
    "property": """
        class Solver:
            @property
            def depth(self): return self.depth + 1
    """,
    "index operator": """
        class Table:
            def __getitem__(self, key): return self[key - 1]
    """,
    "lambda": "f = lambda n: 1 if n < 2 else n * f(n - 1)",
    "lambda in a class": """
        class Solver:
            walk = lambda self, n: self.walk(n - 1)
    """,
    "lambda calls the function around it": """
        def f(n):
            return (lambda: f(n - 1))()
    """,
    "nested": """
        def solve(board):
            def walk(n):
                return n and walk(n - 1)
            return walk(9)
    """,
    "nested calls the function around it": """
        def solve(n):
            def again():
                return solve(n - 1)
            return again()
    """,
    "alias": """
        def f(n): return g(n)
        g = f
    """,
    "local alias": """
        def f(n):
            g = f
            return g(n)
    """,
    "alias in a class": """
        def walk(self): self.step()
        class Solver:
            step = walk
            def go(self): self.go2()
            def go2(self): self.go()
    """,
    "attribute of self": """
        class Solver:
            def __init__(self): self.step = self.walk
            def walk(self): self.step()
    """,
    "map": """
        def f(tree): return list(map(f, tree))
    """,
    "sort by itself": """
        def f(tree): return sorted(tree, key=f)
    """,
    "reduce": """
        from functools import reduce
        def f(a, b): return reduce(f, b)
    """,
    "thread": """
        import threading
        def f(): threading.Thread(target=f).start()
    """,
    "cache": """
        from functools import lru_cache
        @lru_cache(maxsize=None)
        def f(n): return f(n - 1)
    """,
    "exec": """
        def f(n):
            exec("f(n - 1)")
    """,
    "eval": """
        def f(n): return eval("f(" + "n - 1)")
    """,
    "generator": """
        def walk(node):
            for child in node:
                yield from walk(child)
    """,
    "coroutine": """
        async def walk(n):
            await walk(n - 1)
    """,
    "a lambda handed to a helper": """
        def first(xs, f): return next((f(x) for x in xs), None)
        def walk(n): return first([n], lambda x: walk(x - 1))
    """,
    "a decorator of the usual form": """
        import functools
        def traced(f):
            @functools.wraps(f)
            def inner(*args): return f(*args)
            return inner
        @traced
        def walk(n): return walk(n - 1)
    """,
    "an object made for an attribute": """
        class Node:
            def __init__(self): self.next = None
            def grow(self): self.next = Node()
            def last(self):
                following = self.next
                return following.last() if following else self
    """,
    "an import that is called by its text": """
        def f(n): return __import__("one").f(n - 1)
    """,
    "comprehension": """
        def walk(tree): return [walk(child) for child in tree]
    """,
    "default argument": """
        def g(): return h()
        def h(f=g): return f()
    """,
    "conditional": """
        def f(n): return (f if n else print)(n)
    """,
    "unpacked": """
        def f(n):
            g, h = f, n
            return g(h)
    """,
    "compatibility characters": """
        def walk(n): return \N{FULLWIDTH LATIN SMALL LETTER W}alk(n - 1)
    """,
    "line continuation": """
        def walk(n):
            return walk \\
                (n - 1)
    """,
    "global statement": """
        def make():
            global walk
            def walk(n): return walk(n - 1)
    """,
    "decorated by an own decorator": """
        def logged(g):
            def inner(*args):
                return g(*args)
            return inner
        @logged
        def f(n): return f(n - 1)
    """,
}

BY_VALUES = {
    "a field whose default is None": """
        from dataclasses import dataclass
        @dataclass
        class Cell:
            head: int
            tail: "Cell | None" = None
            def total(self): return self.head + (self.tail.total() if self.tail else 0)
        """,
    "an attribute that is None until it is set from outside": """
        class Node:
            left = None
            def __init__(self): self.right = None
            def size(self): return 1 + (self.right.size() if self.right else 0)
        def link(one, other): one.right = other
        """,
    "a missing key": """
        class Memo(dict):
            def __missing__(self, n):
                self[n] = 1 if n < 2 else n * self[n - 1]
                return self[n]
        def fact(n):
            return Memo()[n]
        """,
    "a comparison that has no answer": """
        class C:
            def __init__(self, n): self.n = n
            def __lt__(self, o): return NotImplemented
            def __gt__(self, o):
                if o.n < 1: return True
                o.n -= 1
                return o < self
        """,
    "partial": """
        from functools import partial
        def f(n): return g()
        g = partial(f, 3)
    """,
    "called with itself": """
        def walk(go, n): return n and go(go, n - 1)
        walk(walk, 9)
    """,
    "fixed point": "print((lambda f: f(f, 5))(lambda f, n: 1 if n < 2 else n * f(f, n - 1)))",
    "getattr": """
        class Solver:
            def walk(self): getattr(self, "walk")()
    """,
    "globals": """
        def f(n): return globals()["f"](n - 1)
    """,
    "walrus": """
        def f(n): return (g := f)(n)
    """,
    "dunder call": """
        def f(n): return f.__call__(n)
    """,
    "a list that is emptied": """
        def f(n):
            stack = [f]
            return stack.pop()(n - 1)
    """,
    "an attribute set by its name": """
        class Solver:
            def walk(self): self.go()
        setattr(Solver, "go", Solver.walk)
    """,
    "an attribute of a class set by its name": """
        class Solver:
            def walk(self): Solver.go(self)
        setattr(Solver, "go", Solver.walk)
    """,
    "an attribute of a module": """
        import one
        def f(n): return one.again(n - 1)
        one.again = f
    """,
    "a name that the table of names brings": """
        def f(n): return again(n - 1)
        globals()["again"] = f
    """,
    "a decorator that the library makes of one's own": """
        from functools import partial
        TABLE = []
        def keep(kind, f):
            TABLE.append(f)
            return f
        @partial(keep, "f")
        def f(n): return TABLE[0](n - 1)
    """,
    "an attribute set by a keyword": """
        from types import SimpleNamespace
        def f(n): return TABLE.go(n)
        TABLE = SimpleNamespace(go=f)
    """,
    "a module that is imported by its name": """
        import importlib
        def f(n):
            module = importlib.import_module("on" + input())
            return module.f(n - 1)
    """,
    "the table of modules": """
        import sys
        def f(n): return sys.modules[__name__].f(n - 1)
    """,
    "the table of names": """
        def f(n): return vars()["f"](n - 1)
    """,
    "the table of a class": """
        class Solver:
            def walk(self): return Solver.__dict__["walk"](self)
    """,
    "a name that is looked up later": """
        def f(n): return list(map(globals()["f"], [n - 1]))
    """,
    "handed to a thread by a helper": """
        import threading
        def start(work): threading.Thread(target=work).start()
        def f(): start(f)
    """,
    "handed to an unknown object": """
        def f(n, pool): return pool.submit(f, n - 1)
    """,
    "handed to a function of the library": """
        import operator
        def f(n): return operator.call(f, n - 1)
    """,
    "a function registered by a call": """
        import functools
        @functools.singledispatch
        def g(ys): return 0
        def h(ys): return g(ys[1:])
        g.register(tuple, h)
    """,
    "a function registered by a decorator": """
        import functools
        @functools.singledispatch
        def g(ys): return []
        @g.register
        def _(ys: tuple): return [min(ys)] + g(ys[1:])
    """,
    "a function registered for a type": """
        import functools
        @functools.singledispatch
        def g(ys): return []
        @g.register(tuple)
        def _(ys): return [min(ys)] + g(ys[1:])
    """,
    "an attribute of what stands for a function": """
        from functools import partial
        def f(n): return g.func(n - 1)
        g = partial(f)
    """,
    "an attribute of a function": """
        class Solver:
            @staticmethod
            def walk(n): return Solver.walk.__func__(n - 1)
    """,
    "a decorator hands an object": """
        def fix(f):
            class Box:
                def __call__(self, x):
                    return f(self, x)
            return Box()
        @fix
        def total(me, x):
            return sum(map(me, x)) if x else 0
        """,
    "a decorator hands a function": """
        def fix(f):
            def again(x):
                return f(again, x)
            return again
        @fix
        def total(me, x):
            return me(x[1:]) if x else 0
        """,
    "a decorator is a class": """
        class Fix:
            def __init__(self, f):
                self.f = f
            def __call__(self, x):
                return self.f(self, x)
        @Fix
        def total(me, x):
            return me(x[1:]) if x else 0
        """,
    "made around by a call": """
        def fix(f):
            def again(x):
                return f(again, x)
            return again
        total = fix(lambda me, x: me(x[1:]) if x else 0)
        """,
    "method of an annotated object": """
        class Node:
            def visit(self, other: "Node"):
                other.visit(self)
    """,
    "attribute": """
        def f(n): return f.again(n)
        f.again = f
    """,
    "table": """
        def f(n): return TABLE["f"](n)
        TABLE = {"f": f}
    """,
    "list": """
        def f(n): return ALL[0](n)
        ALL = [f]
    """,
    "loop over functions": """
        def f(n):
            for g in (f,):
                g(n)
    """,
    "handed to a helper": """
        def apply(g, x): return g(x)
        def f(n): return apply(f, n - 1)
    """,
    "handed through two helpers": """
        def apply(g, x): return g(x)
        def twice(h, x): return apply(h, apply(h, x))
        def f(n): return twice(h=f, x=n)
    """,
    "alias bound later in a loop": """
        def f(n):
            g = None
            while n:
                if g: g(n)
                g = f
    """,
    "factory": """
        def make():
            def walk(n): return again(n)
            return walk
        again = make()
    """,
    "text that is computed": """
        def f(n):
            exec(input())
    """,
    "exec under another name": """
        run = exec
        def f(n):
            run("f(n - 1)")
    """,
    "exec that is handed over": """
        def f(n):
            list(map(exec, ["f(n - 1)"]))
    """,
    "frame": """
        import sys
        def f(n): sys._getframe().f_globals["f"](n)
    """,
    "handed in a table": """
        def run(jobs):
            for job in jobs: job()
        def f(): run([f])
    """,
    "a name that is computed": """
        class Solver:
            def walk(self): getattr(self, "wa" + input())()
    """,
    "more names for one value than are followed": "def f(n): return g(n)\n"
    + "".join(f"g = {number}\n" for number in range(40))
    + "g = f\n",
    "more overriding methods than are followed": "class Base:\n    def walk(self): self.go()\n"
    + "".join(f"class C{number}(Base):\n    def go(self): pass\n" for number in range(40))
    + "class Last(Base):\n    def go(self): self.walk()\n",
    "more aliases than are followed": "def f(n): return a60(n)\na0 = f\n"
    + "".join(f"a{number + 1} = a{number}\n" for number in range(60)),
}
"""Names do not tell that these are recursive."""

ITERATIVE = {
    "an exception that shows its text": """
        class Full(Exception):
            def __repr__(self):
                return f"Full({self})"
        class Fuller(Full):
            def __repr__(self):
                return "Fuller(" + str(self) + ")"
        class Name(str):
            def __repr__(self):
                return f"<{self}>"
        """,
    "a pair that formats its items": """
        class Vec(tuple):
            def __repr__(self):
                return "(%.2f, %s)" % self
        """,
    "a number that formats itself": """
        class Celsius(float):
            def __str__(self):
                return f"{self:.1f} C" + "%d" % self
        """,
    "a comparison by the other direction": """
        class Card:
            def __init__(self, r): self.r = r
            def __lt__(self, other): return self.r < other.r
            def __gt__(self, other): return other < self
        """,
    "another comparison by the other direction": """
        class Card:
            def __init__(self, r): self.r = r
            def __le__(self, other): return self.r <= other.r
            def __ge__(self, other): return other <= self
        """,
    "a fraction": """
        class F:
            def __init__(self, n, d=1): self.n, self.d = n, d
            def __add__(self, o):
                if not isinstance(o, F): o = F(o)
                return F(self.n * o.d + o.n * self.d, self.d * o.d)
            def __radd__(self, o): return F(o) + self
            def __sub__(self, o):
                if not isinstance(o, F): return NotImplemented
                return F(self.n * o.d - o.n * self.d, self.d * o.d)
            def __rsub__(self, o): return F(o) - self
            def __rtruediv__(self, o): return F(o) / self
            def __truediv__(self, o): return F(self.n * o.d, self.d * o.n)
            def __lt__(self, o): return self.n * o.d < o.n * self.d
            def __gt__(self, o): return F(o.n, o.d) < self
            def __str__(self): return "%d/%d" % (self.n, self.d)
            def __eq__(self, o): return (self.n, self.d) == (o.n, o.d)
            def __hash__(self): return hash((self.n, self.d))
        """,
    "a vector": """
        class Vec:
            def __init__(self, *xs): self.xs = xs
            def __iter__(self): return iter(self.xs)
            def __add__(self, o): return Vec(*(a + b for a, b in zip(self, o)))
            def __mul__(self, k): return Vec(*[x * k for x in self])
            def __rmul__(self, k): return self * k
            def __bool__(self): return any(x != 0 for x in self)
            def __getitem__(self, i): return self.xs[i]
            def __setitem__(self, i, v):
                xs = list(self.xs)
                xs[i] = v
                self.xs = tuple(xs)
            def __eq__(self, o): return [*self] == [*o]
            def __abs__(self): return sum(x * x for x in self) ** 0.5
            def __repr__(self): return "Vec(%s)" % ", ".join(map(repr, self))
            def unit(self):
                a, b = self
                return self and Vec(a / abs(self), b / abs(self))
        """,
    "missing keys that are set": """
        class D(dict):
            def __missing__(self, k):
                self[k] = []
                return self[k]
        """,
    "a property that is checked": """
        class T:
            def __init__(self, c): self.celsius = c
            @property
            def celsius(self): return self._c
            @celsius.setter
            def celsius(self, v):
                if v < -273: raise ValueError
                self._c = v
            @property
            def f(self): return self.celsius * 9 / 5 + 32
            @f.setter
            def f(self, v): self.celsius = (v - 32) * 5 / 9
        """,
    "operators by other operators": """
        class V:
            def __init__(self, r): self.r = r
            def __neg__(self): return V(-self.r)
            def __add__(self, o): return V(self.r + (o.r if isinstance(o, V) else o))
            __radd__ = __add__
            def __sub__(self, o): return self + -o
            def __rsub__(self, o): return -self + o
            def __eq__(self, o): return isinstance(o, V) and self.r == o.r
            def __ne__(self, o): return not self == o
            def __repr__(self): return f"V({self.r!r})"
            def __str__(self): return f"<{self.r}>"
            def __bool__(self): return bool(self.r)
            def __len__(self): return len(self.r)
            def __iter__(self): return iter(self.r)
            def __contains__(self, x): return x in self.r
            def __getitem__(self, i): return self.r[i]
            def __hash__(self): return hash(self.r)
            def __abs__(self): return abs(self.r)
        """,
    "a decorator that hands an object which nobody calls": """
        def bound(f):
            class Box:
                def __call__(self, x):
                    return f(self, x)
            return Box()
        @bound
        def total(box, x):
            return sum(x), box
        """,
    "operators of parts": """
        class V:
            def __init__(self, x, y):
                self.x, self.y = x, y
            def __add__(self, other):
                return V(self.x + other.x, self.y + other.y)
            def __eq__(self, other):
                return self.x == other.x and not self.y != other.y
            def __ne__(self, other):
                return not self == other
            def __lt__(self, other):
                return self.x < other.x
            def __repr__(self):
                return f"V({self.x!r}, {self.y!r})"
            def __str__(self):
                return repr(self)
        """,
    "a usual decorator": """
        import functools
        def traced(f):
            @functools.wraps(f)
            def inner(*args):
                print(f.__name__)
                return f(*args)
            return inner
        @traced
        def one(x):
            return x
        @traced
        def two(x):
            return one(x)
        """,
    "same name as a method": """
        class Stack:
            def __init__(self): self.items = []
            def append(self, item): self.items.append(item)
            def pop(self): return self.items.pop()
            def __len__(self): return len(self.items)
            def __iter__(self): return iter(self.items)
            def __getitem__(self, key): return self.items[key]
    """,
    "same name in another class": """
        class Inner:
            def solve(self): return 1
        class Outer:
            def __init__(self): self.inner = Inner()
            def solve(self): return self.inner.solve()
    """,
    "same name in another module's object": """
        import math
        def sqrt(x): return math.sqrt(x)
    """,
    "parameter of the same name": """
        def move(square, move): return move(square)
    """,
    "local of the same name": """
        def walk(n):
            def helper(walk): return walk(n)
            return helper(print)
    """,
    "helper handed different functions": """
        def first(xs, f): return next((f(x) for x in xs), None)
        def legal(x): return x > 0
        def expand(x): return first([x], legal)
        def solve(x): return first([x], expand)
    """,
    "overridden method calls the inherited one": """
        class Base:
            def walk(self): return 1
        class Solver(Base):
            def walk(self): return super().walk() + 1
    """,
    "base method called by the name of its class": """
        class Base:
            def walk(self): return 1
        class Solver(Base):
            def walk(self): return Base.walk(self) + 1
    """,
    "replaced local function": """
        def wrapped(thing):
            func = thing
            def wrapper(n): return func(n)
            thing = wrapper
            return thing
    """,
    "value of a property kept": """
        class Worker:
            def __init__(self, other: "Worker"): self._idle = other.idle
            @property
            def idle(self): return self._idle
    """,
    "a text of an object by its other text": """
        class Square:
            def __str__(self): return "s"
            def __repr__(self): return str(self)
            def __format__(self, how): return f"{self!r}"
    """,
    "methods that are built on others": """
        class Row:
            def __init__(self, items): self.items = list(items)
            def __iter__(self): return iter(self.items)
            def __len__(self): return len(self.items)
            def __bool__(self): return len(self) > 0
            def __contains__(self, x): return x in list(self)
            def __add__(self, other): return Row([*self.items, *other])
            def __radd__(self, other): return self + other
    """,
    "a nested structure made when it is asked for": """
        from collections import defaultdict
        class Node:
            def __init__(self): self.children = defaultdict(Node)
    """,
    "functions handed to the library": """
        from functools import reduce
        def size(x): return len(x)
        def longer(x, y): return x if size(x) > size(y) else y
        def longest(xs): return reduce(longer, sorted(map(str, xs), key=size))
    """,
    "names from everywhere": """
        from math import *
        def root(x): return sqrt(x)
        def apply(f, x): return f(x)
        print(apply(root, 2))
    """,
    "a constructor of a base without one": """
        class Base: pass
        class Square(Base):
            def __init__(self): Base.__init__(self)
    """,
    "a benchmark by its names": """
        import timeit
        def f(n): return n
        def benchmark(): print(timeit.timeit("f(1)", globals=globals()))
    """,
    "replaced function": """
        def f(n): return n
        _old = f
        def f(n): return _old(n)
    """,
    "function mentioned": """
        def f(n):
            print(f, f.__name__)
            return isinstance(f, type)
    """,
    "function stored": """
        def f(stack):
            stack.append(f)
            return f
    """,
    "callback in a table": """
        def up(n): return n + 1
        def down(n): return n - 1
        MOVES = {"up": up, "down": down}
        def step(n): return MOVES["up"](n)
    """,
    "list of the class": """
        class Node:
            def __init__(self):
                self.children: list[Node] = []
            def append(self, node): self.children.append(node)
    """,
    "word in a text": '''
        def walk(n):
            """walk(n) calls walk(n - 1)."""
            # walk(n - 1)
            return "walk(n - 1)"
    ''',
    "method that many objects have": """
        class Reader:
            def __init__(self, file): self.file = file
            def read(self): return self.file.read()
            def start(self): self.thread.start()
    """,
    "method of two classes": """
        class Inner:
            def solve(self): return 1
        class Outer:
            def __init__(self, inner): self.inner = inner
            def solve(self): return self.inner.solve()
    """,
    "method of an object from elsewhere": """
        from boards import Board
        class Tour:
            def __init__(self): self.board = Board()
            def isSolved(self): return self.board.isSolved()
    """,
    "stack": """
        def walk(start):
            stack = [start]
            while stack:
                node = stack.pop()
                stack.extend(node.children)
    """,
    "constructor of a helper class": """
        class Square:
            def __init__(self, i, j): self.i, self.j = i, j
            def __eq__(self, other): return self.i == other.i
            def moved(self): return Square(self.i + 1, self.j)
    """,
    "nested function returned": """
        def counter():
            def step(): return 1
            return step
    """,
    "string of itself": """
        class Square:
            def __str__(self): return f"({self.i}, {str(self.j)})"
    """,
    "shadowed builtin": """
        def sorted(xs):
            xs.sort()
            return xs
    """,
}


@pytest.mark.parametrize("name", RECURSIVE)
def test_recursion_is_found(name):
    assert messages("no recursion", RECURSIVE[name])


@pytest.mark.parametrize("name", BY_VALUES)
def test_what_names_do_not_tell_is_not_decidable(name):
    found, undecided = checked("no recursion", BY_VALUES[name])
    assert not found
    assert undecided


UNCLEAR = {
    "a decorator that hands an object which nobody calls",
    "a usual decorator",
    "helper handed different functions",
    "replaced local function",
    "method that many objects have",
    "method of two classes",
    "method of an object from elsewhere",
}
"""Programs that are not recursive, but names do not tell."""


@pytest.mark.parametrize("name", ITERATIVE)
def test_what_is_not_recursive_is_never_a_finding_and_mostly_not_noted(name):
    found, undecided = checked("no recursion", ITERATIVE[name])
    assert not found
    assert bool(undecided) == (name in UNCLEAR)


def test_what_is_not_decidable_is_told_with_the_call_that_is_not_followed():
    source = """
        def f(n):
            return TABLE["f"](n - 1)
        TABLE = {"f": f}
    """
    _, undecided = checked("no recursion", source)
    assert undecided == [("one", 3, "`f` calls `TABLE[…]`, by which it may come to call itself")]


def test_a_call_that_is_not_followed_is_not_noted_where_it_cannot_lead_back():
    source = """
        def up(n): return n + 1
        MOVES = {"up": up}
        def walk(n, key): return MOVES[key](n)
        def sort(xs, key): return sorted(xs, key=key)
        walk(1, "up")
    """
    assert checked("no recursion", source) == ([], [])


def test_direct_recursion_is_told_in_plain_words():
    assert findings("no recursion", "def f(n):\n    return f(n - 1)\n") == [("one", 2, "`f` calls itself")]


def test_mutual_recursion_is_told_as_a_chain_with_its_places():
    source = "def even(n):\n    return odd(n)\ndef odd(n):\n    return even(n)\n"
    assert findings("no recursion", source) == [
        (
            "one",
            2,
            "even -> odd -> even: `even` calls `odd` on line 2, `odd` calls `even` on line 4",
        )
    ]


def test_methods_are_named_with_their_class():
    source = "class A:\n    def f(self):\n        self.f()\n"
    assert messages("no recursion", source) == ["`A.f` calls itself"]


def test_what_is_handed_on_is_told_as_such():
    source = "def f(tree):\n    return [*map(f, tree)]\n"
    assert messages("no recursion", source) == ["`f` hands itself to `map`"]


def test_recursion_across_modules_is_found():
    one = "from two import g\ndef f(n): return g(n)\n"
    two = "import one\ndef g(n): return one.f(n)\n"
    (message,) = messages("no recursion", one, two)
    assert message == "f -> g -> f: `f` calls `g` on line 2, `g` calls `f` on two.py line 2"


def test_recursion_by_way_of_a_star_import_is_found():
    assert messages(
        "no recursion", "from two import *\ndef f(n): g(n)\n", "from one import *\ndef g(n): f(n)\n"
    )


def test_each_circle_is_told_once():
    source = """
        def a(): a(); b()
        def b(): a(); b()
        def c(): c()
    """
    assert len(messages("no recursion", source)) == 2


def test_recursion_by_way_of_a_module_that_hands_all_names_on_is_found() -> None:
    one = "from two import g\ndef f(n): return g(n)\n"
    two, three = "from three import *\n", "import one\ndef g(n): return one.f(n)\n"
    assert messages("no recursion", one, two, three)


def test_a_function_of_the_library_by_a_star_calls_too() -> None:
    source = "from functools import *\ndef f(n, m=0):\n    return reduce(f, [n, m])\n"
    assert messages("no recursion", source)
