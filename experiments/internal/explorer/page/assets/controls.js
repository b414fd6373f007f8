// longestBeside is the number of letters of a choice that have room beside its label.
const longestBeside = 11;

// Controls shows the values of a scenario that can be changed, in groups, or only those that pick selects, without
// groups. change(path, value, replaces) is called for each setting; value is text as in a file.
class Controls {
  constructor(host, change, pick = null) {
    const ofFile = (value) => value?.replace("µs", "us") ?? null; // addresses and files have what is easily typed
    Object.assign(this, { host, change: (path, value, replaces) => change(path, ofFile(value), replaces), pick });
    this.rows = new Map();
    this.shape = "";
  }

  show(described, changed) {
    if (this.pick) described = { controls: this.pick(described) };
    const shape = JSON.stringify(described.controls.map((c) => [c.path, c.kind, c.choices, c.advanced, c.from, c.to]));
    if (shape !== this.shape) this.build(described);
    this.shape = shape;
    const set = new Set(changed.map((s) => s.path));
    for (const c of described.controls) this.rows.get(c.path)?.update(c, set.has(c.path));
  }

  // tell shows at each control what is wrong with its value, and returns the lines that no visible control shows.
  tell(lines) {
    const taken = [...this.rows].filter(([path, row]) => row.tell(lines.filter((l) => l.startsWith(`${path}: `)).map((l) => l.slice(path.length + 2)).join("\n")));
    return lines.filter((l) => !taken.some(([path]) => l.startsWith(`${path}: `)));
  }

  build(described) {
    const focused = this.host.contains(document.activeElement) && document.activeElement.dataset.path;
    this.rows.clear();
    if (this.pick) return this.host.replaceChildren(...described.controls.map((c) => this.row(c)));
    const groups = [["budget", "Budget"], ["machine", "Machine"], ["network", "Network"], ["workload", "Workload"], ["running", "Running it"]].map(([key, title]) => {
      const own = described.controls.filter((c) => c.group === key);
      if (!own.length) return null;
      const plain = own.filter((c) => !c.advanced), more = own.filter((c) => c.advanced);
      const box = make("fieldset", {}, make("legend", {}, title), ...plain.map((c) => this.row(c)));
      if (more.length) box.append(make("details", {}, make("summary", {}, "More"), ...more.map((c) => this.row(c))));
      return box;
    });
    this.host.replaceChildren(...groups.filter(Boolean));
    if (focused) this.host.querySelector(`[data-path="${CSS.escape(focused)}"]`)?.focus();
  }

  row(c) {
    const id = `${this.pick ? "q" : "c"}-${c.path.replace(/[^a-z0-9]/gi, "-")}`;
    const label = make("label", { htmlFor: id, title: c.meaning || "" }, c.label);
    const reset = make("button", { type: "button", className: "reset", title: `Back to what the file says`, "aria-label": `${c.label}: back to what the file says`, hidden: true, onclick: () => this.change(c.path, null) }, "↺");
    let update, body, wide = false;
    if (c.kind === "choice") {
      const select = make("select", { id, "data-path": c.path }, ...c.choices.map((x) => make("option", {}, x)));
      select.onchange = () => this.choose(c, select.value);
      update = (now) => { select.value = now.value; c = now; };
      wide = c.choices.some((x) => x.length > longestBeside);
      body = [select];
    } else if (c.kind === "flag") {
      const box = make("input", { type: "checkbox", id, "data-path": c.path });
      box.onchange = () => this.change(c.path, String(box.checked));
      update = (now) => (box.checked = now.value === "true");
      body = [box];
    } else if (c.kind === "text") {
      const field = make("input", { type: "text", id, "data-path": c.path, onchange: () => this.change(c.path, field.value) });
      update = (now) => (field.value = now.value);
      body = [field];
    } else {
      const whole = c.kind === "count", typed = c.kind === "quantity";
      const field = make("input", { type: typed ? "text" : "number", id, className: "value", "data-path": c.path, spellcheck: false, autocomplete: "off" });
      if (!typed) { field.step = whole ? 1 : "any"; if (whole) field.min = c.from; }
      const slider = make("input", { type: "range", min: 0, max: 1000, step: 1, "aria-label": `${c.label}, slider` });
      const text = (x) => (typed ? quantity(x, c.unit) + (c.suffix ?? "") : whole ? String(Math.round(x)) : String(+x.toPrecision(3)));
      slider.oninput = () => {
        const t = slider.value / 1000;
        let x = c.log ? Math.max(c.from, 1e-12) * (c.to / Math.max(c.from, 1e-12)) ** t : c.from + (c.to - c.from) * t;
        if (whole) x = Math.round(x);
        field.value = text(x);
        slider.setAttribute("aria-valuetext", field.value);
        this.change(c.path, field.value);
      };
      // The browser gives no value for what is not a number; an empty field takes the value of the file.
      field.onchange = () => (field.validity.badInput ? tell("this is no number") : this.change(c.path, field.value.trim() || null));
      update = (now) => {
        c = now;
        const low = Math.max(c.from, 1e-12), x = c.number || 0;
        const t = c.log ? (x <= low ? 0 : Math.log(x / low) / Math.log(c.to / low)) : (x - c.from) / (c.to - c.from || 1);
        if (document.activeElement !== slider) slider.value = Math.round(1000 * Math.min(1, Math.max(0, t)));
        const value = c.value.replace(/ us\b/, " µs");
        if (document.activeElement !== field) field.value = value;
        slider.setAttribute("aria-valuetext", value);
      };
      body = [field, slider];
    }
    const wrong = make("p", { className: "wrong", id: `${id}-wrong`, role: "alert", hidden: true });
    const row = make("div", { className: `control ${c.kind}${wide ? " wide" : ""}` }, label, reset, ...body, wrong);
    body[0].setAttribute("aria-describedby", wrong.id);
    function tell(text) {
      wrong.textContent = text;
      wrong.hidden = !text;
      body[0].setAttribute("aria-invalid", text !== "");
      return text && row.offsetParent !== null;
    }
    this.rows.set(c.path, { tell, update: (now, changed) => { tell(""); update(now); reset.hidden = !changed; row.classList.toggle("changed", changed); } });
    return row;
  }

  choose(c, value) {
    const text = c.texts ? c.texts[c.choices.indexOf(value)] : value;
    if (c.texts && text === "") return this.change(c.path, null);
    if (c.path === "machine") return this.change(c.path, value === c.choices[0] && value === "its own" ? null : value, ["machine", "nodes", "placement"]);
    if (c.path === "workload") return this.change(c.path, `{name: ${value}, n: ${this.size ?? 100}}`, ["workload"]);
    if (c.path === "network") return this.change(c.path, value, ["network"]);
    this.change(c.path, text);
  }
}
