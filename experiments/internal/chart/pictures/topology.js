"use strict";
// The wiring of a machine, drawn by its kind, with links coloured by their use in a window
// of time. If there are many hosts, those connected to the same switches are one circle.
//
//   isoscaleTopology.fold(wiring, open)         the wiring with one place for each such group
//   isoscaleTopology.layout(wiring)             places in a square from 0 to 1
//   isoscaleTopology.mount(host, wiring, use, options)
//   isoscaleTopology.useOf(timeline)            use, from a decoded timeline
//
// wiring is the JSON of package wiring: {kind, dimensions, per_group, places, links}. use
// is {links: names, windows, window_s, end_s, share: u8[links*windows]} or null where
// nothing was recorded; 255 stands for all of the capacity.
const isoscaleTopology = (() => {
  const { make: html, shape: svg } = isoscaleElements;

  const mostHosts = 128; // that are drawn one by one

  // fold puts a group in place of hosts connected to the same switches, unless open has the group's key. A group is a
  // host with a count, a key and the number of its first host. Each link has the links for which it stands.
  function fold(w, open) {
    const near = neighbours(w), few = hosts(w) <= mostHosts, members = new Map();
    w.places.forEach((p, i) => {
      const to = [...near[i]].sort((a, b) => a - b), key = to.join();
      const alone = few || !p.host || !to.length || to.some((j) => w.places[j].host) || open.has(key);
      const group = alone ? `place ${i}` : key, list = members.get(group);
      if (list) list.push(i);
      else members.set(group, [i]);
    });
    const groups = [...members], now = [];
    groups.forEach(([, list], k) => list.forEach((i) => (now[i] = k)));
    const places = groups.map(([key, list]) => ({ ...w.places[list[0]], first: list[0], ...(list.length > 1 && { key, count: list.length }) }));
    const links = new Map();
    w.links.forEach((l, i) => {
      const from = now[l.from], to = now[l.to], key = places[from].count || places[to].count ? `${from}-${to}-${l.both}` : i;
      const same = links.get(key);
      if (!same) links.set(key, { ...l, from, to, links: [l] });
      else if (same.links.at(-1).name !== l.name) { // as that of a bus, which all share
        same.links.push(l);
        same.bandwidth = same.bandwidth && l.bandwidth && same.bandwidth + l.bandwidth; // 0 has no limit
      }
    });
    return { ...w, places, links: [...links.values()] };
  }

  // layout returns [x, y] of each place.
  function layout(w) {
    switch (w.kind) {
      case "torus": case "mesh": return w.places.length === w.dimensions.reduce((a, b) => a * b, 1) || hosts(w) === w.places.length ? grid(w) : gridWithCards(w);
      case "tree": case "fat-tree": return levels(w);
      case "dragonfly": return dragonfly(w);
      case "graph": return springs(w);
    }
    return hosts(w) < w.places.length ? circle(w) : springs(w);
  }

  const hosts = (w) => w.places.filter((p) => p.host).length;
  const round = (k, n, r = 0.45, cx = 0.5, cy = 0.5) => [cx + r * Math.sin((2 * Math.PI * k) / n), cy - r * Math.cos((2 * Math.PI * k) / n)];

  function neighbours(w) {
    const near = w.places.map(() => new Set());
    for (const l of w.links) {
      near[l.from].add(l.to);
      near[l.to].add(l.from);
    }
    return near;
  }

  // circle puts hosts around what they are connected to.
  function circle(w) {
    const n = hosts(w), inner = w.places.length - n;
    if (n === 1) return w.places.map((_, i) => [0.25 + (0.5 * i) / inner, 0.5]);
    return w.places.map((_, i) => (i < n ? round(i, n) : inner === 1 ? [0.5, 0.5] : round(i - n, inner, 0.15)));
  }

  // levels puts hosts at the bottom, and each switch a level above the places below it, sorted by their middle.
  function levels(w) {
    const near = neighbours(w), level = w.places.map((p) => (p.host ? 0 : -1));
    for (let l = 0, more = true; more; l++) {
      more = false;
      w.places.forEach((_, i) => {
        if (level[i] !== l) return;
        for (const j of near[i]) if (level[j] < 0) { level[j] = l + 1; more = true; }
      });
    }
    const top = Math.max(1, ...level), at = [];
    for (let l = 0; l <= top; l++) {
      const row = w.places.map((_, i) => i).filter((i) => level[i] === l);
      if (l > 0) {
        const mean = (i) => {
          const below = [...near[i]].filter((j) => level[j] === l - 1);
          return below.reduce((sum, j) => sum + at[j][0], 0) / Math.max(1, below.length);
        };
        const middle = new Map(row.map((i) => [i, mean(i)]));
        row.sort((a, b) => middle.get(a) - middle.get(b) || a - b);
      }
      row.forEach((i, k) => (at[i] = [(k + 0.5) / row.length, 0.94 - (0.88 * l) / top]));
    }
    return at;
  }

  function grid(w) {
    const [nx, ny = 1, ...more] = w.dimensions, deep = more.reduce((a, b) => a * b, 1);
    if (ny === 1) return w.places.map((_, i) => round(i, nx)); // a ring
    const shift = deep > 1 ? 0.55 / deep : 0;
    return w.places.map((_, i) => {
      const x = i % nx, y = Math.floor(i / nx) % ny, z = Math.floor(i / nx / ny);
      const size = deep > 1 ? 0.62 : 0.84, left = deep > 1 ? 0.05 : 0.08;
      return [left + (size * (x + 0.5 * (nx === 1))) / Math.max(1, nx - 1) + (z * shift * 0.5), 0.92 - (size * y) / Math.max(1, ny - 1) - z * shift * 0.5];
    });
  }

  // gridWithCards is a grid of switches with a host beside each.
  function gridWithCards(w) {
    const near = neighbours(w), n = hosts(w), at = [];
    const bare = grid({ ...w, places: w.places.slice(0, n) });
    for (let i = 0; i < n; i++) {
      const j = [...near[i]].find((k) => k >= n);
      at[i] = [bare[i][0] - 0.018, bare[i][1] + 0.03];
      if (j !== undefined) at[j] = bare[i];
    }
    return w.places.map((_, i) => at[i] ?? [0.98, 0.02]);
  }

  // dragonfly puts groups on a circle, with their routers inside and hosts outside.
  function dragonfly(w) {
    const near = neighbours(w), n = hosts(w), per = Math.max(1, w.per_group || 1), at = [];
    const all = w.places.reduce((sum, p) => sum + (p.host ? p.count || 1 : 0), 0), groups = Math.ceil(all / per);
    const seen = new Map();
    for (let i = 0; i < n; i++) {
      const { first = i, count = 1 } = w.places[i];
      const g = Math.floor(first / per), share = ((first % per) + count / 2) / per - 0.5;
      at[i] = round(g + share * 0.8, groups, 0.47);
      for (const j of near[i]) {
        if (j < n) continue;
        const list = seen.get(j) ?? [];
        list.push(g + share * 0.8);
        seen.set(j, list);
      }
    }
    for (const [j, list] of seen) at[j] = round(list.reduce((a, b) => a + b, 0) / list.length, groups, 0.36);
    return w.places.map((_, i) => at[i] ?? [0.5, 0.5]);
  }

  // springs pulls linked places together and pushes all apart. It begins with a circle, so pictures are reproducible.
  function springs(w) {
    const n = w.places.length;
    if (n > 220) return levels(w);
    const at = w.places.map((_, i) => round(i, n, 0.4)), near = neighbours(w), k = 0.75 / Math.sqrt(n);
    for (let turn = 0; turn < 260; turn++) {
      const heat = 0.06 * (1 - turn / 260), move = at.map(() => [0, 0]);
      for (let i = 0; i < n; i++) {
        for (let j = i + 1; j < n; j++) {
          let dx = at[i][0] - at[j][0] || 1e-4 * (i + 1), dy = at[i][1] - at[j][1];
          const d = Math.hypot(dx, dy) || 1e-4, f = (k * k) / d - (near[i].has(j) ? (d * d) / k : 0);
          move[i][0] += (dx / d) * f; move[i][1] += (dy / d) * f;
          move[j][0] -= (dx / d) * f; move[j][1] -= (dy / d) * f;
        }
      }
      at.forEach((p, i) => {
        const d = Math.hypot(...move[i]) || 1, f = Math.min(d, heat) / d;
        p[0] = Math.max(0.04, Math.min(0.96, p[0] + move[i][0] * f));
        p[1] = Math.max(0.04, Math.min(0.96, p[1] + move[i][1] * f));
      });
    }
    return at;
  }

  const rate = (b) => (b ? isoscaleTimeline.bytes(b) + "/s" : "no limit");
  const percent = (x) => `${(100 * x).toFixed(x > 0 && x < 0.0995 ? 1 : 0)} %`;

  // colour of a share of the capacity: the scale of heat maps, idle as a rule.
  const colour = (x) => (x <= 0 ? "var(--rule)" : `var(--heat-${Math.min(5, 1 + Math.floor(x * 5 * 0.9999))})`);

  const useOf = (data) => (data?.links?.length && data.a.link_use.length ? { links: data.links, windows: data.a.link_use.length / data.links.length, window_s: data.window_s, end_s: data.end * data.tick_s, share: data.a.link_use } : null);

  function mount(host, w, use, options = {}) {
    // The picture is as wide as there is room, so that names are as large as other text.
    const width = Math.max(360, Math.min(800, host.clientWidth || 800));
    const below = ["tree", "fat-tree"].includes(w.kind), inset = 26;
    const row = new Map((use?.links ?? []).map((name, i) => [name, i]));
    const windows = use ? use.windows : 0, many = hosts(w) > mostHosts;
    const open = new Set(), keys = new Set(); // keys of unfolded groups, and of all groups
    let from = 0, until = windows, chosen = [], lines = [], media = [];

    // share is the mean use of a link in the window, of which the end of the run may cut the last part.
    function share(name) {
      const i = row.get(name);
      if (i === undefined || until <= from) return 0;
      let sum = 0;
      for (let k = from; k < until; k++) sum += use.share[i * windows + k];
      return sum / (255 * (Math.min(until, use.end_s / use.window_s) - from));
    }
    const busiest = (links) => links.map((l) => ({ l, s: share(l.name) })).reduce((a, b) => (b.s > a.s ? b : a));

    // A person calls a link by its ends. The name that tables and files have stands beside them.
    const arrow = (l) => (l.both ? "\u2194" : "\u2192");
    const called = (l) => (l.from === undefined ? l.name : `${w.places[l.from].name} ${arrow(l)} ${w.places[l.to].name} (${l.name})`);

    // draw returns the picture of what is not folded.
    function draw() {
      const shown = fold(w, open), height = hosts(shown) === 1 ? 100 : Math.max(340, width * (below ? 0.54 : 0.7));
      const px = layout(shown).map(([x, y]) => [inset + x * (width - 2 * inset), inset + y * (height - 2 * inset)]);
      // Places are as large as the nearest two of them leave room for.
      const room = Math.min(...px.map(([x, y], i) => px.slice(i + 1).reduce((least, [u, v]) => Math.min(least, Math.hypot(u - x, v - y)), Infinity)));
      const size = Math.max(2.2, Math.min(9, 60 / Math.sqrt(px.length), room / (many ? 3.4 : 2.4)));
      const least = Math.min(...shown.links.map((l) => l.bandwidth).filter((b) => b > 0)), thick = size > 4 ? 2 : 1.2;
      const wide = (b) => (b > 0 ? Math.min(many ? 1 + 0.4 * size : 9, thick * (1 + 0.8 * Math.log2(b / least))) : 1);
      const nameOf = (p) => (p.count ? `${p.count} nodes` : p.name);
      const title = (l) => (l.links.length === 1 ? called(l.links[0]) : `${nameOf(shown.places[l.from])} ${arrow(l)} ${nameOf(shown.places[l.to])}`);
      const [nx = 1, ny = 1] = w.dimensions ?? [];
      const spacing = Math.max((width - 2 * inset) * 0.84 / Math.max(1, nx - 1), (height - 2 * inset) * 0.84 / Math.max(1, ny - 1));
      const back = new Set(shown.links.map((l) => `${l.from}-${l.to}`));
      lines = shown.links.map((l) => {
        const [x0, y0] = px[l.from], [x1, y1] = px[l.to], d = Math.hypot(x1 - x0, y1 - y0) || 1;
        const thickness = wide(l.bandwidth), grasp = Math.max(10, thickness), paired = back.has(`${l.to}-${l.from}`) && !l.both;
        // A link that goes round a grid is bent, so that it does not lie on the links between.
        const far = ["torus", "mesh"].includes(w.kind) && ny > 1 && d > 2.2 * spacing;
        // The two directions of a link lie side by side, and so do the areas that take their clicks.
        const path = (off) => {
          const nx = (-(y1 - y0) / d) * off, ny = ((x1 - x0) / d) * off;
          return far
            ? `M${x0 + nx} ${y0 + ny}Q${(x0 + x1) / 2 + (ny + 0.13 * (y1 - y0))} ${(y0 + y1) / 2 - (nx + 0.13 * (x1 - x0))} ${x1 + nx} ${y1 + ny}`
            : `M${x0 + nx} ${y0 + ny}L${x1 + nx} ${y1 + ny}`;
        };
        const e = svg("path", { d: path(paired ? thickness / 2 + 0.6 : 0), fill: "none", "stroke-width": thickness, "stroke-linecap": "round" });
        const grip = svg("path", { d: path(paired ? grasp / 2 : 0), fill: "none", stroke: "transparent", "stroke-width": grasp }, svg("title", {}, title(l)));
        grip.style.cursor = "pointer";
        grip.addEventListener("click", () => pick(l.links, title(l)));
        return { links: l.links, e, grip };
      });
      media = [];
      const dots = shown.places.map((p, i) => {
        const [x, y] = px[i];
        const e = p.host
          ? svg("circle", { cx: x, cy: y, r: p.count ? 1.6 * size : size, fill: "var(--ink)", stroke: "var(--paper)", "stroke-width": 1.2 })
          : svg("rect", { x: x - size * 1.15, y: y - size * 1.15, width: size * 2.3, height: size * 2.3, rx: 2, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 1.6 });
        e.append(svg("title", {}, p.medium ? `${p.medium.name}, ${rate(p.medium.bandwidth)}` : nameOf(p)));
        const click = p.medium ? () => pick([p.medium]) : p.count ? () => unfold([p.key]) : null;
        if (p.medium) media.push({ medium: p.medium, e });
        if (p.count) keys.add(p.key);
        if (click) {
          e.style.cursor = "pointer";
          e.addEventListener("click", click);
        }
        return e;
      });
      const labels = shown.places.map((p, i) => {
        const [x, y] = px[i], out = x < width / 2 - 1 ? -1 : 1;
        if (p.count) {
          const font = Math.min(12, 4.2 * size / `${p.count}`.length);
          return font < 8 ? null : svg("text", { x, y: y + 0.36 * font, "text-anchor": "middle", "font-size": font, fill: "var(--paper)", "pointer-events": "none" }, p.count);
        }
        if (!p.host || px.length > 40) return null;
        const number = p.name.replace(/^.*?(\d+)$/, "$1");
        return below ? svg("text", { x, y: y + size + 14, "text-anchor": "middle" }, number) : svg("text", { x: x + out * (size + 5), y: y + 4, "text-anchor": out < 0 ? "end" : "start" }, number);
      }).filter((e) => e);
      folded.hidden = !shown.places.some((p) => p.count);
      folded.textContent = "A circle with a number stands for that many nodes on the same switches; its link has the colour of their busiest one. Click it to draw them one by one.";
      return svg("svg", { viewBox: `-20 0 ${width + 40} ${height}`, role: "img", "aria-label": `${w.kind} of ${hosts(w)} nodes` },
        ...lines.map((x) => x.e), ...lines.map((x) => x.grip), ...dots, svg("g", { fill: "var(--muted)", "font-size": 12 }, ...labels));
    }

    const note = html("p", { className: "explanation", "aria-live": "polite" });
    const when = html("output", {});
    const controls = html("div", { className: "tools scrub" });
    const folded = html("p", { className: "caption" });
    let picture = draw();
    function unfold(which) {
      for (const key of which) open.add(key);
      const now = draw();
      picture.replaceWith(now);
      picture = now;
      paint();
    }
    if (windows > 0) {
      const place = html("input", { type: "range", min: 0, max: windows - 1, step: 1, value: 0, "aria-label": "start of the time window", oninput: move });
      const length = html("select", { "aria-label": "length of the time window", onchange: move },
        ...[[windows, "the whole run"], [Math.ceil(windows / 4), "a quarter"], [Math.ceil(windows / 16), "a sixteenth"], [1, "the shortest"]].map(([v, text]) => html("option", { value: v }, text)));
      controls.append(html("label", {}, "Window ", length), html("label", { className: "wide" }, "from ", place), when);
      function move() {
        const n = +length.value;
        place.max = Math.max(0, windows - n);
        place.disabled = n === windows;
        from = Math.min(+place.value, windows - n);
        until = from + n;
        paint();
      }
      place.disabled = true; // the whole run
    }
    if (many && keys.size) {
      const every = html("input", { type: "checkbox", onchange: () => { open.clear(); unfold(every.checked ? keys : []); } });
      controls.append(html("label", {}, every, " every node"));
    }
    const legend = html("div", { className: "legend", "aria-hidden": "true" },
      html("span", {}, "● node"), w.places.some((p) => !p.host && !p.medium) ? html("span", {}, "□ switch") : "",
      html("span", {}, html("i", { style: "background: var(--rule)" }), "idle"),
      ...[1, 2, 3, 4, 5].map((k) => html("span", {}, html("i", { style: `background: var(--heat-${k})` }), `${(k - 1) * 20}–${k * 20} %`)),
      html("span", {}, "width: capacity"));
    const body = html("tbody", {});
    const table = html("details", {}, html("summary", {}, "The same as a table"),
      html("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "table of the links" },
        html("table", {}, html("thead", {}, html("tr", {}, ...["link", "capacity", "use in the window"].map((x) => html("th", { scope: "col" }, x)))), body)));
    host.replaceChildren(html("div", { className: "topology" }, controls, picture, use ? legend : html("p", { className: "caption" }, "Only the network model flow shows the use of links."), folded, note, table));

    function paint() {
      const faint = lines.some((x) => x.links.some((l) => chosen.includes(l)));
      for (const { links, e } of lines) {
        e.setAttribute("stroke", colour(busiest(links).s));
        e.setAttribute("opacity", faint && !links.some((l) => chosen.includes(l)) ? 0.55 : 1);
      }
      for (const { medium, e } of media) e.setAttribute("fill", colour(share(medium.name)));
      if (windows) when.textContent = ` ${isoscaleTimeline.time(from * use.window_s)} to ${isoscaleTimeline.time(Math.min(use.end_s, until * use.window_s))}`;
      const all = [...w.links.filter((l, i) => w.links.findIndex((m) => m.name === l.name) === i), ...w.places.filter((p) => p.medium).map((p) => p.medium)];
      if (table.open) fill(all);
      table.ontoggle = () => table.open && fill(all);
    }
    function fill(all) {
      const most = 200, sorted = all.map((l) => ({ l, s: share(l.name) })).sort((a, b) => b.s - a.s);
      body.replaceChildren(...sorted.slice(0, most).map(({ l, s }) => html("tr", {},
        html("th", { scope: "row" }, html("button", { type: "button", className: "plain", onclick: () => pick([l]) }, called(l))),
        html("td", { className: "num" }, rate(l.bandwidth)), html("td", { className: "num" }, percent(s)))),
      ...(all.length > most ? [html("tr", {}, html("td", { colSpan: 3 }, `These are the ${most} busiest of ${all.length} links.`))] : []));
    }
    async function pick(links, title) {
      chosen = links;
      paint();
      const { l, s } = busiest(links);
      note.textContent = links.length === 1 ? `${called(l)}: ${rate(l.bandwidth)}, ${percent(s)} in use in the window.`
        : `${links.length} links, ${title}. The busiest in the window is ${called(l)}: ${rate(l.bandwidth)}, ${percent(s)} in use.`;
      const flows = await options.flows?.(l.name, from * (use?.window_s ?? 0), until * (use?.window_s ?? 0)).catch((e) => void (note.textContent += ` Which messages are on it is not known: ${e.message}.`));
      if (flows) note.textContent += flows.length ? ` Messages on it: ${flows.join(", ")}.` : " No message is on it then.";
    }
    paint();
    return { get picture() { return picture; } };
  }

  return { fold, layout, useOf, mount };
})();
