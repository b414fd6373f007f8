// memory keeps predictions in the browser, by lesson and step, and the code under which they are handed in. Where a
// browser keeps nothing they last as long as the page.
const memory = {
  name: "isoscale.lessons",
  value: null,
  read() {
    if (this.value) return this.value;
    try { this.value = JSON.parse(localStorage.getItem(this.name)); } catch { /* as if there was nothing */ }
    return (this.value ??= { code: Math.random().toString(36).slice(2, 6).toUpperCase(), given: {} });
  },
  write(value) {
    this.value = value;
    try { localStorage.setItem(this.name, JSON.stringify(value)); } catch { /* it lasts as long as the page */ }
  },
  of(file, step) { return this.read().given[file]?.[step] ?? null; },
  keep(file, step, given) {
    const v = this.read();
    this.write({ ...v, given: { ...v.given, [file]: { ...v.given[file], [step]: given } } });
  },
  forget() { this.write({ ...this.read(), given: {} }); },
};

// rowsOf returns the answers as rows of a table: choices as letters, all others in base units.
function rowsOf(kept) {
  const rows = [["code", "lesson", "step", "prediction", "right"]];
  for (const l of LESSONS) {
    for (const { step, options, points } of l.questions) {
      const g = kept.given[l.file]?.[step];
      if (!g) continue;
      const p = points ? g.prediction.map((x) => +x.toPrecision(6)).join(" ") : options ? String.fromCharCode(97 + g.prediction) : +(+g.prediction).toPrecision(6);
      rows.push([kept.code, l.lesson, step + 1, p, g.right ? "yes" : "no"]);
    }
  }
  return rows;
}

// answersOf says how many predictions were right, and offers them to be handed in.
function answersOf(memory, changed) {
  const kept = memory.read(), rows = rowsOf(kept).slice(1);
  if (!rows.length) return [];
  const code = make("input", { type: "text", value: kept.code, id: "code", maxLength: 20, autocomplete: "off", onchange: () => { memory.write({ ...memory.read(), code: code.value.trim() || kept.code }); changed(); } });
  const text = make("textarea", { readOnly: true, rows: Math.min(8, rows.length + 1), "aria-label": "my answers", value: isoscaleElements.csv(rowsOf(kept)) });
  const copied = make("span", { className: "caption", role: "status" });
  const copy = make("button", { type: "button", onclick: async () => {
    text.select();
    try { await navigator.clipboard.writeText(text.value); copied.textContent = " They are in the clipboard."; } catch { copied.textContent = " Select and copy the lines."; }
  } }, "Copy my answers");
  return [make("p", { className: "score" }, `${rows.filter((r) => r[4] === "yes").length} of ${rows.length} predictions were right.`),
    make("details", {}, make("summary", {}, "Hand in my answers"), make("p", { className: "other" }, make("label", { htmlFor: "code" }, "My code "), code, copy, copied), text,
      make("p", {}, make("button", { type: "button", onclick: () => { memory.forget(); changed(); } }, "Forget all predictions")))];
}

// ClassView takes the lines of many readers and draws their predictions of a step beside what the simulation gives.
class ClassView {
  constructor(client) {
    this.client = client;
    this.rows = new Map();
    this.text = make("textarea", { rows: 6, "aria-label": "lines of the class", placeholder: "code,lesson,step,prediction,right", oninput: () => this.read() });
    this.which = make("select", { "aria-label": "question", onchange: () => this.draw() });
    this.note = make("p", { className: "caption", role: "status" });
    this.picture = make("div", { className: "predict curve" });
    this.truth = make("button", { type: "button", onclick: () => this.show() }, "Show the answer");
    this.element = make("details", { className: "class" }, make("summary", {}, "For a class"), make("p", {}, "Paste the lines that readers hand in. A later line of the same code takes the place of an earlier one."), this.text, this.note,
      make("p", { className: "other" }, this.which, this.truth), this.picture);
  }

