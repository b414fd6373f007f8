// LessonScreen shows a lesson. A step reveals its answer, which is simulated, only after the prediction.
class LessonScreen {
  constructor(host, client, actions) {
    Object.assign(this, { host, client, actions, given: new Map(), pictures: [] });
  }

  async show(file, step) {
    if (!file) return this.list();
    if (file !== this.file) {
      this.client.stop("ahead");
      this.file = file;
      if (file !== this.told) { // else its text has changed, and the old one is shown until the new one is read
        this.lesson = null;
        this.host.replaceChildren(make("p", { className: "caption" }, "Measuring …"));
      }
      const r = await this.client.ask({ do: "lesson", file }, "lesson");
      if (!r || file !== this.file) return;
      this.given.clear();
      this.lesson = r.answer;
      this.told = file;
      if (OWN.has(file)) this.listed(file);
      this.ahead(file);
    }
    if (!this.lesson) return;
    this.step = Math.min(step, this.lesson.steps.length);
    this.draw();
  }

  // listed puts a lesson of the reader into the list, so that its answers can be handed in. It has the name of its file
  // if another lesson has its number.
  listed(file) {
    const { lesson, title, minutes, steps } = this.lesson, at = LESSONS.findIndex((l) => l.file === file);
    const questions = steps.flatMap((s, step) => (s.question ? [{ step, options: s.choice?.options.length, points: s.curve?.values.length }] : []));
    const taken = LESSONS.some((l) => l.file !== file && l.lesson === lesson);
    const entry = { file, lesson: taken ? file.split("/").at(-1).replace(/\.ya?ml$/, "") : lesson, title, minutes, questions };
    LESSONS.splice(at < 0 ? LESSONS.length : at, at < 0 ? 0 : 1, entry);
  }

  // ahead simulates the answers while the reader reads; the simulator remembers them.
  async ahead(file) {
    for (const [step, s] of this.lesson.steps.entries()) if (s.question && file === this.file) await this.client.ask({ do: "reveal", file, step }, "ahead").catch(() => null);
  }

  // leave ends the pictures and simulations of a step.
  leave() {
    for (const m of this.pictures) m.remove();
    this.pictures = [];
    this.scaling?.leave();
    this.scaling = null;
  }

  list() {
    this.file = this.told = "";
    this.leave();
    const links = LESSONS.map((l) => make("li", {}, make("button", { type: "button", className: "link", onclick: () => this.actions.open(l.file, 0) }, `${typeof l.lesson === "number" ? `${l.lesson}. ` : ""}${l.title}`), make("span", { className: "caption" }, ` ${l.minutes} minutes `), this.dots(l)));
    this.host.replaceChildren(make("h2", { tabIndex: -1 }, "Lessons"), links.length ? make("ul", { className: "lessons" }, ...links) : make("p", {}, "This file has no lessons."), ...answersOf(memory, () => this.list()), new ClassView(this.client).element);
    if (document.activeElement === document.body) this.host.querySelector("h2").focus(); // the button that led here is gone
  }

  // dots are the questions of a lesson: full for a right prediction, a ring for another one, pale for none.
  dots(l) {
    const given = l.questions.map((q) => memory.of(l.file, q.step)), made = given.filter(Boolean).length;
    const text = made ? `${given.filter((g) => g?.right).length} of ${l.questions.length} right` : `${l.questions.length} questions`;
    return make("span", { className: "dots", role: "img", "aria-label": text, title: text }, ...given.map((g) => make("i", { className: g ? (g.right ? "right" : "wrong") : "" })));
  }

  draw() {
    const l = this.lesson, steps = l.steps, at = this.step;
    const go = (k) => this.actions.open(this.file, k);
    const nav = make("nav", { className: "steps", "aria-label": "steps of the lesson" },
      make("button", { type: "button", className: "link", onclick: () => this.actions.open("", 0) }, "All lessons"),
      ...steps.map((s, i) => make("button", { type: "button", "aria-current": i === at ? "step" : null, onclick: () => go(i), title: s.title }, `${i + 1}`)),
      make("button", { type: "button", "aria-current": at === steps.length ? "step" : null, onclick: () => go(steps.length) }, "End"));
    const [body, stage] = at < steps.length ? this.stepOf(steps[at], at) : [this.end(), null];
    const move = make("div", { className: "move" },
      at > 0 ? make("button", { type: "button", onclick: () => go(at - 1) }, "Back") : null,
      at < steps.length ? make("button", { type: "button", className: "primary", onclick: () => go(at + 1) }, "Next") : this.following());
    const told = make("div", {}, make("p", { className: "caption" }, `Lesson ${l.lesson}, ${l.minutes} minutes`), make("h2", {}, l.title), nav, ...this.start(), ...body);
    this.leave();
    // In the order of the Tab key, Next comes before the controls of the picture, but after a question in the picture.
    const asks = stage?.querySelector(".question"), fresh = this.fresh;
    this.host.replaceChildren(make("div", { className: stage ? "two" : "one" }, told, ...(asks ? [stage, move] : [move, stage])));
    if (this.given.get(at)) this.perform(steps[at], at);
    if (!document.activeElement?.closest("#editor")) this.host.querySelector(fresh ? ".reveal h4" : "h3")?.focus(); // else an author is typing
  }

