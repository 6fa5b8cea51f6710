"""Reads a test suite of TESTed, the judge of Dodona, in its YAML (`suite.yaml`, `plan.yaml`).

Source of the form: `tested/dsl/translate_parser.py` of dodona-edu/universal-judge.
"""

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from grader.authoring.written import Keys, Raw, WrittenCase, WrittenQuestion
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible, line_with, slug_of
from grader.plugins.convert.packages.foreign import inside
from grader.plugins.convert.tested.evaluators import Evaluators
from grader.plugins.convert.tested.expressions import Tagged, plain, returned, step_of
from grader.plugins.convert.tested.texts import expected_text, whole_lines
from grader.yamlfile.quoting import in_quotes, list_in_quotes

_LINES = "testcases", "script"
_CONTEXTS = "contexts", "cases"
_ALONE = "testcases", "scripts"
_OF_TAB = frozenset({"tab", "unit", "hidden", *_CONTEXTS, *_ALONE})
_FILES = frozenset({"input_files", "output_files", "file"})
_OF_CALL = frozenset({"statement", "expression", "return", "stdout", "exception", "description", *_FILES})
_READ = frozenset({"stdin", "arguments", "exit_code", "stderr", *_OF_CALL})


class _Loader(yaml.SafeLoader):
    pass


def _tagged(loader: _Loader, tag: str, node: yaml.Node) -> Tagged:
    if isinstance(node, yaml.ScalarNode):
        return Tagged(tag, loader.construct_scalar(node))
    if isinstance(node, yaml.SequenceNode):
        return Tagged(tag, loader.construct_sequence(node, deep=True))
    assert isinstance(node, yaml.MappingNode)
    return Tagged(tag, loader.construct_mapping(node, deep=True))


_Loader.add_multi_constructor("!", _tagged)


