// A surface in space, which the reader can turn.
kinds["surface in space"] = {
  dress: dressSpace,
  refuse: refuseSpace,
  // The nearest point of the grid: between grid points nothing was computed.
  tooltip: ({ own: space, option }) => function (found) {
    if (found.seriesType !== "surface") return "";
    const rows = space.grid.length, columns = space.grid[0].length, x = option.xAxis3D, y = option.yAxis3D;
    const nearest = (axis, value, n) => Math.round(((value - axis.min) / (axis.max - axis.min)) * (n - 1));
    const at = (axis, k, n) => axis.min + ((axis.max - axis.min) * k) / (n - 1);
    const where = (names, axis, k, n) => (names ? shorten(names[k], 60) : format(at(axis, k, n)));
    const column = nearest(x, found.value[0], columns), row = nearest(y, found.value[1], rows), value = space.grid[row][column];
    if (value === null) return "";
    return tip(element("b", shorten(space.x, 60) + ": " + where(space.xNames, x, column, columns)),
      element("b", shorten(space.y, 60) + ": " + where(space.yNames, y, row, rows)), tipRow(found.color, space.value, format(unscaled(space.log, value))));
  },
  mounted: control,
  // On a phone the chart is as high as wide, plus the legend. A chart that the reader has turned stays turned.
  before({ plot, hint, advice, chart, height, width }, { spec, option }) {
    plot.style.height = Math.min(height, width + 60) + "px";
    hint.textContent = spec.key + advice;
    const before = chart.getOption();
    if (!before) return;
    const { alpha, beta } = before.grid3D[0].viewControl;
    Object.assign(option.grid3D.viewControl, { alpha, beta });
  },
};

// A surface in space is drawn on a finer grid than that of its values, so that
// it follows the same bilinear interpolation as the lines on it.
function fineGrid(space, x, y) {
  const rows = space.grid.length, columns = space.grid[0].length;
  const fine = 60; // points along a side, about
  const steps = Math.max(1, Math.min(8, Math.floor(fine / Math.max(rows - 1, columns - 1))));
  const data = [];
  const m = (columns - 1) * steps + 1, n = (rows - 1) * steps + 1;
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < m; i++) {
      const column = Math.min(Math.floor(i / steps), columns - 2), row = Math.min(Math.floor(j / steps), rows - 2);
      const u = i / steps - column, v = j / steps - row;
      let z = 0;
      for (const [dy, dx, weight] of [[0, 0, (1 - u) * (1 - v)], [0, 1, u * (1 - v)], [1, 0, (1 - u) * v], [1, 1, u * v]]) {
        if (weight === 0) continue;
        const corner = space.grid[row + dy][column + dx];
        z = corner === null ? NaN : z + weight * corner;
      }
      data.push([x.min + ((x.max - x.min) * i) / (m - 1), y.min + ((y.max - y.min) * j) / (n - 1), z]);
    }
  }
  return { data, m, n, steps };
}

// The points of the grid lines, of which at most about 30 are drawn each way.
function gridLines(fine, lift) {
  const points = [];
  const add = (i, j) => {
    const p = fine.data[j * fine.m + i];
    points.push(isNaN(p[2]) ? null : [p[0], p[1], p[2] + lift]);
  };
  const every = fine.steps * Math.ceil(Math.max(fine.m, fine.n) / fine.steps / 30);
  for (let j = 0; j < fine.n; j += every) {
    for (let i = 0; i < fine.m; i++) add(i, j);
    points.push(null);
  }
  for (let i = 0; i < fine.m; i += every) {
    for (let j = 0; j < fine.n; j++) add(i, j);
    points.push(null);
  }
  return points;
}

// Makes one line in space of many pieces: invisible points lead from each piece to the next.
function pieces(points) {
  const data = [];
  let last = null;
  for (const p of points) {
    if (p === null) {
      if (last !== null) data.push({ value: last, lineStyle: { opacity: 0 } });
      last = null;
      continue;
    }
    if (last === null) data.push({ value: p, lineStyle: { opacity: 0 } });
    data.push(p);
    last = p;
  }
  return data;
}

