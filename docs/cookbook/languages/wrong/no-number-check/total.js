let total = 0;
for (const line of require("fs").readFileSync(0, "utf8").trim().split("\n")) {
  total += parseInt(line);
}
console.log(total);
