"use strict";
// A table over several pages: this script makes the first page find and sort the students of all pages.
const table = document.querySelector("table.students");
const body = table.tBodies[0];
const size = body.rows.length;
const data = JSON.parse(document.getElementById("all-students").textContent);
// The cells come escaped, as they would stand in the page.
const patterns = kinds => {
  const holder = document.createElement("template");
  holder.innerHTML = kinds.map(([, cell]) => cell).join("");
  return holder.content.children;
};
const totals = patterns(data.totals);
const cells = patterns(data.cells);
const words = new Intl.Collator(undefined, { numeric: true });
const count = new Intl.NumberFormat("en");
const made = (name, parent, properties) => {
  const one = Object.assign(document.createElement(name), properties);
  parent.append(one);
  return one;
};
for (const student of data.students) student.sought = `${student.name}\n${student.id}`.toLowerCase();
let found = data.students;
let start = 0;

const rowOf = student => {
  const row = document.createElement("tr");
  row.setAttribute("role", "row");
  const name = made("th", row, { scope: "row", className: "name" });
  name.setAttribute("role", "rowheader");
  made("bdi", made("a", name, { href: student.link }), { textContent: student.name });
  if (student.id !== student.name) {
    name.append(" ");
    made("bdi", made("span", name, { className: "soft small" }), { textContent: student.id });
  }
  for (const tag of student.tags) {
    name.append(" ");
    made("span", name, { className: "tag", textContent: tag });
  }
  row.append(totals[student.total].cloneNode(true), ...student.cells.map(cell => cells[cell].cloneNode(true)));
  return row;
};

const find = document.createElement("label");
find.className = "find";
find.append("Find a student ");
const sought = made("input", find, { type: "search", autocomplete: "off", spellcheck: false });
const nav = document.querySelector("nav.parts");
table.before(find, nav);
const where = nav.querySelector("p");
where.setAttribute("role", "status");
nav.querySelector("ol").remove();
const move = (text, step) => made("button", nav, { type: "button", textContent: text, onclick: () => show(start + step * size) });
const back = move("Previous", -1);
const on = move("Next", 1);
back.disabled = true;

const show = first => {
  start = first;
  const part = found.slice(start, start + size);
  body.replaceChildren(...part.map(rowOf));
  back.disabled = start === 0;
  on.disabled = start + size >= found.length;
  where.textContent = part.length
    ? `Students ${count.format(start + 1)} to ${count.format(start + part.length)} of ${count.format(found.length)}`
    : "No student of that name";
};

sought.addEventListener("input", () => {
  const text = sought.value.trim().toLowerCase();
  found = text ? data.students.filter(student => student.sought.includes(text)) : data.students;
  show(0);
});

Array.from(table.tHead.rows[0].cells, (header, index) => {
  const kind = student => index === 1 ? data.totals[student.total] : data.cells[student.cells[index - 2]];
  const value = student => kind(student)[0] ?? -Infinity;
  const order = index ? (a, b) => { const [x, y] = [value(a), value(b)]; return x < y ? -1 : x > y ? 1 : 0; }
    : (a, b) => words.compare(a.name, b.name) || words.compare(a.id, b.id);
  const button = document.createElement("button");
  button.append(...header.childNodes);
  button.addEventListener("click", () => {
    const ascending = header.hasAttribute("aria-sort") ? header.getAttribute("aria-sort") === "descending" : !index;
    data.students.sort((a, b) => ascending ? order(a, b) : order(b, a));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    sought.dispatchEvent(new Event("input"));
  });
  header.append(button);
});