function dressSpace({ spec, option, own: space, theme, width, narrow }) {
  const x = option.xAxis3D, y = option.yAxis3D, z = option.zAxis3D;
  option.visualMap[0].seriesIndex = 0;
  option.visualMap[0].dimension = 2;
  const ticks = dressColours(option, theme, width);
  const rows = dressMarks(space.marks, option, theme, width, 24 + ticks);
  const height = z.max - z.min;
  const lift = 0.006 * height; // lines would flicker in the surface
  const fine = fineGrid(space, x, y);
  option.series.forEach((series, k) => {
    const kind = spec.roles[k].kind;
    if (kind === "cells") {
      Object.assign(series, {
        data: fine.data.map((p) => (isNaN(p[2]) ? [p[0], p[1], "-"] : p)), dataShape: [fine.n, fine.m],
        shading: "lambert", wireframe: { show: false }, itemStyle: { opacity: 1 },
      });
      return;
    }
    const lifted = series.data.map((p) => (p === null ? null : [p[0], p[1], p[2] + 2 * lift]));
    series.silent = true;
    if (kind in outlines) {
      Object.assign(series, {
        data: lifted, symbol: outlines[kind], symbolSize: narrow ? 8 : 10, label: { show: false }, emphasis: { label: { show: false } },
        itemStyle: { color: theme.paper, borderColor: theme.ink, borderWidth: 2, opacity: 1 },
      });
      return;
    }
    series.data = kind === "dashes" ? pieces(dashed(lifted)) : pieces(lifted);
    series.lineStyle = {
      color: kind === "path" ? theme.series[0] : theme.ink, opacity: 1,
      width: { contours: 1.5, dashes: 1.5, arrows: 1.75, path: 5 }[kind] * (narrow ? 0.8 : 1),
    };
  });
  option.series.push({ type: "line3D", silent: true, data: pieces(gridLines(fine, lift)), lineStyle: { color: theme.ink, opacity: 0.22, width: 1 } });
  // A letter stands for a name that would be cut off: a long one, above all at the upright axis, or any on a phone.
  const key = [];
  for (const [letter, axis, longest] of [["x", x, 180], ["y", y, 180], ["z", z, 100]]) {
    if (!narrow && measure(axis.name, 13, theme) <= longest) continue;
    key.push(letter + ": " + shorten(axis.name, 80));
    axis.name = letter;
  }
  spec.key = key.length > 0 ? key.join("; ") + ". " : "";
  const room = { padding: [5, 2], backgroundColor: "transparent" }; // a text without a box loses its upper edge
  const few = narrow ? 3 : 5;
  for (const [axis, given, log] of [[x, space.xNames], [y, space.yNames], [z, undefined, space.log]]) {
    let step = roundStep((axis.max - axis.min) / few);
    if (log) step = Math.max(1, Math.ceil(step));
    if (log && axis.max - axis.min < 2) step = roundStep((axis.max - axis.min) / 3);
    if (given) step = ((axis.max - axis.min) / (given.length - 1)) * Math.ceil((given.length - 1) / few);
    Object.assign(axis, {
      nameGap: narrow ? 28 : 24, minInterval: step, maxInterval: step,
      nameTextStyle: { color: theme.ink, fontSize: 13, fontFamily: theme.font, ...room },
      axisLabel: {
        ...room,
        formatter: (value) => (given ? levelName(value, axis, given) : offTick(value, step) ? "" : formatShort(unscaled(log, value))), margin: 8,
        color: theme.muted, fontSize: narrow ? 11 : 12, fontFamily: theme.font,
      },
    });
  }
  option.grid3D = {
    top: 40 + ticks + legendLine * rows, bottom: 0, left: 0, right: 0, height: "auto", width: "auto", boxWidth: 100, boxDepth: 100, boxHeight: 65,
    axisLine: { lineStyle: { color: theme.muted, width: 1 } }, axisTick: { lineStyle: { color: theme.muted } },
    splitLine: { lineStyle: { color: theme.grid, width: 1 } },
    axisPointer: { show: false }, environment: "none",
    light: { main: { intensity: 0.55, alpha: 45, beta: 25 }, ambient: { intensity: 0.65 } },
    viewControl: Object.assign({ distance: narrow ? 225 : 165, center: [0, -16, 0], animation: false, panMouseButton: "right", maxDistance: 500 }, homeView),
  };
}

