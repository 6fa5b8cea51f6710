import csv
import sys

source, target = sys.argv[1:]
towns = {}
with open(source) as file:
    for row in csv.DictReader(file):
        towns[row["town"]] = towns.get(row["town"], 0) + int(row["mm"])
with open(target, "w") as file:
    for town, mm in towns.items():
        file.write(f"{town} {mm}\n")
