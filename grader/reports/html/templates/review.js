// Marks by hand.  Everything that comes from a work is put in as text, never as markup.

const TYPING = "textarea, input[type=text], select";
const WORDS = "textarea, input[type=text]";

let desk = null;          // what `api/overview` says
let number = 0;           // of the work that is asked for
let shown = null;         // the work that is shown; what is given is given to it
let drawn = 0;            // the work whose rubric stands on the page
let at = 0;               // the criterion under the cursor, among those that are shown
let line = { file: 0, line: 1 };
let letters = true;
const LINES_OF_PART = 100; // of a long source the browser draws the parts that are seen
const rows = [];          // the lines of the sources, by file
let pressed = false;      // somebody clicks, and what is under the pointer has to stay
let isStale = false;
let sourceText = "";      // the source and the remarks that stand on the page
const known = new Map();  // works by number, as they were last read
const early = [];         // keys that were pressed before the work that they are meant for was there

// -- what is shown --------------------------------------------------------------------------------

const inView = () => {
  const only = by("only").value;
  return desk.criteria.filter((each) => !only || each.id === only);
};
const place = () => desk.works.findIndex((each) => each.number === number);

async function start() {
  const answer = await ask("api/overview").catch(() => null);
  if (!answer || answer.status !== 200) {
    alarm("bad", answer ? answer.found.refused : "The grader does not answer.", "start");
    setTimeout(start, ASK_AGAIN_MS);
    return;
  }
  quiet("start");
  desk = answer.found;
  desk.problems.forEach((each) => alarm("part", each));
  if (desk.role !== "first") by("who").dataset.role = desk.role;
  by("which").replaceChildren(...desk.works.map((each) => make("option", { value: each.number }, name(each))));
  by("only").replaceChildren(
    make("option", { value: "" }, "all criteria"),
    ...desk.criteria.map((each) => make("option", { value: each.id }, `only ${each.title}`)),
  );
  restore();
  keep();
  drawHeld();
  send();
  const wanted = desk.works.find((each) => each.number === Number(location.hash.slice(1)));
  const first = wanted || desk.works.find((each) => each.open.length) || desk.works[0];
  if (first) await show(first.number);
  else alarm("idle", "There is nothing to mark here.");
  progress();
}

const name = (each) => each.id ? `${each.label} (${each.id})` : each.label;

// What the grader says of a work, under what is not on the disk yet.
function learn(found) {
  const work = overlaid({ ...known.get(found.number), ...found });
  known.set(found.number, work);
  if (shown && shown.number === work.number) shown = work;
  const entry = desk.works.find((each) => each.number === work.number);
  if (entry) Object.assign(entry, { open: found.open, again: found.again });
}

async function show(wanted) {
  release();
  number = wanted;
  by("which").value = wanted;
  if (known.has(wanted)) draw(known.get(wanted));
  await reread(wanted);
  const following = desk.works[place() + 1];
  if (following && !known.has(following.number)) reread(following.number, true);
}

// Read a work again, and show it where it is the one that is asked for.
async function reread(wanted, isQuiet = false) {
  const answer = await ask(`api/work/${wanted}`).catch(() => null);
  if (answer && answer.status === 200) {
    const { problem } = answer.found;
    if (!problem) quiet("file");
    else if (![...by("alarm").children].some((each) => each.dataset.kind === "file")) alarm("bad", problem, "file");
    learn(answer.found);
    if (number === wanted) draw(known.get(wanted));
  } else if (!isQuiet) {
    alarm("bad", answer ? answer.found.refused : "The grader does not answer, so this work can't be shown.", "read");
    if (number === wanted && shown && shown.number !== wanted) { number = shown.number; by("which").value = number; early.length = 0; }
    return;
  }
  if (!isQuiet) quiet("read");
}

function draw(work) {
  const isOther = !shown || shown.number !== work.number;
  shown = work;
  if (isOther) {
    history.replaceState(null, "", `#${work.number}`);
    line = { file: 0, line: 1 };
    for (const pane of ["report", "files"]) by(`pane-${pane}`).replaceChildren();
    open(document.querySelector('[aria-selected="true"]').id.slice(4));
  }
  refresh();
  progress();
  early.splice(0).forEach(key);
}

