// Draws the charts of the page; each kind of chart has a file in the folder kinds. The page holds a JSON specification
// of each chart: options of ECharts, with data and structure. The script adds what depends on the reader's screen:
// colours, fonts, margins, number formats, tooltips.
const root = document.documentElement;

const narrowWidth = 560; // CSS pixels; below it a chart is laid out for a phone

// What each kind of chart provides. tooltip(look) returns a function that makes a tooltip of a point; dress(look) fills
// in the options (by default as for two axes); rows(spec) returns the data for a file; key(name, look) returns a legend
// entry; zoom: the reader can choose scales and parts of the axes; pointer: type of the axis pointer; crisp: edges are
// not smoothed; refuse() says why the chart cannot be drawn; mounted(chart) adds controls; before(chart, drawn) is
// called before each drawing.
const kinds = {};

// How a series of each role is drawn. The second argument is the look of the chart, with role, colour and halo.
const roles = {
  cells(series, { theme }) {
    series.progressive = 0;
    series.emphasis = { itemStyle: { borderColor: theme.ink, borderWidth: 1 } };
  },
  targets(series, { theme, width }) {
    series.silent = true;
    series.z = 6;
    series.tooltip = { show: false };
    Object.assign(series.markLine, {
      silent: true, precision: -1, // else the library rounds the position of the line to hundredths
      lineStyle: { color: theme.ink, type: [6, 4], width: 1.25 },
      label: Object.assign(series.markLine.label || {}, {
        show: true, color: theme.ink, fontSize: 11.5,
        textBorderColor: theme.paper, textBorderWidth: 3,
        formatter: (p) => shorten(p.name, Math.floor(width / 9)),
      }),
    });
  },
};

// Prints integers up to 2^53 with all digits, other numbers with six significant digits and no trailing zeros.
function format(value) {
  if (typeof value !== "number" || !isFinite(value)) return "";
  if (Number.isSafeInteger(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const parts = value.toExponential(5).split("e");
    return Number(parts[0]) + "e" + Number(parts[1]);
  }
  return String(Number(value.toPrecision(6)));
}

function formatShort(value) {
  return typeof value === "number" ? format(Number(value.toPrecision(3))) : "";
}

// The value itself: a chart with a logarithmic colour scale holds its logarithm.
function unscaled(log, value) {
  return log ? 10 ** value : value;
}

// The width of a text in CSS pixels.
const ruler = document.createElement("canvas").getContext("2d");
function measure(text, size, theme) {
  ruler.font = size + "px " + theme.font;
  return ruler.measureText(text).width;
}

// The text, or as much of its beginning as a line has room for.
function fit(text, room, size, theme) {
  const letters = Array.from(text.slice(0, 1000));
  let [fits, length] = [0, letters.length + 1];
  if (letters.join("") === text && measure(text, size, theme) <= room) return text;
  while (length - fits > 1) {
    const middle = Math.floor((fits + length) / 2);
    if (measure(letters.slice(0, middle).join("") + "…", size, theme) <= room) fits = middle;
    else length = middle;
  }
  return letters.slice(0, fits).join("") + "…";
}

// Shortens names to the room that they have, so that different names stay different. A name loses its end, or its
// middle if names begin alike, or the beginning that it shares with others if even that is not enough.
function fitApart(names, room, size, theme) {
  const head = names.map((name) => fit(name, room, size, theme));
  const middle = names.map((name) => fitMiddle(name, room, size, theme));
  const distinct = (texts, k) => names.every((name, i) => name === names[k] || texts[i] !== texts[k]);
  return names.map((name, k) => {
    if (distinct(head, k)) return head[k];
    if (distinct(middle, k)) return middle[k];
    const common = Math.max(...names.filter((other) => other !== name).map((other) => sameStart(name, other)));
    return fit("…" + Array.from(name).slice(Math.max(0, common - 1)).join(""), room, size, theme);
  });
}

function sameStart(a, b) {
  const [x, y] = [Array.from(a), Array.from(b)];
  let k = 0;
  while (k < x.length && x[k] === y[k]) k++;
  return k;
}

function fitMiddle(text, room, size, theme) {
  if (measure(text, size, theme) <= room) return text;
  let length = Math.min(Array.from(text).length, Math.ceil(room / 3));
  while (length > 2 && measure(shortenMiddle(text, length), size, theme) > room) length--;
  return shortenMiddle(text, length);
}

// Cuts out the middle of a text: the end of a link's name often tells more.
function shortenMiddle(text, length) {
  const letters = Array.from(text);
  if (letters.length <= length) return text;
  const head = Math.ceil((length - 1) / 2);
  return letters.slice(0, head).join("") + "…" + letters.slice(letters.length - (length - 1 - head)).join("");
}

function shorten(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

function readTheme() {
  const style = getComputedStyle(root);
  const colour = (name) => style.getPropertyValue("--" + name).trim();
  return {
    paper: colour("paper"), ink: colour("ink"), muted: colour("muted"),
    rule: colour("rule"), grid: colour("grid"),
    series: [1, 2, 3, 4, 5, 6, 7, 8].map((k) => colour("series-" + k)),
    heat: [1, 2, 3, 4, 5].map((k) => colour("heat-" + k)),
    both: [1, 2, 3, 4, 5].map((k) => colour("both-" + k)),
    font: getComputedStyle(document.body).fontFamily,
  };
}

function element(tag, text) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  return e;
}

// A tooltip is built from elements and never from markup: names come from imported files.
function tip(...parts) {
  const box = element("div");
  box.className = "tip";
  box.append(...parts);
  return box;
}

// A row of a tooltip: a colour key, a name and a value.
function tipRow(colour, name, value) {
  const row = element("div");
  const key = element("i");
  key.style.background = colour;
  row.append(key, element("span", shorten(name, 60)), element("em", value));
  return row;
}

// The name of a series: that of its role where several series share an entry of the legend.
const told = (spec, k) => spec.roles[k].name || spec.option.series[k].name;

function colourOf(role, theme) {
  if (role.kind === "ideal") return theme.muted;
  if (role.share) return ramp(theme.heat, role.share);
  return theme.series[role.colour];
}

// The colour at a share of a ramp, interpolated between its two neighbours.
function ramp(colours, share) {
  const at = Math.min(1, Math.max(0, share)) * (colours.length - 1), k = Math.min(Math.floor(at), colours.length - 2);
  const parts = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  const [a, b] = [parts(colours[k]), parts(colours[k + 1])];
  return "rgb(" + a.map((v, i) => Math.round(v + (b[i] - v) * (at - k))).join(",") + ")";
}

// A whisker from one point to another, level or upright, with a line across each end.
function whisker([x1, y1], [x2, y2], level, stroke) {
  const [across, up] = level ? [0, 3.5] : [3.5, 0];
  const line = (x1, y1, x2, y2) => ({ type: "line", silent: true, shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth: 1.25 } });
  return [line(x1, y1, x2, y2), ...[[x1, y1], [x2, y2]].map(([x, y]) => line(x - across, y - up, x + across, y + up))];
}