@dataclass(slots=True)
class Suite:
    """Reads one suite.

    folder: in which the files that it names lie.  beside: the folder for what goes with the spec.
    """

    draft: Draft
    file: str
    text: str
    module: str
    folder: Path
    beside: str = "suite"
    _language: str = "tested"
    """Of its expressions, where they do not say theirs."""

    def read(self) -> None:
        try:
            root = yaml.load(self.text, Loader=_Loader)
        except (yaml.YAMLError, ValueError, RecursionError, TypeError):
            self.draft.remark(self.file, 1, Meaning.LEFT_OUT, "it is not valid YAML")
            return
        self.draft.counted, self.draft.noun = "contexts", "tab"
        tabs = root
        if isinstance(root, dict):
            tabs = root.get("tabs", root.get("units"))
            self._language = str(root.get("language", "tested"))
            if any(key in root for key in ("definitions", "files", "config")):
                reason = "`definitions`, `files` and `config` of the whole suite are not read"
                self.draft.remark(self.file, 1, Meaning.LEFT_OUT, reason)
        if not isinstance(tabs, list):
            self.draft.remark(self.file, 1, Meaning.LEFT_OUT, "it has no list of tabs or units")
            return
        for number, tab in enumerate(tabs, 1):
            if isinstance(tab, dict):
                self._tab(tab, number)
            else:
                self.draft.remark(self.file, 1, Meaning.LEFT_OUT, f"tab {number} is no mapping")
        if any(
            "call" in case.keys or "scenario" in case.keys
            for one in self.draft.questions
            for case in one.cases
        ):
            reason = "what a module prints while it is imported is not compared"
            self.draft.remark(self.file, 1, Meaning.KINDER, reason)
        if self.draft.sources:
            reason = "an object of a student's own class is no answer, whatever a check of the suite's says"
            self.draft.remark(self.file, 1, Meaning.STRICTER, reason)

    def _tab(self, tab: Mapping[str, Any], number: int) -> None:
        name = str(tab.get("tab", tab.get("unit", f"Tab {number}")))
        line = line_with(self.text, name)
        cases = []
        contexts = [*_contexts(tab)]
        others = sorted(map(str, tab.keys() - _OF_TAB))
        if others or not contexts:
            reason = (
                f"{name}: `{others[0]}` of a tab has no counterpart" if others else f"{name}: it has no tests"
            )
            self.draft.offer(name, Fraction(len(contexts)))
            self.draft.assertions += len(contexts)
            self.draft.remark(self.file, line, Meaning.LEFT_OUT, reason)
            return
        part = self.draft.offer(name, Fraction(len(contexts)))
        for place, (context, lines) in enumerate(contexts, 1):
            self.draft.assertions += 1
            try:
                if set(context) & {"before", "after", "files", "config"}:
                    raise Unconvertible("it has code, files or a configuration of its own")
                keys = {"name": Raw(f"context-{place}"), **self._case(lines)}
                cases.append(WrittenCase(keys, self.module, self.file, line))
                self.draft.converted += 1
            except Unconvertible as error:
                self.draft.remark(self.file, line, Meaning.LEFT_OUT, f"{name}, context {place}: {error}")
        if cases:
            slug = slug_of(name) or f"tab-{number}"
            hidden = "hidden" if tab.get("hidden") is True else ""
            marks = Fraction(len(cases))
            self.draft.add(WrittenQuestion(slug, name, marks, tuple(cases), hidden, award="each", part=part))

    def _case(self, lines: list[Any]) -> Keys:
        """Return a context as the keys of a case.  Raises `Unconvertible`."""
        if not lines or not all(isinstance(line, dict) for line in lines):
            raise Unconvertible("it is no list of test cases")
        for line in lines:
            if line.keys() - _READ:
                raise Unconvertible(f"`{min(map(str, line.keys() - _READ))}` has no counterpart")
        mains = [line for line in lines if "expression" not in line and "statement" not in line]
        if not mains:
            return self._steps(lines)
        if len(lines) > 1:
            raise Unconvertible("it runs the program, and then looks at its names")
        return self._program(mains[0])

    # -- programs ----------------------------------------------------------------------------------------

    def _program(self, line: Mapping[str, Any]) -> Keys:
        if line.get("exception") is not None:
            raise Unconvertible("the program must raise an exception with a certain message")
        # TESTed imports a program: what stands below `if __name__ == "__main__":` does not run.
        harness = f"{self.beside}/run_{self.module}.py"
        keys: dict[str, str | Raw] = {"program": Raw(self.module), "harness": harness}
        arguments, code = line.get("arguments"), line.get("exit_code")
        if arguments is not None and not isinstance(arguments, list):
            raise Unconvertible("`arguments` is no list")
        if code is not None and (type(code) is not int or not 0 <= code <= 255):
            raise Unconvertible("`exit_code` is no number from 0 to 255")
        if arguments:
            keys["arguments"] = Raw(list_in_quotes(map(str, arguments)))
        if "stdin" in line:
            keys["stdin"] = Raw(in_quotes(whole_lines(self._content(line["stdin"]))))
            # TESTed takes the prompts of `input` away.
            keys["prompts"] = Raw("ignored")
        keys["stdout"] = Raw(self._printed(line.get("stdout", "")))
        keys["stderr"] = Raw(self._printed(line.get("stderr") or ""))
        keys["exit"] = Raw("any" if code is None else str(code))
        keys |= self._files(line)
        self.draft.files[harness] = f"import {self.module}\n".encode()
        return keys

    def _files(self, line: Mapping[str, Any]) -> dict[str, str | Raw]:
        keys: dict[str, str | Raw] = {}
        given = [each for each in (line.get("stdin"),) if isinstance(each, dict) and "path" in each]
        for side, key in (("input_files", "files"), ("output_files", "leaves")):
            stated = line.get(side) if key == "files" else _left(line)
            if key == "files" and given:
                # The file of an input lies in the folder too.
                stated = [*given, *(stated or ())]
            if stated is None:
                continue
            if not isinstance(stated, list) or not all(isinstance(each, dict) for each in stated):
                raise Unconvertible(f"`{side}` has a check of its own")
            names = [in_quotes(str(each.get("path"))) for each in stated]
            if key == "files":
                texts = [in_quotes(self._whole(each)) for each in stated]
            else:
                texts = [self._printed(each, is_file=True) for each in stated]
            pairs = (f"{name}: {text}" for name, text in zip(names, texts, strict=True))
            keys[key] = Raw(f"{{{', '.join(pairs)}}}")
        return keys

    def _content(self, stated: object) -> str:
        """Return a text that stands in the suite, or in a file beside it."""
        stated = _content_in(stated)
        if isinstance(stated, str):
            return stated
        if isinstance(stated, Tagged) and stated.tag == "path":
            for folder in (self.folder, self.folder.parent / "workdir"):
                path = folder / str(stated.value)
                if inside(folder, path) and path.stat().st_size < 1 << 20:
                    return path.read_text(encoding="utf-8", errors="replace")
        raise Unconvertible("a content is not there as text")

    def _whole(self, stated: object) -> str:
        """Return the content of a file; one that stands in the suite has an end of its last line."""
        content = self._content(stated)
        return content if isinstance(_content_in(stated), Tagged) else whole_lines(content)

    def _printed(self, stated: object, *, is_file: bool = False) -> str:
        """Return what is printed, or stands in a file, as an expected text."""
        config: object = {}
        if isinstance(stated, dict):
            if stated.get("oracle", "builtin") != "builtin":
                raise Unconvertible("a check of its own looks at what is printed")
            config = stated.get("config") or {}
        text = self._content(stated) if stated != "" else ""
        found = expected_text(text, config, is_whole=is_file and isinstance(_content_in(stated), Tagged))
        if found.is_kinder:
            reason = "`ignoreWhitespace` takes blanks at the end of the text away; here no line's count"
            self.draft.remark(self.file, 1, Meaning.KINDER, reason)
        return found.text

    # -- calls -------------------------------------------------------------------------------------------

    def _steps(self, lines: list[Mapping[str, Any]]) -> Keys:
        if len(lines) == 1 and (stated := _judged_files(lines[0])):
            return self._driven(lines[0], stated)
        steps = [self._step(line) for line in lines]
        if len(steps) == 1 and "call" in steps[0] and "as" not in steps[0]:
            return steps[0] | self._files(lines[0])
        if any(line.keys() & _FILES for line in lines):
            raise Unconvertible("several calls share files")
        return {"scenario": steps}

    def _step(self, line: Mapping[str, Any]) -> dict[str, str | Raw]:
        is_statement = "statement" in line and "return" not in line
        others = sorted(key for key in line.keys() - _OF_CALL if line[key] not in (None, "", [], 0))
        if others:
            raise Unconvertible(f"`{others[0]}` of a call has no counterpart")
        keys, _ = self._said(line)
        keys["prints"] = Raw(self._printed(line.get("stdout", "")))
        if line.get("exception") is not None:
            return keys | {"raises": self._raised(line["exception"])}
        return keys if is_statement else keys | self._answered(line.get("return"))

    def _said(self, line: Mapping[str, Any]) -> tuple[dict[str, str | Raw], bool]:
        """Return what `step_of` does for the statement or the expression of a line."""
        text = line.get("statement", line.get("expression"))
        texts = text if isinstance(text, dict) else {self._language: text}
        language = "python" if "python" in texts else "tested"
        if texts.get(language) is None:
            raise Unconvertible("it has no expression for Python")
        return step_of(str(texts[language]), self.module, is_python=language == "python")

    def _raised(self, stated: object) -> Raw:
        """Return what a call must raise."""
        found = stated if isinstance(stated, dict) else {"message": stated}
        types = found.get("types")
        kind = types.get("python") if isinstance(types, dict) else None
        if kind:
            reason = "an exception of a class that is derived from the expected one is accepted too"
            self.draft.remark(self.file, 1, Meaning.KINDER, reason)
        message = found.get("message")
        pattern = in_quotes(rf"\A{re.escape(str(message))}\Z")
        told = f", message: {pattern}" if message else ""
        return Raw(f"{{type: {kind or 'Exception'}{told}}}")

    def _answered(self, value: object) -> dict[str, str | Raw]:
        """Return the keys for an expected answer, or for one that the suite judges itself."""
        if not isinstance(value, Tagged) or value.tag != "oracle":
            return returned(value)
        stated, evaluators = value.value, Evaluators(self.draft, self.folder)
        match stated.get("oracle", "builtin") if isinstance(stated, dict) else "":
            case "builtin":
                return returned(stated.get("value"))
            case "custom_check":
                return {"check": evaluators.of_answer(stated, plain(stated.get("value")))}
            case "specific_check":
                return {"check": evaluators.of_answer_alone(stated)}
        raise Unconvertible("`!oracle` names no check that is known here")

    def _driven(self, line: Mapping[str, Any], stated: Mapping[str, Any]) -> Keys:
        """Return a call whose files the suite judges itself, as a program that makes the call."""
        names = [str(each.get("path")) for each in _listed(stated.get("data")) if isinstance(each, dict)]
        if not names or len(line.keys() - {"description", "stdout", "input_files"}) > 2:
            raise Unconvertible("more than its files is judged where `output_files` has a check of its own")
        keys, has_answer = self._said(line)
        if "call" not in keys or not has_answer or "as" in keys:
            raise Unconvertible("it is no call, and `output_files` has a check of its own")
        name = f"{self.beside}/drive_{len(self.draft.files) + 1}.py"
        check = Evaluators(self.draft, self.folder).of_files(stated)
        self.draft.files[name] = _driver(str(keys["call"]), self.module, "expression" in line).encode()
        given = {key: value for key, value in line.items() if key == "input_files"}
        return {
            "program": Raw(self.module),
            "harness": name,
            "stdout": Raw(self._printed(line.get("stdout", ""))),
            "leaves": Raw(list_in_quotes(names)),
            "check": check,
            **self._files(given),
        }


