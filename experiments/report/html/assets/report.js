// Draws the charts of the page. Each figure holds a JSON specification: the
// options of ECharts with data and structure. This script adds what depends on
// the reader's screen: colours, fonts, margins, number formats, tooltips.
"use strict";
(function () {
  const root = document.documentElement;
  const narrowWidth = 560; // CSS pixels; below it a chart is laid out for a phone

  // Integers up to 2^53 with all digits, others with six significant ones and no more
  // zeros than needed.
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

  // What a chart has in place of a value on a logarithmic scale of colours.
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

  // Names cut to the room that they have, such that different names stay different:
  // where their beginnings are the same, the middle is cut out, and where that is not
  // enough, what they have in common.
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

  // The end of the name of a link often tells more than its middle.
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

  // The tooltip is built from elements and never from markup: names come from
  // imported files.
  function tooltip(spec, option, theme) {
    const valueAt = spec.bars ? (p) => p.value : (p) => p.value[1];
    const xName = spec.horizontal ? option.yAxis[0].name : option.xAxis[0].name;
    return function (found) {
      if (!spec.bars) found = everyCurve(spec, option, found);
      const rows = found.filter((p) => spec.roles[p.seriesIndex].kind !== "targets" && typeof valueAt(p) === "number");
      if (rows.length === 0) return "";
      const box = element("div");
      box.className = "tip";
      const at = spec.bars ? rows[0].name : format(rows[0].value[0]);
      box.append(element("b", shorten(xName, 60) + ": " + shorten(at, 60)));
      for (const p of rows) {
        const role = spec.roles[p.seriesIndex];
        const row = element("div");
        const key = element("i");
        key.style.background = role.kind === "offset" ? "transparent" : colourOf(spec, role, theme);
        let name = shorten(p.seriesName, 60);
        if (role.kind === "points") name += ", " + shorten(p.name, 60);
        if (p.elsewhere) name += " at " + format(p.value[0]);
        let value = format(valueAt(p));
        if (role.kind === "whisker") name += ", range";
        if (role.kind === "band" || role.kind === "whisker") value += " to " + format(p.value[2]);
        row.append(key, element("span", name), element("em", value));
        box.append(row);
      }
      return box;
    };
  }

  // What the library finds at a place are the curves with a point right there. The
  // others that are visible have their nearest point, if the place is within their ends.
  function everyCurve(spec, option, found) {
    const first = found.find((p) => p.value && spec.roles[p.seriesIndex].kind !== "targets");
    if (!first) return found;
    const x = first.value[0], hidden = spec.hidden ? spec.hidden() : new Set();
    const distance = option.xAxis[0].type === "log" ? (v) => Math.abs(Math.log(v / x)) : (v) => Math.abs(v - x);
    const out = [];
    option.series.forEach((series, seriesIndex) => {
      const at = found.filter((p) => p.seriesIndex === seriesIndex);
      out.push(...at);
      const kind = spec.roles[seriesIndex].kind;
      if (at.length > 0 || (kind !== "data" && kind !== "ideal") || hidden.has(series.name) || series.data.length === 0) return;
      const xs = series.data.map((d) => d.value[0]);
      if (x < Math.min(...xs) || x > Math.max(...xs)) return;
      const nearest = series.data.reduce((a, b) => (distance(b.value[0]) < distance(a.value[0]) ? b : a));
      out.push({ seriesIndex, seriesName: series.name, value: nearest.value, elsewhere: nearest.value[0] !== x });
    });
    return out;
  }

  function cellTooltip(heat, option) {
    const x = option.xAxis[0], rows = option.yAxis[0].data;
    const start = (column) => x.min + ((x.max - x.min) * column) / heat.columns;
    return function (cell) {
      const [column, row, value] = cell.value;
      const box = element("div");
      box.className = "tip";
      box.append(element("b", shorten(rows[row], 60)));
      const unit = heat.xUnit ? " " + heat.xUnit : "";
      box.append(element("div", format(start(column)) + " to " + format(start(column + 1)) + shorten(unit, 20)));
      const line = element("div");
      const key = element("i");
      key.style.background = cell.color;
      line.append(key, element("span", shorten(heat.value, 60)), element("em", format(unscaled(heat.log, value))));
      box.append(line);
      return box;
    };
  }

  function surfaceTooltip(surface, option) {
    const columns = option.xAxis[0].data, rows = option.yAxis[0].data;
    return function (cell) {
      const [column, row, value] = cell.value;
      const box = element("div");
      box.className = "tip";
      box.append(element("b", shorten(surface.x, 60) + ": " + columns[column]));
      box.append(element("b", shorten(surface.y, 60) + ": " + rows[row]));
      const line = element("div");
      const key = element("i");
      key.style.background = cell.color;
      line.append(key, element("span", shorten(surface.value, 60)), element("em", format(unscaled(surface.log, value))));
      box.append(line);
      return box;
    };
  }

  // A row of a tooltip: a key in a colour, what is shown, its value.
  function tipRow(colour, name, value) {
    const row = element("div");
    const key = element("i");
    key.style.background = colour;
    row.append(key, element("span", shorten(name, 60)), element("em", value));
    return row;
  }

  // The nearest point of the grid: between grid points nothing was computed.
  function spaceTooltip(space, option) {
    const rows = space.grid.length, columns = space.grid[0].length;
    const nearest = (axis, value, n) => Math.round(((value - axis.min) / (axis.max - axis.min)) * (n - 1));
    const at = (axis, k, n) => axis.min + ((axis.max - axis.min) * k) / (n - 1);
    const x = option.xAxis3D, y = option.yAxis3D;
    return function (found) {
      if (found.seriesType !== "surface") return "";
      const column = nearest(x, found.value[0], columns), row = nearest(y, found.value[1], rows);
      const value = space.grid[row][column];
      if (value === null) return "";
      const box = element("div");
      box.className = "tip";
      const where = (names, axis, k, n) => (names ? shorten(names[k], 60) : format(at(axis, k, n)));
      box.append(element("b", shorten(space.x, 60) + ": " + where(space.xNames, x, column, columns)));
      box.append(element("b", shorten(space.y, 60) + ": " + where(space.yNames, y, row, rows)));
      box.append(tipRow(found.color, space.value, format(unscaled(space.log, value))));
      return box;
    };
  }

  function scatterTooltip(spec, option, theme) {
    const x = option.xAxis[0].name, y = option.yAxis[0].name;
    return function (found) {
      const role = spec.roles[found.seriesIndex];
      if (!["dots", "faint", "labels"].includes(role.kind)) return "";
      const box = element("div");
      box.className = "tip";
      box.append(element("b", shorten(found.name || found.seriesName, 120)));
      const colour = seriesColour(spec, found.seriesName, role, theme);
      box.append(tipRow(colour, x, format(found.value[0])), tipRow(colour, y, format(found.value[1])));
      if (found.name) box.append(element("p", shorten(found.seriesName, 60)));
      if (found.data.notes) box.append(element("p", shorten(found.data.notes, 300)));
      return box;
    };
  }

  function parallelTooltip(spec, theme) {
    return function (found) {
      if (found.seriesType !== "lines") return "";
      const box = element("div");
      box.className = "tip";
      for (const [name, text] of isoscaleParallel.rows(spec.parallel, found.data.index, format)) {
        box.append(tipRow(name === spec.parallel.value ? found.data.lineStyle.color : "transparent", name, shorten(text, 60)));
      }
      return box;
    };
  }

  function tornadoTooltip(tornado, option, theme) {
    return function (found) {
      const [row, result] = found.value;
      const box = element("div");
      box.className = "tip";
      const note = tornado.notes[row][found.seriesIndex];
      box.append(element("b", shorten(option.yAxis[0].data[row], 120)));
      box.append(element("div", shorten(found.seriesName, 60) + (note ? ": " + shorten(note, 60) : "")));
      box.append(tipRow(found.color, tornado.value, format(result)));
      box.append(tipRow("transparent", tornado.label, format(tornado.base)));
      const change = result - tornado.base;
      box.append(tipRow("transparent", "difference", (change > 0 ? "+" : "") + format(change)));
      return box;
    };
  }

  function colourOf(spec, role, theme) {
    if (role.kind === "ideal") return theme.muted;
    if (role.share) return ramp(theme.heat, role.share);
    return theme.series[role.colour];
  }

  // The colour at a share of a ramp, between its two neighbours.
  function ramp(colours, share) {
    const at = Math.min(1, Math.max(0, share)) * (colours.length - 1), k = Math.min(Math.floor(at), colours.length - 2);
    const parts = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
    const [a, b] = [parts(colours[k]), parts(colours[k + 1])];
    return "rgb(" + a.map((v, i) => Math.round(v + (b[i] - v) * (at - k))).join(",") + ")";
  }

  // What lies in the background has no colour.
  function seriesColour(spec, name, role, theme) {
    return role.kind === "faint" || spec.faint.has(name) ? theme.muted : theme.series[role.colour];
  }

  function pickTooltip(spec, option, theme) {
    if (spec.space) return spaceTooltip(spec.space, option);
    if (spec.scatter) return scatterTooltip(spec, option, theme);
    if (spec.parallel) return parallelTooltip(spec, theme);
    if (spec.tornado) return tornadoTooltip(spec.tornado, option, theme);
    if (spec.heat) return cellTooltip(spec.heat, option);
    if (spec.surface) return surfaceTooltip(spec.surface, option);
    return tooltip(spec, option, theme);
  }

  // Limits and ticks of a numeric axis are those of the drawing.
  function dressScale(axis, scale, narrow) {
    if (!scale) return;
    const ticks = narrow ? scale.narrow : scale.wide, labels = new Map(ticks.map((t) => [t.at, t.label]));
    const places = ticks.map((t) => t.at);
    Object.assign(axis, { min: scale.min, max: scale.max, name: scale.name });
    axis.axisTick.customValues = axis.axisLabel.customValues = axis.splitLine.customValues = places;
    axis.axisLabel.formatter = (value) => (labels.has(value) ? labels.get(value) : format(value));
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

  // Up to eight category names are all shown, on two lines where one is too
  // short; of more names, as many as fit.
  function dressCategories(x, grid, width, theme) {
    const letter = 7; // CSS pixels, about
    if (x.data.length > 8) {
      apart(x, 90, theme);
      return;
    }
    const room = (width - 60) / Math.max(1, x.data.length) - 6;
    const perLine = Math.max(2, Math.floor(room / letter));
    Object.assign(x.axisLabel, { width: room, overflow: "break", lineHeight: 15, interval: 0 });
    apart(x, 1.8 * room, theme);
    if (x.data.some((name) => Array.from(name).length > perLine)) {
      x.nameGap += 14;
      grid.bottom += 14;
    }
  }

  function dressAxes(spec, option, theme, width) {
    const x = option.xAxis[0], y = option.yAxis[0];
    const narrow = width < narrowWidth;
    dressAxis(x, spec.x && spec.x.base, theme, width);
    dressAxis(y, spec.y && spec.y.base, theme, width);
    x.nameGap = 34;
    y.nameGap = spec.valueLabel && !spec.horizontal ? 20 : 14;
    y.nameTextStyle.align = "left";
    if (x.type === "category") {
      dressCategories(x, option.grid, width, theme);
    } else {
      x.splitNumber = narrow ? 4 : 8;
    }
    dressScale(x, spec.horizontal || spec.tornado ? spec.y : spec.x, narrow);
    if (!spec.horizontal && !spec.tornado) dressScale(y, spec.y, narrow);
    for (const axis of [x, y]) if (axis.type !== "category") labelRoom(axis, option.grid, theme);
    if (y.type === "category") {
      y.axisLabel.interval = 0;
      apart(y, width * (narrow ? 0.36 : 0.3), theme);
    }
    if (spec.heat) dressHeat(spec, option, theme, width);
    if (spec.surface) dressSurface(spec.surface, option, theme, width);
  }

  // The names of categories in the room that an axis has.
  function apart(axis, room, theme) {
    const names = new Map();
    fitApart(axis.data, room, 12, theme).forEach((text, k) => names.set(axis.data[k], text));
    axis.axisLabel.formatter = (name) => names.get(name) || name;
  }

  // Half of the last label of the x axis stands out over its end.
  function labelRoom(axis, grid, theme) {
    if (axis.nameLocation === "middle") grid.right = Math.max(grid.right, Math.ceil(measure("0.000000", 12, theme) / 2));
  }

  const scaleFont = 12.5, scaleGap = 8, scaleTicks = 14; // CSS pixels; the last is the height of a line of ticks

  // The scale of colours lies above the plot. A logarithmic one has ticks. The
  // height that these take is returned.
  function dressColours(option, log, theme, width) {
    const scale = option.visualMap[0];
    const [name, value] = scale.text[1].split(/(: [^:]*)$/); // the value stays
    scale.text[1] = fit(name, width - 90 - measure(scale.text[0] + value, scaleFont, theme), scaleFont, theme) + value;
    const labels = scale.text.map((text) => measure(text, scaleFont, theme));
    const length = Math.max(40, Math.min(log ? 220 : 160, width - labels[0] - labels[1] - 40));
    Object.assign(scale, {
      left: 0, top: 0, padding: [2, 0], itemWidth: 10, itemHeight: length, textGap: scaleGap,
      textStyle: { color: theme.ink, fontSize: scaleFont }, inRange: { color: theme.heat },
    });
    if (!log) return 0;
    const start = labels[1] + scaleGap, every = Math.max(1, Math.ceil((scale.max - scale.min) / (length / 45)));
    option.graphic = [];
    for (let k = Math.ceil(scale.min + 1e-6); k < scale.max - 1e-6; k++) {
      const at = start + (length * (k - scale.min)) / (scale.max - scale.min);
      const room = measure(format(10 ** k), 10.5, theme) / 2;
      if (k % every !== 0 || at - room < start || at + room > start + length) continue;
      option.graphic.push(
        { type: "line", silent: true, shape: { x1: at, y1: 15, x2: at, y2: 19 }, style: { stroke: theme.muted, lineWidth: 1 } },
        { type: "text", silent: true, x: at, y: 20, style: { text: format(10 ** k), fill: theme.muted, font: "10.5px " + theme.font, align: "center", verticalAlign: "top" } });
    }
    return option.graphic.length > 0 ? scaleTicks : 0;
  }

  const shapes = {
    contours: "path://M0,4h20v2h-20z", path: "path://M0,2.5h20v4h-20z",
    dashes: "path://M0,4h5v2h-5z M7.5,4h5v2h-5z M15,4h5v2h-5z",
    arrows: "path://M0,3.6h12v-2.6l8,3.6l-8,3.6v-2.6h-12z",
    rings: "circle",
  };
  // Points in a legend, which would stretch their symbols, and points on a line.
  const points = {
    circle: "circle", rect: "path://M0,0h10v10h-10z", triangle: "path://M5,0l5,9h-10z", diamond: "path://M5,0l4,5l-4,5l-4,-5z",
    stepped: "path://M0,4h6v-4h9v4h6v1.5h-6v4h-9v-4h-6z",
  };

  // What the legend of a scatter chart shows for a series: a ring if all its points
  // have labels, which are drawn as rings.
  function pointKey(spec, option, name, theme) {
    const of = (...kinds) => option.series.findIndex((s, k) => s.name === name && kinds.includes(spec.roles[k].kind));
    const dots = of("dots", "faint"), labels = of("labels"), steps = of("steps");
    if (dots < 0) return {};
    const colour = spec.faint.has(name) ? theme.muted : theme.series[spec.roles[dots].colour];
    if (steps < 0 && labels >= 0 && option.series[labels].data.length === option.series[dots].data.length) {
      return { icon: "circle", itemStyle: { color: theme.paper, borderColor: colour, borderWidth: 2.5 } };
    }
    return { icon: steps < 0 ? points[option.series[dots].symbol] || option.series[dots].symbol : points.stepped };
  }

  // The legend of the layers of a surface shows their marks. It lies below the
  // scale of colours; the number of its lines is returned.
  function dressMarks(marks, option, theme, width, top) {
    const colours = { path: theme.series[0], rings: theme.paper };
    option.legend.data = option.legend.data.map((name, k) => {
      const mark = marks[k];
      const style = { color: colours[mark] || theme.ink, borderWidth: 0 };
      if (mark === "rings") Object.assign(style, { borderColor: theme.ink, borderWidth: 2 });
      return { name, icon: shapes[mark], itemStyle: style };
    });
    return breakLegend(option, theme, width, top);
  }

  const legendLine = 22; // CSS pixels

  // The legend breaks its line where it must. The number of lines is returned.
  function breakLegend(option, theme, width, top) {
    const legend = option.legend;
    let rows = 1, used = 0;
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

  // The colours of a surface are of its cells alone.
  function dressSurface(surface, option, theme, width) {
    const x = option.xAxis[0], y = option.yAxis[0];
    option.visualMap[0].seriesIndex = 0;
    const ticks = dressColours(option, surface.log, theme, width);
    if (surface.both) option.visualMap[0].inRange.color = theme.both;
    const rows = dressMarks(surface.marks, option, theme, width, 24 + ticks);
    option.grid.top = 56 + ticks + legendLine * rows;
    for (const axis of [x, y]) axis.splitLine.show = false;
    Object.assign(x.axisLabel, { interval: "auto", width: undefined, overflow: "none", formatter: null });
    Object.assign(y.axisLabel, { interval: "auto" });
    x.nameGap = 30;
    option.grid.bottom = 32;
  }

  // A strip of paper between the rows of a heat map leads the eye along them.
  function dressHeat(spec, option, theme, width) {
    const x = option.xAxis[0], y = option.yAxis[0];
    x.splitLine.show = false;
    x.axisLabel.showMaxLabel = false;
    y.z = 3;
    y.splitLine = { show: true, interval: 0, lineStyle: { color: theme.paper, width: 2 } };
    option.legend.show = false;
    option.grid.top = 52 + dressColours(option, spec.heat.log, theme, width);
  }

  function dressSeries(spec, option, theme, width) {
    const freeLabels = labelPlaces(width), captions = new Map();
    const all = [...new Set(option.series.flatMap((s, k) => (spec.roles[k].kind === "labels" ? s.data.map((d) => d.caption) : [])))];
    fitApart(all, 0.45 * width, 12, theme).forEach((text, k) => captions.set(all[k], text));
    const marked = option.series.reduce((n, s, k) => n + (spec.roles[k].kind === "points" ? s.data.length : 0), 0);
    const dress = {
      data(series, colour, above, role) {
        series.itemStyle = { color: colour };
        series.lineStyle = Object.assign({}, series.lineStyle, { color: colour });
        if (role.dash && series.lineStyle.type === "solid") series.lineStyle.type = role.dash.split(",").map(Number);
        if (role.hatch) series.itemStyle.decal = hatch(role.hatch, theme);
        if (above) {
          Object.assign(series.itemStyle, { borderColor: theme.paper, borderWidth: 1 });
          series.z = 4;
        }
        if (!spec.bars) return;
        if (role.outline) Object.assign(series.itemStyle, { color: theme.paper, borderColor: colour, borderWidth: 2, borderType: role.outline });
        if (series.stack) Object.assign(series.itemStyle, { borderColor: theme.paper, borderWidth: series.data.length > 16 ? 0 : 1 });
        const room = (width - 60) / (series.data.length * option.series.length);
        if (spec.valueLabel && (spec.horizontal || room > 40)) {
          series.label = {
            show: true, position: "outside", distance: 4, color: theme.ink, fontSize: 11,
            textBorderColor: theme.paper, textBorderWidth: 2, formatter: (p) => formatShort(p.value),
          };
          series.labelLayout = { hideOverlap: true };
        }
      },
      offset(series) {
        Object.assign(series, { silent: true, itemStyle: { color: "transparent" }, emphasis: { disabled: true } });
      },
      ideal(series) {
        Object.assign(series, { itemStyle: { color: theme.muted }, lineStyle: { color: theme.muted, type: "dashed", width: 1.25 }, symbol: "none", z: 1 });
      },
      whisker(series, colour) {
        Object.assign(series, { silent: true, clip: true, z: 3, encode: { x: 0, y: [1, 2] }, itemStyle: { color: colour }, renderItem: whisker });
      },
      band(series, colour) {
        Object.assign(series, {
          silent: true, clip: true, z: 1, encode: { x: 0, y: [1, 2] }, itemStyle: { color: colour, opacity: 0.22 },
          renderItem: area(series.data),
        });
      },
      dots(series, colour) {
        dressDots(series, spec, { color: colour, opacity: 0.85 }, spec.many ? 6 : 9, 3);
      },
      faint(series) {
        dressDots(series, spec, { color: theme.muted, opacity: 0.45 }, spec.many ? 3.5 : 5, 2);
      },
      steps(series, colour) {
        const faint = spec.faint.has(series.name);
        Object.assign(series, { silent: true, showSymbol: false, z: 3, itemStyle: { color: colour }, lineStyle: { color: faint ? theme.muted : colour, width: faint ? 1 : 1.75, opacity: 0.8 } });
      },
      labels(series, colour) {
        const faint = spec.faint.has(series.name);
        Object.assign(series, {
          symbolSize: 13, z: 5, emphasis: { disabled: true },
          itemStyle: { color: theme.paper, borderColor: faint ? theme.muted : colour, borderWidth: 3, opacity: 1 },
          label: {
            show: true, position: "right", distance: 6, color: theme.ink, fontSize: 12, fontWeight: 600,
            textBorderColor: theme.paper, textBorderWidth: 3, formatter: (p) => captions.get(p.data.caption),
          },
          labelLayout: freeLabels,
        });
      },
      swings(series, colour) {
        Object.assign(series, { encode: { x: 1, y: 0 }, itemStyle: { color: colour }, renderItem: swing(spec.tornado, theme, width) });
      },
      cells(series) {
        series.progressive = 0;
        series.emphasis = { itemStyle: { borderColor: theme.ink, borderWidth: 1 } };
      },
      levels(series) {
        Object.assign(series, { silent: true, symbolSize: 1, itemStyle: { color: "transparent", opacity: 1 }, z: 6 }); // which labels take over
        series.label = {
          show: true, position: "inside", color: theme.ink, fontSize: 11.5, fontWeight: 600,
          textBorderColor: theme.paper, textBorderWidth: 3, formatter: (p) => shorten(p.name, 12),
        };
        series.labelLayout = { hideOverlap: true };
      },
      rings(series) {
        Object.assign(series, {
          silent: true, symbol: "circle", symbolSize: 8, z: 7,
          itemStyle: { color: theme.paper, borderColor: theme.ink, borderWidth: 2, opacity: 1 },
        });
      },
      points(series, colour) {
        series.itemStyle = { color: theme.paper, borderColor: colour, borderWidth: 2.5, opacity: 1 };
        series.z = 5;
        series.label = {
          show: width >= narrowWidth || marked <= 3, position: "right", distance: 5, color: theme.ink, fontSize: 11.5,
          textBorderColor: theme.paper, textBorderWidth: 3,
          formatter: (p) => shorten(p.name, 24),
        };
        series.labelLayout = { hideOverlap: true, dy: 12 };
      },
      targets(series) {
        series.silent = true;
        series.z = 6;
        series.tooltip = { show: false };
        Object.assign(series.markLine, {
          silent: true,
          lineStyle: { color: theme.ink, type: [6, 4], width: 1.25 },
          label: Object.assign(series.markLine.label || {}, {
            show: true, color: theme.ink, fontSize: 11.5,
            textBorderColor: theme.paper, textBorderWidth: 3,
            formatter: (p) => shorten(p.name, Math.floor(width / 9)),
          }),
        });
      },
    };
    option.series.forEach((series, k) => {
      const role = spec.roles[k];
      const [mark, halo] = role.kind.split("-");
      if (series.type === "lines") dressTraces(series, mark, halo !== undefined, theme, width < narrowWidth);
      else dress[role.kind](series, colourOf(spec, role, theme), role.above, role);
    });
  }

  // What tells bars apart beyond the colours that differ in lightness: rising lines,
  // falling ones, both.
  function hatch(kind, theme) {
    const one = (rotation) => ({ symbol: "rect", color: theme.paper, dashArrayX: [1, 0], dashArrayY: [1.2, 6], rotation });
    return kind === 3 ? Object.assign(one(0), { dashArrayX: [[1.2, 6]], dashArrayY: [6, 1.2] }) : one(kind === 1 ? -Math.PI / 4 : Math.PI / 4);
  }

  function whisker(params, api) {
    const [x, low] = api.coord([api.value(0), api.value(1)]), high = api.coord([api.value(0), api.value(2)])[1];
    const style = { stroke: api.visual("color"), lineWidth: 1.25 }, cap = 3.5;
    const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style });
    return { type: "group", children: [line(x, low, x, high), line(x - cap, low, x + cap, low), line(x - cap, high, x + cap, high)] };
  }

  // The first point of a band draws all of it.
  function area(data) {
    return function (params, api) {
      if (params.dataIndex > 0) return null;
      const low = data.map((p) => api.coord([p[0], p[1]])), high = data.map((p) => api.coord([p[0], p[2]]));
      return { type: "polygon", shape: { points: high.concat(low.reverse()) }, style: { fill: api.visual("color"), opacity: 0.22 } };
    };
  }

  function dressDots(series, spec, style, size, z) {
    Object.assign(series, { symbolSize: size, itemStyle: style, z, progressive: 0 });
    series.emphasis = spec.many ? { disabled: true } : { scale: 1.4 };
  }

  // The label of a point is on its right or, where it would be cut off or lie on
  // another label, on its left, above or below; where there is no room, there is none.
  // Labels are placed in the order of their series.
  function labelPlaces(width) {
    const placed = new Map();
    return function (p) {
      const own = p.seriesIndex + " " + p.dataIndex;
      placed.delete(own);
      const { width: w, height: h } = p.labelRect;
      const x = p.rect.x + p.rect.width / 2, y = p.rect.y + p.rect.height / 2, gap = p.rect.width / 2 + 5;
      for (const rise of [0, -h, h]) {
        for (const side of [1, -1]) {
          const box = { left: side > 0 ? x + gap : x - gap - w, top: y + rise - h / 2 };
          Object.assign(box, { right: box.left + w, bottom: box.top + h });
          if (box.left < 0 || box.right > width - 4 || [...placed.values()].some((other) => overlap(box, other))) continue;
          placed.set(own, box);
          return { x: x + side * gap, y: y + rise, align: side > 0 ? "left" : "right", verticalAlign: "middle" };
        }
      }
      return { x: -10000 };
    };
  }

  function overlap(a, b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }

  // A bar of a tornado runs from the base to a result, which is written at its
  // end.
  function swing(tornado, theme, width) {
    return function (params, api) {
      const row = api.value(0), result = api.value(1), lane = api.value(2);
      const [base, middle] = api.coord([tornado.base, row]);
      const end = api.coord([result, row])[0];
      const height = Math.min(24, 0.68 * api.size([0, 1])[1]);
      const shape = { x: Math.min(base, end), y: middle - height / 2, width: Math.max(1, Math.abs(end - base)), height };
      if (lane !== 0) shape.height = height / 2;
      if (lane === 2) shape.y = middle;
      const left = result < tornado.base || (result === tornado.base && params.seriesIndex === 0);
      const text = {
        type: "text", silent: true, x: end + (left ? -5 : 5), y: shape.y + shape.height / 2,
        style: { text: formatShort(result), fill: theme.ink, font: (lane === 0 ? "11px " : "9px ") + theme.font, align: left ? "right" : "left", verticalAlign: "middle", stroke: theme.paper, lineWidth: 2 },
      };
      return { type: "group", children: [{ type: "rect", shape, style: { fill: api.visual("color") } }, text] };
    };
  }

  // A line over a surface lies on a wider one in the colour of the paper.
  function dressTraces(series, mark, halo, theme, narrow) {
    const width = { contours: 1.2, dashes: 1.2, arrows: 1.6, path: 5 }[mark];
    const z = { contours: 3, dashes: 3, arrows: 5, path: 4 }[mark];
    const colour = halo ? theme.paper : mark === "path" ? theme.series[0] : theme.ink;
    Object.assign(series, {
      silent: true, z, itemStyle: { color: colour },
      lineStyle: { color: colour, opacity: halo ? 0.8 : 1, width: halo ? width + 2 : width, type: mark === "dashes" && !halo ? [5, 4] : "solid" },
    });
    if (mark === "arrows") Object.assign(series, { symbol: ["none", "arrow"], symbolSize: (halo ? 11 : 8) * (narrow ? 0.6 : 1) });
    for (const line of series.data) if (line.head) line.symbolSize = ((halo ? 3 : 0) + 8 * line.head) * (narrow ? 0.6 : 1);
  }

  // The lines of a legend after the first make the chart higher.
  function dressLegend(spec, option, theme, width) {
    const keys = new Map(option.series.map((s, k) => [s.name, spec.roles[k].key]).filter((pair) => pair[1]));
    const outlines = new Map(option.series.map((s, k) => [s.name, spec.roles[k].outline]));
    option.legend.data = (option.legend.data || []).map((name) => {
      const item = { name };
      if (spec.faint.has(name)) item.itemStyle = { color: theme.muted };
      if (spec.scatter) Object.assign(item, pointKey(spec, option, name, theme));
      const outline = outlines.get(name); // which the library does not inherit
      if (outline) item.itemStyle = { borderType: outline === "dashed" ? [3, 2] : outline };
      if (keys.has(name)) Object.assign(item, { icon: shapes[keys.get(name)], itemStyle: { borderWidth: 0 } });
      return item;
    });
    const rows = breakLegend(option, theme, width, 0);
    option.grid.top = 42 + legendLine * rows;
    spec.extra = legendLine * (rows - 1);
  }

  // A surface in space is drawn on a finer grid than that of its values, so that
  // it follows the same bilinear interpolation as the lines on it.
  function fineGrid(space, x, y) {
    const rows = space.grid.length, columns = space.grid[0].length;
    const fine = 60; // points to a side, about
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

  // The lines of the grid, of which at most about 30 are drawn each way.
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

  // One line in space has many pieces: unseen points lead from each to the next.
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

  function dressSpace(spec, option, theme, width) {
    const space = spec.space, narrow = width < narrowWidth;
    const x = option.xAxis3D, y = option.yAxis3D, z = option.zAxis3D;
    option.visualMap[0].seriesIndex = 0;
    option.visualMap[0].dimension = 2;
    const ticks = dressColours(option, space.log, theme, width);
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
      if (kind === "rings") {
        Object.assign(series, {
          data: lifted, symbol: "circle", symbolSize: narrow ? 8 : 10, label: { show: false }, emphasis: { label: { show: false } },
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
    // A long name would be cut off, above all beside the upright axis, and on a phone
    // any: then a letter stands for it.
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

  // The ends of an axis are ticks even where they are no multiples of the step;
  // then they have no number.
  function offTick(value, step) {
    return Math.abs(value - Math.round(value / step) * step) > 1e-6 * step;
  }

  // The name of a level, of those at equal distances; nothing between two.
  function levelName(value, axis, names) {
    const k = ((value - axis.min) / (axis.max - axis.min)) * (names.length - 1);
    return Math.abs(k - Math.round(k)) > 1e-6 ? "" : shorten(names[Math.round(k)] || "", 12);
  }

  const homeView = { alpha: 24, beta: 32 };

  // Every other piece between two points is left out.
  function dashed(points) {
    const out = [];
    points.forEach((p, k) => {
      out.push(p);
      if (k % 2 === 1) out.push(null);
    });
    return out;
  }

  // The plot is as wide as high, if the page is wide enough, whatever room the labels
  // of its axes take.
  function squarePlot(option, height, width) {
    const grid = option.grid, labels = 60;
    grid.right = Math.max(grid.right, width - labels - (height - grid.top - grid.bottom));
  }

  function dressParallel(spec, option, state, theme, width) {
    const ticks = dressColours(option, spec.parallel.log, theme, width);
    const rows = option.legend.data ? dressMarks(["path"], option, theme, width, 24 + ticks) : 0;
    option.grid.top = 30 + ticks + legendLine * rows;
    isoscaleParallel.dress(spec, option, state, { theme, narrow: width < narrowWidth, ramp, fit, measure });
  }

  function dressed(text, theme, width, height, state) {
    const spec = JSON.parse(text), option = spec.option;
    const narrow = width < narrowWidth;
    spec.faint = new Set(option.series.filter((s, k) => spec.roles[k].kind === "faint").map((s) => s.name));
    option.color = theme.series;
    option.textStyle = { fontFamily: theme.font, color: theme.ink };
    Object.assign(option.legend, {
      left: 0, top: 0, right: 0, itemWidth: 20, itemHeight: 10, itemGap: narrow ? 10 : 16, padding: [4, 0],
      textStyle: { color: theme.ink, fontSize: 12.5 },
      inactiveColor: theme.rule, pageIconColor: theme.ink, pageIconInactiveColor: theme.rule,
      pageTextStyle: { color: theme.muted }, pageIconSize: 11,
      formatter: (name) => fit(name, width - 40, 12.5, theme),
    });
    if (!spec.space) option.grid = { left: 4, right: 18, top: 64, bottom: 36, containLabel: true };
    Object.assign(option.tooltip, {
      confine: true, formatter: pickTooltip(spec, option, theme),
      backgroundColor: theme.paper, borderColor: theme.rule, padding: [6, 10],
      textStyle: { color: theme.ink, fontFamily: theme.font },
      extraCssText: "box-shadow: none; border-radius: 4px;",
      axisPointer: { type: spec.bars ? "shadow" : "line", lineStyle: { color: theme.muted }, shadowStyle: { color: theme.muted, opacity: 0.12 } },
    });
    if (spec.space) {
      dressSpace(spec, option, theme, width);
    } else if (spec.parallel) {
      dressParallel(spec, option, state, theme, width);
    } else {
      dressAxes(spec, option, theme, width);
      dressSeries(spec, option, theme, width);
    }
    if (!spec.space && !spec.surface && !spec.heat && !spec.parallel) dressLegend(spec, option, theme, width);
    if (spec.square) squarePlot(option, height + (spec.extra || 0), width);
    return { spec, option };
  }

  // The library for charts in space makes functions from text for the sizes of
  // textures, such as [width * 1.0 / 2, height / 2]. The policy of the page
  // forbids functions from text, and shall: so these few are read here, and all
  // others still fail.
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

  // The first charts in space of a page are drawn: a browser takes the drawing
  // area away from the oldest when there are about sixteen.
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

  // The wheel scrolls the page unless Ctrl is held, and the arrow keys turn the
  // chart.
  function control(plot, chart) {
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

  function start(plot) {
    const text = JSON.stringify(specs[plot.parentElement.id]);
    const { heat, space, many, parallel, scatter } = JSON.parse(text);
    const refusal = space ? refuseSpace() : "";
    if (refusal) throw Object.assign(new Error(refusal), { forReader: true });
    plot.classList.toggle("heat", heat !== undefined); // not a surface: its lines run aslant
    const chart = echarts.init(plot, null, { renderer: space || many ? "canvas" : "svg" });
    if (space) control(plot, chart);
    const hint = space && plot.parentElement.querySelector(".turn");
    const advice = hint && hint.textContent;
    const height = plot.clientHeight;
    const state = { zoom: [0, 100] }; // what the reader has chosen with the buttons
    let width = 0;
    const own = {
      plot,
      draw(theme, forced) {
        width = forced || plot.clientWidth;
        const { spec, option } = dressed(text, theme, width, height, state);
        if (!space) choose(spec, option, state);
        if (spec.extra !== undefined) plot.style.height = height + spec.extra + "px";
        if (space) { // on a phone no higher than wide, below the legend
          plot.style.height = Math.min(height, width + 60) + "px";
          hint.textContent = spec.key + advice;
        }
        spec.hidden = () => new Set(Object.entries(chart.getOption().legend[0].selected || {}).filter((pair) => !pair[1]).map((pair) => pair[0]));
        const before = chart.getOption();
        if (before) option.legend.selected = before.legend[0].selected; // what the reader has hidden stays hidden
        if (before && space) { // and what is turned stays turned
          const { alpha, beta } = before.grid3D[0].viewControl;
          Object.assign(option.grid3D.viewControl, { alpha, beta });
        }
        chart.resize({ width, height: plot.clientHeight });
        chart.setOption(option, { notMerge: true });
        keys();
      },
      changed: () => plot.clientWidth > 0 && plot.clientWidth !== width,
    };
    if (parallel) isoscaleParallel.menus(plot.parentElement, { parallel }, state, format, () => own.draw(readTheme()));
    if (scatter) link(chart);
    const keys = isoscaleTools.mountKeys(plot, chart);
    isoscaleTools.mount(plot.parentElement, JSON.parse(text), chart, state, () => own.draw(readTheme()));
    return own;
  }

  // What the reader points at in one chart, or in a table of machines, is marked in all
  // charts that have a point of that name.
  function link(chart) {
    const tell = (name) => document.dispatchEvent(new CustomEvent("isoscale-point", { detail: { name } }));
    chart.on("mouseover", ({ data }) => data && data.name && tell(data.name));
    chart.on("globalout", () => tell(""));
    document.addEventListener("isoscale-point", ({ detail }) => {
      chart.dispatchAction({ type: "downplay" });
      if (!detail.name) return;
      chart.getOption().series.forEach((series, seriesIndex) => (series.data || []).forEach((point, dataIndex) => {
        if (point && point.name === detail.name) chart.dispatchAction({ type: "highlight", seriesIndex, dataIndex });
      }));
    });
  }

  // What the reader has chosen: another scale, a part of the axes. Then ticks are those
  // of the library, as the ones of the drawing are for all data on its scale.
  function choose(spec, option, state) {
    if (!spec.x || !spec.y || spec.bars || spec.tornado) return;
    const [from, to] = state.zoom, part = to - from < 100;
    for (const name of ["x", "y"]) {
      const axis = option[name + "Axis"][0], other = state[name] && state[name] !== axis.type;
      if (other) Object.assign(axis, { type: state[name], min: undefined, max: undefined, scale: true });
      if (!other && !part) continue;
      axis.axisTick.customValues = axis.axisLabel.customValues = axis.splitLine.customValues = undefined;
      axis.axisLabel.hideOverlap = true;
    }
    const zoom = { type: "inside", start: from, end: to, filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseMove: part, moveOnMouseWheel: false };
    option.dataZoom = [{ ...zoom, xAxisIndex: 0 }];
  }

  // One chart that fails must not take the others with it.
  function fail(plot, error) {
    if (!error.forReader) console.error(error);
    plot.parentElement.classList.replace("live", "dead");
    const message = element("p", error.forReader ? error.message : "This chart could not start. It is drawn above, and its numbers are in the table below.");
    const hint = plot.parentElement.querySelector(".turn");
    if (hint) hint.remove();
    message.className = "failed";
    plot.replaceWith(message);
  }

  const specs = JSON.parse(document.getElementById("charts").textContent);
  const charts = [];
  let theme = readTheme();
  if (document.querySelector(".space")) readSizes();

  // A chart starts when the reader comes near it, and replaces its drawing.
  function live(plot) {
    const figure = plot.parentElement;
    figure.classList.add("live");
    try {
      const chart = start(plot);
      chart.draw(theme);
      charts.push(chart);
      resized.observe(plot);
    } catch (error) {
      fail(plot, error);
    }
  }

  function redraw() {
    theme = readTheme();
    for (const chart of charts) chart.draw(theme);
  }

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  const resized = new ResizeObserver(() => {
    for (const chart of charts) if (chart.changed()) chart.draw(theme);
  });
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      live(entry.target.querySelector(".plot"));
    }
  }, { rootMargin: "200px" });
  for (const plot of document.querySelectorAll(".plot")) near.observe(plot.parentElement);
})();
