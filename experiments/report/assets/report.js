// Draws the charts of the page. Each figure holds a JSON specification: the
// options of ECharts with data and structure. This script adds what depends on
// the reader's screen: colours, fonts, margins, number formats, tooltips.
"use strict";
(function () {
  const root = document.documentElement;
  const narrowWidth = 560; // CSS pixels; below it a chart is laid out for a phone
  const printWidth = 660; // CSS pixels between the margins of A4 and Letter

  // Five significant digits at most, no more zeros than needed.
  function format(value) {
    if (typeof value !== "number" || !isFinite(value)) return "";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-4) {
      const parts = value.toExponential(3).split("e");
      return Number(parts[0]) + "e" + Number(parts[1]);
    }
    return String(Number(value.toPrecision(5)));
  }

  function formatShort(value) {
    return typeof value === "number" ? format(Number(value.toPrecision(3))) : "";
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
        key.style.background = theme.series[role.colour];
        let name = shorten(p.seriesName, 60);
        if (role.kind === "points") name += ", " + shorten(p.name, 60);
        row.append(key, element("span", name), element("em", format(valueAt(p))));
        box.append(row);
      }
      return box;
    };
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
      line.append(key, element("span", shorten(heat.value, 60)), element("em", format(value)));
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
      line.append(key, element("span", shorten(surface.value, 60)), element("em", format(value)));
      box.append(line);
      return box;
    };
  }

  function pickTooltip(spec, option, theme) {
    if (spec.heat) return cellTooltip(spec.heat, option);
    if (spec.surface) return surfaceTooltip(spec.surface, option);
    return tooltip(spec, option, theme);
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
  function dressCategories(x, grid, width) {
    const letter = 7; // CSS pixels, about
    if (x.data.length > 8) {
      Object.assign(x.axisLabel, { width: 90, overflow: "truncate" });
      return;
    }
    const room = (width - 60) / Math.max(1, x.data.length) - 6;
    const perLine = Math.max(2, Math.floor(room / letter));
    Object.assign(x.axisLabel, { width: room, overflow: "break", lineHeight: 15, interval: 0, formatter: (name) => shorten(name, 2 * perLine) });
    if (x.data.some((name) => Array.from(name).length > perLine)) {
      x.nameGap += 14;
      grid.bottom += 14;
    }
  }

  function dressAxes(spec, option, theme, width) {
    const x = option.xAxis[0], y = option.yAxis[0];
    const narrow = width < narrowWidth;
    dressAxis(x, spec.xLogBase, theme, width);
    dressAxis(y, spec.yLogBase, theme, width);
    x.nameGap = 34;
    y.nameGap = 14;
    y.nameTextStyle.align = "left";
    if (x.type === "category") {
      dressCategories(x, option.grid, width);
    } else {
      x.splitNumber = narrow ? 4 : 8;
      x.axisLabel.showMaxLabel = true;
    }
    if (y.type === "category") Object.assign(y.axisLabel, { width: width * 0.3, overflow: "truncate", interval: 0 });
    if (spec.heat) dressHeat(spec, option, theme, width);
    if (spec.surface) dressSurface(spec.surface, option, theme, width);
  }

  // The scale of colours lies above the plot.
  function dressScale(scale, theme, width) {
    const letter = 7.5; // CSS pixels, about
    scale.text = scale.text.map((text) => shorten(text, Math.floor((width - 120) / letter)));
    const labels = letter * scale.text.reduce((n, text) => n + Array.from(text).length, 0);
    Object.assign(scale, {
      left: 0, top: 0, padding: [2, 0], itemWidth: 10, itemHeight: Math.max(40, Math.min(160, width - labels - 40)), textGap: 8,
      textStyle: { color: theme.ink, fontSize: 12.5 }, inRange: { color: theme.heat },
    });
  }

  // The colours of a surface are of its cells alone. Its legend lies below the scale.
  function dressSurface(surface, option, theme, width) {
    const x = option.xAxis[0], y = option.yAxis[0];
    const shapes = {
      contours: "path://M0,4h20v2h-20z", path: "path://M0,2.5h20v4h-20z",
      dashes: "path://M0,4h5v2h-5z M7.5,4h5v2h-5z M15,4h5v2h-5z",
      arrows: "path://M0,3.6h12v-2.6l8,3.6l-8,3.6v-2.6h-12z",
      rings: "circle",
    };
    const colours = { path: theme.series[0], rings: theme.paper };
    option.legend.data = option.legend.data.map((name, k) => {
      const mark = surface.marks[k];
      const style = { color: colours[mark] || theme.ink, borderWidth: 0 };
      if (mark === "rings") Object.assign(style, { borderColor: theme.ink, borderWidth: 2 });
      return { name, icon: shapes[mark], itemStyle: style };
    });
    // The legend breaks its line where it must.
    const letter = 7, icon = 25; // CSS pixels, about
    let rows = 1, used = 0;
    for (const { name } of option.legend.data) {
      const room = icon + letter * Array.from(option.legend.formatter(name)).length + option.legend.itemGap;
      if (used > 0 && used + room > width) {
        rows++;
        used = 0;
      }
      used += room;
    }
    Object.assign(option.legend, { type: "plain", top: 24 });
    option.grid.top = 56 + 22 * rows;
    for (const axis of [x, y]) axis.splitLine.show = false;
    Object.assign(x.axisLabel, { interval: "auto", width: undefined, overflow: "none", formatter: null });
    Object.assign(y.axisLabel, { interval: "auto" });
    x.nameGap = 28;
    option.grid.bottom = 30;
    option.visualMap[0].seriesIndex = 0;
    dressScale(option.visualMap[0], theme, width);
  }

  // A strip of paper between the rows of a heat map leads the eye along them.
  function dressHeat(spec, option, theme, width) {
    const x = option.xAxis[0], y = option.yAxis[0];
    x.splitLine.show = false;
    x.axisLabel.showMaxLabel = false;
    y.z = 3;
    y.splitLine = { show: true, interval: 0, lineStyle: { color: theme.paper, width: 2 } };
    y.axisLabel.formatter = (name) => shortenMiddle(name, Math.floor((width * 0.3) / 8));
    option.legend.show = false;
    option.grid.top = 52;
    dressScale(option.visualMap[0], theme, width);
  }

  function dressSeries(spec, option, theme, width) {
    const marked = option.series.reduce((n, s, k) => n + (spec.roles[k].kind === "points" ? s.data.length : 0), 0);
    const dress = {
      data(series, colour) {
        series.itemStyle = { color: colour };
        series.lineStyle = Object.assign({}, series.lineStyle, { color: colour });
        if (!spec.bars) return;
        if (series.stack) Object.assign(series.itemStyle, { borderColor: theme.paper, borderWidth: series.data.length > 16 ? 0 : 1 });
        const room = (width - 60) / (series.data.length * option.series.length);
        if (spec.valueLabel && (spec.horizontal || room > 40)) {
          series.label = {
            show: true, position: spec.horizontal ? "right" : "top", color: theme.ink, fontSize: 11,
            formatter: (p) => formatShort(p.value),
          };
          series.labelLayout = { hideOverlap: true, dy: 12 };
        }
      },
      cells(series) {
        series.progressive = 0;
        series.emphasis = { itemStyle: { borderColor: theme.ink, borderWidth: 1 } };
      },
      levels(series) {
        Object.assign(series, { silent: true, symbolSize: 1, itemStyle: { color: "transparent" }, z: 6 });
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
        series.tooltip = { show: false };
        Object.assign(series.markLine, {
          silent: true,
          lineStyle: { color: theme.ink, type: [6, 4], width: 1.25 },
          label: Object.assign(series.markLine.label, {
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
      else dress[role.kind](series, theme.series[role.colour]);
    });
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
  }

  function dressed(text, theme, width) {
    const spec = JSON.parse(text), option = spec.option;
    const narrow = width < narrowWidth;
    option.color = theme.series;
    option.textStyle = { fontFamily: theme.font, color: theme.ink };
    Object.assign(option.legend, {
      left: 0, top: 0, right: 0, itemWidth: 20, itemHeight: 10, itemGap: narrow ? 10 : 16, padding: [4, 0],
      textStyle: { color: theme.ink, fontSize: 12.5 },
      inactiveColor: theme.rule, pageIconColor: theme.ink, pageIconInactiveColor: theme.rule,
      pageTextStyle: { color: theme.muted }, pageIconSize: 11,
      formatter: (name) => shorten(name, narrow ? 24 : 48),
    });
    option.grid = { left: 4, right: 18, top: 64, bottom: 36, containLabel: true };
    Object.assign(option.tooltip, {
      confine: true, formatter: pickTooltip(spec, option, theme),
      backgroundColor: theme.paper, borderColor: theme.rule, padding: [6, 10],
      textStyle: { color: theme.ink, fontFamily: theme.font },
      extraCssText: "box-shadow: none; border-radius: 4px;",
      axisPointer: { type: spec.bars ? "shadow" : "line", lineStyle: { color: theme.muted }, shadowStyle: { color: theme.muted, opacity: 0.12 } },
    });
    dressAxes(spec, option, theme, width);
    dressSeries(spec, option, theme, width);
    return option;
  }

  function start(plot) {
    const text = plot.nextElementSibling.textContent;
    plot.classList.toggle("heat", JSON.parse(text).heat !== undefined); // not a surface: its lines run aslant
    const chart = echarts.init(plot, null, { renderer: "svg" });
    let width = 0;
    return {
      plot,
      draw(theme, forced) {
        width = forced || plot.clientWidth;
        const option = dressed(text, theme, width);
        const before = chart.getOption();
        if (before) option.legend.selected = before.legend[0].selected; // what the reader has hidden stays hidden
        chart.resize({ width });
        chart.setOption(option, { notMerge: true });
      },
      changed: () => plot.clientWidth > 0 && plot.clientWidth !== width,
    };
  }

  // One chart that fails must not take the others with it.
  function fail(plot, error) {
    console.error(error);
    const message = element("p", "This chart could not be drawn. Its numbers are in the table below.");
    message.className = "failed";
    plot.replaceWith(message);
  }

  const charts = [];
  let theme = readTheme();
  for (const plot of document.querySelectorAll(".plot")) {
    try {
      const chart = start(plot);
      chart.draw(theme);
      charts.push(chart);
    } catch (error) {
      fail(plot, error);
    }
  }

  function redraw(width) {
    theme = readTheme();
    for (const chart of charts) chart.draw(theme, width);
  }

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw());
  const observer = new ResizeObserver(() => {
    if (root.hasAttribute("data-print")) return;
    for (const chart of charts) if (chart.changed()) chart.draw(theme);
  });
  for (const chart of charts) observer.observe(chart.plot);

  // Paper is always light, and as wide as paper.
  addEventListener("beforeprint", () => {
    root.setAttribute("data-print", "");
    redraw(printWidth);
  });
  addEventListener("afterprint", () => {
    root.removeAttribute("data-print");
    redraw();
  });
})();