  // following leads to the next lesson of the list, if there is one.
  following() {
    const next = LESSONS[LESSONS.findIndex((l) => l.file === this.file) + 1];
    return next ? make("button", { type: "button", className: "primary", onclick: () => this.actions.open(next.file, 0) }, `Lesson ${next.lesson}: ${next.title}`) : null;
  }

  // start returns the text of the lesson: open on the first step, and folded on the others, whose questions need its
  // figures.
  start() {
    const text = paragraphs(this.lesson.prose.text);
    if (this.step === 0) return text;
    return this.step < this.lesson.steps.length ? [make("details", {}, make("summary", {}, "The machine and the problem"), ...text)] : [];
  }

  // stepOf returns the text and the question of a step, and the stage beside them: the curve to be drawn, or the runs,
  // which appear after the prediction.
  stepOf(s, i) {
    const out = [make("h3", { tabIndex: -1 }, s.title), ...paragraphs(this.lesson.prose.steps[i])];
    const runs = (s.show ?? []).length, given = this.given.get(i);
    this.stage = runs ? make("section", { className: "stage", "aria-label": "picture" }) : null;
    if (!s.question) return [[...out, ...paragraphs(s.reveal), ...this.shown(s)], this.stage];
    const box = make("section", { className: "question", "aria-label": "question" }, make("p", { className: "ask" }, ...inline(s.question)));
    if (this.lesson.prose.hints[i] && !given) box.append(make("details", {}, make("summary", {}, "A hint"), ...paragraphs(this.lesson.prose.hints[i])));
    const result = make("div", { "aria-live": "polite" });
    const input = s.number ? this.number(s.number) : s.choice ? this.choice(s.choice, i) : this.curve(s.curve);
    const lock = make("button", { type: "submit", className: "primary" }, "Lock in my prediction");
    const reveal = async (prediction) => {
      lock.disabled = true;
      result.replaceChildren(make("p", { className: "caption" }, "Measuring …"));
      try {
        const r = await this.client.ask({ do: "reveal", file: this.file, step: i, ...(s.curve ? { curve: prediction } : { prediction }) }, "reveal");
        if (!r) return;
        memory.keep(this.file, i, { prediction, right: r.answer.right ?? false });
        this.given.set(i, { prediction, answer: r.answer });
        if (this.step === i) this.draw();
      } catch (err) {
        result.replaceChildren(make("p", { className: "alert" }, err.message));
        lock.disabled = false;
      }
    };
    const kept = memory.of(this.file, i);
    const form = make("form", { onsubmit: (e) => {
      e.preventDefault();
      const prediction = input.value();
      if (prediction === null) { result.replaceChildren(make("p", { className: "alert" }, "Make a prediction first.")); return; }
      this.fresh = true;
      reveal(prediction);
    } }, input.body, given ? null : lock, result);
    box.append(form);
    out.push(box);
    if (given) {
      input.lock(given.prediction, given.answer.answer, given.answer.ceiling);
      const { reply, derivation } = given.answer;
      out.push(make("section", { className: "reveal", "aria-label": "answer" }, make("h4", { tabIndex: -1 }, "What the simulation gives"), input.verdict(given.prediction, given.answer),
        ...paragraphs(reply), ...paragraphs(given.answer.reveal), ...(derivation ? [make("details", {}, make("summary", {}, "By hand"), ...paragraphs(derivation))] : []), ...this.shown(s)));
    } else {
      if (this.stage) this.stage.append(make("p", { className: "veil" }, `${s.screen === "scaling" ? "Efficiencies over sizes and nodes: they are drawn" : runs > 1 ? "Two runs, one above the other: they play" : "The run: it plays"} here when your prediction is locked in.`));
      else out.push(make("p", { className: "locked caption" }, "The answer appears after your prediction."));
      if (kept && kept.prediction !== null) queueMicrotask(() => reveal(kept.prediction));
    }
    // A curve is a picture itself: it has the place of the runs of other steps.
    if (s.curve && !this.stage) this.stage = make("section", { className: "stage" }, ...out.splice(out.indexOf(box), 1));
    return [out, this.stage];
  }

