// Scaling simulates the scenario at several problem sizes and numbers of nodes, the
// coarse grid first, and looks for the sizes that hold a target.
class Scaling {
  constructor(host, client, target, changed) {
    Object.assign(this, { host, client, target, changed, points: new Map(), held: new Map(), turn: 0 });
  }

  async show(file, set, described) {
    const turn = ++this.turn;
    const { size, count } = described;
    if (!size || !count) {
      this.host.replaceChildren(make("p", { className: "empty" }, "This scenario has no problem size, or no number of nodes of a single type, to vary. Choose another file, or a machine with one type of nodes."));
      return;
    }
    const value = (path) => described.controls.find((c) => c.path === path).number;
    const n = value(size), most = Math.max(2, described.controls.find((c) => c.path === count).to);
    const key = JSON.stringify([file, set.filter((s) => s.path !== size && s.path !== count)]);
    if (key !== this.key) { this.points.clear(); this.held.clear(); }
    this.key = key;
    const top = Math.min(most, Math.max(16, value(count)));
    this.counts = [];
    for (let p = 1; p <= top; p *= 2) this.counts.push(p);
    if (this.counts.length > 6) this.counts = this.counts.filter((_, i) => i % 2 === (this.counts.length - 1) % 2);
    const from = Math.max(2, n / 16), to = Math.max(64, n * 4), steps = 8;
    // Coarse first: the ends and the middle, then the points between.
    const order = [...new Set([8, 4, 2, 1].flatMap((d) => Array.from({ length: steps + 1 }, (_, i) => i).filter((i) => i % d === 0)))];
    this.sizes = order.map((i) => Math.round(from * (to / from) ** (i / steps)));
    this.range = [Math.round(from), Math.round(to)];
    this.done = 0;
    this.all = this.sizes.length * this.counts.length;
    this.build();
    for (const N of this.sizes) {
      for (const p of this.counts) {
        this.done++;
        if (this.points.has(`${p},${N}`)) continue;
        try {
          const r = await this.client.ask({ do: "measure", file, set: withSetting(withSetting(set, size, String(N)), count, String(p)) }, "scaling");
          if (turn !== this.turn) return;
          if (!r) continue;
          if (r.answer.work === 0) {
            this.host.replaceChildren(make("p", { className: "empty" }, "This workload computes nothing, so it has no speed-efficiency. Choose one that computes, such as gauss."));
            return;
          }
          this.points.set(`${p},${N}`, r.answer);
          if (r.took > 8000) break;
        } catch (e) {
          if (turn !== this.turn) return;
          this.points.set(`${p},${N}`, null);
        }
        this.draw();
      }
    }
    this.args = { file, set, size, count };
    this.iso();
  }

  // iso searches the sizes that hold the target, one system after the other.
  async iso() {
    if (!this.args) return;
    const turn = this.turn, { file, set, size, count } = this.args, target = this.target;
    for (const p of this.counts) {
      const k = `${p},${target}`;
      if (!this.held.has(k)) {
        this.status.textContent = `Looking for the problem size that holds ${quantity(target, "%")} on ${p} ${p === 1 ? "node" : "nodes"} …`;
        try {
          const r = await this.client.ask({ do: "hold", file, target, set: withSetting(withSetting(set, size, null), count, String(p)).concat([{ path: size, value: "100" }]) }, "hold");
          if (turn !== this.turn || target !== this.target) return;
          if (!r) return;
          this.held.set(k, r.answer);
        } catch (e) {
          if (turn !== this.turn || target !== this.target) return;
          this.held.set(k, { reason: e.message });
        }
      }
      this.draw();
    }
    this.status.textContent = "";
  }

  // leave stops the simulations, as nobody looks.
  leave() {
    this.turn++;
    for (const channel of ["scaling", "hold"]) this.client.stop(channel);
  }

