// OWN are the files of the reader: dropped on the page, edited in it, or in the address.
const OWN = new Set();

// keep gives a file a text, in the simulator that runs and in the page, from which later simulators take it. The
// answers that the page was made with no longer hold then.
async function keep(client, file, text) {
  FILES[file] = text;
  OWN.add(file);
  for (const question of Object.keys(KEPT)) delete KEPT[question];
  await client?.ask({ do: "write", file, text }, `write ${file}`);
}

// Editor edits a file, and says at each line what is wrong with it.
class Editor {
  constructor(host, client, changed) {
    Object.assign(this, { host, client, changed, originals: { ...FILES } });
    this.name = make("h2");
    this.gutter = make("pre", { ariaHidden: "true" });
    this.area = make("textarea", { spellcheck: false, wrap: "off", rows: 22, oninput: () => this.later(), onscroll: () => (this.gutter.scrollTop = this.area.scrollTop) });
    this.problems = make("ul", { className: "problems", "aria-live": "polite" });
    const files = make("input", { type: "file", multiple: true, accept: ".yaml,.yml", hidden: true, onchange: () => this.take(files.files) });
    const button = (text, onclick) => make("button", { type: "button", onclick }, text);
    this.undo = button("Original", () => this.put(this.originals[this.file]));
    const said = make("p", { className: "caption", role: "status" });
    const link = async () => (said.textContent = await share() + (this.area.value.length > mostShared ? " This text is too long for a link: pass on the file." : ""));
    host.replaceChildren(make("div", { className: "text" }, this.name, make("div", { className: "lines" }, this.gutter, this.area)),
      make("div", { className: "aside" }, make("p", {}, button("Open files …", () => files.click()), button("Copy as mine", () => this.copy()), this.undo, button("Copy the link", link),
        button("Save the file", () => download(this.file.split("/").at(-1), this.area.value, "text/yaml")), button("Close", () => this.close()), files), said,
        make("p", { className: "caption" }, "You can also drop files on the page: a scenario or a lesson with the applications and machines that it names. The link of the page contains your text unless it is too long."), this.problems));
    addEventListener("dragover", (e) => { if (e.dataTransfer?.types.includes("Files")) e.preventDefault(); });
    addEventListener("drop", (e) => {
      if (!e.dataTransfer?.files.length) return;
      e.preventDefault();
      this.take(e.dataTransfer.files);
    });
  }

  open(file) {
    this.file = file;
    this.host.hidden = false;
    this.name.textContent = file;
    this.area.setAttribute("aria-label", `text of ${file}`);
    this.area.value = FILES[file] ?? "";
    this.undo.hidden = !(file in this.originals);
    this.tell("");
    this.area.focus();
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = this.gutter.scrollTop = 0;
  }

  close() {
    this.host.hidden = true;
  }

  put(text) {
    this.area.value = text;
    this.later(0);
  }

  later(wait = 350) {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      await keep(this.client, this.file, this.area.value);
      if (this.area.value === this.originals[this.file]) OWN.delete(this.file);
      this.changed(this.file, false);
    }, wait);
  }

  // copy continues in a copy beside the file that is shown, which stays as it is.
  async copy() {
    const at = this.file.lastIndexOf("/") + 1, own = this.file.slice(0, at) + "my-" + this.file.slice(at);
    await keep(this.client, own, this.area.value);
    this.open(own);
    this.changed(own, true);
  }

  // take keeps files, and opens the lesson or the scenario among them. A lesson and the files with it go into the
  // folder of the page's lessons, as the lesson may name their scenarios.
  async take(list) {
    const all = await Promise.all([...list].map(async (f) => ({ name: f.name, text: await f.text() })));
    const [lesson, scenario] = [/^lesson:/m, /^(workload|levels):/m].map((kind) => all.find((f) => kind.test(f.text)));
    const place = (f) => `${lesson ? "lessons" : "own"}/${f.name}`;
    for (const f of all) await keep(this.client, place(f), f.text);
    const first = place(lesson ?? scenario ?? all[0]);
    this.open(first);
    this.changed(first, true);
  }

  // tell shows the problems of an error, each at its line, if the editor is open, and returns whether it is.
  tell(message) {
    if (this.host.hidden) return false;
    const found = message.split("\n").map((line) => /^(.*?):(\d+):(\d+): (.*)$/.exec(line) ?? [line, "", 0, 0, line]).filter((p) => p[0]);
    const at = (line) => {
      const before = this.area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      this.area.focus();
      this.area.setSelectionRange(before, this.area.value.indexOf("\n", before) < 0 ? this.area.value.length : this.area.value.indexOf("\n", before));
    };
    const here = found.filter((p) => p[1] === this.file).map((p) => +p[2]);
    this.problems.replaceChildren(...found.map(([, file, line, , text]) => make("li", {}, file === this.file ? make("button", { type: "button", className: "link", onclick: () => at(+line) }, `Line ${line}`) : file ? `${file}, line ${line}` : "", file ? `: ${text}` : text)), found.length ? make("li", { className: "caption" }, "What is shown below belongs to the previous text.") : "");
    this.gutter.replaceChildren(...this.area.value.split("\n").flatMap((_, k) => [make("span", { className: here.includes(k + 1) ? "wrong" : "" }, String(k + 1)), "\n"]));
    this.gutter.scrollTop = this.area.scrollTop;
    return true;
  }
}
