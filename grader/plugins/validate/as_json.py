"""A validation as JSON (`grader-validation/1`): additive changes only."""

import json
from dataclasses import asdict
from typing import Any

from grader.model.validation import VALIDATION_SCHEMA, Survivor, Validation


def as_document(validation: Validation) -> dict[str, Any]:
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
        "remarks": list(map(asdict, validation.remarks)),
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
    document = asdict(survivor.mutant)
    del document["sources"]
    if survivor.reason:
        document["reason"] = survivor.reason
    if survivor.caught_by:
        document["caught_by"] = survivor.caught_by
    if survivor.distinction is not None:
        document["distinction"] = asdict(survivor.distinction)
    return document


def to_json(validations: list[Validation]) -> str:
    """Return the JSON of validations: one document for one, a list for more."""
    documents = list(map(as_document, validations))
    return json.dumps(documents[0] if len(documents) == 1 else documents, indent=2, ensure_ascii=True)