  setTarget(t) {
    this.target = Math.round(Math.min(0.99, Math.max(0.01, t)) * 100) / 100;
    this.slider.value = this.target;
    this.out.textContent = quantity(this.target, "%");
    this.changed(this.target);
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.iso(), 250);
  }

  build() {
    this.slider = make("input", { type: "range", min: 0.01, max: 0.99, step: 0.01, value: this.target, "aria-label": "target speed-efficiency", oninput: () => this.setTarget(+this.slider.value) });
    this.out = make("output", {}, quantity(this.target, "%"));
    this.above = make("p", { className: "caption", hidden: true }, "Above 100 %, processes compute faster than their marked speed, as the workload, a kernel or a precision may say, or the stated work is more than what is computed.");
    this.status = make("p", { className: "caption", "aria-live": "polite" });
    this.width = Math.max(320, Math.min(760, this.host.clientWidth));
    this.svg = shape("svg", { viewBox: `0 0 ${this.width} 430`, role: "img", "aria-label": "speed-efficiency over the problem size, a line for each number of nodes" });
    this.isoSvg = shape("svg", { viewBox: `0 0 ${this.width} 300`, role: "img", "aria-label": "problem size that holds the target, over the number of nodes" });
    this.table = make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "table of the sizes that hold the target" });
    const drag = (e) => {
      if (!e.buttons) return;
      const box = this.svg.getBoundingClientRect();
      this.setTarget(this.top * (1 - ((e.clientY - box.top) / box.height * 430 - 20) / 350));
    };
    this.svg.addEventListener("pointerdown", (e) => { this.svg.setPointerCapture(e.pointerId); drag(e); });
    this.svg.addEventListener("pointermove", drag);
    this.host.replaceChildren(
      make("h2", {}, "Efficiency over the problem size"),
      make("p", { className: "caption" }, "Drag the dashed line, or move the slider, to choose a target. The circles are the problem sizes that hold it."),
      make("div", { className: "tools" }, make("label", { className: "wide" }, "Target efficiency ", this.slider, this.out)), this.svg, this.above, this.status,
      make("h2", {}, "The iso-efficiency line"), this.isoSvg, this.table);
    this.draw();
  }

  draw() {
    if (!this.svg) return;
    const low = this.range[0], high = Math.max(this.range[1], ...this.counts.map((p) => this.held.get(`${p},${this.target}`)?.n ?? 0)), W = this.width, left = 58, right = 90;
    const named = (k) => k === 1 || W > 500 || high / low < 50;
    const most = Math.max(1, ...[...this.points.values()].filter((r) => r).map((r) => r.speed_efficiency));
    this.top = most > 1 + 1e-9 ? Math.ceil(5 * most) / 5 : 1;
    this.above.hidden = this.top === 1;
    const x = (n) => left + (Math.log(n / low) / Math.log(high / low)) * (W - left - right), y = (e) => 20 + (1 - e / this.top) * 350;
    const parts = [], ends = [];
    const step = this.top > 3 ? Math.ceil(this.top) / 5 : 0.2;
    for (let e = 0; e <= this.top + 0.001; e += step) parts.push(shape("line", { x1: left, x2: W - right, y1: y(e), y2: y(e), stroke: "var(--grid)" }), label(left - 8, y(e) + 4, quantity(+e.toFixed(1), "%"), "end"));
    for (let n = 10 ** Math.floor(Math.log10(low)); n <= high; n *= 10) for (const k of [1, 2, 5]) if (n * k >= low && n * k <= high) parts.push(shape("line", { x1: x(n * k), x2: x(n * k), y1: 20, y2: 374, stroke: "var(--grid)" }), named(k) ? label(x(n * k), 392, number(n * k), "middle") : "");
    parts.push(label((left + W - right) / 2, 418, "problem size N", "middle"));
    this.counts.forEach((p, i) => {
      const colour = `var(--series-${1 + (i % 8)})`;
      const line = [...new Set(this.sizes)].sort((a, b) => a - b).map((n) => [n, this.points.get(`${p},${n}`)]).filter(([, r]) => r);
      if (!line.length) return;
      parts.push(shape("path", { d: line.map(([n, r], j) => `${j ? "L" : "M"}${x(n)} ${y(r.speed_efficiency)}`).join(""), fill: "none", stroke: colour, "stroke-width": 2.2 }));
      for (const [n, r] of line) parts.push(shape("circle", { cx: x(n), cy: y(r.speed_efficiency), r: 2.4, fill: colour }));
      const [n, r] = line.at(-1);
      if (n === this.range[1] || this.done === this.all) ends.push({ x: x(n), y: y(r.speed_efficiency), text: `${p} ${p === 1 ? "node" : "nodes"}`, colour });
      const h = this.held.get(`${p},${this.target}`);
      if (h?.n && h.n >= low && h.n <= high) parts.push(shape("circle", { cx: x(h.n), cy: y(h.speed_efficiency), r: 6, fill: "var(--paper)", stroke: colour, "stroke-width": 3 }));
    });
    // Names have the order of the ends of their lines, and none covers another.
    let free = 374;
    for (const e of ends.sort((a, b) => b.y - a.y)) {
      const at = (free = Math.min(e.y + 4, free - 14));
      parts.push(shape("line", { x1: e.x, x2: e.x + 9, y1: e.y, y2: at - 4, stroke: e.colour }), label(e.x + 12, at, e.text, "start", "var(--ink)"));
    }
    parts.push(shape("line", { x1: left, x2: W - right, y1: y(this.target), y2: y(this.target), stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": "7 5" }), shape("rect", { x: left, y: y(this.target) - 8, width: 12, height: 16, rx: 3, fill: "var(--ink)" }));
    this.svg.replaceChildren(...parts);
    this.svg.style.cursor = "ns-resize";
    if (this.done < this.all) this.status.textContent = `${this.done} of ${this.all} points`;
    this.drawIso();
  }

  drawIso() {
    const held = this.counts.map((p) => [p, this.held.get(`${p},${this.target}`)]).filter(([, h]) => h);
    const found = held.filter(([, h]) => h.n);
    const W = this.width, left = 70, right = 40;
    if (found.length > 0) {
      const ns = found.map(([, h]) => h.n), top = Math.max(...ns) * 1.4, bottom = Math.max(1, Math.min(...ns) / 1.4), pMost = Math.max(2, this.counts.at(-1));
      const x = (p) => left + (Math.log2(p) / Math.log2(pMost)) * (W - left - right), y = (n) => 20 + (1 - Math.log(n / bottom) / Math.log(top / bottom)) * 220;
      const parts = this.counts.map((p) => label(x(p), 262, p, "middle"));
      parts.push(label((left + W - right) / 2, 288, "nodes", "middle"), shape("line", { x1: left, x2: W - right, y1: 244, y2: 244, stroke: "var(--rule)" }));
      parts.push(shape("path", { d: found.map(([p, h], i) => `${i ? "L" : "M"}${x(p)} ${y(h.n)}`).join(""), fill: "none", stroke: "var(--series-1)", "stroke-width": 2.4 }));
      for (const [p, h] of found) parts.push(shape("circle", { cx: x(p), cy: y(h.n), r: 5, fill: "var(--series-1)" }), label(x(p) - 9, y(h.n) - 5, `N = ${number(h.n)}`, "end", "var(--ink)"));
      this.isoSvg.replaceChildren(...parts);
    } else this.isoSvg.replaceChildren(label(W / 2, 130, held.length === this.counts.length && held.length ? "No problem size holds the target: the table says why." : "Searching for the sizes that hold the target …", "middle"));
    // psi of [Sun]: growth of the marked speed over growth of the work that holds the efficiency, C' W / (C W').
    const rows = held.map(([p, h], i) => {
      const last = i > 0 ? held[i - 1][1] : null;
      const psi = h.n && last?.n ? (h.marked_speed * last.work) / (last.marked_speed * h.work) : null;
      const cells = h.n ? [number(h.n), h.speed_efficiency.toFixed(4), psi === null ? "–" : number(psi)].map((text) => make("td", { className: "num" }, text))
        : [make("td", { className: "long", colSpan: 3 }, (h.reason ?? "").replace(/; expected .*$/, ""))];
      return make("tr", {}, make("th", { scope: "row" }, `${p}`), ...cells);
    });
    this.table.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...["nodes", "N that holds the target", "efficiency", "psi from the row above"].map((t) => make("th", { scope: "col" }, t)))), make("tbody", {}, ...rows)));
  }
}

const label = (x, y, text, anchor = "start", fill = "var(--muted)") => shape("text", { x, y, "text-anchor": anchor, fill, "font-size": 13 }, text);