  read() {
    this.rows.clear();
    const bad = [];
    for (const [at, line] of this.text.value.split("\n").entries()) {
      const [code, lesson, step, given, , more] = fieldsOf(line);
      if (!line.trim() || code === "code") continue;
      const l = LESSONS.find((x) => String(x.lesson) === lesson), q = l?.questions.find((x) => x.step === step - 1), p = q && given && predicted(q, given);
      if (!code || !p || more !== undefined) { bad.push(at + 1); continue; }
      const key = `${l.lesson},${q.step}`;
      if (!this.rows.has(key)) this.rows.set(key, new Map());
      this.rows.get(key).set(code, p);
    }
    const before = this.which.value;
    this.which.replaceChildren(...[...this.rows].map(([key, of]) => make("option", { value: key }, `Lesson ${key.split(",")[0]}, step ${+key.split(",")[1] + 1}: ${of.size} ${of.size === 1 ? "prediction" : "predictions"}`)));
    if (this.rows.has(before)) this.which.value = before;
    const which = bad.slice(0, 10).join(", ") + (bad.length > 10 ? ` and ${bad.length - 10} more` : "");
    this.note.textContent = bad.length ? `Not answers of these lessons: ${bad.length === 1 ? "line" : "lines"} ${which}.` : "";
    this.draw();
  }

  // draw draws the predictions, and what the simulation gives if that is asked for.
  async draw(answered = false) {
    const key = this.which.value, of = this.rows.get(key);
    this.picture.replaceChildren();
    if (!of) return;
    const step = +key.split(",")[1], file = LESSONS.find((l) => key === `${l.lesson},${step}`).file;
    const about = (await this.client.ask({ do: "lesson", file }, "class"))?.answer.steps[step];
    const r = answered ? (await this.client.ask({ do: "reveal", file, step }, "class"))?.answer : null;
    if (!about || key !== this.which.value) return;
    const all = [...of.values()];
    this.picture.append(make("p", { className: "ask" }, about.question), about.curve ? this.curves(about.curve, all, r) : this.bars(about, all.map(([x]) => x), r));
  }
  show() { return this.draw(true); }

  // bars shows how many predicted each option of a choice, or numbers in each of several ranges with round ends.
  bars(s, all, r) {
    let bins, right = -1;
    if (s.choice) {
      bins = s.choice.options.map((o, k) => ({ name: o.text, count: all.filter((x) => x === k).length }));
      right = r?.answer.choice ?? -1;
    } else {
      const truth = r?.answer.number, ends = roundEnds(truth === undefined ? all : [...all, truth]), print = (x) => quantity(x, s.number.unit ?? "");
      const at = (x) => Math.max(0, ends.findLastIndex((end) => end <= x * (1 + 1e-12)));
      bins = ends.slice(0, -1).map((end, k) => ({ name: `${print(end)} to ${print(ends[k + 1])}`, count: all.filter((x) => at(x) === k).length }));
      if (truth !== undefined) right = at(truth);
    }
    const most = Math.max(1, ...bins.map((b) => b.count));
    return make("div", { className: "bins" }, ...bins.map((b, k) => make("div", { className: `bar${k === right ? " best" : ""}` }, make("span", {}, b.name), make("meter", { max: most, value: b.count, "aria-label": b.name }), make("b", {}, `${b.count}${k === right ? ` ← ${r.printed ?? "holds"}` : ""}`))));
  }

  // curves draws all predictions as thin lines, and what the simulation gives as a thick one.
  curves(q, all, r) {
    const { svg, add } = curveOn(q, roomFor(640), `${all.length} predictions of ${q.label}`);
    for (const p of all) add(p, { stroke: "var(--series-2)", "stroke-width": 1.2, opacity: all.length > 30 ? 0.25 : 0.5 });
    if (r) add(r.answer.curve.map((c) => c.value), { stroke: "var(--series-1)", "stroke-width": 3.5 });
    return make("div", {}, make("p", { className: "caption" }, `${q.label}: predictions are thin${r ? ", and what the simulation gives is thick" : ""}.`), svg);
  }
}

// curveOn returns a drawing with the axes of a curve, and the function that adds a curve.
function curveOn(q, W, name) {
  const H = 300, { path, axes } = curvePlot(q, W, H), svg = shape("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": name }, ...axes());
  return { svg, add: (values, more) => svg.append(shape("path", { d: path(values), fill: "none", ...more })) };
}

// fieldsOf returns the fields of a line of CSV, as this page, a spreadsheet or a person writes it.
const fieldsOf = (line) => [...line.matchAll(/(?:^|[,;\t])\s*(?:"((?:[^"]|"")*)"|([^,;\t]*?))\s*(?=[,;\t]|$)/g)].map((m) => m[1]?.replaceAll('""', '"') ?? m[2]);

