def sorted_lines(did, number):
    lines = did["files"]["report.txt"].splitlines()
    if len(lines) != number:
        return f"report.txt has {len(lines)} lines, expected {number}"
    if lines != sorted(lines):
        return "the towns in report.txt are not in alphabetical order"
    return None
