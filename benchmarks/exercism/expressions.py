"""What the expressions of a test mean: data is computed here, the rest is said in the spec's words."""

import ast
import builtins
import collections
import copy
import datetime
import decimal
import errno
import fractions
import functools
import itertools
import json
import math
import operator
import os
import random
import re
import string
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from benchmarks.exercism.saying import BUILT_IN, Sayer, free
from benchmarks.exercism.things import (
    Applied,
    Assertion,
    Callback,
    Caught,
    Data,
    Every,
    Function,
    Kind,
    Library,
    Mixed,
    Program,
    Remote,
    Scope,
    TestCase,
    Thing,
    Unknown,
    Unsaid,
)

_SAFE: dict[str, Any] = {name: each for each, name in BUILT_IN.items()}
_MODULES = {
    module.__name__: module
    for module in (
        *(collections, copy, datetime, decimal, errno, fractions, functools, itertools, json, math, operator),
        *(os, random, re, string, sys, textwrap),
    )
}
_OPERATORS: dict[type[ast.AST], str] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"},
    **{ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"},
    **{ast.LShift: "<<", ast.RShift: ">>", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<="},
    **{ast.Gt: ">", ast.GtE: ">=", ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not"},
    **{ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not "},
}


class Expressions(Sayer):
    """The expressions of one test."""

    def __init__(self, module: str, classes: frozenset[str]) -> None:
        super().__init__()
        self.module = module
        self.classes = classes

    # -- to be known by who follows the statements --------------------------------------------------

    def call_function(self, function: Function, args: list[Thing], kwargs: dict[str, Thing]) -> Thing:
        raise NotImplementedError

    def attribute_of_self(self, name: str) -> Thing:
        raise NotImplementedError

    def call_assertion(self, name: str, args: list[Thing], kwargs: dict[str, Thing]) -> Thing:
        raise NotImplementedError

    def items(self, thing: Thing) -> Iterator[Thing]:
        raise NotImplementedError

    # -- names -------------------------------------------------------------------------------------

    def imports(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        """Bind the names that a test imports."""
        for alias in node.names:
            name = alias.asname or alias.name
            source = node.module if isinstance(node, ast.ImportFrom) else alias.name
            if source == self.module:
                if isinstance(node, ast.Import):
                    scope.names[name] = Program()
                    continue
                self.module_names.add(alias.name)
                scope.names[name] = Remote(alias.name, Kind.MODULE)
            elif source in _MODULES:
                loaded = _MODULES[source]
                thing = getattr(loaded, alias.name) if isinstance(node, ast.ImportFrom) else loaded
                scope.names[name] = Library(thing)

    def _computed(self, node: ast.expr, scope: Scope) -> Data | None:
        """Return the value of an expression that the test file alone determines; None for another."""
        node = _WithoutSelf(self).visit(ast.parse(ast.unparse(node), mode="eval").body)
        known = scope.data() | {name: each for name, each in _SAFE.items() if scope.find(name) is None}
        known |= {f"self_{name}": thing.value for name, thing in self._data_of_self(node)}
        if not free(node) <= known.keys():
            return None
        code = compile(ast.fix_missing_locations(ast.Expression(node)), "test", "eval")
        try:
            value = eval(code, {"__builtins__": {}} | known)  # names above alone
        except Exception as error:
            raise Unsaid(f"the test's own expression raises {type(error).__name__}") from error
        if callable(value) or (hasattr(value, "__next__")):
            return None
        return Data(value)

    def _data_of_self(self, node: ast.AST) -> Iterator[tuple[str, Data]]:
        for name in free(node):
            if name.startswith("self_") and isinstance(thing := self.attribute_of_self(name[5:]), Data):
                yield name[5:], thing

    def data_of(self, node: ast.expr, scope: Scope) -> Any:
        thing = self.value(node, scope)
        if not isinstance(thing, Data):
            raise Unsaid("an answer where data stands")
        return thing.value

    # -- expressions -------------------------------------------------------------------------------

    def value(self, node: ast.expr, scope: Scope) -> Thing:
        """Return what an expression means.  Raises `Unsaid`."""
        if not isinstance(node, ast.Lambda) and (data := self._computed(node, scope)) is not None:
            return data
        match node:
            case ast.Name(id=name):
                return self._name(name, scope)
            case ast.Attribute(value=owner, attr=name):
                return self._attribute(self.value(owner, scope), name)
            case ast.Call():
                return self._call(node, scope)
            case ast.Lambda():
                return Callback(self.lambda_text(node, scope))
            case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
                brackets = (
                    "[]" if isinstance(node, ast.List) else "()" if isinstance(node, ast.Tuple) else "{}"
                )
                return Mixed(brackets, tuple(self._spread(elts, scope)))
            case ast.Dict(keys=keys, values=values) if None not in keys:
                things = tuple(self.value(each, scope) for each in values)
                return Mixed("{}", things, tuple(self.value(key, scope) for key in keys if key is not None))
            case (
                ast.ListComp(elt=elt, generators=[generator])
                | ast.GeneratorExp(elt=elt, generators=[generator])
            ):
                return self._comprehension(elt, generator, scope)
            case (
                ast.BinOp(left=left, op=op, right=right)
                | ast.Compare(left=left, ops=[op], comparators=[right])
            ):
                return self.operation(_OPERATORS[type(op)], self.value(left, scope), self.value(right, scope))
            case ast.Compare(left=left, ops=ops, comparators=rest):
                terms = [self.value(each, scope) for each in (left, *rest)]
                signs = [_OPERATORS[type(op)] for op in ops]
                return Every(tuple(map(self.operation, signs, terms, terms[1:])))
            case ast.BoolOp(op=ast.And(), values=values):
                return Every(tuple(self.value(each, scope) for each in values))
            case ast.Subscript(value=owner, slice=ast.Slice(lower=lower, upper=upper, step=step)):
                made = self.said(self._remote(owner, scope))
                bounds = [self.said(self.value(e, scope)) if e else "" for e in (lower, upper, step)]
                return Remote(f"{made}[{':'.join(bounds).removesuffix(':')}]", Kind.CALL)
            case ast.UnaryOp(op=op, operand=operand):
                return Remote(
                    f"{_OPERATORS[type(op)]}{self.said(self.value(operand, scope))}", Kind.OPERATION
                )
            case ast.Subscript(value=owner, slice=ast.expr() as index) if not isinstance(index, ast.Slice):
                return self._item(self.value(owner, scope), self.value(index, scope))
            case ast.JoinedStr():
                raise Unsaid("a text made of answers")
            case _:
                raise Unsaid(f"an expression: {type(node).__name__.lower()}")

    def _remote(self, node: ast.expr, scope: Scope) -> Remote:
        thing = self.value(node, scope)
        if not isinstance(thing, Remote):
            raise Unsaid("a part of what is no answer")
        return thing

    def _name(self, name: str, scope: Scope) -> Thing:
        thing = scope.find(name)
        if thing is None and hasattr(builtins, name):
            return Library(getattr(builtins, name))
        if thing is None:
            raise Unsaid(f"a name that is neither data nor the program's: {name}")
        if isinstance(thing, Unknown):
            raise Unsaid(thing.reason)
        return thing

    def _attribute(self, owner: Thing, name: str) -> Thing:
        match owner:
            case TestCase():
                return self.attribute_of_self(name)
            case Program():
                self.module_names.add(name)
                return Remote(name, Kind.MODULE)
            case Caught(step=step, part=""):
                return Caught(step, "") if name == "exception" else Caught(step, name)
            case Remote():
                return Remote(f"{self.said(owner)}.{name}", Kind.READ)
            case Library(value=value) if hasattr(value, name):
                return Library(getattr(value, name))
            case Data(value=value) if hasattr(value, name):
                return Library(getattr(value, name))
        raise Unsaid(f"an attribute of what is no answer: {name}")

    def _item(self, owner: Thing, index: Thing) -> Thing:
        match owner, index:
            case Caught(step=step, part="args"), Data(value=0):
                return Caught(step, "message")
            case Mixed(items=items, keys=()), Data(value=int(number)):
                return items[number]
            case Remote(), _:
                return Remote(f"{self.said(owner)}[{self.said(index)}]", Kind.CALL)
        raise Unsaid("an item of what is no answer")

    def part(self, owner: Thing, number: int) -> Thing:
        return self._item(owner, Data(number))

    def _spread(self, nodes: list[ast.expr], scope: Scope) -> Iterator[Thing]:
        for node in nodes:
            if isinstance(node, ast.Starred):
                yield from self.items(self.value(node.value, scope))
            else:
                yield self.value(node, scope)

    def _comprehension(self, elt: ast.expr, generator: ast.comprehension, scope: Scope) -> Thing:
        iterated = self.value(generator.iter, scope)
        if (
            isinstance(iterated, Remote)
            and not generator.ifs
            and ast.dump(elt) == ast.dump(generator.target).replace("Store", "Load")
        ):
            return Remote(f"list({self.said(iterated)})", Kind.CALL)
        if not isinstance(generator.target, ast.Name) or generator.ifs:
            raise Unsaid("a comprehension with answers")
        found = []
        for thing in self.items(iterated):
            found.append(self.value(elt, Scope({generator.target.id: thing}, scope)))
            if isinstance(found[-1], Remote) and found[-1].kind is not Kind.NAME:
                found[-1] = self.keep(found[-1], generator.target.id)
        return Mixed("[]", tuple(found))

    def operation(self, sign: str, left: Thing, right: Thing) -> Remote:
        return Remote(f"{self.said(left)} {sign} {self.said(right)}", Kind.OPERATION)

    # -- calls -------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, scope: Scope) -> Thing:
        function = self.value(node.func, scope)
        if isinstance(function, Assertion):
            args = [*self._of_assertion(node.args, scope)]
        else:
            args = [*self._spread(node.args, scope)]
        kwargs: dict[str, Thing] = {}
        for each in node.keywords:
            if each.arg == "msg":
                continue
            if each.arg is not None:
                kwargs[each.arg] = self.value(each.value, scope)
                continue
            if not isinstance(given := self.value(each.value, scope), Data):
                raise Unsaid("** of an answer")
            kwargs |= {name: Data(value) for name, value in given.value.items()}
        match function:
            case Assertion(name=name):
                return self.call_assertion(name, args, kwargs)
            case Function():
                return self.call_function(function, args, kwargs)
            case Remote():
                return self._remote_call(function, args, kwargs)
            case Library(value=value):
                return self._library_call(value, args, kwargs)
        raise Unsaid("a call of what is no function")

    def _of_assertion(self, nodes: list[ast.expr], scope: Scope) -> Iterator[Thing]:
        """Yield the arguments of an assertion; the message can be anything."""
        for number, node in enumerate(nodes):
            try:
                yield self.value(node, scope)
            except Unsaid as unsaid:
                if number < 2:
                    raise
                yield Unknown(str(unsaid))

    def _remote_call(self, function: Remote, args: list[Thing], kwargs: dict[str, Thing]) -> Remote:
        text = self.said(function)
        is_class = function.kind is Kind.MODULE and text in self.classes
        written = [self.said(each) for each in args] + [
            f"{name}={self.said(each)}" for name, each in kwargs.items()
        ]
        return Remote(f"{text}({', '.join(written)})", Kind.NEW if is_class else Kind.CALL)

    def _library_call(self, value: Any, args: list[Thing], kwargs: dict[str, Thing]) -> Thing:
        if value is type and len(args) == 1 and isinstance(caught := args[0], Caught) and not caught.part:
            return Caught(caught.step, "type")
        if (
            value is str
            and len(args) == 1
            and isinstance(caught := args[0], Caught)
            and caught.part in ("", "message")
        ):
            return Caught(caught.step, "message")
        if value is functools.partial and isinstance(function := args[0], Function) and not kwargs:
            return Callback(self.callback(function, *args[1:]))
        if all(isinstance(each, Data) for each in (*args, *kwargs.values())):
            try:
                return Data(value(*[each.value for each in args], **{k: v.value for k, v in kwargs.items()}))  # type: ignore[union-attr]
            except Exception as error:
                raise Unsaid(f"the test's own expression raises {type(error).__name__}") from error
        try:
            name = BUILT_IN[value]
        except (KeyError, TypeError):
            place = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
            if place.partition(".")[0] in ("json", "re", "math") and not kwargs:
                return Applied(place, tuple(args))
            raise Unsaid(f"a call of {getattr(value, '__qualname__', value)} with an answer") from None
        written = [self.said(each) for each in args] + [
            f"{key}={self.said(each)}" for key, each in kwargs.items()
        ]
        return Remote(f"{name}({', '.join(written)})", Kind.CALL)


class _WithoutSelf(ast.NodeTransformer):
    """Makes `self.name` a plain name."""

    def __init__(self, reader: Expressions) -> None:
        self._reader = reader

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            return ast.Name(f"self_{node.attr}", ast.Load())
        self.generic_visit(node)
        return node
