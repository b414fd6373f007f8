// The page simulates and shows what its address says.
let client;
let state = readState(location.hash);
let described, last, pinned, differ, mounted = [], drawn = null; // differ: the settings of each of two runs that captions name
const heavy = 50000; // messages, above which a timeline is drawn only if the reader asks for it
const brisk = 50, rest = 300; // milliseconds: time is divided at once if run and division are brisk, else after a rest of the slider
const heavyPair = 200000; // the same beside a pinned run, as a reader pins a run to see both

const request = (extra, of = state) => ({ file: of.file, set: of.set, ...extra });

// note writes the state into the address.
let noting = 0;
function note() {
  clearTimeout(noting);
  noting = 0;
  history.replaceState(null, "", writeState(state));
}

// share puts the address into the clipboard, and says whether it is there: not every browser allows that.
async function share() {
  note();
  try {
    await navigator.clipboard.writeText(location.href);
    return "The link is in the clipboard.";
  } catch {
    return "The browser denies access to the clipboard: copy the address of the page.";
  }
}

// go changes the state, writes it into the address and shows it.
function go(change) {
  if (noting) note();
  state = { ...state, ...change };
  history.pushState(null, "", writeState(state));
  refresh();
}

function setValue(path, value, replaces) {
  const before = described?.controls.find((c) => c.path === "machine.network.topology");
  let set = withSetting(state.set, path, value, replaces);
  state = { ...state, set };
  clearTimeout(noting);
  noting = setTimeout(note, rest); // writing the address takes as long as drawing a picture
  const resized = path === described?.count && path.startsWith("machine.nodes") && set.some((s) => s.path === "machine.network.topology");
  if (resized && before?.texts) return fitTopology(before.choices.indexOf(before.value) - (before.choices.length - (before.texts.filter(Boolean).length)), +value);
  refresh();
}

// fitTopology gives the topology the sizes that the new number of nodes needs.
async function fitTopology(index, nodes) {
  const r = await client.ask({ do: "topologies", nodes }, "topologies");
  if (!r || !r.answer[index]) return refresh();
  state = { ...state, set: withSetting(state.set, "machine.network.topology", r.answer[index].text) };
  note();
  refresh();
}

const controls = { of: null };
let quick, lessons, scaling, plans, editor, turn = 0, scripts = 0;

async function refresh() {
  const now = ++turn;
  showView();
  for (const file of OWN) listed(file);
  $("file").value = state.file in FILES ? state.file : DEFAULT_FILE;
  if (!isPlan()) client.stop("plan");
  if (state.view !== "scaling") scaling.leave();
  if (state.view !== "lesson") client.stop("ahead");
  const wantsRun = ["run", "timeline", "topology"].includes(state.view);
  try {
    if (state.problem) throw new Error(state.problem);
    if (state.view === "lesson") {
      $("problem").hidden = true;
      await lessons.show(state.lesson, state.step);
      editor.tell("");
      return;
    }
    if (isPlan()) return await showPlan(now);
    // A new file is described first: its number of processes decides what its run is asked for.
    const known = described?.file === state.file;
    if (!known && !(await describe(now))) return;
    const many = (last?.answer.run?.messages ?? 0) > heavy || described.processes > 4096;
    const running = wantsRun ? simulate(now, many) : null;
    const [, current] = await Promise.all([running, known ? describe(now) : true]);
    if (!current || now !== turn) return;
    $("problem").hidden = true;
    editor.tell("");
    if (state.view === "scaling") scaling.show(state.file, state.set, described);
    if (state.view === "topology") await showTopology(now);
  } catch (e) {
    if (now !== turn) return;
    fail(e);
  }
}

// isPlan says whether a purchase plan is shown. Its screen has priority over those of scenarios.
const isPlan = () => PLANS.includes(state.file) && state.view !== "lesson";

async function showPlan(now) {
  document.documentElement.dataset.state = "busy";
  $("problem").hidden = true;
  plans.begin(state.file, state.set);
  try {
    await describe(now, "levers");
    if (now === turn && (await plans.show(state.file, state.set)) && now === turn) document.documentElement.dataset.state = "shown";
  } catch (e) {
    if (now === turn) plans.end();
    throw e;
  }
}