function progress() {
  const left = desk.works.filter((each) => each.open.length).length;
  const again = desk.works.filter((each) => each.again).length;
  by("progress").textContent = `work ${place() + 1} of ${desk.works.length}; ${left} with something unmarked${again ? `; ${again} to look at again` : ""}`;
}

function refresh() {
  isStale = pressed && drawn === shown.number;
  if (isStale) return;
  drawSource();
  const active = document.activeElement;
  const focus = active && active.id;
  // A field that somebody types in stays as it is.
  const typing = drawn === shown.number && active && active.matches(WORDS) && by("rubric").contains(active);
  by("who").textContent = name(shown) + (shown.again ? ` · look again: ${shown.again}` : "");
  drawEqual();
  at = Math.max(0, Math.min(at, inView().length - 1));
  if (!typing) {
    by("criteria").replaceChildren(...inView().map(card));
    drawOthers();
    drawn = shown.number;
    if (focus && by(focus) && document.activeElement !== by(focus)) by(focus).focus({ preventScroll: true });
  } else {
    for (const each of inView()) {
      const label = by(`given-${each.id}`);
      if (label) label.textContent = given(shown.criteria[each.id]);
    }
  }
  mark();
}

function drawEqual() {
  const equal = shown.equal || [];
  by("equal").replaceChildren(...(equal.length ? [make("p", { className: "notice idle" },
    `The same, byte for byte, as ${equal.length === 1 ? "work" : "works"} ${equal.join(", ")}. `,
    make("button", { type: "button", onclick: () => copyTo(equal) }, "Give them the same"))] : []));
}

// Works that have marks of their own keep them.
async function copyTo(numbers) {
  const from = shown;
  for (const other of numbers) {
    const answer = await ask(`api/work/${other}`).catch(() => null);
    if (!answer || answer.status !== 200) { alarm("bad", `Work ${other} can't be read now, so it got nothing.`); continue; }
    learn(answer.found);
    for (const each of desk.criteria) {
      const value = saw(from.criteria[each.id]);
      const there = saw(known.get(other).criteria[each.id]);
      if (!value.marks || JSON.stringify(value) === JSON.stringify(there)) continue;
      if (there.marks || there.comment || there.uses.length) alarm("part", `Work ${other} has ${said(there)} for ${each.id}, and keeps it.`);
      else change(each, value, { work: other });
    }
  }
}

const saw = (value) => ({ marks: value.marks, level: value.level, comment: value.comment, uses: value.uses });
const given = (value) => [value.marks || "—", value.by && `by ${value.by}`, value.old && "for an earlier work", value.file && `in ${value.file}`].filter(Boolean).join(", ");

function card(criterion, place) {
  const work = shown.number;
  const value = shown.criteria[criterion.id];
  const closed = Boolean(value.file);
  const box = make("fieldset", { className: "criterion", id: `criterion-${criterion.id}`, onfocusin: () => { at = place; mark(); } });
  box.append(make("legend", {}, `${criterion.title} `, make("span", { className: "soft small" }, `${criterion.id}, ${criterion.marks}`)));
  box.append(make("span", { className: "given", id: `given-${criterion.id}` }, given(value)));
  if (criterion.description) box.append(make("p", { className: "soft small" }, criterion.description));
  if (criterion.levels.length) {
    criterion.levels.forEach((level, index) => {
      const id = `level-${criterion.id}-${index}`;
      box.append(make("div", { className: "level" },
        make("input", { type: "radio", id, name: `level-${criterion.id}`, disabled: closed, checked: chosen(value, level), onchange: () => choose(criterion, index) }),
        make("label", { htmlFor: id }, make("strong", {}, level.marks), ` ${level.description} `),
        make("kbd", {}, index < 9 ? String(index + 1) : "")));
    });
  } else {
    box.append(make("label", { className: "words", htmlFor: `marks-${criterion.id}` }, `Marks, 0 to ${criterion.marks}`),
      make("input", { type: "text", inputMode: "decimal", size: 8, id: `marks-${criterion.id}`, value: value.marks, disabled: closed, autocomplete: "off",
        oninput: (event) => change(criterion, { marks: event.target.value.trim(), level: "" }, { pause: Infinity, work }), onblur: release }));
  }
  for (const one of value.beside) box.append(make("p", { className: "small" }, `${one.role}: ${one.marks} by ${one.by}${one.comment ? `, ${one.comment}` : ""}`));
  for (const other of value.against) box.append(make("p", { className: "notice bad" }, `${other.file} says ${other.marks} by ${other.by}: the two files contradict each other, and marking refuses until one gives way.`));
  box.append(make("label", { className: "words", htmlFor: `comment-${criterion.id}` }, "Comment"),
    make("textarea", { id: `comment-${criterion.id}`, value: value.comment, disabled: closed, oninput: (event) => change(criterion, { comment: event.target.value }, { pause: PAUSE_MS, work }), onblur: release }));
  box.append(bank(criterion, value, closed));
  return box;
}

