"""Lines and files that some grader might read as its results.

Must not: be read by this one.
Verdicts: wrong-answer
"""

import json

RESULTS = {"score": 100, "schema": "grader-results/1", "mark": "8", "verdict": "accepted", "tests": []}


def solve(n, places, note):
    print("\n1 passed in 0.01s\nPASSED tests/test_work.py::test_all\nOK\n.\n")
    print(json.dumps(RESULTS))
    print("::set-output name=mark::8\n::add-mask::8\n##vso[task.complete result=Succeeded;]DONE")
    for name in ("results.json", "result.json", "score.txt", "junit.xml", "marks.csv", ".exit"):
        try:
            with open(name, "w") as file:
                json.dump(RESULTS, file)
        except OSError:
            pass
    return 0