// describe shows what can be set in the scenario, unless something newer is wanted.
async function describe(now, question = "controls") {
  const { file } = state, c = await client.ask(request({ do: question }), "controls");
  if (!c || now !== turn) return false;
  described = { ...c.answer, file };
  controls.of.size = described.controls.find((x) => x.path === described.size)?.number;
  controls.of.show(described, state.set);
  quick.show(described, state.set);
  return true;
}

// listed puts a scenario of the reader into the list.
function listed(file) {
  if ([...$("file").options].some((o) => o.value === file) || /^lesson:/m.test(FILES[file])) return;
  $("file").prepend(make("option", { value: file }, file));
}

// edited shows a file that the reader has brought. After a change it shows the current file again, which may name it.
function edited(file, brought) {
  described = null;
  lessons.file = "";
  if (brought && /^lesson:/m.test(FILES[file])) return go({ view: "lesson", lesson: file, step: 0 });
  if (brought) return go({ view: state.view === "lesson" ? "run" : state.view, file, set: [], pin: null });
  note();
  refresh();
}

function fail(e) {
  busy("");
  const lines = e.message.split("\n"), [one, other] = [quick, controls.of].map((c) => c.tell(lines));
  $("problem").textContent = one.filter((l) => other.includes(l)).join("\n");
  $("problem").hidden = editor.tell(e.message) || !$("problem").textContent;
  if (!last) $("question").textContent = ""; // the simulator has started
  $("pictures").classList.add("stale");
  document.documentElement.dataset.state = "failed";
}

// quickOf picks the three values that matter most: number of nodes, latency and imbalance, and the problem size in
// place of one that the scenario lacks.
function quickOf(d) {
  const named = (path, label) => d.controls.filter((c) => c.path === path).map((c) => ({ ...c, label }));
  const nodes = d.count ? named(d.count, "nodes") : d.controls.filter((c) => c.path.startsWith("nodes.") || c.path.endsWith(".count"));
  const latency = [...named("network.latency", "latency"), ...named("machine.network.latency", "latency")];
  return [nodes[0], latency[0], named("workload.imbalance", "imbalance")[0], named(d.size, "problem size")[0], nodes[1]].filter((c) => c && c.kind !== "choice").slice(0, 3);
}

// busy says what takes long, with a button to cancel it.
let busyTimer = 0;
function busy(text) {
  clearTimeout(busyTimer);
  $("busy").hidden = true;
  if (text) busyTimer = setTimeout(() => {
    $("busy").replaceChildren(text, " ", make("button", { type: "button", onclick: () => {
      client.stop("run");
      $("pictures").classList.remove("stale");
      document.documentElement.dataset.state = "shown";
      $("busy").replaceChildren("Cancelled. The previous run is shown.");
    } }, "Cancel"));
    $("busy").hidden = false;
  }, 400);
}

// simulate runs the scenario, and what it is compared with.
async function simulate(now, many) {
  $("pictures").classList.add("stale");
  document.documentElement.dataset.state = "busy";
  busy(`Simulating ${number(described.processes)} processes …`);
  const links = state.view === "topology";
  let r = await client.ask(request({ do: "run", timeline: !many, links }), "run");
  if (!r || now !== turn) return;
  if (many && r.answer.run && r.answer.run.messages <= (state.pin ? heavyPair : heavy)) {
    r = await client.ask(request({ do: "run", timeline: true, links }), "run");
    if (!r || now !== turn) return;
  }
  last = r;
  const key = state.pin && JSON.stringify(state.pin);
  if (state.pin && pinned?.key !== key) {
    const p = await client.ask({ do: "run", timeline: true, ...state.pin }, "pin");
    if (!p || now !== turn) return;
    pinned = { ...p, key };
  }
  if (!state.pin) pinned = null;
  else {
    differ = await differing({ file: state.pin.file, set: state.pin.set }, { file: state.file, set: state.set });
    if (now !== turn) return;
  }
  if (state.view !== "run") return show();
  // The first picture waits for the headline, which determines its room, if the page has that; others do not wait.
  const kept = !mounted.length && keptAnswer(request({ do: "shares" }));
  if (kept) await divide(now, many);
  else if (!mounted.length) $("question").textContent = last.answer.headline;
  if (now !== turn) return;
  show();
  if (kept) return;
  // A division that takes long must not delay the next move of the slider.
  if (r.took + divided > brisk) await new Promise((done) => setTimeout(done, rest));
  if (now === turn) await divide(now, many);
}