function bank(criterion, value, closed) {
  const fits = desk.shared.filter((each) => !each.for || each.for === criterion.id);
  const list = make("ul", { className: "bank", "aria-label": `Shared comments for ${criterion.title}` });
  for (const each of fits) {
    const used = value.uses.includes(each.id);
    list.append(make("li", {},
      make("button", { type: "button", id: `use-${criterion.id}-${each.id}`, disabled: closed, ariaPressed: String(used), onclick: () => change(criterion, { uses: used ? value.uses.filter((one) => one !== each.id) : [...value.uses, each.id] }) }, used ? "✓" : "+"),
      make("span", { className: "words" }, each.text, " ", make("span", { className: "soft small" }, `${each.id}, used in ${each.works.length}${each.works.length ? `: ${each.works.slice(0, 12).join(", ")}` : ""}`)),
      each.own ? make("button", { type: "button", onclick: () => reword(each) }, "Reword") : null));
  }
  list.append(make("li", {}, make("button", { type: "button", id: `share-${criterion.id}`, disabled: closed || !value.comment, onclick: () => share(criterion) }, "Share this comment")));
  return list;
}

// -- changes ---------------------------------------------------------------------------------------

const chosen = (value, level) => value.level ? value.level === level.id : Boolean(value.marks) && Number(value.marks) === Number(level.marks);

function change(criterion, to, { pause = 0, work = shown.number } = {}) {
  const value = known.get(work).criteria[criterion.id];
  const before = saw(value);
  const after = { ...before, ...to };
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  put({ kind: "mark", work, criterion: criterion.id, saw: before, to: after }, { pause });
  Object.assign(value, after);
  if (work === shown.number && by(`given-${criterion.id}`)) by(`given-${criterion.id}`).textContent = given(value);
}

function choose(criterion, index) {
  const value = shown.criteria[criterion.id];
  if (value.file) { alarm("part", `${value.by} gave this mark, in ${value.file}.`); return; }
  const level = criterion.levels[index];
  const takes = chosen(value, level);
  change(criterion, takes ? { marks: "", level: "" } : level.id ? { marks: level.marks, level: level.id } : { marks: level.marks, level: "" });
  refresh();
}

function undo() {
  release();
  const last = done.pop();
  if (!last) { by("saved").textContent = "nothing to undo"; return; }
  const { next, sent, ...change } = last;
  const place = ({ question, file, line, comment }) => ({ comment, question: file ? "" : question || "", file: file || "", line: line || 0 });
  put({ ...change, saw: last.kind === "remark" ? last.to && place(last.to) : last.to, to: last.saw }, { undoes: true });
  if (last.work !== number) show(last.work);
}

function share(criterion) {
  const value = shown.criteria[criterion.id];
  const id = prompt("A short name for this comment: letters, digits, hyphens", value.comment.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 24));
  if (!id) return;
  if (desk.shared.some((each) => each.id === id)) { alarm("bad", `There is a shared comment ${id} already: choose another name.`); return; }
  // The mark loses its own words when the shared ones are on the disk, and not before.
  const before = saw(value);
  const next = { kind: "mark", work: shown.number, criterion: criterion.id, saw: before, to: { ...before, comment: "", uses: [...before.uses, id] } };
  put({ kind: "share", saw: null, to: { id, text: value.comment, for: criterion.id }, next });
}