  // perform shows the runs of a step on the stage, and plays them once after a prediction.
  async perform(s, i) {
    const stage = this.stage, fresh = this.fresh, runs = this.runsOf(s);
    this.fresh = false;
    if (!runs.length) return;
    stage.replaceChildren(make("p", { className: "veil" }, "Simulating …"));
    if (s.screen === "scaling") return this.grow(stage, runs[0], this.lesson.runs.find((r) => r.name === s.show[0]).hold || 0.5);
    const done = await Promise.all(runs.map((r, k) => this.client.ask({ do: "run", ...r, timeline: true, links: s.screen === "topology" }, `stage ${k}`).catch((e) => ({ failed: e.message }))));
    const differ = runs.length > 1 ? await differing(...runs) : [""];
    if (stage !== this.stage || done.includes(null)) return;
    stage.replaceChildren();
    const until = Math.max(...done.map((r) => r.answer?.run?.makespan_s ?? 0));
    for (const [k, r] of done.entries()) {
      const box = make("div"), x = r.answer?.run ?? r.answer?.super_program;
      stage.append(make("h4", {}, r.failed ? "The run fails" : r.answer.headline + differ[k]), box);
      const data = r.answer && decoded(r);
      if (r.failed) box.append(make("p", { className: "alert" }, r.failed));
      else if (!data) box.append(make("p", { className: "empty" }, r.answer.super_program ? `Speed-up ${number(x.speedup)} with ${number(x.nodes)} nodes, efficiency ${number(x.efficiency)}.` : `${number(x.messages)} messages in ${isoscaleTimeline.time(x.makespan_s)}.`));
      else if (s.screen === "topology") await this.wiring(box, runs[k], data);
      else {
        const m = isoscaleTimeline.mount(box, data, { title: r.answer.headline, until, painted: isoscaleTimeline.together(this.pictures), height: Math.max(110, Math.min((innerHeight - 190) / done.length - 110, 26 + data.ranks * 40)) });
        this.pictures.push(m);
      }
    }
    if (fresh) playOnce(this.pictures);
    stage.dataset.shown = s.screen;
  }

  // grow draws the efficiency of a run over sizes and nodes, and the sizes that hold a target.
  async grow(stage, run, target) {
    const r = await this.client.ask({ do: "controls", ...run }, "stage 0");
    if (!r || stage !== this.stage) return;
    this.scaling = new Scaling(stage, this.client, target, () => {});
    stage.dataset.shown = "scaling";
    this.scaling.show(run.file, run.set, r.answer);
  }

  async wiring(box, run, data) {
    const r = await this.client.ask({ do: "wiring", ...run }, "stage wiring");
    if (r) isoscaleTopology.mount(box, r.answer, isoscaleTopology.useOf(data));
  }

  runsOf(s) {
    const folder = this.file.slice(0, this.file.lastIndexOf("/") + 1);
    return (s.show ?? []).map((name) => this.lesson.runs.find((r) => r.name === name)).map((r) => ({ file: folder + r.file, set: r.set }));
  }

  // shown returns the button that leads to the runs of a step.
  shown(s) {
    const [a, b] = this.runsOf(s);
    if (!a) return [];
    const text = b ? "Change both runs, one above the other" : "Change the run";
    return [make("p", {}, make("button", { type: "button", onclick: () => this.actions.look(b ?? a, b ? a : null, s.screen) }, text))];
  }