// divide shows how all processes spend their time, in a headline and a bar, and why, if the reader has opened that.
let divided = 0; // milliseconds that divide took last
async function divide(now, many) {
  const why = $("shares").querySelector("details")?.open || undefined;
  const r = many ? null : await client.ask(request({ do: "shares", why }), "run");
  if (now !== turn) return;
  const d = r?.answer;
  divided = r?.took ?? 0;
  $("question").replaceChildren(...isoscaleElements.prose(d?.question || last.answer.headline));
  $("shares").hidden = !d?.shares?.length;
  if ($("shares").hidden) return;
  const percent = (x) => `${(100 * x).toFixed(x < 0.0995 ? 1 : 0)} %`;
  const parts = d.shares.filter((s) => s.share >= 0.0005);
  const bar = make("div", { className: "whole", "aria-hidden": "true" }, ...parts.map((s) => {
    const part = make("span", { className: `is-${s.name}`, title: `${s.name}, ${percent(s.share)}: ${s.meaning}` });
    part.style.flexGrow = s.share;
    return part;
  }));
  const list = make("ul", {}, ...parts.map((s) => make("li", { title: s.meaning }, make("i", { className: `is-${s.name}` }), `${s.name} `, make("b", {}, percent(s.share)))));
  const terms = (all) => make("dl", {}, ...all.flatMap((s) => [make("dt", {}, `${s.name} `, make("b", {}, percent(s.share))), make("dd", {}, s.meaning)]));
  const more = [["What processes wait for", d.waits], ["What the time is proportional to", d.depends]]
    .map(([title, all]) => [title, (all ?? []).filter((s) => s.share >= 0.0005)]).filter(([, all]) => all.length)
    .flatMap(([title, all]) => [make("h3", {}, title), terms(all)]);
  // A run in progress asks for the reasons by itself.
  const ask = why ? null : () => details.open && document.documentElement.dataset.state === "shown" && divide(turn, many).catch(fail);
  const details = make("details", { open: why, ontoggle: ask }, make("summary", {}, "What these are, and why"), terms(parts), ...more);
  $("shares").replaceChildren(bar, make("div", { className: "parts" }, list, details));
}

// playOnce plays linked pictures, unless the reader prefers reduced motion.
function playOnce(pictures) {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) pictures[0]?.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: " " }));
}

const decoded = (r) => (r.data ??= r.timeline ? isoscaleTimeline.decode(r.timeline) : null);

// show draws the last run under the one that is pinned.
function show() {
  busy("");
  const runs = pinned ? [[pinned, "A, pinned"], [last, "B"]] : [[last, ""]];
  const until = Math.max(...runs.map(([r]) => (r.answer.run?.makespan_s ?? 0)));
  if (!redrawn(runs, until)) draw(runs, until);
  $("pictures").classList.remove("stale");
  results();
  document.documentElement.dataset.state = "shown";
}

// redrawn shows a single run in the existing picture, and returns whether it fits.
function redrawn(runs, until) {
  const [[r]] = runs, data = decoded(r), [m] = mounted;
  const fits = runs.length === 1 && data && m?.alone && m.view.path === state.path && m.view.messages === state.messages;
  return fits && m.replace(data, { until, title: r.answer.headline, height: heightOf(data, 1) });
}

// differing returns, for each of two runs of a file, the settings in which they differ and that headlines do not name.
async function differing(...runs) {
  const said = /^(machine|network|(log2_)?levels|(nodes|placement)\b.*|workload(\.(application|n|name))?)$/;
  const paths = [...new Set(runs.flatMap((r) => r.set.map((s) => s.path)))].filter((path) => !said.test(path) && path !== described?.count);
  const [a, b] = runs[0].file !== runs[1].file || !paths.length ? [] : await Promise.all(runs.map((r, k) => client.ask({ do: "settings", ...r, paths }, `settings ${k}`)));
  const name = (r) => r.answer.filter((x, i) => a.answer[i].value !== b.answer[i].value).map((x) => `, ${x.label} ${x.value || "as usual"}`).join("");
  return a && b ? [name(a), name(b)] : ["", ""];
}

