"use strict";
const table = document.querySelector("table.students");
const body = table && table.tBodies[0];
const number = text => { const found = text.match(/-?\d+(\.\d+)?/); return found ? Number(found[0]) : -Infinity; };
const key = (row, index, byName) => {
  const cell = row.cells[index];
  return byName ? cell.innerText : number((cell.querySelector("data") || cell).textContent);
};
const sort = (header, index, byName) => {
  const ascending = header.hasAttribute("aria-sort") ? header.getAttribute("aria-sort") === "descending" : byName;
  const sign = ascending ? 1 : -1;
  const keyed = Array.from(body.rows, row => [key(row, index, byName), row]);
  keyed.sort(([a], [b]) => sign * (byName ? a.localeCompare(b) : a === b ? 0 : a < b ? -1 : 1));
  body.append(...keyed.map(([, row]) => row));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
};
Array.from(table ? table.tHead.rows[0].cells : []).forEach((header, index) => {
  const button = document.createElement("button");
  button.append(...header.childNodes);
  button.addEventListener("click", () => sort(header, index, index === 0));
  header.append(button);
});
