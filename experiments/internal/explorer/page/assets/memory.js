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

// rowsOf are the answers as rows of a table: those of choices by letter, all others in base units.
function rowsOf(kept) {
  const rows = [["code", "lesson", "step", "prediction", "right"]];
  for (const l of LESSONS) {
    for (const i of l.questions) {
      const g = kept.given[l.file]?.[i];
      if (!g) continue;
      const p = Array.isArray(g.prediction) ? g.prediction.map((x) => +x.toPrecision(6)).join(" ") : l.choices.includes(i) ? String.fromCharCode(97 + g.prediction) : +(+g.prediction).toPrecision(6);
      rows.push([kept.code, l.lesson, i + 1, p, g.right ? "yes" : "no"]);
    }
  }
  return rows;
}

// answersOf says how many predictions were right, and offers them to be handed in.
function answersOf(memory, changed) {
  const kept = memory.read(), rows = rowsOf(kept).slice(1);
  if (!rows.length) return [];
  const code = make("input", { type: "text", value: kept.code, id: "code", maxLength: 20, autocomplete: "off", onchange: () => { memory.write({ ...memory.read(), code: code.value.trim() || kept.code }); changed(); } });
  const text = make("textarea", { readOnly: true, rows: Math.min(8, rows.length + 1), "aria-label": "my answers", value: csvOf(rowsOf(kept)) });
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
    let bad = 0;
    for (const line of this.text.value.split("\n")) {
      const [code, lesson, step, prediction] = line.split(",").map((x) => x.trim().replace(/^"|"$/g, ""));
      if (!line.trim() || code === "code") continue;
      const l = LESSONS.find((x) => String(x.lesson) === lesson), i = step - 1;
      const p = !l || !prediction ? [] : l.choices.includes(i) ? [prediction.charCodeAt(0) - 97] : prediction.split(" ").map(Number);
      if (!l || !l.questions.includes(i) || !p.length || p.some((x) => !isFinite(x))) { bad++; continue; }
      const key = `${l.lesson},${i}`;
      if (!this.rows.has(key)) this.rows.set(key, new Map());
      this.rows.get(key).set(code, p);
    }
    const before = this.which.value;
    this.which.replaceChildren(...[...this.rows].map(([key, of]) => make("option", { value: key }, `Lesson ${key.split(",")[0]}, step ${+key.split(",")[1] + 1}: ${of.size} ${of.size === 1 ? "prediction" : "predictions"}`)));
    if (this.rows.has(before)) this.which.value = before;
    this.note.textContent = bad ? `${bad} ${bad === 1 ? "line is" : "lines are"} no answer of these lessons.` : "";
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

  // bars are the options of a choice, or up to twelve ranges of numbers, with how many predicted them.
  bars(s, all, r) {
    let bins, right = -1;
    if (s.choice) {
      bins = s.choice.options.map((o, k) => ({ name: o.text, count: all.filter((x) => x === k).length }));
      right = r?.answer.choice ?? -1;
    } else {
      const truth = r?.answer.number, has = truth === undefined ? all : [...all, truth], low = Math.min(...has), high = Math.max(...has);
      const log = low > 0 && high / low > 20, n = Math.min(12, Math.max(1, new Set(has).size));
      const at = (x) => (high === low ? 0 : Math.min(n - 1, Math.floor(n * (log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low)))));
      const end = (k) => (log ? low * (high / low) ** (k / n) : low + ((high - low) * k) / n);
      bins = Array.from({ length: n }, (_, k) => ({ name: high === low ? quantity(low, s.number.unit ?? "") : `${quantity(end(k), s.number.unit ?? "")} to ${quantity(end(k + 1), s.number.unit ?? "")}`, count: 0 }));
      for (const x of all) bins[at(x)].count++;
      if (truth !== undefined) right = at(truth);
    }
    const most = Math.max(1, ...bins.map((b) => b.count));
    return make("div", { className: "bins" }, ...bins.map((b, k) => make("div", { className: `bar${k === right ? " best" : ""}` }, make("span", {}, b.name), make("meter", { max: most, value: b.count, "aria-label": b.name }), make("b", {}, `${b.count}${k === right ? ` ← ${r.printed ?? "holds"}` : ""}`))));
  }

  // curves are all predictions as thin lines, and what the simulation gives as a thick one.
  curves(q, all, r) {
    const W = roomFor(640), H = 300, { path, axes } = curvePlot(q, W, H), line = (values, more) => shape("path", { d: path(values), fill: "none", ...more });
    const svg = shape("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${all.length} predictions of ${q.label}` }, ...axes());
    for (const p of all) if (p.length === q.values.length) svg.append(line(p, { stroke: "var(--series-2)", "stroke-width": 1.2, opacity: 0.5 }));
    if (r) svg.append(line(r.answer.curve.map((c) => c.value), { stroke: "var(--series-1)", "stroke-width": 3.5 }));
    return svg;
  }
}

// printHandout prints a lesson as a hand-out: texts, questions and room for predictions; with answers also those.
async function printHandout(client, file, l, answers) {
  const parts = [make("p", { className: "caption" }, `Lesson ${l.lesson}, ${l.minutes} minutes`), make("h2", {}, l.title), ...paragraphs(l.prose.text)];
  for (const [i, s] of l.steps.entries()) {
    parts.push(make("h3", {}, `${i + 1}. ${s.title}`), ...paragraphs(l.prose.steps[i]));
    if (!s.question) continue;
    parts.push(make("p", { className: "ask" }, s.question));
    if (s.choice) parts.push(make("ol", { className: "letters" }, ...s.choice.options.map((o) => make("li", {}, o.text))));
    else parts.push(make("p", { className: "room" }, s.curve ? `${s.curve.label} at ${s.curve.values.join(", ")}:` : `Prediction${s.number.unit ? ` in ${s.number.unit}` : ""}:`));
    const r = answers && (await client.ask({ do: "reveal", file, step: i }, `print ${i}`))?.answer;
    if (!r) continue;
    const a = r.answer, text = r.printed ?? (s.choice ? `${String.fromCharCode(97 + a.choice)}, ${s.choice.options[a.choice].text}` : a.curve.map((c) => `${quantity(c.value, s.curve.unit ?? "")} at ${c.at}`).join(", "));
    parts.push(make("p", {}, make("strong", {}, `${text}. `)), ...paragraphs(r.reveal), ...paragraphs(r.derivation));
  }
  if (answers) parts.push(make("h3", {}, "What to remember"), ...paragraphs(l.prose.insight));
  parts.push(...(l.exercises?.length ? [make("h3", {}, "Exercises"), make("ol", {}, ...l.exercises.map((e) => make("li", {}, e.question)))] : []));
  $("handout").replaceChildren(...parts);
  print();
}