  number(q, name = "your prediction") {
    const units = PREFIXES[q.unit]?.map(([, u]) => u) ?? (q.unit === "%" ? ["%"] : []);
    const field = make("input", { type: "number", step: "any", "aria-label": name });
    const unit = units.length ? make("select", { "aria-label": "unit", onchange: () => (this.unit = unit.value) }, ...units.map((u) => make("option", {}, u))) : null;
    // The field starts with the unit that the reader chose last, as a lesson mostly goes on in it.
    if (unit && (units.includes(this.unit) || q.unit === "s")) unit.value = units.includes(this.unit) ? this.unit : "ms";
    const size = () => (q.unit === "%" ? 0.01 : unit ? PREFIXES[q.unit].find(([, u]) => u === unit.value)[0] : 1);
    return {
      body: make("div", { className: "predict" }, field, unit),
      value: () => (field.value === "" ? null : +field.value * size()),
      lock: (p) => {
        field.disabled = true;
        if (unit) unit.disabled = true;
        // A prediction is kept in base units, and shown in the largest unit that it reaches.
        const prefix = PREFIXES[q.unit]?.find(([f]) => Math.abs(p) >= f);
        if (unit && prefix) unit.value = prefix[1];
        field.value = +(p / size()).toPrecision(4);
      },
      verdict: (p, a) => make("p", { className: "verdict" }, make("strong", {}, a.printed), ` ${a.right ? "Right" : "Not so"}: ${a.compared}.`),
    };
  }

  choice(q, i) {
    const boxes = q.options.map((o, k) => make("input", { type: "radio", name: `choice-${i}`, value: k, id: `choice-${i}-${k}` }));
    const rows = q.options.map((o, k) => make("label", { htmlFor: `choice-${i}-${k}`, className: "option" }, boxes[k], o.text));
    return {
      body: make("fieldset", { className: "predict" }, make("legend", { className: "unseen" }, "your prediction"), ...rows),
      value: () => { const k = boxes.findIndex((b) => b.checked); return k < 0 ? null : k; },
      lock: (p, a) => boxes.forEach((b, k) => { b.disabled = true; b.checked = k === p; rows[k].classList.toggle("holds", k === a.choice); }),
      verdict: (p, a) => make("p", { className: "verdict" }, make("strong", {}, q.options[a.answer.choice].text + "."), p === a.answer.choice ? " Right: as you predicted." : ` Not so: you predicted “${q.options[p].text}”.`),
    };
  }

