"use strict";
// The changes of a marker, from the key to the disk.
// Law 1: nothing typed is lost.  A change waits in a queue, which the tab keeps, until it is on the disk.  What is
// refused waits for the person to decide.
// Law 2: nothing is overwritten in silence.  A change says which value it saw.

const by = (id) => document.getElementById(id);
const make = (name, fields = {}, ...inside) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(fields)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...inside.filter((each) => each !== null && each !== undefined));
  return made;
};

const PAUSE_MS = 700;     // so long nobody types, and the words are sent
const ASK_AGAIN_MS = 1500;
const KEPT = `unsaved ${location.pathname}`;  // another run of the grader has another path
const queue = [];         // changes that are not on the disk yet, in their order
const held = [];          // changes that were refused, each with the reason or with what stands now
const done = [];          // changes that can be undone
const drafts = new Map(); // words in forms that were not put in yet, by work and field
let sending = false;
let timer = 0;

// -- asking ---------------------------------------------------------------------------------------

async function ask(path, change) {
  const given = change === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(change),
  };
  const answer = await fetch(path, { ...given, cache: "no-store" });
  const found = await answer.json().catch(() => ({ refused: `the grader answered ${answer.status}` }));
  return { status: answer.status, found };
}

// -- the queue ------------------------------------------------------------------------------------

const isSame = (one, other) => ["kind", "work", "criterion", "question"].every((key) => one[key] === other[key]);
const isWhole = (change) => ["mark", "again"].includes(change.kind);
const isTyped = ([key, words]) => Boolean(words) && /(words|marks|reason)$/.test(key);
const hasUnsaved = () => Boolean(queue.length || held.length || [...drafts].some(isTyped));

function keep() {
  try {
    if (hasUnsaved()) sessionStorage.setItem(KEPT, JSON.stringify({ queue, held, drafts: [...drafts] }));
    else sessionStorage.removeItem(KEPT);
  } catch { /* what is in memory is enough */ }
  const waits = queue.length + held.length;
  by("saved").textContent = waits ? `${waits} not saved yet` : done.length ? "saved" : "";
  by("saved").classList.toggle("waits", waits > 0);
}

// pause: so long a change waits for more of it; Infinity until the field is left.
function put(change, { undoes = false, pause = 0 } = {}) {
  const until = pause && Date.now() + pause;
  const fresh = { ...change, undoes, until };
  const waiting = isWhole(change) && queue.find((each) => !each.sent && isSame(each, change));
  const refused = isWhole(change) ? held.findIndex((each) => isSame(each.change, change)) : -1;
  // Words that are typed on replace those that still wait, and those that were refused.
  if (waiting) Object.assign(waiting, { to: change.to, until });
  else if (refused >= 0) queue.push({ ...fresh, saw: held.splice(refused, 1)[0].change.saw });
  else queue.push(fresh);
  keep();
  drawHeld();
  send();
}

// Whoever leaves a field has typed all of it.
function release() {
  for (const each of queue) each.until = 0;
  send();
}

function again(wait) {
  clearTimeout(timer);
  timer = setTimeout(send, Math.min(wait, 60_000));
}

async function send() {
  if (sending) return;
  sending = true;
  try {
    while (queue.length) {
      const change = queue[0];
      const wait = queue.length === 1 ? (change.until || 0) - Date.now() : 0;
      if (wait > 0) { again(wait); return; }
      const { undoes, until, next, key, ...data } = change;
      change.sent = true;
      const answer = await ask("api/change", data).catch(() => null);
      if (!answer || ![200, 400, 409, 413, 422].includes(answer.status)) {
        change.sent = false;
        offline(answer);
        again(ASK_AGAIN_MS);
        return;
      }
      quiet("offline");
      queue.shift();
      if (answer.status !== 200) hold(change, answer);
      else if (carried(change, answer.found) && change.next) queue.push({ ...change.next, until: 0 });
      keep();
    }
  } finally {
    sending = false;
  }
}

// A change is on the disk.
function carried(change, found) {
  desk.shared = found.shared;
  if (found.work) {
    const stands = standing(change, found);
    const typed = JSON.stringify(change.to);
    for (const each of queue) if (isSame(each, change) && JSON.stringify(each.saw) === typed) each.saw = stands;
    if (!change.undoes) done.push({ ...change, to: stands });
    learn(found.work);
  }
  if (shown) refresh();
  progress();
  return true;
}

// What stands now, in the words in which a later change has to say that it saw it.
function standing(change, found) {
  if (change.kind === "mark") return saw(found.work.criteria[change.criterion]);
  if (change.kind === "again") return found.work.again;
  const one = change.kind === "override" && found.work.overrides[change.question];
  return one ? { marks: one.marks, reason: one.reason } : change.to;
}

// What is not on the disk yet stands over what the grader says of a work.
function overlaid(work) {
  for (const each of [...held.map((one) => one.change), ...queue]) {
    if (each.work !== work.number) continue;
    if (each.kind === "mark" && work.criteria[each.criterion]) Object.assign(work.criteria[each.criterion], each.to);
    if (each.kind === "again") work.again = each.to;
  }
  return work;
}