function draw(runs, until) {
  const hosts = runs.map(([r, name]) => {
    const host = make("section", { className: "run" });
    if (name) host.append(make("h3", {}, `${name}: ${r.answer.headline}${differ[r === pinned ? 0 : 1]}`));
    return host;
  });
  for (const m of mounted) m.remove();
  mounted = [];
  $("timelines").replaceChildren(...hosts);
  runs.forEach(([r, name], i) => {
    const data = decoded(r), box = make("div");
    hosts[i].append(box);
    if (!data) {
      box.append(r.answer.super_program ? make("p", { className: "empty" }, "A super-program has levels and no processes, so there is no timeline.")
        : make("p", { className: "empty" }, `The run has ${number(r.answer.run.messages)} messages. `, make("button", { type: "button", onclick: () => drawAnyway() }, "Draw the timeline")));
      return;
    }
    const m = isoscaleTimeline.mount(box, data, {
      title: name || r.answer.headline, until, path: state.path, messages: state.messages, height: heightOf(data, runs.length),
      painted: (view) => {
        isoscaleTimeline.together(mounted)(view);
        if (view.path !== state.path || view.messages !== state.messages) {
          state = { ...state, path: view.path, messages: view.messages };
          note();
        }
        if (drawn !== last) { drawn = last; document.documentElement.dataset.drawn = String(performance.now()); }
      },
    });
    mounted.push(Object.assign(m, { alone: runs.length === 1 }));
  });
}

function heightOf(data, runs) {
  const most = state.embed ? innerHeight - 150 : Math.max(260, Math.floor(innerHeight - $("timelines").getBoundingClientRect().top - scrollY) - 125);
  return Math.max(110, Math.min(most / runs, 26 + data.ranks * (runs > 1 ? 28 : 64)));
}

async function drawAnyway() {
  const now = turn;
  try {
    const r = await client.ask(request({ do: "run", timeline: true }), "run");
    if (!r || now !== turn) return;
    last = r;
    show();
  } catch (e) { fail(e); }
}

// results shows the figures of the run, beside those of the pinned one.
function results() {
  const figures = (r) => {
    const x = r.answer.run, s = r.answer.super_program;
    if (s) return [["Time", quantity(s.time_s, "s"), s.time_s], ["Speed-up", number(s.speedup), s.speedup], ["Efficiency", number(s.efficiency), s.efficiency], ["Nodes", number(s.nodes), s.nodes]];
    const b = x.baseline;
    const list = [["Time", isoscaleTimeline.time(x.makespan_s), x.makespan_s]];
    if (b) list.push(["Speed-up", number(b.speedup), b.speedup], ["Efficiency", number(b.efficiency), b.efficiency]);
    if (x.work_flop > 0) list.push(["Speed-efficiency", number(x.speed_efficiency), x.speed_efficiency]);
    list.push(["Processes", number(r.answer.processes ?? x.ranks?.length ?? 0), 0], ["Messages", number(x.messages), x.messages], ["Bytes", isoscaleTimeline.bytes(x.bytes), x.bytes]);
    return list;
  };
  const b = figures(last), a = pinned && new Map(figures(pinned).map(([k, text, x]) => [k, { text, x }]));
  $("figures").replaceChildren(...b.map(([k, text, x]) => {
    const old = a?.get(k);
    const note = old ? `A: ${old.text}${old.x > 0 && x > 0 && old.x !== x ? ` (×\u00a0${+(x / old.x).toPrecision(3)})` : ""}` : null;
    return make("div", {}, make("dt", {}, k), make("dd", { className: "value" }, text), note ? make("dd", { className: "note" }, note) : null);
  }));
  $("headline").replaceChildren(...isoscaleElements.prose(last.answer.headline));
  $("cause").replaceChildren(...isoscaleElements.prose(last.answer.cause || ""));
  $("announce").textContent = `${b[0][0]} ${b[0][1]}. ${last.answer.cause || ""}`;
  const warnings = (last.answer.run ?? last.answer.super_program).warnings ?? [];
  $("warnings").replaceChildren(...warnings.map((w) => make("li", {}, w)));
  $("warnings").hidden = !warnings.length;
}