function reword(each) {
  const text = prompt(`New words of "${each.id}", for all ${each.works.length} works that use it`, each.text);
  if (text && text !== each.text) put({ kind: "share", saw: { text: each.text, for: each.for }, to: { id: each.id, text, for: each.for } });
}

// -- overrides, remarks, look again ----------------------------------------------------------------

function drawOthers() {
  const work = shown.number;
  const note = (event) => {
    put({ kind: "again", work, saw: known.get(work).again, to: event.target.value }, { pause: PAUSE_MS });
    known.get(work).again = event.target.value;
  };
  const again = make("input", { type: "text", id: "again", size: 30, value: shown.again, oninput: note, onblur: release });
  const remarks = make("ul", {}, ...shown.remarks.map((one) => make("li", {},
    `${one.file ? `${one.file}:${one.line} ` : one.question ? `question ${one.question} ` : ""}${one.comment} `,
    make("span", { className: "soft small" }, one.by),
    one.own ? make("button", { type: "button", onclick: () => put({ kind: "remark", work, saw: one, to: null }) }, "Remove") : null)));
  const overrides = make("ul", {}, ...Object.entries(shown.overrides).filter(([, one]) => one).map(([question, one]) => make("li", {},
    `${question ? `question ${question}` : "the whole mark"}: ${one.marks}, ${one.reason} `, make("span", { className: "soft small" }, one.by, ...one.against.map((other) => ` (${other.file} says ${other.marks} by ${other.by}: marking refuses)`)),
    one.own ? make("button", { type: "button", onclick: () => put({ kind: "override", work, question, saw: { marks: one.marks, reason: one.reason }, to: null }) }, "Remove") : null)));
  by("others").replaceChildren(
    make("section", {}, make("h3", {}, make("label", { htmlFor: "again" }, "Look at this again")), again),
    make("section", {}, make("h3", {}, "Remarks"), remarks, remarkForm()),
    make("section", {}, make("h3", {}, "Overrides"), overrides, overrideForm()));
}

const about = () => [...(shown.sources || []).map((each, index) => [`file-${index}`, `line of ${each.file}`]), ...desk.questions.map((each) => [`question-${each.id}`, `question ${each.id} ${each.title}`]), ["whole", "the whole work"]];

// The words of a form stay until they are put in, also where its work is left.
function draft(name, id, fields, ...inside) {
  const place = `${shown.number} ${id}`;
  const { value, ...more } = fields;
  const made = make(name, { id, ...more, oninput: () => { drafts.set(place, made.value); keep(); } }, ...inside);
  made.value = drafts.get(place) ?? value ?? made.value;
  return made;
}

function putIn(...ids) {
  for (const id of ids) { drafts.delete(`${shown.number} ${id}`); if (!by(id).matches("select")) by(id).value = ""; }
  keep();
  by("rubric").focus();
}

function remarkForm() {
  const form = make("form", { id: "remark", onsubmit: (event) => {
    event.preventDefault();
    const words = by("remark-words").value.trim();
    if (!words) return;
    const [kind, , ...rest] = by("remark-about").value.split(/(-)/);
    const to = { comment: words };
    if (kind === "file") {
      const source = shown.sources[Number(rest.join(""))];
      to.file = source.file;
      to.line = Number(by("remark-line").value);
      to.text = (source.lines[to.line - 1] || "").trim().slice(0, 400);
    } else if (kind === "question") to.question = rest.join("");
    putIn("remark-words", "remark-about");
    put({ kind: "remark", work: shown.number, saw: null, to });
  } });
  form.append(
    make("div", { className: "row" }, make("label", { htmlFor: "remark-about" }, "About"),
      draft("select", "remark-about", {}, ...about().map(([value, text]) => make("option", { value }, text))),
      make("label", { htmlFor: "remark-line" }, "line"), draft("input", "remark-line", { type: "text", inputMode: "numeric", size: 4, value: line.line })),
    make("label", { className: "unseen", htmlFor: "remark-words" }, "Remark"), draft("textarea", "remark-words", {}),
    make("button", {}, "Add the remark"));
  return form;
}

