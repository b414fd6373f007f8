// PlanScreen shows what a purchase plan recommends under the reader's settings. The program and so the answer are those
// of the command line.
class PlanScreen {
  // actions: set(path, value) changes a setting of the plan, and null undoes it; learned(times) keeps simulated times.
  constructor(host, client, actions) {
    Object.assign(this, { host, client, actions });
    this.answer = make("div", { className: "answer" });
    this.bar = make("progress", { max: 1, value: 0 });
    this.doing = make("span", {});
    this.stop = make("button", { type: "button", onclick: () => this.cancel() }, "Stop");
    this.work = make("p", { className: "work", hidden: true }, this.bar, " ", this.doing, " ", this.stop);
    this.chips = make("ul", { className: "chips" });
    this.other = make("input", { type: "text", id: "other-setting", placeholder: "nodes.fat.power=900 W", spellcheck: false, autocomplete: "off" });
    this.command = make("code", {});
    const add = make("form", { className: "other", onsubmit: (e) => { e.preventDefault(); this.add(); } }, make("label", { htmlFor: "other-setting" }, "Any other change, as with --set"), this.other, make("button", {}, "Set"));
    host.replaceChildren(this.work, this.answer, make("section", {}, make("h3", {}, "As on the command line"), make("p", {}, this.command), this.chips, add,
      make("p", { className: "caption" }, "The command gives the same machine, work, energy and costs. It also refines the mean waits, and --report gives every figure with its source.")));
  }

  add() {
    const at = this.other.value.indexOf("=");
    if (at < 1) return this.other.focus();
    const [path, value] = [this.other.value.slice(0, at).trim(), this.other.value.slice(at + 1).trim()];
    this.other.value = "";
    this.actions.set(path, value);
  }

  // begin shows what is asked for, and that the answer is not yet there.
  begin(file, set) {
    const quote = (text) => (/^[\w.,:/=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
    this.command.textContent = ["isoscale plan", quote(file), ...set.map((s) => `--set ${quote(`${s.path}=${s.value}`)}`)].join(" ");
    this.chips.replaceChildren(...set.map((s) => make("li", {}, `${s.path} = ${s.value} `, make("button", { type: "button", className: "link", "aria-label": `take back ${s.path}`, onclick: () => this.actions.set(s.path, null) }, "take back"))));
    this.answer.classList.add("stale");
    this.doing.textContent = "Searching …";
    this.bar.removeAttribute("value");
    this.work.hidden = false;
  }

  // show returns whether it shows the answer: it does not if another one is wanted in the meantime.
  async show(file, set) {
    const r = await this.client.ask({ do: "plan", file, set }, "plan", ({ text, share }) => {
      this.doing.textContent = text;
      share > 0 ? (this.bar.value = share) : this.bar.removeAttribute("value");
    });
    if (!r) return false;
    this.actions.learned(r.answer.learned);
    this.draw(r.answer);
    this.work.hidden = true;
    return true;
  }

  // end shows that there is no answer.
  end(...instead) {
    this.work.hidden = true;
    this.answer.replaceChildren(...instead);
  }

  cancel() {
    this.client.stop("plan");
    this.end(make("p", { className: "empty" }, "Stopped. The command below gives the answer."));
  }

  draw({ lead, facts, tables }) {
    const bars = (f) => f.Bars.map((b, i) => make("div", { className: i ? "bar" : "bar best" }, make("span", {}, b.Label), make("meter", { max: 1, value: b.Length, "aria-label": `${f.Label} of ${b.Label}` }), make("b", {}, b.Value)));
    this.answer.replaceChildren(make("h2", {}, lead),
      ...facts.map((f) => make("section", { className: "fact" }, make("h3", {}, f.Label), ...(f.Bars ? bars(f) : [make("p", { className: "value" }, f.Value)]), make("p", { className: "note" }, f.Note))),
      ...tables.map((t, i) => make("details", {}, make("summary", {}, t.Title), make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": t.Title }, make("table", { className: t.Columns.length === 2 ? "pairs" : "" },
        make("thead", {}, make("tr", {}, ...t.Columns.map((c) => make("th", { scope: "col" }, c.Title)))),
        make("tbody", {}, ...t.Rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", { className: cell.length > 40 ? "long" : "" }, ...isoscaleElements.prose(cell)))))))))));
    this.answer.classList.remove("stale");
  }
}