// Gives a numeric axis the limits and ticks that it has in the drawing.
function dressScale(axis, scale, narrow) {
  if (!scale) return;
  const ticks = narrow ? scale.narrow : scale.wide, labels = new Map(ticks.map((t) => [t.at, t.label]));
  const places = ticks.map((t) => t.at), longest = ticks.reduce((most, t) => (t.label.length > most.length ? t.label : most), "");
  Object.assign(axis, { min: scale.min, max: scale.max, name: scale.name });
  axis.axisTick.customValues = axis.axisLabel.customValues = axis.splitLine.customValues = places;
  axis.axisLabel.formatter = (value) => labels.get(value) ?? longest; // the library makes room for labels of ticks of its own, too
  axis.axisLabel.hideOverlap = false;
}

function dressAxis(axis, logBase, theme, width) {
  const value = axis.type !== "category";
  Object.assign(axis, {
    axisLine: { show: true, onZero: false, lineStyle: { color: theme.muted } },
    axisTick: { show: value, lineStyle: { color: theme.muted } },
    minorTick: { show: false },
    splitLine: { show: value, lineStyle: { color: theme.grid } },
    axisLabel: { color: theme.muted, fontSize: 12, fontFamily: theme.font, margin: 10, hideOverlap: true },
    nameTruncate: { maxWidth: width - 70, ellipsis: "…" },
    nameTextStyle: { color: theme.ink, fontSize: 12.5 },
  });
  if (value) axis.axisLabel.formatter = format;
  if (logBase) axis.logBase = logBase;
}

// Shows up to eight category names on as many lines as they need, and of more names as many as fit.
function dressCategories(x, grid, width, theme) {
  if (x.data.length > 8) {
    apart(x, 90, theme);
    return;
  }
  const slot = (width - 110) / Math.max(1, x.data.length), room = slot - 4; // beside the labels and the title of the y axis
  const lines = apart(x, 2.6 * room, theme, (name) => broken(name, room, theme)).map((name) => name.split("\n"));
  const wide = lines.flat().some((line) => measure(line, 12, theme) > room), more = Math.max(1, ...lines.map((l) => l.length)) - 1;
  Object.assign(x.axisLabel, { width: slot, overflow: "break", lineHeight: 15, interval: 0, hideOverlap: false, fontSize: wide ? 11 : 12 });
  x.nameGap += 14 * more;
  grid.bottom += 14 * more;
}

