import os
import sys

source, target = sys.argv[1], sys.argv[2]
if not os.path.exists(source):
    print("no file", source, file=sys.stderr)
    sys.exit(1)
towns = {}
for line in open(source).read().split("\n")[1:]:
    if line:
        town, mm = line.split(",")
        towns[town] = towns.get(town, 0) + int(mm)
out = open(target, "w")
out.writelines(f"{town} {mm}\n" for town, mm in sorted(towns.items()))