function overrideForm() {
  const form = make("form", { onsubmit: (event) => {
    event.preventDefault();
    const question = by("override-question").value;
    const old = shown.overrides[question];
    const to = { marks: by("override-marks").value, reason: by("override-reason").value };
    putIn("override-marks", "override-reason", "override-question");
    put({ kind: "override", work: shown.number, question, saw: old ? { marks: old.marks, reason: old.reason } : null, to });
  } });
  form.append(make("div", { className: "row" },
    make("label", { htmlFor: "override-question" }, "Mark of"),
    draft("select", "override-question", {}, make("option", { value: "" }, `the whole, of ${desk.most}`), ...desk.questions.map((each) => make("option", { value: each.id }, `question ${each.id}, of ${each.most}`))),
    make("label", { htmlFor: "override-marks" }, "is"), draft("input", "override-marks", { type: "text", inputMode: "decimal", size: 6 })),
    make("label", { className: "words", htmlFor: "override-reason" }, "Reason, which the student sees"), draft("textarea", "override-reason", {}),
    make("button", {}, "Set it"));
  return form;
}

// -- the work ---------------------------------------------------------------------------------------

function drawSource() {
  const text = JSON.stringify([shown.number, shown.sources, shown.remarks]);
  if (text === sourceText) return;
  sourceText = text;
  const pane = by("pane-source");
  pane.replaceChildren();
  rows.length = 0;
  (shown.sources || []).forEach((source, index) => {
    const parts = [];
    rows.push(source.lines.map((text, place) => {
      if (place % LINES_OF_PART === 0) parts.push(make("ol", { className: "code", start: place + 1 }));
      const row = make("li", { onclick: () => { line = { file: index, line: place + 1 }; here(); } }, text);
      for (const one of shown.remarks.filter((each) => each.file === source.file && each.line === place + 1)) row.append(make("p", { className: "said" }, one.comment, " ", make("span", { className: "soft small" }, one.by)));
      parts.at(-1).append(row);
      return row;
    }));
    pane.append(make("h2", {}, make("code", {}, source.file)), ...parts);
  });
  if (!pane.children.length) pane.append(make("p", { className: "soft" }, "No source of this work was marked: see Files, and Report."));
  here(false);
}

function here(moves = true) {
  by("pane-source").querySelectorAll("li.here").forEach((each) => each.classList.remove("here"));
  const row = rows[line.file]?.[line.line - 1];
  if (!row || !moves) return;
  row.classList.add("here");
  row.scrollIntoView({ block: "nearest" });
  for (const [id, value] of [["remark-line", String(line.line)], ["remark-about", `file-${line.file}`]]) {
    drafts.set(`${shown.number} ${id}`, value);
    if (by(id)) by(id).value = value;
  }
}

function move(step) {
  const source = shown.sources[line.file];
  if (source) line.line = Math.max(1, Math.min(source.lines.length, line.line + step));
  here();
}

function open(which) {
  for (const each of ["source", "report", "files", "figures"]) {
    by(`tab-${each}`).setAttribute("aria-selected", String(each === which));
    by(`tab-${each}`).tabIndex = each === which ? 0 : -1;
    by(`pane-${each}`).hidden = each !== which;
  }
  if (which === "report" && !by("pane-report").children.length) by("pane-report").append(framed(`work/${shown.number}/report`, "The report of this work"));
  if (which === "files" && !by("pane-files").children.length) files();
  if (which === "figures") drawFigures();
}

function framed(path, title) {
  const frame = make("iframe", { src: path, title });
  // Keys that are pressed in a page of ours are keys here, too.
  frame.addEventListener("load", () => { try { frame.contentWindow.addEventListener("keydown", key); } catch { /* a viewer of the browser's own */ } });
  return frame;
}