def _judged_files(line: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what a line states of its files, where a check of the suite's own looks at them."""
    stated = line.get("output_files", line.get("file"))
    return stated if isinstance(stated, dict) and stated.get("oracle") == "custom_check" else None


def _driver(call: str, module: str, has_answer: bool) -> str:
    """Return a program that makes a call of a module's function.  has_answer: it must return None."""
    names = {node.id for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Name)}
    head = f"from {module} import {', '.join(sorted(names - vars(builtins).keys()))}\n\n"
    if not has_answer:
        return f"{head}{call}\n"
    return f'{head}answer = {call}\nassert answer is None, f"it returned {{answer!r}}"\n'


def _content_in(stated: object) -> object:
    """Return the content of a mapping that states one; anything else as it is."""
    return stated.get("content", stated.get("data")) if isinstance(stated, dict) else stated


def _left(line: Mapping[str, Any]) -> Any:
    """Return the files that must be left; the older form, of one file, as the newer one."""
    match line.get("output_files", line.get("file")):
        case {"content": str(content), "location": str(name), **rest} if rest in ({}, {"oracle": "builtin"}):
            return [{"path": name, "content": Tagged("path", content)}]
        case {"data": stated, **rest} if rest in ({}, {"oracle": "builtin"}):
            return stated
        case stated:
            return stated


def _contexts(tab: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], list[Any]]]:
    """Yield the contexts of a tab, with the lines of each; lines without a context have one each."""
    for key in _CONTEXTS:
        for context in _listed(tab.get(key)):
            lines = (
                next((context[name] for name in _LINES if name in context), None)
                if isinstance(context, dict)
                else None
            )
            yield context if isinstance(context, dict) else {}, _listed(lines)
    if not any(key in tab for key in _CONTEXTS):
        for line in _listed(next((tab[name] for name in _ALONE if name in tab), None)):
            yield {}, [line]


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