function dressAxes({ spec, option, theme, width, height }) {
  const x = option.xAxis[0], y = option.yAxis[0];
  const narrow = width < narrowWidth;
  dressAxis(x, spec.x && spec.x.base, theme, width);
  dressAxis(y, spec.y && spec.y.base, theme, width);
  x.nameGap = 34;
  y.nameGap = 14;
  y.nameTextStyle.align = "left";
  if (x.type === "category") {
    dressCategories(x, option.grid, width, theme);
  } else {
    x.splitNumber = narrow ? 4 : 8;
  }
  dressScale(x, spec.x, narrow);
  dressScale(y, spec.y, narrow);
  if (spec.y && y.type !== "category") upright(y, option.grid, (narrow ? spec.y.narrow : spec.y.wide).map((t) => t.label), height, theme);
  for (const axis of [x, y]) if (axis.type !== "category") labelRoom(axis, option.grid, theme);
  if (y.type === "category") {
    const room = width * (narrow ? 0.36 : 0.3), lines = Math.max(1, Math.min(3, Math.floor((height - 110) / y.data.length / 17))); // that a row has room for
    Object.assign(y.axisLabel, { interval: 0, lineHeight: 14 });
    const shown = apart(y, lines > 1 ? (lines - 0.35) * room : room, theme, (name) => broken(name, room, theme));
    if (y.name) upright(y, option.grid, shown.flatMap((name) => name.split("\n")), height, theme);
  }
}

// Sets the title of a y axis upright beside its labels, with room for wider labels of other scales.
function upright(y, grid, ticks, height, theme) {
  const labels = Math.max(0, ...ticks.map((t) => measure(t, 12, theme))), room = Math.max(labels, 34);
  Object.assign(y, { nameLocation: "middle", nameRotate: 90, nameGap: room + 22 });
  y.nameTextStyle.align = "center";
  y.nameTruncate.maxWidth = height - 110;
  grid.left = Math.ceil(room - labels) + 24;
}

// Shortens the category names of an axis to the room for them, and returns the result.
function apart(axis, room, theme, lines = (name) => name) {
  const shown = fitApart(axis.data, room, 12, theme).map(lines), names = new Map(shown.map((text, k) => [axis.data[k], text]));
  axis.axisLabel.formatter = (name) => names.get(name) || name;
  return shown;
}

// Breaks a text into lines between words, and a word that is too long even in small letters at its joints.
function broken(text, room, theme) {
  const words = isoscaleElements.joined(text).split(" ").flatMap((word) => (measure(word, 11, theme) > room + 4 ? word.split("\u00a0") : word));
  return words.reduce((lines, word) => lines + (measure(lines.split("\n").at(-1) + " " + word, 12, theme) > room ? "\n" : " ") + word);
}

// Makes room for the half of the last x label that extends beyond the axis.
function labelRoom(axis, grid, theme) {
  if (axis.nameLocation === "middle") grid.right = Math.max(grid.right, Math.ceil(measure("0.000000", 12, theme) / 2));
}

const scaleFont = 12.5, scaleGap = 8, scaleTicks = 14; // CSS pixels; the last is the height of a line of ticks

// Puts the colour scale above the plot, and below the scale those ticks whose labels have room. Returns their height.
function dressColours(option, theme, width) {
  const scale = option.visualMap[0];
  scale.text[1] = fit(scale.text[1], width - 100, scaleFont, theme);
  const start = measure(scale.text[1], scaleFont, theme) + scaleGap;
  const length = Math.max(40, Math.min(220, width - start - 40));
  Object.assign(scale, {
    left: 0, top: 0, padding: [2, 0], itemWidth: 10, itemHeight: length, textGap: scaleGap,
    textStyle: { color: theme.ink, fontSize: scaleFont }, inRange: { color: theme.heat },
  });
  option.graphic = [];
  let end = -6; // of the last label, with the gap
  for (const tick of scale.ticks) {
    const at = start + (length * (tick.at - scale.min)) / (scale.max - scale.min);
    const room = measure(tick.label, 10.5, theme) / 2;
    if (at - room < end + 6 || at + room > width) continue;
    end = at + room;
    option.graphic.push(
      { type: "line", silent: true, shape: { x1: at, y1: 15, x2: at, y2: 19 }, style: { stroke: theme.muted, lineWidth: 1 } },
      { type: "text", silent: true, x: at, y: 20, style: { text: tick.label, fill: theme.muted, font: "10.5px " + theme.font, align: "center", verticalAlign: "top" } });
  }
  return scaleTicks;
}