  // curve is drawn with the mouse, or set with a slider for each point.
  curve(q) {
    // Beside the text there is less room.
    const W = innerWidth < 1000 ? roomFor(640) : Math.max(320, Math.min(640, innerWidth - 680)), H = 300, left = 64, right = 20, top = 26, n = q.values.length;
    const drawn = q.values.map(() => (q.from + q.to) / 2);
    let touched = false, locked = false, truth = null, ceiling = 0;
    const { x, y, path, axes } = curvePlot(q, W, H, left, right, top);
    const svg = shape("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${q.label} over ${q.axis}` });
    const sliders = q.values.map((v, k) => make("input", { type: "range", min: q.from, max: q.to, step: (q.to - q.from) / 200, value: drawn[k], "aria-label": `${q.label} at ${v}`, oninput: (e) => { drawn[k] = +e.target.value; touched = true; paint(); } }));
    const paint = () => {
      const parts = axes();
      parts.push(shape("path", { d: path(drawn), fill: "none", stroke: "var(--series-2)", "stroke-width": 2.5, "stroke-dasharray": "7 5" }));
      drawn.forEach((v, k) => parts.push(shape("circle", { cx: x(k), cy: y(v), r: 6, fill: "var(--paper)", stroke: "var(--series-2)", "stroke-width": 2.5 })));
      if (truth) {
        parts.push(shape("path", { d: path(truth), fill: "none", stroke: "var(--series-1)", "stroke-width": 3 }));
        truth.forEach((v, k) => parts.push(shape("circle", { cx: x(k), cy: y(v), r: 5, fill: "var(--series-1)" })));
        parts.push(label(left + 140, 13, "simulated", "start", "var(--series-1)"));
        if (ceiling) parts.push(shape("line", { x1: left, x2: W - right, y1: y(ceiling), y2: y(ceiling), stroke: "var(--series-8)", "stroke-width": 2 }), label(W - right, y(ceiling) - 6, `ceiling ${quantity(ceiling, q.unit)}`, "end", "var(--ink)"));
      }
      parts.push(shape("path", { d: `M${left} 9h24`, stroke: "var(--series-2)", "stroke-width": 2.5, "stroke-dasharray": "7 5" }), label(left + 30, 13, "your prediction", "start", "var(--muted)"));
      svg.replaceChildren(...parts);
    };
    const draw = (e) => {
      if (locked || !e.buttons) return;
      const box = svg.getBoundingClientRect();
      const px = ((e.clientX - box.left) / box.width) * W, py = ((e.clientY - box.top) / box.height) * H;
      const k = Math.max(0, Math.min(n - 1, Math.round(((px - left) / (W - left - right)) * (n - 1))));
      drawn[k] = Math.max(q.from, Math.min(q.to, q.from + (1 - (py - top) / (H - top - 50)) * (q.to - q.from)));
      sliders[k].value = drawn[k];
      touched = true;
      paint();
    };
    svg.addEventListener("pointerdown", (e) => { svg.setPointerCapture(e.pointerId); draw(e); });
    svg.addEventListener("pointermove", draw);
    svg.style.touchAction = "none";
    paint();
    const rows = make("div", { className: "points" }, ...sliders.map((s, k) => make("label", {}, q.values[k], s)));
    return {
      body: make("div", { className: "predict curve" }, make("p", { className: "caption" }, `${q.label}: draw with the mouse or a finger, or move the sliders.`), svg, rows),
      value: () => (touched ? [...drawn] : null),
      lock: (p, a, above) => { locked = true; ceiling = above; p.forEach((v, k) => { drawn[k] = v; sliders[k].disabled = true; sliders[k].value = v; }); truth = a.curve.map((c) => c.value); paint(); },
      verdict: (p, a) => make("p", { className: "verdict" }, make("strong", {}, a.right ? "Right" : "Not so"), `: ${a.compared}. Simulated: `, a.answer.curve.map((c) => `${quantity(c.value, q.unit)} at ${c.at}`).join(", "), "."),
    };
  }

  end() {
    const l = this.lesson;
    const exercises = (l.exercises ?? []).map((e, i) => {
      const out = make("p", { className: "verdict", "aria-live": "polite" }), input = this.number(e, "your solution");
      const ask = async (solution) => {
        const r = await this.client.ask({ do: "exercise", file: this.file, step: i, ...solution }, `exercise ${i}`);
        if (r) out.textContent = r.answer.said;
      };
      const check = (event) => {
        event.preventDefault();
        if (input.value() === null) out.textContent = "Enter a number first.";
        else ask({ prediction: input.value() });
      };
      input.body.append(make("button", { type: "submit" }, "Check"), make("button", { type: "button", className: "link", onclick: () => ask({}) }, "Show the answer"));
      return make("li", {}, ...inline(e.question), make("form", { onsubmit: check }, input.body), out);
    });
    const print = (answers) => make("button", { type: "button", onclick: () => printHandout(this.client, this.file, l, answers) }, `Print${answers ? " with answers" : " as a hand-out"}`);
    return [make("h3", { tabIndex: -1 }, "What to remember"), ...paragraphs(l.prose.insight),
      l.reproduces ? make("p", { className: "caption" }, `This lesson reproduces ${l.reproduces}.`) : null,
      exercises.length ? make("h3", {}, "Exercises") : null, exercises.length ? make("ol", { className: "exercises" }, ...exercises) : null,
      l.instructor ? make("details", {}, make("summary", {}, "For instructors"), ...paragraphs(l.instructor.notes), l.instructor.misconceptions?.length ? make("div", {}, make("p", {}, "Misconceptions:"), make("ul", {}, ...l.instructor.misconceptions.map((m) => make("li", {}, m)))) : null) : null,
      make("p", { className: "other" }, print(false), print(true)),
    ].filter(Boolean);
  }
}

// curvePlot returns the places x and y of a curve's values in a drawing, the path through values, and the axes.
function curvePlot(q, W, H, left = 64, right = 20, top = 26) {
  const x = (k) => left + (k / (q.values.length - 1)) * (W - left - right);
  const y = (v) => Math.max(2, Math.min(H - 40, top + (1 - (v - q.from) / (q.to - q.from)) * (H - top - 50)));
  const path = (values) => values.map((v, k) => `${k ? "L" : "M"}${x(k)} ${y(v)}`).join("");
  const parts = (q.to - q.from) % 5 === 0 ? 5 : 4; // whose ends have few digits
  const axes = () => [...Array.from({ length: parts + 1 }, (_, k) => q.from + ((q.to - q.from) * k) / parts)
    .flatMap((v) => [shape("line", { x1: left, x2: W - right, y1: y(v), y2: y(v), stroke: "var(--grid)" }), label(left - 8, y(v) + 4, quantity(v, q.unit), "end")]),
  ...q.values.map((v, k) => label(x(k), H - 28, v, "middle")), label((left + W - right) / 2, H - 8, q.axis, "middle")];
  return { x, y, path, axes };
}