// The smallest of 1, 2 and 5 times a power of ten that is not below a distance.
function roundStep(distance) {
  const power = 10 ** Math.floor(Math.log10(distance));
  for (const factor of [1, 2, 5]) if (factor * power >= distance * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

// The ends of an axis are ticks even where they are no multiples of the step; they then have no number.
function offTick(value, step) {
  return Math.abs(value - Math.round(value / step) * step) > 1e-6 * step;
}

// The name of the level at a value. Levels have equal distances; a value between two has no name.
function levelName(value, axis, names) {
  const k = ((value - axis.min) / (axis.max - axis.min)) * (names.length - 1);
  return Math.abs(k - Math.round(k)) > 1e-6 ? "" : shorten(names[Math.round(k)] || "", 12);
}

const homeView = { alpha: 24, beta: 32 };

// Leaves out every other piece between two points.
function dashed(points) {
  const out = [];
  points.forEach((p, k) => {
    out.push(p);
    if (k % 2 === 1) out.push(null);
  });
  return out;
}

// The library for charts in space makes functions from texts for the sizes of textures, such as
// [width * 1.0 / 2, height / 2]. The page's policy forbids functions from text, and should. These few texts are
// therefore parsed here; all others still fail.
function readSizes() {
  const size = (text) => {
    const parts = /^\s*(width|height)(?:\s*\*\s*1\.0)?(?:\s*\/\s*(\d+))?\s*$/.exec(text);
    if (!parts) throw new EvalError("not a size: " + text);
    const divisor = Number(parts[2] || 1);
    return (width, height) => (parts[1] === "width" ? width : height) / divisor;
  };
  const construct = (target, args) => {
    const text = String(args[3]).replace(/^return /, "").trim();
    const list = /^\[(.*)\]$/.exec(text);
    if (!list) return size(text);
    const sizes = list[1].split(",").map(size);
    return (width, height) => sizes.map((f) => f(width, height));
  };
  window.Function = new Proxy(Function, { construct });
}

// Only the first charts in space of a page are drawn: a browser that has about sixteen takes the drawing area from
// the oldest.
const mostInSpace = 8;
let inSpace = 0;

let webGL; // undefined until the first chart asks

// The reason why a chart in space cannot be drawn, or nothing.
function refuseSpace() {
  const where = " Its numbers are in the data table below, and in the flat map of the same surface where the page has one.";
  if (webGL === undefined) webGL = hasWebGL();
  if (!webGL) return "This chart in space needs WebGL, which this browser lacks or has turned off." + where;
  if (++inSpace > mostInSpace) return "Only the first " + mostInSpace + " charts in space of a page are drawn." + where;
  return "";
}

function hasWebGL() {
  const context = document.createElement("canvas").getContext("webgl");
  if (!context) return false;
  const release = context.getExtension("WEBGL_lose_context"); // a browser has few
  if (release) release.loseContext();
  return true;
}

// The wheel scrolls the page unless Ctrl is held, and the arrow keys turn the chart.
function control({ plot, chart }) {
  const pass = (event) => {
    if (!event.ctrlKey) event.stopPropagation();
  };
  for (const name of ["wheel", "mousewheel", "DOMMouseScroll"]) plot.addEventListener(name, pass, true);
  plot.addEventListener("keydown", (event) => {
    const turn = { ArrowLeft: [0, 10], ArrowRight: [0, -10], ArrowUp: [10, 0], ArrowDown: [-10, 0] }[event.key];
    if (!turn || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { alpha, beta } = chart.getOption().grid3D[0].viewControl;
    chart.setOption({ grid3D: { viewControl: { alpha: Math.max(-90, Math.min(90, alpha + turn[0])), beta: beta + turn[1] } } });
  });
}

if (document.querySelector(".space")) readSizes();
