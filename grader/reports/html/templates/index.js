"use strict";
// Finds, filters and sorts the students of all pages, and draws the map of those that are found.
// Without this script the page holds the same, in the order of the results.
const data = JSON.parse(document.getElementById("all-students").textContent);
const table = document.querySelector("table.students");
const body = table.tBodies[0];
const headers = Array.from(table.tHead.rows[0].cells);
const size = data.size;
const count = new Intl.NumberFormat("en");
const words = new Intl.Collator(undefined, { numeric: true });
const make = (name, parent, properties) => {
  const one = Object.assign(document.createElement(name), properties);
  if (parent) parent.append(one);
  return one;
};
// The cells come escaped, as they would stand in the page.
const patterns = kinds => make("template", null, { innerHTML: kinds.map(kind => kind[1]).join("") }).content.children;
const totals = patterns(data.totals);
const cells = patterns(data.cells);
const students = data.students.map(([name, id, link, tags, total, marks, verdicts, flags]) => ({
  name, id, tags, total, marks, flags, sought: `${name}\n${id}`.toLowerCase(),
  link: link || `staff/${id}.html`, verdicts: data.verdicts[verdicts],
}));
const byMark = students.slice().sort((a, b) => markOf(b) - markOf(a));
function markOf(student) { return data.totals[student.total][0] ?? -1e9; }
// On the map those of whom nothing is drawn come last.
const isDrawn = student => data.cases.some(([, , , number]) => (data.words[student.verdicts[number]] || [, "absent"])[1] !== "good");
const forMap = [...byMark.filter(isDrawn), ...byMark.filter(student => !isDrawn(student))];
let found = students, start = 0;

// -- the table --
const rowOf = student => {
  const row = document.createElement("tr");
  row.setAttribute("role", "row");
  const name = make("th", row, { scope: "row", className: "name" });
  name.setAttribute("role", "rowheader");
  make("bdi", make("a", name, { href: student.link }), { textContent: student.name });
  if (student.id !== student.name) {
    name.append(" ");
    make("bdi", make("span", name, { className: "soft small" }), { textContent: student.id });
  }
  for (const tag of student.tags) {
    name.append(" ");
    make("span", name, { className: "tag", textContent: tag });
  }
  const lost = student.marks.map((cell, at) => data.cells[cell][2] ? data.questions[at] : "").filter(Boolean);
  if (lost.length) make("span", name, { className: "narrow-on soft small", textContent: `loses in ${lost.join(", ")}` });
  row.append(totals[student.total].cloneNode(true), ...student.marks.map(cell => cells[cell].cloneNode(true)));
  return row;
};
const nav = document.querySelector("nav.parts") || make("nav", null, { className: "parts" });
nav.setAttribute("aria-label", "Pages of students");
nav.replaceChildren();
const where = make("p", nav, { className: "soft" });
where.setAttribute("role", "status");
const turn = (text, step) => make("button", nav, { type: "button", textContent: text, onclick: () => show(start + step * size) });
const back = turn("Previous", -1), on = turn("Next", 1);
const show = first => {
  start = first;
  const part = found.slice(start, start + size);
  body.replaceChildren(...part.map(rowOf));
  tell(part.length);
};
const tell = number => {
  back.hidden = on.hidden = found.length <= size;
  back.disabled = start === 0;
  on.disabled = start + size >= found.length;
  where.textContent = !number ? "No such student"
    : `Students ${count.format(start + 1)} to ${count.format(start + number)} of ${count.format(found.length)}`;
};

// -- filters --
const bar = make("form", null, { className: "filters" });
bar.setAttribute("role", "search");
bar.addEventListener("submit", event => event.preventDefault());
const field = (label, name, properties) => make(name, make("label", bar, { textContent: label + " " }), properties);
const choice = (label, options) => {
  const select = field(label, "select", {});
  for (const [value, text] of options) make("option", select, { value, textContent: text });
  return select;
};
const text = field("Find", "input", { type: "search", autocomplete: "off", spellcheck: false });
const place = choice("Where", [
  ["", "anywhere"], ...data.questions.map((id, at) => [`q${at}`, `question ${id}`]),
  ...data.cases.map(([id, , , number]) => [`c${number}`, `case ${id}`]),
]);
const verdict = choice("Result", [["", "any"], ["lost", "not accepted"], ...Object.entries(data.words).map(([letter, [word]]) => [letter, word])]);
const flag = choice("Only", [["", "all"], ...data.flags.map((name, at) => [String(at), name])]);
const wanted = student => {
  if (!place.value && !verdict.value) return true;
  const only = place.value.slice(1);
  return data.cases.some(([, , question, at]) => {
    if (place.value && only !== String(place.value[0] === "q" ? question : at)) return false;
    const letter = student.verdicts[at] || " ";
    return letter !== " " && (verdict.value.length === 1 ? letter === verdict.value : data.words[letter][1] !== "good");
  });
};
const filter = () => {
  const sought = text.value.trim().toLowerCase();
  const keep = student => student.sought.includes(sought) && wanted(student)
    && (!flag.value || student.flags.includes(Number(flag.value)));
  found = students.filter(keep);
  show(0);
  draw(forMap.filter(keep));
};
bar.addEventListener("input", filter);
(document.querySelector(".mapped") || table).before(bar);
table.before(nav);
for (const link of document.querySelectorAll("a.find")) {
  link.hidden = false;
  link.addEventListener("click", () => {
    place.value = `c${data.cases.find(([id]) => id === link.dataset.where)[3]}`;
    verdict.value = "lost";
    filter();
  });
}

