"use strict";
// The timeline of a run, as a picture that a reader can zoom, step through and question.
//
//   isoscaleTimeline.decode(buffer)            reads the binary form of a timeline
//   isoscaleTimeline.draw(surface, data, view) draws on a canvas, or anything with its methods
//   isoscaleTimeline.mount(host, data, options) puts the picture with its controls into an element
//
// A span at least a pixel wide is drawn as it is. Narrower spans are binned: a column of
// pixels shows the shares of compute, overhead and wait from bottom to top.
const isoscaleTimeline = (() => {
  const NEVER = 0xffffffff;
  const KINDS = ["compute", "overhead", "wait", "stopped"];
  const ARRAYS = { u8: Uint8Array, u32: Uint32Array, i32: Int32Array, f64: Float64Array };
  const SECONDS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"], [1e-12, "ps"]];

  // decode returns the contents of a timeline and its arrays by name.
  function decode(buffer) {
    const bytes = new DataView(buffer);
    const mark = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(4, buffer.byteLength)));
    const version = mark === "ISTL" && bytes.getUint32(4, true);
    if (version !== 1 && version !== 2) throw new Error("not a timeline of version 1 or 2");
    const length = bytes.getUint32(8, true);
    const d = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, length)));
    if (version === 2) gather(buffer, d.arrays);
    d.a = new Proxy({}, { get: (kept, name) => (kept[name] ??= array(d.arrays[name])) });
    function array(at) {
      return at ? new ARRAYS[at.type](buffer, at.offset, at.length) : new Uint32Array(0);
    }
    if (version === 2) restore(d.a);
    d.kindOf = d.parts.map((p) => KINDS.indexOf(p.kind));
    d.seconds = d.end * d.tick_s;
    d.whole = d.a.span_end.length > 0; // spans and messages are there, not only bins
    return d;
  }

  // gather puts the bytes of each array element together, in place: the compact form has all first bytes first.
  function gather(buffer, arrays) {
    for (const { type, offset, length } of Object.values(arrays)) {
      const size = ARRAYS[type].BYTES_PER_ELEMENT, out = new Uint8Array(buffer, offset, size * length), from = out.slice();
      for (let k = 0; k < size; k++) for (let i = 0; i < length; i++) out[i * size + k] = from[k * length + i];
    }
  }

  // restore turns the differences of the compact form into values. Typed arrays count modulo 2^32.
  function restore(a) {
    for (let i = 1; i < a.span_end.length; i++) a.span_end[i] += a.span_end[i - 1];
    for (let i = 1; i < a.path_until.length; i++) {
      a.path_until[i] += a.path_until[i - 1];
      a.path_from[i] += a.path_until[i - 1];
    }
    const ends = (rank, span) => (a.span_first.length && span < a.span_first[rank + 1] - a.span_first[rank] ? a.span_end[a.span_first[rank] + span] : 0);
    const last = new Uint32Array(Math.max(1, a.message_first.length) - 1);
    for (let rank = 0; rank < last.length; rank++) {
      let sending = 0;
      for (let i = a.message_first[rank]; i < a.message_first[rank + 1]; i++) {
        sending += a.leaves_span[i] | 0;
        a.message_leaves[i] = ends(rank, sending) - a.message_leaves[i];
        const to = a.message_to[i];
        last[to] += a.received_span[i];
        a.message_received[i] = ends(to, last[to]) - a.message_received[i];
        a.message_arrives[i] += a.message_leaves[i];
      }
    }
  }

  // time prints seconds with three digits.
  function time(s) {
    if (!isFinite(s)) return "-";
    if (s === 0) return "0 s";
    const [size, unit] = unitOf(s);
    return `${+(s / size).toPrecision(3)} ${unit}`;
  }
  const unitOf = (s) => SECONDS.find(([size]) => Math.abs(s) >= size * 0.9995) ?? SECONDS.at(-1);

  function bytes(n) {
    for (const [size, unit] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) {
      if (n >= size) return `${+(n / size).toPrecision(3)} ${unit}`;
    }
    return `${+n.toPrecision(3)} B`;
  }

  // theme reads the colours that the page declares for its charts.
  function theme(element) {
    const style = getComputedStyle(element);
    const colour = (name) => style.getPropertyValue(name).trim();
    return {
      paper: colour("--paper"), ink: colour("--ink"), muted: colour("--muted"), grid: colour("--grid"), rule: colour("--rule"),
      kinds: [colour("--series-1"), colour("--series-2"), colour("--series-3"), colour("--grid")],
      path: colour("--series-8"), message: colour("--ink"),
      font: style.fontFamily || "sans-serif",
    };
  }

  // hatch returns the fill of a kind. On the screen wait is pale, as nothing happens then. On paper overhead has rising
  // lines and wait is paper with falling lines, so that they also differ without colours.
  function hatch(surface, t, kind) {
    if (kind !== 1 && kind !== 2) return t.kinds[kind];
    if (surface.hatch) return surface.hatch(t, kind);
    if (!t.print) return kind === 1 ? t.kinds[1] : (t.calm ??= mix(t.kinds[2], t.paper, 0.28));
    t.patterns ??= {};
    return (t.patterns[kind] ??= pattern());
    function pattern() {
      // The tile has the resolution of the surface, so that filling only copies pixels.
      const size = 6, tile = document.createElement("canvas");
      const scale = (tile.width = tile.height = Math.round(size * pixelsOf(surface))) / size;
      const c = tile.getContext("2d");
      c.scale(scale, scale);
      c.fillStyle = kind === 1 ? t.kinds[1] : t.paper;
      c.fillRect(0, 0, size, size);
      c.strokeStyle = kind === 1 ? t.paper : t.kinds[2];
      c.globalAlpha = kind === 1 ? 0.55 : 1;
      c.lineWidth = kind === 1 ? 1 : 1.6;
      c.beginPath();
      for (const k of [-size, 0, size]) {
        if (kind === 1) { c.moveTo(k, size); c.lineTo(k + size, 0); } else { c.moveTo(k, 0); c.lineTo(k + size, size); }
      }
      c.stroke();
      const p = surface.createPattern(tile, "repeat");
      p.setTransform?.(new DOMMatrix().scale(1 / scale));
      return p;
    }
  }

  // mix returns two colours mixed, with a share of the first. All are #rrggbb.
  const parts = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  function mix(a, b, share) {
    const of = parts(a);
    return `#${parts(b).map((x, i) => Math.round(x + (of[i] - x) * share).toString(16).padStart(2, "0")).join("")}`;
  }

  // Pixels draws many rectangles: for ten thousand, setting their pixels is faster than what a canvas does for each.
  // Left and right edges are rounded to pixels; upper and lower edges cover part of a pixel.
  class Pixels {
    static kept = null; // the image of the picture before
    static words = new Map(); // pixels by colour

    constructor(c, g, paper) {
      const a = pixelsOf(c), x = Math.round(g.left * a), y = Math.round(g.top * a), w = Math.ceil((g.width + 1) * a), h = Math.ceil((g.height + 1) * a);
      if (Pixels.kept?.width !== w || Pixels.kept.height !== h) Pixels.kept = c.createImageData(w, h);
      Object.assign(this, { c, a, x, y, w, h, all: new Uint32Array(Pixels.kept.data.buffer), fillStyle: paper });
      this.all.fill(this.word);
    }
    set fillStyle(colour) {
      if (!Pixels.words.has(colour)) Pixels.words.set(colour, parts(colour).reduceRight((word, x) => (word << 8) | x, 255) >>> 0);
      this.word = Pixels.words.get(colour);
    }
    getTransform() { return this; }

    fillRect(x, y, w, h) {
      const { a, all, word } = this, from = Math.max(0, Math.round(x * a) - this.x), until = Math.min(this.w, Math.round((x + w) * a) - this.x);
      const top = Math.max(0, y * a - this.y), bottom = Math.min(this.h, (y + h) * a - this.y);
      for (let row = Math.floor(top + 1e-6); row < bottom - 1e-6; row++) {
        const covered = Math.min(bottom, row + 1) - Math.max(top, row);
        for (let i = row * this.w + from, end = row * this.w + until; i < end; i++) all[i] = covered > 0.999 ? word : blend(word, all[i], covered);
      }
    }
    show() { this.c.putImageData(Pixels.kept, this.x, this.y); }
  }

  function blend(over, under, share) {
    const part = (at) => Math.round((under >>> at & 255) + ((over >>> at & 255) - (under >>> at & 255)) * share) << at;
    return (0xff000000 | part(16) | part(8) | part(0)) >>> 0;
  }

  // pixelsOf returns how many pixels of a surface a length of 1 has.
  const pixelsOf = (surface) => surface.getTransform?.().a || 1;

  // layout returns the places of things, such as x of a time in seconds and y of a rank's lane.
  function layout(data, view) {
    const left = view.bare ? 0 : view.gutter, top = view.bare ? 0 : view.summary ? 48 : 22;
    const width = Math.max(1, view.width - left - 1), height = Math.max(1, view.height - top - 2);
    const ranks = Math.min(data.ranks, Math.max(1, view.ranks ?? data.ranks));
    const first = Math.max(0, Math.min(data.ranks - ranks, view.firstRank ?? 0));
    if (view.rows) return folded(data, view, { left, top, width, height });
    // Lanes are at least 2 pixels high; if there are too many ranks for that, several share a lane.
    const perLane = Math.max(1, Math.ceil(ranks / Math.floor(height / 2)));
    const lanes = Math.ceil(ranks / perLane), lane = height / lanes;
    const scale = width / (view.until - view.from);
    return {
      left, top, width, height, ranks, first, lanes, lane, single: perLane === 1,
      members: (l) => Array.from({ length: Math.min(perLane, ranks - l * perLane) }, (_, k) => first + l * perLane + k),
      name: (l) => view.label?.(first + l * perLane) ?? String(first + l * perLane),
      x: (s) => left + (s - view.from) * scale,
      y: (rank) => top + ((rank - first) / perLane) * lane, // the upper edge
      row: (rank) => Math.floor((rank - first) / perLane),
      centre: (rank) => top + (Math.floor((rank - first) / perLane) + 0.5) * lane,
      at: (x, y) => ({ time: view.from + (x - left) / scale, rank: Math.max(first, Math.min(first + ranks - 1, first + Math.floor((y - top) / lane) * perLane)) }),
      scale,
    };
  }

  // folded is the layout of view.rows, {label, ranks} each, which a reader can fold and unfold. view.place has the row
  // of each rank.
  function folded(data, view, g) {
    const lanes = view.rows.length, lane = g.height / lanes, scale = g.width / (view.until - view.from);
    const row = (rank) => view.place[rank];
    return {
      ...g, ranks: data.ranks, first: 0, lanes, lane, scale, single: true, row,
      members: (l) => view.rows[l].ranks,
      name: (l) => view.rows[l].label,
      x: (s) => g.left + (s - view.from) * scale,
      y: (rank) => g.top + row(rank) * lane,
      centre: (rank) => g.top + (row(rank) + 0.5) * lane,
      at: (x, y) => {
        const at = Math.max(0, Math.min(lanes - 1, Math.floor((y - g.top) / lane)));
        return { time: view.from + (x - g.left) / scale, rank: view.rows[at].ranks[0], row: at };
      },
    };
  }

  // steps returns round marks for an axis from a to b, with at most so many steps.
  function steps(a, b, most) {
    const raw = (b - a) / Math.max(1, most), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw) ?? raw;
    const marks = [];
    for (let k = Math.ceil(a / step); k * step <= b * (1 + 1e-12) && marks.length < 100; k++) marks.push(k * step);
    return marks;
  }

  // firstAfter returns the first span of a rank that ends after a time in ticks.
  function firstAfter(data, rank, ticks) {
    const { span_first: first, span_end: end } = data.a;
    let low = first[rank], high = first[rank + 1];
    while (low < high) {
      const mid = (low + high) >> 1;
      if (end[mid] > ticks) high = mid; else low = mid + 1;
    }
    return low;
  }

  // spanAt returns the span of a rank at a time in ticks: {rank, index, from, until, part}.
  function spanAt(data, rank, ticks) {
    const { span_first: first, span_end: end, span_part: part } = data.a;
    if (!data.whole || first[rank] === first[rank + 1]) return null;
    const i = Math.min(firstAfter(data, rank, ticks), first[rank + 1] - 1);
    return span(data, rank, i);
  }

  function span(data, rank, i) {
    const { span_first: first, span_end: end, span_part: part } = data.a;
    if (i < first[rank] || i >= first[rank + 1]) return null;
    return { rank, index: i, from: i === first[rank] ? 0 : end[i - 1], until: end[i], part: part[i] };
  }

  // draw draws what the view shows: {width, height, from, until (seconds), firstRank, ranks or
  // rows and place, gutter, theme, path, messages, focus, summary, now, selected, bare}. Messages of the
  // focus, {ranks (a set), from, until (ticks)}, stand out. It returns the layout.
  function draw(c, data, view) {
    const g = layout(data, view), t = view.theme;
    c.fillStyle = t.paper;
    c.fillRect(0, 0, view.width, view.height);
    if (!view.bare) axis(c, data, view, g);
    if (!view.bare && view.summary) summary(c, data, view, g);
    c.save();
    c.beginPath();
    c.rect(g.left, g.top, g.width + 1, g.height + 1);
    c.clip();
    const p = c.createImageData && !t.print ? new Pixels(c, g, t.paper) : c;
    (data.whole ? lanes : bins)(p, data, view, g);
    p.show?.();
    if (data.whole && view.messages && g.lane >= 5 && g.single) g.banded = messages(c, data, view, g);
    if (view.path && data.a.path_from.length) path(c, data, view, g);
    if (view.selected) select(c, data, view, g);
    if (view.now !== undefined) {
      const x = g.x(view.now);
      c.globalAlpha = 0.72;
      c.fillStyle = t.paper;
      c.fillRect(x, g.top, Math.max(0, g.left + g.width - x), g.height);
      c.globalAlpha = 1;
      c.fillStyle = t.path;
      c.fillRect(x - 0.75, g.top, 1.5, g.height);
    }
    c.restore();
    return g;
  }

  function axis(c, data, view, g) {
    const t = view.theme;
    c.font = `12px ${t.font}`;
    c.textBaseline = "middle";
    c.lineWidth = 1;
    const marks = steps(view.from, view.until, g.width / 95);
    const step = marks.length > 1 ? marks[1] - marks[0] : view.until - view.from;
    const [size, unit] = unitOf(view.until);
    const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / size) - 1e-9)));
    c.textAlign = "center";
    for (const m of marks) {
      const x = Math.round(g.x(m)) + 0.5;
      c.strokeStyle = t.grid;
      line(c, x, g.top - 4, x, g.top + g.height);
      const text = m === 0 ? "0" : `${(m / size).toFixed(digits)} ${unit}`;
      c.fillStyle = t.muted;
      c.textAlign = x > g.left + g.width - 30 ? "right" : x < g.left + 14 ? "left" : "center";
      c.fillText(text, x, 10);
    }
    c.fillStyle = t.muted;
    c.textAlign = "right";
    const every = Math.max(1, Math.ceil(14 / g.lane));
    for (let l = 0; l < g.lanes; l += every) {
      c.fillText(fit(c, t, g.name(l), g.left - 8), g.left - 6, g.top + (l + 0.5) * g.lane);
    }
  }

  // summary draws the share of ranks that compute, from 0 to all, above the lanes.
  function summary(c, data, view, g) {
    const t = view.theme, columns = Math.ceil(g.width), top = 24, height = 18;
    const key = [view.from, view.until, columns].join();
    if (data.busy?.key !== key) data.busy = { key, shares: computing(data, view, g, columns) };
    c.fillStyle = t.muted;
    c.textAlign = "right";
    c.fillText(fit(c, t, "computing", g.left - 8), g.left - 6, top + height / 2);
    c.fillStyle = t.grid;
    c.fillRect(g.left, top, g.width, height);
    c.fillStyle = t.kinds[0];
    c.beginPath();
    c.moveTo(g.left, top + height);
    for (let col = 0; col < columns; col++) {
      const y = top + height * (1 - Math.min(1, data.busy.shares[col]));
      c.lineTo(g.left + col, y);
      c.lineTo(Math.min(g.left + g.width, g.left + col + 1), y);
    }
    c.lineTo(g.left + g.width, top + height);
    c.fill();
  }

  // computing returns the share of all ranks that compute, for each column of pixels.
  function computing(data, view, g, columns) {
    const shares = new Float32Array(columns), tick = data.tick_s;
    const add = (x0, x1, weight) => {
      const a = Math.max(0, x0 - g.left), b = Math.min(columns, x1 - g.left);
      for (let col = Math.floor(a); col < b; col++) shares[col] += weight * (Math.min(b, col + 1) - Math.max(a, col));
    };
    const { span_first: first, span_end: end, span_part: part, bin_share: bin } = data.a;
    for (let rank = 0; data.whole && rank < data.ranks; rank++) {
      let i = firstAfter(data, rank, view.from / tick);
      for (let from = i === first[rank] ? 0 : end[i - 1]; i < first[rank + 1] && from * tick < view.until; from = end[i++]) {
        if (data.kindOf[part[i]] === 0) add(g.x(from * tick), g.x(end[i] * tick), 1 / data.ranks);
      }
    }
    for (let row = 0; !data.whole && row < data.rows; row++) {
      const weight = Math.min(data.ranks_per_row, data.ranks - row * data.ranks_per_row) / data.ranks / 255;
      for (let col = 0; col < data.columns; col++) {
        add(g.x(col * data.column_s), g.x((col + 1) * data.column_s), weight * bin[(row * data.columns + col) * 3]);
      }
    }
    return shares;
  }

  // fit shortens a text to a width. Results are kept, as every picture fits the names of ranks again.
  const fitted = new Map();
  function fit(c, t, text, width) {
    if (!c.measureText) return text;
    const key = `${t.font} ${width} ${text}`;
    if (fitted.size > 4096) fitted.clear();
    if (!fitted.has(key)) fitted.set(key, shortened(c, text, width));
    return fitted.get(key);
  }

  function shortened(c, text, width) {
    if (c.measureText(text).width <= width) return text;
    while (text.length > 1 && c.measureText(text + "…").width > width) text = text.slice(0, -1);
    return text + "…";
  }

  function line(c, x0, y0, x1, y1) {
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x1, y1);
    c.stroke();
  }

  const gap = (g) => (g.lane >= 7 ? 2 : g.lane >= 4 ? 1 : 0);

  function lanes(c, data, view, g) {
    const { span_first: first, span_end: end, span_part: part } = data.a;
    const t = view.theme, tick = data.tick_s;
    const columns = Math.ceil(g.width) + 1, shares = new Float32Array(columns * 3);
    const fromTicks = view.from / tick;
    // Rectangles with edges on pixels are sharp, and filled several times as fast.
    const pixels = pixelsOf(c), snap = c.getTransform ? (x) => Math.round(x * pixels) / pixels : (x) => x;
    for (let l = 0; l < g.lanes; l++) {
      const y = snap(g.top + l * g.lane + gap(g) / 2), height = snap(g.top + (l + 1) * g.lane - gap(g) / 2) - y;
      const wide = [[], [], [], []];
      let binned = false;
      const members = g.members(l);
      for (const rank of members) {
        let i = firstAfter(data, rank, fromTicks);
        let from = i === first[rank] ? 0 : end[i - 1];
        for (; i < first[rank + 1]; i++) {
          const x0 = g.x(from * tick), x1 = g.x(end[i] * tick), kind = data.kindOf[part[i]];
          if (x0 > g.left + g.width) break;
          if (members.length === 1 && x1 - x0 >= 1) {
            wide[kind].push(x0, x1);
          } else if (kind < 3) {
            binned = true;
            const a = Math.max(0, x0 - g.left), b = Math.min(columns, x1 - g.left);
            for (let col = Math.floor(a); col < b; col++) shares[col * 3 + kind] += (Math.min(b, col + 1) - Math.max(a, col)) / members.length;
          }
          from = end[i];
        }
      }
      wide[2] = behind(wide);
      for (const kind of [2, 0, 1, 3]) {
        c.fillStyle = hatch(c, t, kind);
        for (let i = 0; i < wide[kind].length; i += 2) {
          const x0 = snap(Math.max(wide[kind][i], g.left - 1)), x1 = snap(Math.min(wide[kind][i + 1], g.left + g.width + 1));
          c.fillRect(x0, y, x1 - x0, height);
        }
      }
      seams(c, t, wide[0], y, height, snap);
      if (!binned) continue;
      stack(c, t, g, shares, columns, y, height);
      shares.fill(0);
    }
  }

  // behind returns one wait from the first span of a lane to the last, in place of several waits. Spans follow one
  // another without gaps, so the others are drawn over it; to fill many small areas with lines would take long.
  function behind(wide) {
    const waits = wide[2];
    if (waits.length <= 2) return waits;
    const begins = wide.filter((spans) => spans.length).map((spans) => spans[0]);
    const ends = wide.filter((spans) => spans.length).map((spans) => spans.at(-1));
    return [Math.min(...begins), Math.max(...ends)];
  }

  // seams draws a line of paper between adjacent spans of one kind where there is room.
  function seams(c, t, spans, y, height, snap) {
    c.fillStyle = t.paper;
    for (let i = 0; i + 2 < spans.length; i += 2) {
      if (spans[i + 1] === spans[i + 2] && spans[i + 1] - spans[i] > 6) c.fillRect(snap(spans[i + 1]) - 1, y, 1, height);
    }
  }

  // stack draws the shares of kinds in each column of pixels.
  function stack(c, t, g, shares, columns, y, height) {
    for (let kind = 0; kind < 3; kind++) {
      c.fillStyle = kind === 2 ? hatch(c, t, 2) : t.kinds[kind];
      for (let col = 0; col < columns; col++) {
        const share = shares[col * 3 + kind];
        if (share < 0.004) continue;
        let below = 0;
        for (let k = 0; k < kind; k++) below += shares[col * 3 + k];
        c.fillRect(g.left + col, y + height * (1 - Math.min(1, below + share)), 1, height * Math.min(1, share));
      }
    }
  }

  // bins draws a run whose spans were too many to keep.
  function bins(c, data, view, g) {
    const share = data.a.bin_share, t = view.theme, wide = data.column_s, per = data.ranks_per_row;
    for (let row = 0; row < (view.rows?.length ?? data.rows); row++) {
      const y0 = view.rows ? g.top + row * g.lane : g.y(row * per), y1 = view.rows ? y0 + g.lane : g.y(Math.min(data.ranks, (row + 1) * per));
      const h = Math.max(1, y1 - y0 - gap({ lane: y1 - y0 })), parts = view.rows?.[row].parts ?? [[row, 1]];
      for (let col = 0; col < data.columns; col++) {
        const x0 = g.x(col * wide), x1 = g.x((col + 1) * wide);
        if (x1 < g.left || x0 > g.left + g.width) continue;
        let below = 0;
        for (let kind = 0; kind < 3; kind++) {
          const s = parts.reduce((sum, [r, weight]) => sum + weight * share[(r * data.columns + col) * 3 + kind], 0) / 255;
          if (s > 0) {
            c.fillStyle = kind === 2 ? hatch(c, t, 2) : t.kinds[kind];
            c.fillRect(x0, y0 + h * (1 - below - s), x1 - x0 + 0.3, h * s);
          }
          below += s;
        }
      }
    }
  }

  // More arrows than this would cover one another and the spans below. Then all messages that leave one rank for
  // another at about the same time are drawn as a band.
  const mostArrows = 200, mostBands = 600;

  // messages draws each message as an arrow from departure to arrival and as dots from there to the receive, faint if
  // it is not in the focus. It returns the number of messages in bands.
  function messages(c, data, view, g) {
    const { message_first: first, message_to: receiver, message_leaves: leaves, message_arrives: arrives, message_received: received } = data.a;
    const t = view.theme, tick = data.tick_s, focus = view.focus ?? null;
    const within = (rank, ticks) => focus && focus.ranks.has(rank) && focus.from <= ticks && ticks <= focus.until;
    const faint = room(leaves.length), strong = [];
    let n = 0;
    for (let rank = 0; rank < data.ranks; rank++) {
      for (let i = first[rank]; i < first[rank + 1]; i++) {
        const to = receiver[i];
        if (arrives[i] === NEVER) continue;
        const x0 = g.x(leaves[i] * tick), x1 = g.x(arrives[i] * tick), x2 = g.x(received[i] * tick);
        if (x2 < g.left || x0 > g.left + g.width) continue;
        if ((rank < g.first && to < g.first) || (rank >= g.first + g.ranks && to >= g.first + g.ranks)) continue;
        if (focus && (within(rank, leaves[i]) || within(to, received[i]))) {
          strong.push({ x0, x1, x2, y0: g.centre(rank), y1: g.centre(to) });
          continue;
        }
        faint.a0[n] = faint.x0[n] = x0;
        faint.a1[n] = faint.x1[n] = x1;
        faint.x2[n] = x2;
        faint.from[n] = rank;
        faint.to[n] = to;
        faint.lanes[n] = g.row(rank) * g.lanes + g.row(to);
        faint.n[n++] = 1;
      }
    }
    const many = n > mostArrows;
    if (many) bands(c, t, g, faint, n);
    else arrows(c, t, g, Array.from({ length: n }, (_, i) => ({ x0: faint.x0[i], x1: faint.x1[i], x2: faint.x2[i], y0: g.centre(faint.from[i]), y1: g.centre(faint.to[i]) })), 0.3);
    arrows(c, t, g, strong.slice(0, mostArrows), 0.9);
    return many ? n : 0;
  }

  // room returns arrays for n messages. They are kept: a picture that follows a slider would make thousands of objects.
  let kept = null;
  function room(n) {
    if (kept && kept.n.length >= n) return kept;
    const places = () => new Float64Array(n), whole = () => new Int32Array(n);
    kept = { a0: places(), x0: places(), a1: places(), x1: places(), x2: places(), from: whole(), to: whole(), lanes: whole(), n: whole(), slots: new Int32Array(2 ** Math.ceil(Math.log2(2 * n + 2))) };
    return kept;
  }

  // arrows draws messages one by one, with paper around those that stand out.
  function arrows(c, t, g, list, alpha) {
    c.strokeStyle = c.fillStyle = t.message;
    const each = (width, colour, opacity) => {
      c.lineWidth = width;
      c.strokeStyle = colour;
      c.globalAlpha = opacity;
      c.beginPath();
      for (const m of list) {
        c.moveTo(m.x0, m.y0);
        c.lineTo(m.x1, m.y1);
      }
      c.stroke();
    };
    if (alpha > 0.5) each(3.5, t.paper, 0.75);
    each(1.2, t.message, alpha);
    c.lineWidth = 1.3;
    c.setLineDash([2, 3]);
    c.beginPath();
    for (const m of list) {
      if (m.x2 - m.x1 <= 2) continue;
      c.moveTo(m.x1, m.y1);
      c.lineTo(m.x2, m.y1);
    }
    c.stroke();
    c.setLineDash([]);
    for (const m of list) {
      if (g.lane >= 10 && m.x1 - m.x0 + Math.abs(m.y1 - m.y0) > 12) head(c, m.x0, m.y0, m.x1, m.y1, 6);
    }
    c.globalAlpha = 1;
  }

  // bands draws the messages between two lanes that leave in the same stretch of pixels as one area. The more they are,
  // the darker it is.
  function bands(c, t, g, m, n) {
    for (let stretch = 24, merged = false; stretch < 4096 && !(merged && n <= mostBands); stretch *= 2, merged = true) n = merge(m, n, stretch); // pixels
    const thin = Math.min(1, 60 / n); // since many lie on one another
    c.fillStyle = t.message;
    for (let i = 0; i < n; i++) {
      const y0 = g.centre(m.from[i]), y1 = g.centre(m.to[i]);
      c.globalAlpha = Math.max(0.02, Math.min(0.3, 0.06 + 0.015 * m.n[i]) * thin);
      c.beginPath();
      c.moveTo(m.a0[i], y0);
      c.lineTo(Math.max(m.x0[i], m.a0[i] + 1), y0);
      c.lineTo(Math.max(m.x1[i], m.a1[i] + 1), y1);
      c.lineTo(m.a1[i], y1);
      c.fill();
    }
    c.globalAlpha = 1;
  }

  // merge joins messages, or bands of a shorter stretch, that have the same lanes and stretch, and returns how many are
  // left. It finds them by a hash table of their indices plus 1, in which 0 is free.
  function merge(m, n, stretch) {
    const mask = m.slots.length - 1, cell = (i) => Math.floor(m.a0[i] / stretch);
    m.slots.fill(0);
    let left = 0;
    for (let i = 0; i < n; i++) {
      const at = cell(i), lanes = m.lanes[i];
      let h = (Math.imul(lanes, 0x9e3779b1) ^ Math.imul(at, 0x85ebca6b)) >>> 7 & mask, k;
      while ((k = m.slots[h] - 1) >= 0 && (m.lanes[k] !== lanes || cell(k) !== at)) h = (h + 1) & mask;
      if (k < 0) {
        m.slots[h] = left + 1;
        for (const all of [m.a0, m.x0, m.a1, m.x1, m.from, m.to, m.lanes, m.n]) all[left] = all[i];
        left++;
        continue;
      }
      m.a0[k] = Math.min(m.a0[k], m.a0[i]);
      m.x0[k] = Math.max(m.x0[k], m.x0[i]);
      m.a1[k] = Math.min(m.a1[k], m.a1[i]);
      m.x1[k] = Math.max(m.x1[k], m.x1[i]);
      m.n[k] += m.n[i];
    }
    return left;
  }

  function head(c, x0, y0, x1, y1, size) {
    const a = Math.atan2(y1 - y0, x1 - x0);
    c.beginPath();
    c.moveTo(x1, y1);
    c.lineTo(x1 - size * Math.cos(a - 0.4), y1 - size * Math.sin(a - 0.4));
    c.lineTo(x1 - size * Math.cos(a + 0.4), y1 - size * Math.sin(a + 0.4));
    c.closePath();
    c.fill();
  }

  // path draws the critical path. Where its segments are a few pixels long on average, its messages would cover the
  // picture: they are left out until the reader zooms in.
  function path(c, data, view, g) {
    const a = data.a, tick = data.tick_s, t = view.theme;
    const parts = [];
    for (let i = 0; i < a.path_from.length; i++) {
      const x0 = g.x(a.path_from[i] * tick), x1 = g.x(a.path_until[i] * tick);
      if (x1 < g.left - 50 || x0 > g.left + g.width + 50) continue;
      const travels = data.path_kinds[a.path_kind[i]] === "message" || data.path_kinds[a.path_kind[i]] === "handshake";
      parts.push({ x0, x1, from: a.path_rank[i], to: travels ? a.path_to[i] : a.path_rank[i] });
    }
    const crowded = parts.length > g.width / 4;
    for (const [width, colour] of crowded ? [[2.6, t.path]] : [[5, t.paper], [2.6, t.path]]) {
      c.lineWidth = width;
      c.strokeStyle = colour;
      c.beginPath();
      for (const p of parts) {
        if (crowded && p.from !== p.to) continue;
        c.moveTo(p.x0, g.centre(p.from));
        c.lineTo(p.x1, g.centre(p.to));
      }
      c.stroke();
    }
  }

  function select(c, data, view, g) {
    const s = view.selected, tick = data.tick_s;
    const x0 = Math.max(g.left, g.x(s.from * tick)), x1 = Math.min(g.left + g.width, g.x(s.until * tick));
    const y = g.top + g.row(s.rank) * g.lane;
    c.lineWidth = 4;
    c.strokeStyle = view.theme.paper;
    c.strokeRect(x0 - 1, y, Math.max(3, x1 - x0 + 2), g.lane);
    c.lineWidth = 2;
    c.strokeStyle = view.theme.ink;
    c.strokeRect(x0 - 1, y, Math.max(3, x1 - x0 + 2), g.lane);
  }

  // explain says in words what a span is, and why a rank waits.
  function explain(data, s) {
    const a = data.a, tick = data.tick_s, name = (r) => data.names?.[r] ?? `rank ${r}`;
    const part = data.parts[s.part], length = (s.until - s.from) * tick;
    const where = `${cap(name(s.rank))}, ${time(s.from * tick)} to ${time(s.until * tick)} (${time(length)}): ${part.name}.`;
    if (part.kind !== "wait") return where;
    const m = messageThatEnds(data, s);
    if (m < 0) return where;
    const from = senderOf(data, m), leaves = a.message_leaves[m], arrives = a.message_arrives[m], received = a.message_received[m];
    let text = `${where} It waits for the message of ${bytes(a.message_size[m])} from ${name(from)}, which leaves at ${time(leaves * tick)}${received > arrives ? "," : " and"} arrives at ${time(arrives * tick)}`;
    text += received > arrives ? ` and is received at ${time(received * tick)}.` : ".";
    if (leaves > s.from) {
      const share = (leaves - s.from) / (s.until - s.from), meanwhile = mostly(data, from, s.from, leaves);
      text += ` For ${share < 0.005 ? "less than 1" : Math.round(100 * share)} % of the wait the message has not left`;
      text += meanwhile ? `: ${meanwhile.share < 0.995 ? `for ${Math.round(100 * meanwhile.share)} % of this time` : "until then"} ${name(from)} ${meanwhile.does}.` : ".";
    } else {
      text += " During the whole wait the message is on its way.";
    }
    return text;
  }

  // mostly returns what a rank does for the largest share of a stretch of time, null for one that has finished.
  function mostly(data, rank, from, until) {
    const times = new Map();
    for (let s = spanAt(data, rank, from); s && s.from < until; s = span(data, rank, s.index + 1)) {
      const part = data.parts[s.part], does = part.kind === "wait" ? "waits, too" : `is busy with ${part.name}`;
      times.set(does, (times.get(does) ?? 0) + Math.min(until, s.until) - Math.max(from, s.from));
    }
    const [does, time] = [...times].reduce((most, x) => (x[1] > most[1] ? x : most), ["", 0]);
    return time > 0 ? { does, share: time / (until - from) } : null;
  }

  const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  // messageThatEnds returns the message whose receive ends a wait, or -1.
  function messageThatEnds(data, s) {
    const a = data.a;
    let best = -1;
    for (let i = 0; i < a.message_to.length; i++) {
      if (a.message_to[i] !== s.rank || a.message_received[i] === NEVER) continue;
      const off = Math.abs(a.message_received[i] - s.until);
      if (off <= 1 && (best < 0 || a.message_arrives[i] >= a.message_arrives[best])) best = i;
    }
    return best;
  }

  function senderOf(data, m) {
    const first = data.a.message_first;
    let low = 0, high = data.ranks;
    while (low < high - 1) {
      const mid = (low + high) >> 1;
      if (first[mid] <= m) low = mid; else high = mid;
    }
    return low;
  }

  // groups returns the ways to fold ranks, {what, groups: [{name, ranks}]}: by node, by the name of nodes without their
  // number, and by equal numbers of consecutive ranks. The first way is the finest with few enough rows. Ranks whose
  // shares are known together stay together. It returns null where each rank has room for a row, or ranks are too many.
  const mostRows = 64, mostFolded = 1 << 14;
  const unit = (data) => (data.whole ? 1 : data.ranks_per_row);
  function groups(data) {
    if (data.ranks <= mostRows || data.ranks > mostFolded) return null;
    const node = (r) => /\((.*)\)$/.exec(data.names?.[r] ?? "")?.[1] ?? "";
    const by = (what, name, counted = true) => {
      const found = new Map();
      for (let r = 0; r < data.ranks; r++) {
        if (!found.has(name(r))) found.set(name(r), []);
        found.get(name(r)).push(r);
      }
      return { what, groups: Array.from(found, ([name, ranks]) => ({ name: counted ? `${name} (${ranks.length})` : name, ranks })) };
    };
    const size = Math.ceil(data.ranks / (mostRows / 2) / unit(data)) * unit(data), block = (r) => Math.floor(r / size) * size;
    const ways = [by("nodes", node), by("subclusters", (r) => node(r).replace(/[-_./]?\d+$/, ""))].filter((x) => unit(data) === 1 && x.groups.length > 1 && x.groups.length < data.ranks);
    ways.push(by(`${size} ranks`, (r) => `${block(r)} to ${Math.min(data.ranks, block(r) + size) - 1}`, false));
    return ways.sort((a, b) => (a.groups.length > mostRows) - (b.groups.length > mostRows));
  }

  // shares returns the shares of a run's time that the ranks of a row spend on each kind.
  function shares(data, row) {
    const sum = [0, 0, 0];
    for (let i = 0; i < 3 * data.columns; i++) sum[i % 3] += data.a.bin_share[row * data.columns * 3 + i];
    return sum.map((x) => (x * data.column_s) / 255 / data.seconds);
  }

  // totals returns the time of each rank by kind, in seconds, for the table.
  function totals(data) {
    const rows = [];
    const { span_first: first, span_end: end, span_part: part } = data.a;
    for (let r = 0; data.whole && r < data.ranks; r++) {
      const sum = [0, 0, 0, 0];
      let from = 0;
      for (let i = first[r]; i < first[r + 1]; i++) {
        sum[data.kindOf[part[i]]] += end[i] - from;
        from = end[i];
      }
      rows.push({ rank: r, finish: from * data.tick_s, sum: sum.map((x) => x * data.tick_s) });
    }
    return rows;
  }

  return { decode, draw, layout, groups, unit, shares, explain, spanAt, span, totals, theme, time, bytes, hatch, KINDS, NEVER };
})();
