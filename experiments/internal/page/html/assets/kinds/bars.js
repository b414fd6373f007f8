// Bars of categories.
kinds.bars = {
  pointer: "shadow",
  tooltip: ({ spec, option, own, theme }) => function (found) {
    const rows = found.filter((p) => typeof p.value === "number");
    if (rows.length === 0) return "";
    const name = (own.horizontal ? option.yAxis : option.xAxis)[0].name;
    return tip(element("b", shorten(name, 60) + ": " + shorten(rows[0].name, 60)), ...rows.map((p) => {
      const role = spec.roles[p.seriesIndex];
      const name = told(spec, p.seriesIndex), ranges = option.series.find((s, k) => spec.roles[k].kind === "range" && told(spec, k) === name);
      const range = ranges && ranges.data.find((d) => d[0] === p.dataIndex);
      return tipRow(role.kind === "offset" ? "transparent" : colourOf(role, theme), name,
        format(p.value) + (range ? (option.series[p.seriesIndex].stack ? "; of the whole, " : ", range ") + format(range[1]) + " to " + format(range[2]) : ""));
    }));
  },
  rows(spec) {
    const { roles, option, own } = spec;
    const [x, y] = [option.xAxis[0], option.yAxis[0]], [{ data: categories, name }, value] = own.horizontal ? [y, x] : [x, y];
    return [[name, "series", value.name, "high"], ...option.series.flatMap((s, i) => s.data.map((d, k) =>
      roles[i].kind === "range" ? [categories[d[0]], told(spec, i) + ", range", d[1], d[2]] : [categories[k], told(spec, i), d === "-" ? "" : d]))];
  },
};

Object.assign(roles, {
  bar(series, { colour, role, theme, width, spec, option }) {
    series.itemStyle = { color: colour };
    if (role.hatch) series.itemStyle.decal = hatch(role.hatch, theme);
    if (role.outline) Object.assign(series.itemStyle, { color: theme.paper, borderColor: colour, borderWidth: 2, borderType: role.outline });
    if (series.stack) Object.assign(series.itemStyle, { borderColor: theme.paper, borderWidth: series.data.length > 16 ? 0 : 1 });
    const room = (width - 60) / (series.data.length * option.series.length);
    if (!spec.own.labelled || (!spec.own.horizontal && room <= 40)) return;
    series.label = {
      show: true, position: "outside", distance: 4, color: theme.ink, fontSize: 11,
      textBorderColor: theme.paper, textBorderWidth: 2, formatter: (p) => formatShort(p.value),
    };
    // The name of a row is beside the end of a bar to the left, whose value is therefore at the other end.
    series.labelLayout = ({ rect, dataIndex }) => Object.assign({ hideOverlap: true },
      spec.own.horizontal && series.data[dataIndex] < 0 && { x: rect.x + rect.width + 4, y: rect.y + rect.height / 2, align: "left", verticalAlign: "middle" });
  },
  range(series, { theme, spec, option }) {
    const across = spec.own.horizontal;
    Object.assign(series, {
      silent: true, clip: true, z: 3, encode: across ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
      renderItem(params, api) {
        const shown = api.currentSeriesIndices().filter((k) => spec.roles[k].kind === "bar");
        const all = option.series.map((s, k) => k).filter((k) => spec.roles[k].kind === "bar"), name = told(spec, option.series.indexOf(series));
        const pile = (k) => option.series[k].stack || "bar " + told(spec, k), own = pile(all.find((k) => told(spec, k) === name));
        const lanes = [...new Set(shown.map(pile))], lane = lanes.indexOf(own), within = (list) => list.filter((k) => pile(k) === own).length;
        if (lane < 0 || within(shown) < within(all)) return null; // where parts are hidden the total is another
        const aside = api.barLayout({ count: lanes.length, barGap: "8%", barMaxWidth: 44 })[lane].offsetCenter;
        const ends = [1, 2].map((d) => (across ? api.coord([api.value(d), api.value(0)]) : api.coord([api.value(0), api.value(d)])));
        return { type: "group", children: whisker(...ends.map(([x, y]) => (across ? [x, y + aside] : [x + aside, y])), across, theme.ink) };
      },
    });
  },
  offset(series) {
    Object.assign(series, { silent: true, itemStyle: { color: "transparent" }, emphasis: { disabled: true } });
  },
});

// Patterns that tell bars apart where colours no longer differ in lightness: rising lines, falling lines, or both.
function hatch(kind, theme) {
  const one = (rotation) => ({ symbol: "rect", color: theme.paper, dashArrayX: [1, 0], dashArrayY: [1.2, 6], rotation });
  return kind === 3 ? Object.assign(one(0), { dashArrayX: [[1.2, 6]], dashArrayY: [6, 1.2] }) : one(kind === 1 ? -Math.PI / 4 : Math.PI / 4);
}