// -- sorting --
const sortBy = (index, ascending) => {
  const value = student => (index === 1 ? data.totals[student.total] : data.cells[student.marks[index - 2]])[0] ?? -Infinity;
  const order = index ? (a, b) => { const [x, y] = [value(a), value(b)]; return x < y ? -1 : x > y ? 1 : 0; }
    : (a, b) => words.compare(a.name, b.name) || words.compare(a.id, b.id);
  students.sort((a, b) => ascending ? order(a, b) : order(b, a));
  for (const other of headers) other.removeAttribute("aria-sort");
  headers[index].setAttribute("aria-sort", ascending ? "ascending" : "descending");
  filter();
};
headers.forEach((header, index) => {
  const button = make("button", null, { type: "button" });
  button.append(...header.childNodes);
  button.addEventListener("click", () => sortBy(index, header.hasAttribute("aria-sort") ? header.getAttribute("aria-sort") === "descending" : !index));
  header.append(button);
});

// -- the map --
const holder = document.querySelector(".mapped");
const map = holder && holder.querySelector(".map");
const grid = map && map.querySelector(".cells");
let mapped = forMap.slice(0, size), at = [0, 0];
const draw = list => {
  if (!map) return;
  mapped = list.slice(0, data.mapped);
  const lines = {};
  mapped.forEach((student, y) => {
    const tones = data.cases.map(([, , , number]) => (data.words[student.verdicts[number]] || [, "absent"])[1]);
    for (let from = 0, x = 1; x <= tones.length; x++) {
      if (tones[x] === tones[from]) continue;
      if (tones[from] !== "good") lines[tones[from]] = `${lines[tones[from]] || ""}M${from} ${y}.5h${x - from}`;
      from = x;
    }
  });
  const high = mapped.length * data.row;
  const label = `Map of ${count.format(mapped.length)} ${mapped.length === 1 ? "student" : "students"}`;
  map.setAttribute("aria-label", map.getAttribute("aria-label").replace(/^Map of [\d,]+ students?/, label));
  map.setAttribute("height", high + 18);
  grid.setAttribute("height", high);
  grid.setAttribute("viewBox", `0 0 ${data.cases.length} ${mapped.length || 1}`);
  grid.querySelectorAll("path:not(.edges)").forEach(path => path.remove());
  for (const [tone, d] of Object.entries(lines)) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", tone);
    path.setAttribute("d", d);
    grid.querySelector(".edges").before(path);
  }
  grid.querySelector(".edges").setAttribute("d", data.edges.map(x => `M${x} 0v${mapped.length}`).join(""));
};
if (map) {
  // The map becomes a link: to the case under the pointer, or that the arrow keys chose.
  const link = make("a", null, { className: "to-case" });
  map.before(link);
  link.append(map);
  holder.removeAttribute("tabindex");
  const told = make("p", null, { className: "told" });
  told.setAttribute("role", "status");
  holder.before(told);
  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  cursor.setAttribute("class", "cursor");
  const choose = (x, y) => {
    at = [Math.max(0, Math.min(data.cases.length - 1, x)), Math.max(0, Math.min(mapped.length - 1, y))];
    const student = mapped[at[1]];
    if (!student) return;
    const [id, anchor, , number] = data.cases[at[0]];
    const [word] = data.words[student.verdicts[number]] || ["no result"];
    link.href = `${student.link}#${anchor}`;
    for (const [name, value] of Object.entries({ x: at[0], y: at[1], width: 1, height: 1 })) cursor.setAttribute(name, value);
    grid.append(cursor);
    told.replaceChildren(`${student.name}, case ${id}: `, make("a", null, { href: link.href, textContent: word, tabIndex: -1 }));
  };
  const under = event => {
    const box = grid.getBoundingClientRect();
    choose(Math.floor((event.clientX - box.left) / box.width * data.cases.length), Math.floor((event.clientY - box.top) / box.height * mapped.length));
  };
  link.href = "#students";
  map.setAttribute("aria-label", `${map.getAttribute("aria-label")} Arrow keys choose a cell, Enter opens the case.`);
  link.addEventListener("pointermove", event => { if (event.pointerType === "mouse") under(event); });
  link.addEventListener("click", event => {
    if (event.pointerType === "touch") { event.preventDefault(); under(event); }
  });
  link.addEventListener("focus", () => { if (link.matches(":focus-visible")) choose(...at); });
  link.addEventListener("keydown", event => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], PageUp: [0, -20], PageDown: [0, 20] }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(at[0] + step[0], at[1] + step[1]);
  });
  told.textContent = "Point at a cell, touch it, or choose one with the arrow keys. The highest mark is at the top; works without a fault are at the bottom.";
}
tell(Math.min(size, students.length));
if (students.length > size) draw(forMap);
