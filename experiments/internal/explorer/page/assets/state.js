// The address holds the state of the page: the file, its settings, and what is shown.
// It leaves out what is as in the file or by default.
//
//   #v=1&file=sunwulf-run.yaml&set=workload.n=800&view=timeline&embed=1
const VERSION = "1";
const mostShared = 8000; // characters of a text in an address
const VIEWS = ["run", "timeline", "scaling", "topology", "lesson"];

function readState(hash) {
  const q = new URLSearchParams(hash.replace(/^#/, ""));
  for (const own of q.getAll("own")) {
    const at = own.indexOf("\n"), file = own.slice(0, at), text = own.slice(at + 1);
    if (FILES[file] !== text) keep(client, file, text);
  }
  const settings = (name) => q.getAll(name).map((text) => {
    const at = text.indexOf("=");
    return { path: text.slice(0, at), value: text.slice(at + 1) };
  }).filter((s) => s.path);
  const s = {
    file: q.get("file") || DEFAULT_FILE, given: q.has("file"), set: settings("set"), view: VIEWS.includes(q.get("view")) ? q.get("view") : "run",
    embed: q.get("embed") === "1", path: q.get("path") === "1", messages: q.get("messages") !== "0",
    step: Math.max(0, Math.trunc(+q.get("step")) || 0), lesson: q.get("lesson") || "", target: Math.min(0.99, Math.max(0.01, +q.get("target") || 0.5)),
    pin: q.has("pin") ? { file: q.get("pin"), set: settings("pinset") } : null,
  };
  if (q.get("v") && q.get("v") !== VERSION) s.problem = `This link is of version ${q.get("v")} of the explorer, and this file is of version ${VERSION}.`;
  return s;
}

function writeState(s) {
  const q = new URLSearchParams();
  q.set("v", VERSION);
  if (s.file !== DEFAULT_FILE) q.set("file", s.file);
  // The address has the reader's own files that are shown or that these name.
  const shown = [s.file, s.lesson].filter((f) => OWN.has(f)), named = (file) => shown.some((f) => f === file || FILES[f].includes(file.split("/").at(-1)));
  for (const file of OWN) if (named(file) && FILES[file].length <= mostShared) q.append("own", `${file}\n${FILES[file]}`);
  for (const x of s.set) q.append("set", `${x.path}=${x.value}`);
  if (s.view !== "run") q.set("view", s.view);
  if (s.embed) q.set("embed", "1");
  if (s.path) q.set("path", "1");
  if (!s.messages) q.set("messages", "0");
  if (s.lesson) q.set("lesson", s.lesson);
  if (s.step) q.set("step", s.step);
  if (s.target !== 0.5) q.set("target", s.target);
  if (s.pin) {
    q.set("pin", s.pin.file);
    for (const x of s.pin.set) q.append("pinset", `${x.path}=${x.value}`);
  }
  return `#${q}`;
}

// withSetting returns settings with one more. It takes the place of earlier ones of its path, of the paths that it
// replaces, and of all below these. A value of null only removes them.
function withSetting(set, path, value, replaces = []) {
  const gone = (p) => p === path || p.startsWith(`${path}.`) || replaces.some((r) => p === r || p.startsWith(`${r}.`) || p.startsWith(`${r}[`));
  const kept = set.filter((s) => !gone(s.path));
  return value === null ? kept : [...kept, { path, value }];
}