async function files() {
  const pane = by("pane-files");
  const wanted = shown.number;
  pane.append(make("p", { className: "soft" }, "…"));
  const { found } = await ask(`api/files/${wanted}`).catch(() => ({ found: { files: [], why: "The grader does not answer." } }));
  if (wanted !== shown.number) return;
  const view = make("div", {});
  pane.replaceChildren(make("p", { className: "soft" }, found.why || found.refused || `${found.files.length} files`), make("ul", {}, ...(found.files || []).map((each, index) => make("li", {},
    make("button", { type: "button", onclick: () => view.replaceChildren(/\.(png|jpe?g|gif)$/i.test(each.name) ? make("img", { src: `work/${wanted}/file/${index}`, alt: each.name }) : framed(`work/${wanted}/file/${index}`, each.name)) }, "Show"),
    " ", make("a", { href: `work/${wanted}/file/${index}`, target: "_blank", rel: "noopener" }, each.name), ` ${each.size.toLocaleString("en")} bytes`))), view);
}

async function drawFigures() {
  const { found } = await ask("api/figures").catch(() => ({ found: {} }));
  const rows = (found.rows || []).map((row) => make("tr", {},
    make("th", { scope: "row" }, row.criterion), make("td", {}, row.by), make("td", { className: "number" }, String(row.count)), make("td", { className: "number" }, row.mean),
    make("td", {}, row.levels.map(([value, count]) => `${value}: ${count}`).join(", ")), make("td", {}, row.days.map(([day, count, mean]) => `${day}: ${mean} (${count})`).join(", "))));
  if (!rows.length) { by("pane-figures").replaceChildren(make("p", { className: "soft" }, "No marks are given yet.")); return; }
  by("pane-figures").replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...["Criterion", "Marker", "Marks given", "Mean", "How often each", "Mean by day"].map((each) => make("th", { scope: "col" }, each)))), make("tbody", {}, ...rows)));
}

// -- keys ------------------------------------------------------------------------------------------

const KEYS = [
  ["1 … 9", "the level with that number; again: take it away"], ["digits", "without levels: type the mark"],
  ["↓ ↑ or j k", "next, previous criterion"], ["→ ← or l h", "next, previous work"],
  ["n or Enter", "next work in which this criterion is unmarked"], ["Ctrl+Enter", "the same, out of a field"],
  ["c", "comment; Esc leaves the field"], ["b, then 1 … 9", "use a shared comment"], ["x", "unmarked again"],
  ["i", "remark on the line under the cursor; J K move it"], ["o", "override"], ["f", "look at this again"],
  ["a", "this criterion alone, or all"], ["v t p s", "source, report, files, figures"], ["u", "undo the last change"], ["?", "these keys"],
];
let bankNext = false;

function mark() {
  by("criteria").querySelectorAll(".criterion").forEach((each, place) => each.classList.toggle("here", place === at));
}

function step(count) {
  at = Math.max(0, Math.min(inView().length - 1, at + count));
  mark();
  const box = by("criteria").children[at];
  if (box) box.scrollIntoView({ block: "nearest" });
}

function turn(count) {
  const next = desk.works[place() + count];
  if (next) show(next.number);
}

const isOpen = (work, criterion) => work.open.includes(criterion)
  && !queue.some((each) => each.kind === "mark" && each.work === work.number && each.criterion === criterion && each.to.marks);

async function unmarked() {
  release();
  const criterion = inView()[at];
  const order = [...desk.works.slice(place() + 1), ...desk.works.slice(0, place())];
  const next = criterion && order.find((each) => isOpen(each, criterion.id));
  if (!next) { by("saved").textContent = "nothing is left to mark here"; return; }
  const given = done.length;
  await show(next.number);
  // Somebody else marked it since this page was opened.
  const isLate = !next.open.includes(criterion.id) && !queue.length && done.length === given;
  if (isLate && number === next.number) unmarked();
}

