// Bars of categories.
kinds.bars = {
  pointer: "shadow",
  tooltip: ({ spec, option, own, theme }) => function (found) {
    const rows = found.filter((p) => typeof p.value === "number");
    if (rows.length === 0) return "";
    const name = (own.horizontal ? option.yAxis : option.xAxis)[0].name;
    return tip(element("b", shorten(name, 60) + ": " + shorten(rows[0].name, 60)), ...rows.map((p) => {
      const role = spec.roles[p.seriesIndex];
      return tipRow(role.kind === "offset" ? "transparent" : colourOf(role, theme), p.seriesName, format(p.value));
    }));
  },
  rows({ option, own }) {
    const categories = (own.horizontal ? option.yAxis : option.xAxis)[0].data;
    return [["category", "series", "value"], ...option.series.flatMap((s) => s.data.map((d, k) => [categories[k], s.name, d === "-" ? "" : d]))];
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
    series.labelLayout = { hideOverlap: true };
  },
  offset(series) {
    Object.assign(series, { silent: true, itemStyle: { color: "transparent" }, emphasis: { disabled: true } });
  },
});

// What tells bars apart beyond the colours that differ in lightness: rising lines,
// falling ones, both.
function hatch(kind, theme) {
  const one = (rotation) => ({ symbol: "rect", color: theme.paper, dashArrayX: [1, 0], dashArrayY: [1.2, 6], rotation });
  return kind === 3 ? Object.assign(one(0), { dashArrayX: [[1.2, 6]], dashArrayY: [6, 1.2] }) : one(kind === 1 ? -Math.PI / 4 : Math.PI / 4);
}