const outlines = { rings: "circle", squares: "rect", diamonds: "diamond" }; // symbols of points by their layer
const shapes = {
  contours: "path://M0,4h20v2h-20z", path: "path://M0,2.5h20v4h-20z",
  dashes: "path://M0,4h5v2h-5z M7.5,4h5v2h-5z M15,4h5v2h-5z",
  arrows: "path://M0,3.6h12v-2.6l8,3.6l-8,3.6v-2.6h-12z",
  ...outlines, squares: "path://M0,0h9v9h-9z", diamonds: "path://M5,0l5,5l-5,5l-5,-5z",
};

// Gives the layers of a surface their marks in the legend, below the colour scale. Returns its number of lines.
function dressMarks(marks, option, theme, width, top) {
  const outlined = (mark) => mark in outlines;
  option.legend.data = option.legend.data.map((name, k) => {
    const mark = marks[k];
    const style = { color: outlined(mark) ? theme.paper : mark === "path" ? theme.series[0] : theme.ink, borderWidth: 0 };
    if (outlined(mark)) Object.assign(style, { borderColor: theme.ink, borderWidth: 2 });
    return { name, icon: shapes[mark], itemStyle: style };
  });
  return breakLegend(option, theme, width, top);
}

const legendLine = 22; // CSS pixels

// Breaks the legend into lines where it must, and returns their number.
function breakLegend(option, theme, width, top) {
  const legend = option.legend;
  let rows = legend.data.length > 0 ? 1 : 0, used = 0;
  for (const item of legend.data) {
    const room = legend.itemWidth + 7 + measure(legend.formatter(item.name || item), legend.textStyle.fontSize, theme);
    if (used > 0 && used + room > width) {
      rows++;
      used = 0;
    }
    used += room + legend.itemGap;
  }
  legend.top = top;
  legend.type = "plain";
  return rows;
}

// Fills in the legend. Each line after the first makes the chart higher.
function dressLegend({ spec, option, theme, width }) {
  const keys = new Map(option.series.map((s, k) => [s.name, spec.roles[k].key]).filter((pair) => pair[1]));
  const outlines = new Map(option.series.map((s, k) => [s.name, spec.roles[k].outline]));
  option.legend.data = (option.legend.data || []).map((name) => {
    const item = { name };
    if (kinds[spec.kind].key) Object.assign(item, kinds[spec.kind].key(name, { spec, option, theme }));
    const outline = outlines.get(name); // the library does not inherit it
    if (outline) item.itemStyle = { borderType: outline === "dashed" ? [3, 2] : outline };
    if (keys.has(name)) Object.assign(item, { icon: shapes[keys.get(name)], itemStyle: { borderWidth: 0 } });
    return item;
  });
  const rows = breakLegend(option, theme, width, 0);
  option.grid.top = (option.yAxis[0].nameRotate ? 20 : 42) + legendLine * rows;
  spec.extra = legendLine * (rows - 1);
}

// Dresses each series as its role says; kinds add roles of their own. The halo of a line, a wider line below it in the
// colour of the paper, has the role of the line with -halo.
function dressSeries(look) {
  const { spec, option, theme } = look;
  option.series.forEach((series, k) => {
    const role = spec.roles[k], [kind, halo] = role.kind.split("-");
    roles[kind](series, { ...look, role, colour: colourOf(role, theme), halo: halo !== undefined });
  });
}

function dressPlane(look) {
  dressAxes(look);
  dressSeries(look);
  dressLegend(look);
}

function dressed(text, theme, width, height, state) {
  const spec = JSON.parse(text), option = spec.option, kind = kinds[spec.kind];
  const narrow = width < narrowWidth, look = { spec, option, own: spec.own, theme, width, height, narrow, state };
  option.color = theme.series;
  option.textStyle = { fontFamily: theme.font, color: theme.ink };
  Object.assign(option.legend, {
    left: 0, top: 0, right: 0, itemWidth: 20, itemHeight: 10, itemGap: narrow ? 10 : 16, padding: [4, 0],
    textStyle: { color: theme.ink, fontSize: 12.5 },
    inactiveColor: theme.rule, pageIconColor: theme.ink, pageIconInactiveColor: theme.rule,
    pageTextStyle: { color: theme.muted }, pageIconSize: 11,
    formatter: (name) => fit(name, width - 40, 12.5, theme),
  });
  if (option.xAxis) option.grid = { left: 4, right: 18, top: 64, bottom: 36, containLabel: true };
  Object.assign(option.tooltip, {
    confine: true, formatter: kind.tooltip(look),
    backgroundColor: theme.paper, borderColor: theme.rule, padding: [6, 10],
    textStyle: { color: theme.ink, fontFamily: theme.font },
    extraCssText: "box-shadow: none; border-radius: 4px;",
    axisPointer: { type: kind.pointer || "line", lineStyle: { color: theme.muted }, shadowStyle: { color: theme.muted, opacity: 0.12 } },
  });
  (kind.dress || dressPlane)(look);
  return { spec, option };
}
