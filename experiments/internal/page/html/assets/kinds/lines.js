// Curves over a numeric axis.
kinds.lines = {
  zoom: true,
  tooltip: ({ spec, option, theme }) => function (found) {
    const rows = everyCurve(spec, option, found).filter((p) => spec.roles[p.seriesIndex].kind !== "targets" && typeof p.value[1] === "number");
    if (rows.length === 0) return "";
    return tip(element("b", shorten(option.xAxis[0].name, 60) + ": " + format(rows[0].value[0])), ...rows.map((p) => {
      const role = spec.roles[p.seriesIndex], range = role.kind === "band" || role.kind === "whisker";
      const more = (role.kind === "points" ? ", " + shorten(p.name, 60) : "") + (p.elsewhere ? " at " + format(p.value[0]) : "") + (role.kind === "whisker" ? ", range" : "");
      const row = tipRow(colourOf(role, theme), told(spec, p.seriesIndex), format(p.value[1]) + (range ? " to " + format(p.value[2]) : ""));
      row.children[1].append(more);
      return row;
    }));
  },
  dress(look) {
    dressPlane(look);
    if (look.own.square) squarePlot(look.option, look.height + look.spec.extra, look.width);
  },
};

Object.assign(roles, {
  data(series, { colour, role, theme }) {
    series.itemStyle = { color: colour };
    series.lineStyle = Object.assign({}, series.lineStyle, { color: colour });
    if (role.dash && series.lineStyle.type === "solid") series.lineStyle.type = role.dash.split(",").map(Number);
    if (role.above) {
      Object.assign(series.itemStyle, { borderColor: theme.paper, borderWidth: 1 });
      series.z = 4;
    }
  },
  ideal(series, { theme }) {
    Object.assign(series, { itemStyle: { color: theme.muted }, lineStyle: { color: theme.muted, type: "dashed", width: 1.25 }, symbol: "none", z: 1 });
  },
  whisker(series, { colour }) {
    Object.assign(series, { silent: true, clip: true, z: 3, encode: { x: 0, y: [1, 2] }, itemStyle: { color: colour }, renderItem: (params, api) =>
      ({ type: "group", children: whisker(...[1, 2].map((k) => api.coord([api.value(0), api.value(k)])), false, colour) }) });
  },
  band(series, { colour }) {
    Object.assign(series, {
      silent: true, clip: true, z: 1, encode: { x: 0, y: [1, 2] }, itemStyle: { color: colour, opacity: 0.22 },
      renderItem: area(series.data),
    });
  },
  points(series, { colour, theme, width, spec, option }) {
    const marked = option.series.reduce((n, s, k) => n + (spec.roles[k].kind === "points" ? s.data.length : 0), 0);
    series.itemStyle = { color: theme.paper, borderColor: colour, borderWidth: 2.5, opacity: 1 };
    series.z = 5;
    series.label = {
      show: width >= narrowWidth || marked <= 3, position: "right", distance: 5, color: theme.ink, fontSize: 11.5,
      textBorderColor: theme.paper, textBorderWidth: 3,
      formatter: (p) => shorten(p.name, 24),
    };
    series.labelLayout = { hideOverlap: true, dy: 12 };
  },
});

// The library finds the curves that have a point exactly at a place. Every other visible curve that extends over the
// place is found here by its nearest point.
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

// The first point of a band draws all of it.
function area(data) {
  return function (params, api) {
    if (params.dataIndex > 0) return null;
    const low = data.map((p) => api.coord([p[0], p[1]])), high = data.map((p) => api.coord([p[0], p[2]]));
    return { type: "polygon", shape: { points: high.concat(low.reverse()) }, style: { fill: api.visual("color"), opacity: 0.22 } };
  };
}

// The plot is as wide as high, if the page is wide enough, whatever room the labels
// of its axes take.
function squarePlot(option, height, width) {
  const grid = option.grid, labels = 80;
  grid.right = Math.max(grid.right, width - labels - (height - grid.top - grid.bottom));
}
