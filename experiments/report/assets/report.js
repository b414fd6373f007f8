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
    const scale = option.visualMap[0], letter = 7.5; // CSS pixels, about
    scale.text = scale.text.map((text) => shorten(text, Math.floor((width - 120) / letter)));
    const labels = letter * scale.text.reduce((n, text) => n + Array.from(text).length, 0);
    Object.assign(scale, {
      left: 0, top: 0, padding: [2, 0], itemWidth: 10, itemHeight: Math.max(40, Math.min(160, width - labels - 40)), textGap: 8,
      textStyle: { color: theme.ink, fontSize: 12.5 }, inRange: { color: theme.heat },
    });
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
      dress[role.kind](series, theme.series[role.colour]);
    });
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
      confine: true, formatter: spec.heat ? cellTooltip(spec.heat, option) : tooltip(spec, option, theme),
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
    plot.classList.toggle("heat", JSON.parse(text).heat !== undefined);
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