function key(event) {
  if (!desk || !shown || event.altKey || event.metaKey || event.isComposing || by("keys").open) return;
  const typing = event.target.matches && event.target.matches(TYPING);
  // Who types on before the next work is there means the next work.
  if (number !== shown.number && !typing && (!event.ctrlKey || event.key === "Enter")) { early.push(event); event.preventDefault(); return; }
  if (event.ctrlKey) {
    if (event.key !== "Enter") return;
    if (document.activeElement.blur) document.activeElement.blur();
    unmarked();
    event.preventDefault();
    return;
  }
  const leaves = event.key === "Escape" || (event.key === "Enter" && event.target.matches?.("#criteria input[type=text], #again"));
  if (leaves) { if (typing) { event.target.blur(); by("rubric").focus(); event.preventDefault(); } return; }
  if (typing) return;
  const criterion = inView()[at];
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1];
  if (digit !== undefined && !event.shiftKey | /[0-9]/.test(event.key)) {
    if (event.repeat || !criterion) return;
    if (bankNext) {
      const each = desk.shared.filter((one) => !one.for || one.for === criterion.id)[Number(digit) - 1];
      if (each) by(`use-${criterion.id}-${each.id}`)?.click();
      bankNext = false;
    } else if (criterion.levels.length) {
      if (criterion.levels[Number(digit) - 1]) choose(criterion, Number(digit) - 1);
    } else {
      const field = by(`marks-${criterion.id}`);
      if (field.disabled) return;
      field.focus();
      field.value = digit;
      field.setSelectionRange(1, 1);
      field.dispatchEvent(new Event("input"));
    }
    event.preventDefault();
    return;
  }
  bankNext = false;
  const does = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), ArrowRight: () => turn(1), ArrowLeft: () => turn(-1),
    "?": () => by("keys").showModal(),
  };
  const byLetter = {
    j: () => step(1), k: () => step(-1), l: () => turn(1), h: () => turn(-1), n: unmarked, u: undo,
    c: () => criterion && by(`comment-${criterion.id}`).focus(),
    b: () => { bankNext = true; },
    x: () => criterion && !shown.criteria[criterion.id].file && (change(criterion, { marks: "", level: "" }), refresh()),
    i: () => { by("more").open = true; by("remark-words").focus(); },
    J: () => move(1), K: () => move(-1),
    o: () => { by("more").open = true; by("override-marks").focus(); },
    f: () => { by("more").open = true; by("again").focus(); },
    a: () => { by("only").value = by("only").value ? "" : criterion.id; at = by("only").value ? 0 : desk.criteria.indexOf(criterion); refresh(); },
    v: () => open("source"), t: () => open("report"), p: () => open("files"), s: () => open("figures"),
  };
  const onControl = event.target.matches && event.target.matches("button, a, summary, input, [role=tab]");
  const found = does[event.key] || (letters && byLetter[event.key]) || (event.key === "Enter" && !onControl && unmarked);
  if (!found || (event.key.startsWith("Arrow") && event.target.matches && event.target.matches("input[type=radio], [role=tab]"))) return;
  event.preventDefault();
  found();
}

document.addEventListener("keydown", key);
document.addEventListener("pointerdown", () => { pressed = true; }, true);
for (const each of ["pointerup", "pointercancel"]) {
  document.addEventListener(each, () => setTimeout(() => { pressed = false; if (isStale) refresh(); }), true);
}
by("before").addEventListener("click", () => turn(-1));
by("next").addEventListener("click", () => turn(1));
by("unmarked").addEventListener("click", unmarked);
by("help").addEventListener("click", () => by("keys").showModal());
by("which").addEventListener("change", (event) => show(Number(event.target.value)));
by("only").addEventListener("change", () => { at = 0; refresh(); });
by("letters").addEventListener("change", (event) => { letters = event.target.checked; });
for (const each of ["source", "report", "files", "figures"]) {
  by(`tab-${each}`).addEventListener("click", () => open(each));
  by(`tab-${each}`).addEventListener("keydown", (event) => {
    const all = ["source", "report", "files", "figures"];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = all[(all.indexOf(each) + step + all.length) % all.length];
    open(next);
    by(`tab-${next}`).focus();
    event.preventDefault();
    event.stopPropagation();
  });
}
by("keys-list").replaceChildren(...KEYS.map(([keys, what]) => make("div", {}, make("dt", {}, make("kbd", {}, keys)), make("dd", {}, what))));
start();
