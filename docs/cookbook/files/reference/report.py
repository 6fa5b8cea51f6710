import csv
import sys
from collections import Counter


def main(source, target):
    total = Counter()
    try:
        with open(source, newline="") as file:
            for row in csv.DictReader(file):
                total[row["town"]] += int(row["mm"])
    except FileNotFoundError:
        sys.exit(f"no file {source}")
    with open(target, "w") as file:
        for town in sorted(total):
            print(town, total[town], file=file)


main(*sys.argv[1:])