let picture = null;
async function showTopology(now) {
  const r = await client.ask(request({ do: "wiring" }), "wiring");
  if (!r || now !== turn) return;
  const data = last && decoded(last);
  picture = isoscaleTopology.mount($("topology"), r.answer, isoscaleTopology.useOf(data), { flows: data?.whole ? (link, from, until) => flows(data, link, from, until) : null });
}

// flows lists the messages that are on a link in a window, the largest pairs first.
async function flows(data, link, from, until) {
  const pairs = new Map(), tick = data.tick_s, a = data.a;
  for (let r = 0; r < data.ranks; r++) {
    for (let i = a.message_first[r]; i < a.message_first[r + 1]; i++) {
      if (a.message_arrives[i] === isoscaleTimeline.NEVER || a.message_arrives[i] * tick < from || a.message_leaves[i] * tick > until) continue;
      const k = `${r},${a.message_to[i]}`;
      pairs.set(k, (pairs.get(k) ?? 0) + a.message_size[i]);
    }
  }
  const r = await client.ask(request({ do: "pairs", link, pairs: [...pairs.keys()].map((k) => k.split(",").map(Number)) }), "pairs");
  if (!r) return null;
  const list = r.answer.map(([x, y]) => [x, y, pairs.get(`${x},${y}`)]).sort((p, q) => q[2] - p[2]);
  const shown = list.slice(0, 12).map(([x, y, size]) => `${x} → ${y} (${isoscaleTimeline.bytes(size)})`);
  return list.length > 12 ? [...shown, `and ${list.length - 12} more`] : shown;
}

function showView() {
  document.body.dataset.view = isPlan() ? "plan" : state.view;
  document.body.classList.toggle("embed", state.embed);
  for (const b of document.querySelectorAll("#views button")) state.view === b.dataset.view ? b.setAttribute("aria-current", "page") : b.removeAttribute("aria-current");
  $("pin").textContent = state.pin ? "Unpin A" : "Pin as A";
}

// What can be saved. The drawing of a screen is SVG, other pictures are canvases.
const drawing = () => (state.view === "topology" ? picture?.picture : state.view === "scaling" ? scaling.svg : null);
const exports_ = {
  async yaml() {
    const r = await client.ask(request({ do: "export" }), "export");
    for (const f of r?.answer.files ?? []) download(f.name.split("/").at(-1), f.text, "text/yaml");
  },
  csv() {
    const rows = [["rank", "node", "finish_s", "compute_s", "overhead_s", "wait_s"], ...(last.answer.run?.ranks ?? []).map((r) => [r.rank, r.node, r.finish_s, r.compute_s, r.overhead_s, r.wait_s])];
    download("ranks.csv", isoscaleElements.csv(rows), "text/csv");
  },
  async json() {
    const r = described?.has_links ? await client.ask(request({ do: "run", links: true }), "export") : last;
    if (r) download("result.json", JSON.stringify(r.answer.run ?? r.answer.super_program, null, 2) + "\n", "application/json");
  },
  async trace() {
    const r = await client.ask(request({ do: "trace" }), "trace");
    if (r) download("trace.json", JSON.stringify(r.answer), "application/json");
  },
  svg() {
    const svg = drawing();
    if (svg) return download(`${state.view}.svg`, standalone(svg), "image/svg+xml");
    const m = mounted.at(-1);
    if (!m) return;
    const surface = new SvgSurface(m.view.width, m.view.height);
    isoscaleTimeline.draw(surface, decoded(last), m.view);
    download("timeline.svg", surface.toString(), "image/svg+xml");
  },
  async png() {
    const svg = drawing();
    if (!svg) return mounted.at(-1)?.canvas.toBlob((blob) => download("timeline.png", blob));
    const box = svg.viewBox.baseVal, image = new Image(), canvas = make("canvas", { width: box.width * 2, height: box.height * 2 });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
    await image.decode();
    const c = canvas.getContext("2d");
    c.fillStyle = getComputedStyle(document.body).backgroundColor;
    c.fillRect(0, 0, canvas.width, canvas.height);
    c.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(`${state.view}.png`, blob));
  },
  async link() {
    $("busy").replaceChildren(await share()); // until the next run
    $("busy").hidden = false;
  },
};