// predicted reads a prediction of a question as numbers, null if it is none.
function predicted({ options, points = 1 }, text) {
  const p = options ? [/^[a-z]$/.test(text) ? text.charCodeAt(0) - 97 : options] : text.split(" ").map(Number);
  return p.length === points && p.every(isFinite) && !(p[0] >= options) ? p : null;
}

// roundEnds returns the ends of about twelve ranges that contain all numbers: multiples of 1, 2 or 5 times a power of
// ten or, where the largest is far from the smallest above 0, such numbers themselves.
function roundEnds(all) {
  const low = Math.min(...all), high = Math.max(...all), decade = (x) => Math.floor(Math.log10(x)), least = Math.min(...all.filter((x) => x > 0));
  if (high / least > 20) {
    const factors = high / least > 1e4 ? [1] : [1, 2, 5], ends = [];
    for (let d = decade(least); d <= decade(high) + 1; d++) ends.push(...factors.map((f) => +`${f}e${d}`));
    return [...(low < least ? [low] : []), ...ends.slice(ends.findLastIndex((e) => e <= least), ends.findIndex((e) => e > high) + 1)];
  }
  // Ends differ in the three digits that are printed.
  const largest = Math.max(Math.abs(low), Math.abs(high)) || 1, span = Math.max(high - low, 11 * +`1e${decade(largest) - 2}`), step = [1, 2, 5, 10].map((f) => +`${f}e${decade(span / 11)}`).find((s) => span / s <= 11), first = Math.floor(low / step);
  return Array.from({ length: Math.floor(high / step + 1e-12) - first + 2 }, (_, k) => (first + k) * step);
}

// printHandout prints a lesson as a hand-out: texts, questions and room for predictions; with answers also those.
async function printHandout(client, file, l, answers) {
  const room = (text) => make("p", { className: "room" }, text), truth = { stroke: "var(--series-1)", "stroke-width": 3 };
  const parts = [make("p", { className: "caption" }, `Lesson ${l.lesson}, ${l.minutes} minutes`), make("h2", {}, l.title), answers ? null : room("Name:"), ...paragraphs(l.prose.text)];
  for (const [i, s] of l.steps.entries()) {
    parts.push(make("h3", {}, `${i + 1}. ${s.title}`), ...paragraphs(l.prose.steps[i]));
    if (!s.question) continue;
    const asked = make("section", {}, make("p", { className: "ask" }, ...inline(s.question))), drawing = s.curve && curveOn(s.curve, 560, s.curve.label);
    if (s.choice) asked.append(make("ol", { className: "letters" }, ...s.choice.options.map((o) => make("li", {}, o.text))));
    else asked.append(...(s.curve ? [make("p", {}, `${s.curve.label}:`), drawing.svg] : [room(`Prediction${s.number.unit ? ` in ${s.number.unit}` : ""}:`)]));
    parts.push(asked);
    const r = answers && (await client.ask({ do: "reveal", file, step: i }, `print ${i}`))?.answer;
    if (!r) continue;
    const a = r.answer, text = r.printed ?? (s.choice ? `${String.fromCharCode(97 + a.choice)}, ${s.choice.options[a.choice].text}` : a.curve.map((c) => `${quantity(c.value, s.curve.unit ?? "")} at ${c.at}`).join(", "));
    drawing?.add(a.curve.map((c) => c.value), truth);
    parts.push(make("p", {}, make("strong", {}, `${text}. `)), ...paragraphs(r.reveal), ...paragraphs(r.derivation));
  }
  if (answers) parts.push(make("h3", {}, "What to remember"), ...paragraphs(l.prose.insight));
  const exercises = [];
  for (const [i, e] of (l.exercises ?? []).entries()) {
    const x = answers && (await client.ask({ do: "exercise", file, step: i }, `print exercise ${i}`))?.answer;
    exercises.push(make("li", {}, ...inline(e.question), x ? make("strong", {}, ` ${x.said}`) : room("")));
  }
  if (exercises.length) parts.push(make("h3", {}, "Exercises"), make("ol", {}, ...exercises));
  $("handout").replaceChildren(...parts.filter(Boolean));
  print();
}
