// Parallel axes: an upright axis for each variable, each point a line from axis to
// axis. Menus choose levels; the lines of other levels fade.
{
  const any = -1;
  const mostNamed = 13; // levels of an axis, as in the drawing

  const height = (axis, level) => (axis.levels.length === 1 ? 0.5 : level / (axis.levels.length - 1));
  const shown = (line, chosen) => line.at.every((level, k) => chosen[k] === any || chosen[k] === level);

  // dress fills in the series of the options: lines, marked lines and axes.
  function dress({ option, own, state, theme, narrow, width }) {
    const { axes, lines, min, max, log, ticks } = own;
    const scaleTicks = dressColours(option, theme, width);
    const rows = option.legend.data ? dressMarks(["path"], option, theme, width, 24 + scaleTicks) : 0;
    option.grid.top = 30 + scaleTicks + legendLine * rows;
    const colours = theme.heat.slice(1); // a line in the palest colour could not be seen
    const share = (v) => ((log ? Math.log10(v) : v) - min) / (max - min);
    const chosen = state.levels || axes.map(() => any);
    const labels = Math.max(...ticks.map((t) => measure(t.label, 12, theme)));
    Object.assign(option.grid, { left: 6, right: Math.ceil(labels) + 14, bottom: 12, top: option.grid.top + 30, containLabel: false });
    Object.assign(option.xAxis[0], { show: false, min: 0, max: axes.length });
    Object.assign(option.yAxis[0], { show: false, min: 0, max: 1 });
    const data = (marked) => lines.flatMap((line, index) => {
      if (Boolean(line.marked) !== marked) return [];
      const coords = line.at.map((level, k) => [k, height(axes[k], level)]).concat([[axes.length, share(line.value)]]);
      return [{ coords, index, shown: shown(line, chosen) }];
    });
    const style = (d, colour, width, opacity) => ({ ...d, lineStyle: { color: colour, width, opacity: d.shown ? opacity : 0.05 } });
    const trace = { coordinateSystem: "cartesian2d", polyline: true, clip: false, progressive: 0 };
    const [rest, halos, marks, uprights] = option.series;
    const emphasis = { lineStyle: { width: 4, opacity: 1 } };
    Object.assign(rest, trace, { z: 2, emphasis, data: data(false).map((d) => style(d, ramp(colours, share(lines[d.index].value)), 1.4, 0.75)) });
    Object.assign(halos, trace, { z: 3, silent: true, itemStyle: { color: theme.series[0] }, data: data(true).map((d) => style(d, theme.paper, 5, 0.8)) });
    Object.assign(marks, trace, { z: 4, emphasis, itemStyle: { color: theme.series[0] }, data: data(true).map((d) => style(d, theme.series[0], 2.6, 1)) });
    Object.assign(uprights, {
      coordinateSystem: "cartesian2d", silent: true, z: 5, clip: false, data: axes.concat(null).map((_, k) => [k, 0]),
      renderItem: upright(own, { theme, narrow, share, labels: Math.ceil(labels) + 10 }),
    });
    option.visualMap[0].seriesIndex = 3; // the axes, which have colours of their own
    option.visualMap[0].inRange = { color: colours };
  }

  // An axis with its name and the names of as many levels as have room.
  function upright({ axes, value, ticks }, { theme, narrow, share, labels }) {
    const size = narrow ? 10.5 : 12;
    return function (params, api) {
      const k = api.value(0), [x, bottom] = api.coord([k, 0]), top = api.coord([k, 1])[1];
      const room = api.coord([1, 0])[0] - api.coord([0, 0])[0];
      const font = size + "px " + theme.font;
      const text = (content, at, y, more) => ({
        type: "text", x: at, y, style: { text: content, fill: theme.ink, font, verticalAlign: "middle", backgroundColor: theme.paper, padding: [1, 1], ...more },
      });
      const title = fit(value, 0.5 * room + labels, size, theme), left = measure(title, size, theme) - labels;
      const children = [{ type: "line", shape: { x1: x, y1: top, x2: x, y2: bottom }, style: { stroke: theme.ink, lineWidth: 1.25 } }];
      if (k === axes.length) {
        children.push(text(title, x + labels, top - 16, { align: "right" }));
        for (const t of ticks) children.push(text(t.label, x + 6, bottom + (top - bottom) * share(t.at), { fill: theme.muted, font: "12px " + theme.font }));
        return { type: "group", children };
      }
      const axis = axes[k], gaps = Math.max(1, axis.levels.length - 1);
      const every = Math.max(Math.ceil((1.4 * size) / ((bottom - top) / gaps)), gaps < mostNamed ? 1 : Math.ceil(gaps / 6));
      const named = room - 8 - (k === axes.length - 1 ? Math.max(0, left) : 0);
      children.push(text(fit(axis.name, named, size, theme), x - 4, top - 16));
      axis.levels.forEach((level, l) => {
        if (l % every === 0) children.push(text(fit(level, 0.6 * room, size, theme), x + 3, bottom + (top - bottom) * height(axis, l), { padding: [1, 2, 1, 5] }));
      });
      return { type: "group", children };
    };
  }

  // What the page says of a line: its levels, its value, its notes.
  function told({ axes, lines, value }, index) {
    const line = lines[index];
    return axes.map((axis, k) => [axis.name, axis.levels[line.at[k]]]).concat([[value, format(line.value)]], line.label ? [["", line.label]] : []);
  }

  // menus adds a menu for each axis, and says how many lines are left and which is the best.
  function menus({ figure, spec, state, redraw }) {
    const { axes, lines, least } = spec.own;
    const better = (a, b) => (least ? lines[b].value < lines[a].value : lines[b].value > lines[a].value);
    const { make } = isoscaleElements;
    const bar = make("div", { className: "menus", role: "group", "aria-label": "Levels shown" }), said = make("p", { className: "status", role: "status" });
    state.levels = axes.map(() => any);
    const tell = () => {
      const left = lines.flatMap((line, index) => (shown(line, state.levels) ? [index] : []));
      said.textContent = left.length + " of " + lines.length + (lines.length === 1 ? " line" : " lines") +
        (left.length > 0 ? "; the best: " + told(spec.own, left.reduce((a, b) => (better(a, b) ? b : a))).filter((r) => r[0]).map((r) => r.join(" ")).join(", ") : "");
    };
    axes.forEach((axis, k) => {
      if (axis.levels.length < 2) return;
      const chosen = () => {
        state.levels[k] = Number(menu.value);
        tell();
        redraw();
      };
      const menu = make("select", { onchange: chosen }, ...["any", ...axis.levels].map((name, l) => new Option(name, l - 1)));
      bar.append(make("label", {}, axis.name + " ", menu));
    });
    tell();
    figure.querySelector(".plot").before(bar);
    figure.querySelector(".plot").after(said);
  }

  kinds["parallel axes"] = {
    dress, mounted: menus,
    tooltip: ({ own }) => function (found) {
      if (found.seriesType !== "lines") return "";
      return tip(...told(own, found.data.index).map(([name, text]) => tipRow(name === own.value ? found.data.lineStyle.color : "transparent", name, shorten(text, 60))));
    },
    rows({ own: { axes, lines, value, marked } }) {
      return [[...axes.map((a) => a.name), value, "notes", "marked"],
        ...lines.map((line) => [...line.at.map((level, k) => axes[k].levels[level]), line.value, line.label || "", line.marked ? marked : ""])];
    },
  };
}