// -- what is not saved ----------------------------------------------------------------------------

function hold(change, answer) {
  const later = isWhole(change) && queue.find((each) => isSame(each, change));
  // What was typed since then says all of it.
  if (later) later.saw = change.saw;
  else if (answer.status === 409) held.push({ change, now: answer.found.now ?? null });
  else held.push({ change, why: answer.found.refused });
  drawHeld();
}

const said = (value) => {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value !== "object") return String(value);
  const words = [value.id, value.level || value.marks, ...(value.uses || []), value.reason, value.text, value.comment];
  return words.filter(Boolean).join(", ") || "no mark";
};

function told(change) {
  const work = change.work && desk.works.find((each) => each.number === change.work);
  const what = change.criterion || (change.kind === "override" ? `override ${change.question || "of the whole"}` : change.kind);
  return [work ? name(work) : "", what].filter(Boolean).join(", ");
}

function drawHeld() {
  by("held").replaceChildren(...held.map((one) => {
    const { change } = one;
    const isConflict = "now" in one;
    const words = isConflict ? `was changed meanwhile.  Now: ${said(one.now)}.` : `is not saved: ${one.why}.`;
    const drop = () => { held.splice(held.indexOf(one), 1); };
    const redo = () => { drop(); put({ ...change, sent: false, ...(isConflict ? { saw: one.now } : {}) }); };
    const leave = () => { drop(); drawHeld(); keep(); if (change.work) reread(change.work); };
    return make("div", { className: "notice bad" },
      make("p", {}, `${told(change)} ${words}  Yours: ${said(change.to ?? null)}.`),
      make("button", { type: "button", onclick: redo }, isConflict ? "Use mine" : "Try again"),
      make("button", { type: "button", onclick: leave }, isConflict ? "Keep what is there" : "Drop mine"));
  }));
}

function alarm(tone, text, kind = "", ...inside) {
  const known = [...by("alarm").children].find((each) => each.dataset.text === text);
  if (known) return;
  const box = make("div", { className: `notice ${tone}` }, make("p", {}, text), ...inside);
  box.dataset.text = text;
  box.dataset.kind = kind;
  box.append(make("button", { type: "button", onclick: () => box.remove() }, "Close"));
  by("alarm").append(box);
}
const quiet = (kind) => by("alarm").querySelectorAll(`[data-kind="${kind}"]`).forEach((each) => each.remove());

function offline(answer) {
  if (answer && answer.status === 503) {
    const text = `Not saved now: ${answer.found.refused}.  What you typed is kept here, and is sent again.`;
    if (![...by("alarm").children].some((each) => each.dataset.text === text)) quiet("offline");
    alarm("bad", text, "offline");
    return;
  }
  const field = make("input", { type: "text", id: "address", size: 40, autocomplete: "off" });
  const form = make("form", { onsubmit: (event) => { event.preventDefault(); handOver(field.value); } },
    make("label", { htmlFor: "address" }, "If you have started it again, its new address: "), field, " ", make("button", {}, "Take them there"));
  alarm("bad", "The grader does not answer.  What you typed is kept in this tab, and is sent when it does.", "offline", form);
}

// Another run of the grader has another address, which can't see what this tab keeps.
function handOver(address) {
  const found = /^\s*(http:\/\/127\.0\.0\.1:[0-9]{1,5}\/[A-Za-z0-9_-]{20,}\/)/.exec(address);
  if (!found) { alarm("bad", "That is no address of grader review: it begins with http://127.0.0.1."); return; }
  const keyed = (change) => ({ ...change, sent: false, key: desk.works.find((each) => each.number === change.work)?.key });
  const changes = [...queue, ...held.map((one) => one.change)].map(keyed);
  window.open(`${found[1]}#unsaved=${encodeURIComponent(JSON.stringify({ task: desk.id, changes }))}`, "_blank", "noopener");
}

// What this tab kept, and what another one handed over.
function restore() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) || "{}");
    queue.push(...(kept.queue || []).map((each) => ({ ...each, sent: false, until: 0 })));
    held.push(...(kept.held || []));
    for (const [key, value] of kept.drafts || []) drafts.set(key, value);
  } catch { /* nothing was kept */ }
  const handed = /^#unsaved=(.+)$/.exec(location.hash);
  if (!handed) return;
  history.replaceState(null, "", location.pathname);
  try {
    const { task, changes } = JSON.parse(decodeURIComponent(handed[1]));
    for (const change of changes) {
      const work = change.kind === "share" ? undefined : desk.works.find((each) => each.key === change.key);
      const isHere = task === desk.id && (change.kind === "share" || work);
      if (isHere) queue.push({ ...change, work: work?.number, until: 0 });
      else held.push({ change: { ...change, work: undefined }, why: "that work is not here" });
    }
  } catch { alarm("bad", "What another tab handed over can't be read; it is still there."); }
}

window.addEventListener("beforeunload", (event) => { if (hasUnsaved()) event.preventDefault(); });
