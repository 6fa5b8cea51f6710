"""A validation as JSON (`grader-validation/1`): additive changes only."""

import json
from typing import Any

from grader.model.validation import VALIDATION_SCHEMA, Mutant, Survivor, Validation


def as_document(validation: Validation) -> dict[str, Any]:
    """Return the document of a validation."""
    return {
        "schema": VALIDATION_SCHEMA,
        "task": validation.task,
        "title": validation.title,
        "spec": validation.spec,
        "spec_sha256": validation.spec_sha256,
        "well": validation.is_well,
        "quick": validation.quick,
        "elapsed_s": round(validation.elapsed_s, 2),
        "kept": validation.kept,
        "mutants": validation.mutants,
        "caught": validation.caught,
        "total": validation.total,
        "checks": {str(check): tried for check, tried in validation.checks.items()},
        "remarks": [
            {
                "check": str(remark.check),
                "gravity": str(remark.gravity),
                "question": remark.question,
                "case": remark.case,
                "place": remark.place,
                "text": remark.text,
                "hint": remark.hint,
                "details": [list(detail) for detail in remark.details],
            }
            for remark in validation.remarks
        ],
        "questions": [
            {
                "id": question.id,
                "title": question.title,
                "caught": question.caught,
                "total": question.total,
                "survivors": list(map(_survivor, question.survivors)),
                "unsure": list(map(_survivor, question.unsure)),
                "alike": list(map(_survivor, question.alike)),
                "equivalent": list(map(_survivor, question.equivalent)),
            }
            for question in validation.questions
        ],
    }


def _survivor(survivor: Survivor) -> dict[str, Any]:
    found = survivor.distinction
    document = _mutant(survivor.mutant)
    if survivor.reason:
        document["reason"] = survivor.reason
    if survivor.caught_by:
        document["caught_by"] = list(survivor.caught_by)
    if found is not None:
        document["distinction"] = {
            "call": found.call,
            "reference": found.reference,
            "mutant": found.mutant,
            "lines": list(found.lines),
            "certain": found.certain,
            "odd": list(found.odd),
            "slow": found.slow,
        }
    return document


def _mutant(mutant: Mutant) -> dict[str, Any]:
    return {
        "id": mutant.id,
        "operator": mutant.operator,
        "module": mutant.module,
        "function": mutant.function,
        "line": mutant.line,
        "before": mutant.before,
        "after": mutant.after,
    }


def to_json(validations: list[Validation]) -> str:
    """Return the JSON of validations: one document for one, a list for more."""
    documents = list(map(as_document, validations))
    return json.dumps(documents[0] if len(documents) == 1 else documents, indent=2, ensure_ascii=True)
