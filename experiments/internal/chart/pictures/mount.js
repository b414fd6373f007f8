"use strict";
// together returns a function that a picture calls when it is painted. The other pictures then show the same stretch
// and moment of time, and all begin at the same distance from the left.
isoscaleTimeline.together = (pictures) => (view) => {
  const same = Object.fromEntries(["from", "until", "now", "path", "messages"].map((k) => [k, view[k]]));
  same.gutter = Math.max(...pictures.map((p) => p.view.gutter));
  for (const p of pictures) if (Object.keys(same).some((k) => p.view[k] !== same[k])) p.set(same);
};

// mount puts a timeline into a page, with buttons and keys to zoom, step and play, an explanation of the selected span,
// and a table of the same figures.
isoscaleTimeline.mount = (host, data, options = {}) => {
  const T = isoscaleTimeline, { make } = isoscaleElements;
  const still = matchMedia("(prefers-reduced-motion: reduce)"), paper = matchMedia("print");
  const view = {
    from: 0, until: options.until || data.seconds || 1, firstRank: 0, ranks: data.ranks,
    path: !!options.path, messages: options.messages ?? true, summary: data.ranks > 1, selected: null, now: undefined,
    label: (rank) => (data.names?.[rank] ?? String(rank)).replace(/^rank (\d+) \((.*)\)$/, view.width > 560 ? "$2  $1" : "$1"),
  };
  const whole = { from: 0, until: view.until };
  const shape = (d) => [d.ranks, d.whole, d.a.path_from.length > 0, JSON.stringify(T.groups(d)?.map((x) => x.groups.length))].join();
  const button = (text, title, act) => make("button", { type: "button", title, "aria-label": title, onclick: act }, text);
  const check = (text, key) => make("label", { className: "tick" }, make("input", { type: "checkbox", checked: view[key], onchange: (e) => { view[key] = e.target.checked; paint(); } }), text);

  const ways = T.groups(data); // to fold ranks
  const canvas = make("canvas", { tabIndex: 0, role: "application" });
  const name = () => canvas.setAttribute("aria-label", `${options.title || "Timeline"}: ${data.ranks === 1 ? "1 rank" : data.ranks + " ranks"} over ${T.time(data.seconds)}. Arrow keys move from span to span, Enter explains, plus and minus zoom, Home shows all.${ways ? " F folds or unfolds the group of the chosen rank." : ""}`);
  name();
  const note = make("p", { className: "explanation", "aria-live": "polite" });
  const play = button("Play", "Play from the beginning", () => (timer ? stop() : start()));
  const tools = make("div", { className: "tools" },
    button("−", "Zoom out", () => zoom(2)), button("+", "Zoom in", () => zoom(0.5)), button("All", "Show the whole run", all),
    button("‹", "Step back", () => step(-1)), button("›", "Step forward", () => step(1)), play);
  const fold = ways && make("label", {}, "rows ", make("select", { onchange: (e) => group(+e.target.value) },
    ...ways.map(({ what }, k) => make("option", { value: k }, what)), make("option", { value: ways.length }, "ranks")));
  const find = make("input", { type: "search", placeholder: "rank or node", "aria-label": "Find a rank or a node", onchange: () => search(find.value.trim()) });
  if (data.whole) tools.append(check("messages", "messages"));
  if (data.a.path_from.length) tools.append(check("critical path", "path"));
  if (fold) tools.append(fold);
  if (data.ranks > 8) tools.append(find);
  const legend = make("div", { className: "legend", "aria-hidden": "true" });
  const share = make("span"); // says how many messages are drawn as bands
  const frame = make("div", { className: "timeline" }, tools, canvas, legend, note);
  const details = data.whole ? table() : null;
  if (details) frame.append(details);
  host.replaceChildren(frame);

  let layout, timer = 0, wanted = 0;

  // fit gives the canvas the pixels that it takes on the screen, if their number has changed.
  function fit() {
    const width = canvas.clientWidth || 600;
    const height = options.height || Math.max(120, Math.min(460, 52 + data.ranks * 26));
    const ratio = devicePixelRatio || 1;
    if (view.width === width && view.height === height && canvas.width === Math.round(width * ratio)) return;
    // The height of the element includes the border, on which the picture has no pixels.
    canvas.style.height = `${height + canvas.offsetHeight - canvas.clientHeight}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    view.width = width;
    view.height = height;
    dress();
  }

  // dress takes the colours of the page, and measures the names of the ranks.
  function dress() {
    view.theme = T.theme(canvas);
    view.theme.print = paper.matches;
    const c = canvas.getContext("2d");
    c.font = `12px ${view.theme.font}`;
    let gutter = 24;
    for (let r = data.ranks - 1; r >= 0; r -= Math.ceil(data.ranks / 200)) gutter = Math.max(gutter, c.measureText(view.label(r)).width + 14);
    for (const row of view.rows ?? []) gutter = Math.max(gutter, c.measureText(row.label).width + 14);
    if (view.summary) gutter = Math.max(gutter, c.measureText("computing").width + 14);
    view.gutter = Math.round(Math.min(gutter, 0.3 * view.width));
    drawLegend();
    paint();
  }

  // paint draws in the next frame, and only once however often it is called before.
  function paint() {
    wanted ||= requestAnimationFrame(() => {
      wanted = 0;
      now();
    });
  }

  let told = "";
  function now() {
    const c = canvas.getContext("2d"), ratio = devicePixelRatio || 1;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    layout = T.draw(c, data, view);
    if (legended !== legendKey()) drawLegend();
    const thinned = layout.banded > 0 ? ` (${layout.banded} in bands: zoom in or point at a span for arrows)` : "";
    if (told !== thinned) share.replaceChildren(...isoscaleElements.prose((told = thinned)));
    options.painted?.(view);
  }

  let legended = "";
  const legendKey = () => [view.path, view.messages].join(); // the legend lists only what is drawn
  function drawLegend() {
    legended = legendKey();
    legend.replaceChildren();
    for (const [kind, text] of [[0, "compute"], [1, "overhead"], [2, "wait"]]) {
      const swatch = make("canvas", { width: 32, height: 24 });
      const c = swatch.getContext("2d");
      c.scale(2, 2);
      c.fillStyle = T.hatch(c, { ...view.theme, patterns: {} }, kind);
      c.fillRect(0, 0, 16, 12);
      legend.append(make("span", {}, swatch, text));
    }
    if (data.whole && view.messages) legend.append(make("span", {}, make("i", { className: "arrow" }), "message on its way", share), make("span", {}, make("i", { className: "dots" }), "arrived, not yet received"));
    if (data.a.path_from.length && view.path) legend.append(make("span", {}, make("i", { className: "path" }), "critical path"));
    if (!data.whole) legend.append(make("span", {}, "too many spans to draw one by one: shares of each stretch of time"));
  }

  // group folds the rows of ranks in the kth way. Beyond the last way, each rank has its row.
  let groups = null;
  function group(k) {
    groups = ways[k]?.groups.map((g) => ({ ...g, open: g.ranks.length === 1 })) ?? null;
    arrange();
  }
  function arrange() {
    const unit = T.unit(data), some = (g, i) => g.ranks.slice(i, i + unit);
    view.rows = groups && groups.flatMap((g) => (g.open ? g.ranks.flatMap((r, i) => (i % unit ? [] : [{ label: (i || g.ranks.length === 1 ? "" : "▾ ") + (unit === 1 ? view.label(r) : `${r} to ${some(g, i).at(-1)}`), ranks: some(g, i), group: g }]))
      : [{ label: `▸ ${g.name}`, ranks: g.ranks, group: g }]));
    // Where shares are drawn, a row shows their mean over its ranks.
    if (!data.whole) view.rows?.forEach((row) => (row.parts = row.ranks.filter((_, i) => i % unit === 0).map((r, i) => [Math.floor(r / unit), Math.min(unit, row.ranks.length - i * unit) / row.ranks.length])));
    view.place = new Int32Array(data.ranks);
    view.rows?.forEach((row, at) => row.ranks.forEach((r) => (view.place[r] = at)));
    if (!groups) delete view.rows;
    if (view.theme) dress();
  }
  function toggle(g) {
    g.open = !g.open;
    arrange();
  }

  // search chooses the rank with a given number, or the next after the chosen rank whose name contains a text. Where
  // shares are drawn, it tells the shares of the rank.
  let found = -1;
  function search(text) {
    if (!text) return;
    const from = (view.selected?.rank ?? found) + 1, order = Array.from({ length: data.ranks }, (_, k) => (from + k) % data.ranks);
    const rank = /^\d+$/.test(text) && +text < data.ranks ? +text : order.find((r) => view.label(r).toLowerCase().includes(text.toLowerCase()));
    if (rank === undefined) {
      note.textContent = `No rank or node is called ${text}.`;
      return;
    }
    const row = view.rows?.[view.place[rank]];
    if (row && !row.group.open) toggle(row.group);
    found = rank;
    if (!data.whole) {
      const unit = T.unit(data), at = Math.floor(rank / unit), last = Math.min(data.ranks, (at + 1) * unit) - 1;
      const who = unit === 1 ? data.names?.[rank] ?? `rank ${rank}` : `ranks ${at * unit} to ${last}, on average`;
      note.textContent = `Of the time of ${who}: ${T.shares(data, at).map((x, k) => `${T.KINDS[k]} ${Math.round(100 * x)} %`).join(", ")}.`;
      return;
    }
    choose(T.spanAt(data, rank, Math.round(((view.from + view.until) / 2) / data.tick_s)));
    tell();
  }

  // focus makes the messages of the span or row at which the reader points stand out.
  function focus(at) {
    const s = at && T.spanAt(data, at.rank, Math.max(0, Math.round(at.time / data.tick_s)));
    const many = at?.row !== undefined && view.rows[at.row].ranks.length > 1, near = (0.01 * (view.until - view.from)) / data.tick_s;
    const key = s ? [many ? at.row : "", s.rank, many ? Math.floor(at.time / data.tick_s / near) : s.index].join() : "";
    if (key === (view.focus?.key ?? "")) return;
    view.focus = !s ? null : many
      ? { key, ranks: new Set(view.rows[at.row].ranks), from: at.time / data.tick_s - near, until: at.time / data.tick_s + near }
      : { key, ranks: new Set([s.rank]), from: s.from, until: s.until };
    paint();
  }

  function limit() {
    const least = Math.max(data.tick_s * 20, whole.until / 1e7);
    let length = Math.max(least, Math.min(whole.until, view.until - view.from));
    view.from = Math.max(0, Math.min(whole.until - length, view.from));
    view.until = view.from + length;
  }
  function zoom(factor, at = (view.from + view.until) / 2) {
    if (view.selected && arguments.length < 2) at = ((view.selected.from + view.selected.until) / 2) * data.tick_s;
    const before = (at - view.from) / (view.until - view.from);
    const length = (view.until - view.from) * factor;
    view.from = at - before * length;
    view.until = view.from + length;
    limit();
    paint();
  }
  function all() {
    Object.assign(view, whole, { firstRank: 0, ranks: data.ranks });
    paint();
  }
  function reveal(s) {
    const a = s.from * data.tick_s, b = s.until * data.tick_s, length = view.until - view.from;
    if (a < view.from || b > view.until) {
      view.from = b - a > length ? a : (a + b - length) / 2;
      view.until = view.from + length;
      limit();
    }
    if (s.rank < view.firstRank || s.rank >= view.firstRank + view.ranks) view.firstRank = s.rank;
  }
  function choose(s) {
    if (!s) return;
    view.selected = s;
    view.focus = { key: "selected", ranks: new Set([s.rank]), from: s.from, until: s.until };
    view.now = undefined;
    reveal(s);
    paint();
  }
  function tell() {
    note.textContent = view.selected ? T.explain(data, view.selected) : "";
  }

  // step goes to the next or the previous end of a span of any rank, and shows what has happened until then.
  function step(direction) {
    stop();
    const at = Math.round((view.now ?? (direction > 0 ? 0 : data.seconds)) / data.tick_s);
    let best = direction > 0 ? data.end : 0;
    const ends = data.a.span_end;
    for (let i = 0; i < ends.length; i++) {
      if (direction > 0 ? ends[i] > at && ends[i] < best : ends[i] < at && ends[i] > best) best = ends[i];
    }
    show(best * data.tick_s);
    const doing = data.whole ? Array.from({ length: Math.min(8, data.ranks) }, (_, r) => `${r}: ${data.parts[T.spanAt(data, r, best)?.part]?.name ?? "finished"}`) : [];
    note.textContent = `${T.time(best * data.tick_s)}. ${doing.join(", ")}${data.ranks > 8 ? ", …" : ""}`;
  }
  function show(s) {
    view.now = s;
    if (s < view.from || s > view.until) {
      const length = view.until - view.from;
      view.from = s - length / 2;
      view.until = view.from + length;
      limit();
    }
    paint();
  }
  function start() {
    if (still.matches) return step(1); // without motion, one event at a time
    play.textContent = "Stop";
    view.now = view.from;
    const { from, until } = view, began = performance.now();
    const frame = (t) => {
      const share = (t - began) / 8000;
      if (share >= 1) return stop(true);
      view.now = from + (until - from) * share;
      now();
      timer = requestAnimationFrame(frame);
    };
    timer = requestAnimationFrame(frame);
  }
  function stop(ended) {
    if (timer) cancelAnimationFrame(timer);
    timer = 0;
    play.textContent = "Play";
    if (ended) view.now = undefined;
    paint();
  }

  canvas.addEventListener("keydown", (e) => {
    const s = view.selected ?? T.spanAt(data, view.firstRank, Math.round(view.from / data.tick_s));
    const middle = s && Math.floor((s.from + s.until) / 2);
    const act = {
      ArrowRight: () => choose(view.selected ? T.span(data, s.rank, s.index + 1) : s),
      ArrowLeft: () => choose(T.span(data, s.rank, s.index - 1)),
      ArrowDown: () => choose(T.spanAt(data, Math.min(data.ranks - 1, s.rank + 1), middle)),
      ArrowUp: () => choose(T.spanAt(data, Math.max(0, s.rank - 1), middle)),
      Enter: () => { choose(s); tell(); },
      "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
      Home: all, "0": all,
      f: () => s && view.rows && toggle(view.rows[view.place[s.rank]].group),
      " ": () => (timer ? stop() : start()),
      Escape: () => { view.selected = view.focus = null; view.now = undefined; note.textContent = ""; stop(); },
    }[e.key];
    if (!act || e.ctrlKey || e.metaKey || e.altKey || (!s && e.key.startsWith("Arrow"))) return;
    e.preventDefault();
    act();
  });
  let drag = null;
  canvas.addEventListener("pointerdown", (e) => {
    drag = { x: e.offsetX, from: view.from, moved: false };
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", (e) => {
    if (!drag) {
      if (data.whole && layout && e.pointerType === "mouse") focus(e.offsetX >= layout.left && e.offsetY >= layout.top ? layout.at(e.offsetX, e.offsetY) : null);
      return;
    }
    const length = view.until - view.from;
    if (Math.abs(e.offsetX - drag.x) > 3) drag.moved = true;
    if (!drag.moved) return;
    view.from = drag.from - (e.offsetX - drag.x) / layout.scale;
    view.until = view.from + length;
    limit();
    paint();
  });
  canvas.addEventListener("pointerup", (e) => {
    if (drag && !drag.moved && layout) {
      const at = layout.at(e.offsetX, e.offsetY);
      const row = view.rows?.[at.row];
      if (row && e.offsetX < layout.left && row.group.ranks.length > 1) toggle(row.group);
      const s = e.offsetX >= layout.left && T.spanAt(data, at.rank, Math.max(0, Math.round(at.time / data.tick_s)));
      if (s) { choose(s); tell(); }
    }
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => (drag = null));
  canvas.addEventListener("pointerleave", () => focus(null));
  // Only with a modifier, so that the page still scrolls.
  canvas.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    zoom(e.deltaY > 0 ? 1.25 : 0.8, layout.at(e.offsetX, e.offsetY).time);
  }, { passive: false });

  // table returns a table that is filled when it is opened.
  function table() {
    const box = make("details", {}, make("summary", {}, "The same as a table"));
    box.ontoggle = () => fill();
    const fill = () => box.replaceChildren(box.firstChild, ...(box.open ? rows() : []));
    return Object.assign(box, { fill });
  }
  function rows() {
    const most = 256, rows = T.totals(data);
    const cells = (tag, list, scope) => make("tr", {}, ...list.map((x, i) => make(i ? tag : "th", { className: i ? "num" : "name", scope: tag === "th" || !i ? scope ?? "row" : null }, x)));
    const body = make("tbody", {}, ...rows.slice(0, most).map((r) => cells("td", [data.names?.[r.rank] ?? String(r.rank), ...r.sum.slice(0, 3).map(T.time), T.time(r.finish)])));
    const t = make("table", {}, make("thead", {}, cells("th", ["rank", "compute", "overhead", "wait", "finishes"], "col")), body);
    const parts = [make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "table of the ranks" }, t)];
    if (rows.length > most) parts.push(make("p", { className: "caption" }, `and ${rows.length - most} more`));
    return parts;
  }

  // replace draws another run in the same picture, with the same window of time as far as the run has it, and at once:
  // the next frame would be up to 16 ms later. It returns false for a run that needs other controls.
  function replace(next, change = {}) {
    if (shape(next) !== shape(data)) return false;
    const renamed = String(next.names) !== String(data.names), showedAll = view.from <= 0 && view.until >= whole.until;
    data = next;
    Object.assign(options, change);
    whole.until = options.until || data.seconds || 1;
    Object.assign(view, { selected: null, focus: null, now: undefined }, showedAll ? whole : {});
    limit();
    note.textContent = "";
    name();
    details?.fill();
    stop();
    fit();
    if (renamed) dress();
    cancelAnimationFrame(wanted);
    wanted = 0;
    now();
    return true;
  }

  // rehearse draws a run where nobody sees it, so that the browser compiles the code before a slider is moved.
  function rehearse(next) {
    if (timer || shape(next) !== shape(data)) return;
    const c = make("canvas", { width: canvas.width, height: canvas.height }).getContext("2d");
    c.setTransform(canvas.getContext("2d").getTransform());
    T.draw(c, next, { ...view, selected: null, focus: null });
  }

  const watch = new ResizeObserver(fit);
  watch.observe(canvas);
  const dark = matchMedia("(prefers-color-scheme: dark)"), onPaper = () => { dress(); now(); };
  dark.addEventListener("change", dress);
  paper.addEventListener("change", onPaper);
  if (ways) group(0);
  fit();
  return {
    view, canvas, paint: now, replace, rehearse,
    set: (change) => { Object.assign(view, change); paint(); },
    remove: () => { stop(); cancelAnimationFrame(wanted); watch.disconnect(); dark.removeEventListener("change", dress); paper.removeEventListener("change", onPaper); },
  };
};