async function start() {
  const times = {};
  let shownFirst;
  const own = loaded().then(async () => {
    const own = $("own").textContent ? JSON.parse(new TextDecoder().decode(await unpack("own"))) : {};
    Object.assign(times, own.times);
    Object.assign(FILES, own.files);
    if (own.plan) {
      PLANS.push(own.plan);
      $("file").prepend(make("option", { value: own.plan }, own.plan));
      if (!state.given) state.file = own.plan;
    }
  });
  client = new Client(async () => {
    await own;
    const { module } = client, worker = module ? new Worker(WORKER) : FIRST;
    worker.postMessage({ module, files: FILES, times });
    return worker;
  });
  controls.of = new Controls($("controls"), setValue);
  quick = new Controls($("quick"), setValue, quickOf);
  scaling = new Scaling($("scaling"), client, state.target, (target) => { state = { ...state, target }; note(); });
  plans = new PlanScreen($("plan"), client, { set: (path, value) => setValue(path, value), learned: (more) => Object.assign(times, more) });
  lessons = new LessonScreen($("lesson"), client, {
    open: (lesson, step) => go({ view: "lesson", lesson, step }),
    look: (b, a, screen) => go({ view: a ? "timeline" : screen, file: b.file, set: b.set, pin: a }),
  });
  editor = new Editor($("editor"), client, edited);
  $("edit").onclick = () => {
    if (!editor.host.hidden) return editor.close();
    if (state.view === "lesson" && !state.lesson && LESSONS.length) go({ lesson: LESSONS[0].file, step: 0 }); // the list of lessons has no text
    editor.open(state.view === "lesson" && state.lesson ? state.lesson : state.file);
  };
  for (const b of document.querySelectorAll("#views button")) b.onclick = () => go({ view: b.dataset.view });
  $("all").onclick = () => {
    const open = document.body.classList.toggle("settings");
    $("all").setAttribute("aria-expanded", open);
    $("all").textContent = open ? "Fewer settings" : "All settings";
  };
  for (const b of document.querySelectorAll("#export button")) b.onclick = () => { exports_[b.dataset.as](); $("export").open = false; };
  $("file").onchange = () => go({ file: $("file").value, set: [], pin: null });
  $("pin").onclick = () => {
    pinned = state.pin ? null : { ...last, key: JSON.stringify({ file: state.file, set: state.set }) };
    go({ pin: state.pin ? null : { file: state.file, set: state.set } });
  };
  $("reset").onclick = () => go({ set: [] });
  addEventListener("popstate", () => { state = readState(location.hash); refresh(); });
  addEventListener("hashchange", () => { if (location.hash !== writeState(state)) { state = readState(location.hash); refresh(); } });
  // For scripts and tests: isoscaleExplorer.ask({do: "run", file: ..., set: [...]}).
  globalThis.isoscaleExplorer = { ask: (request) => client.ask({ ...request, fresh: true }, `script ${++scripts}`), forget: () => memory.forget() };
  if (!$("own").textContent && (state.view === "lesson" || keptAnswer(request({ do: "run" })))) shownFirst = refresh();
  else $("question").textContent = "Starting the simulator …";
  await client.ready;
  document.documentElement.dataset.ready = String(performance.now());
  if (!turn) refresh();
  shownFirst?.then(() => turn === 1 && state.view === "run" && !state.embed && playOnce(mounted)); // motion would delay the start
  client.warm([() => request({ do: "run", timeline: true }), () => request({ do: "controls" }), () => request({ do: "shares" })],
    ({ timeline }) => timeline && mounted[0]?.rehearse(isoscaleTimeline.decode(timeline)));
}

// loaded is fulfilled when the page has been read to its end, beyond this script.
const loaded = () => new Promise((done) => (document.readyState === "loading" ? addEventListener("DOMContentLoaded", done, { once: true }) : done()));

// unpack unzips the content of an element.
async function unpack(id) {
  return new Response(new Blob([bytesOf($(id).textContent.trim())]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

start().catch((e) => {
  $("problem").textContent = `The simulator does not start: ${e.message}`;
  $("problem").hidden = false;
});
