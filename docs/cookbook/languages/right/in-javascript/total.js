const lines = require("fs").readFileSync(0, "utf8").split(/\s+/).filter(Boolean);
const numbers = lines.map(Number);
if (numbers.some(Number.isNaN)) {
  console.error("no number");
  process.exit(2);
}
console.log(numbers.reduce((total, number) => total + number, 0));
