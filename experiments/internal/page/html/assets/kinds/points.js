// Points with names in a plane.
kinds.points = {
  zoom: true,
  key: pointKey,
  tooltip: ({ spec, option, theme }) => function (found) {
    const role = spec.roles[found.seriesIndex];
    if (!["dots", "faint", "labels"].includes(role.kind)) return "";
    const colour = faintNames(spec).has(found.seriesName) ? theme.muted : theme.series[role.colour];
    const box = tip(element("b", shorten(found.name || found.seriesName, 120)),
      tipRow(colour, option.xAxis[0].name, format(found.value[0])), tipRow(colour, option.yAxis[0].name, format(found.value[1])));
    if (found.name) box.append(element("p", shorten(found.seriesName, 60)));
    if (found.data.notes) box.append(element("p", shorten(found.data.notes, 300)));
    return box;
  },
  dress(look) {
    const { spec, option, theme, width } = look, captions = new Map();
    const all = [...new Set(option.series.flatMap((s, k) => (spec.roles[k].kind === "labels" ? s.data.map((d) => d.caption) : [])))];
    fitApart(all, 0.45 * width, 12, theme).forEach((text, k) => captions.set(all[k], text));
    dressPlane({ ...look, captions, freeLabels: labelPlaces(width), faint: faintNames(spec) });
  },
  mounted: ({ chart }) => link(chart),
};

Object.assign(roles, {
  dots(series, { colour, spec }) {
    dressDots(series, spec, { color: colour, opacity: 0.85 }, spec.canvas ? 6 : 9, 3);
  },
  faint(series, { theme, spec }) {
    dressDots(series, spec, { color: theme.muted, opacity: 0.45 }, spec.canvas ? 3.5 : 5, 2);
  },
  steps(series, { colour, theme, faint }) {
    const behind = faint.has(series.name);
    Object.assign(series, { silent: true, showSymbol: false, z: 3, itemStyle: { color: colour }, lineStyle: { color: behind ? theme.muted : colour, width: behind ? 1 : 1.75, opacity: 0.8 } });
  },
  labels(series, { colour, theme, faint, captions, freeLabels }) {
    Object.assign(series, {
      symbolSize: 13, z: 5, emphasis: { disabled: true },
      itemStyle: { color: theme.paper, borderColor: faint.has(series.name) ? theme.muted : colour, borderWidth: 3, opacity: 1 },
      label: {
        show: true, position: "right", distance: 6, color: theme.ink, fontSize: 12, fontWeight: 600,
        textBorderColor: theme.paper, textBorderWidth: 3, formatter: (p) => captions.get(p.data.caption),
      },
      labelLayout: freeLabels,
    });
  },
});

// Icons of points in a legend, which would stretch the library's symbols, and of points on a stepped line.
const points = {
  circle: "circle", rect: "path://M0,0h10v10h-10z", triangle: "path://M5,0l5,9h-10z", diamond: "path://M5,0l4,5l-4,5l-4,-5z",
  stepped: "path://M0,4h6v-4h9v4h6v1.5h-6v4h-9v-4h-6z",
};

// The names of the series in the background, which have no colour.
function faintNames({ option, roles }) {
  return new Set(option.series.filter((s, k) => roles[k].kind === "faint").map((s) => s.name));
}

// The legend entry of a series: a ring if all of its points have labels, as points with labels are drawn as rings.
function pointKey(name, { spec, option, theme }) {
  const of = (...kinds) => option.series.findIndex((s, k) => s.name === name && kinds.includes(spec.roles[k].kind));
  const dots = of("dots", "faint"), labels = of("labels"), steps = of("steps");
  if (dots < 0) return {};
  const faint = faintNames(spec), colour = faint.has(name) ? theme.muted : theme.series[spec.roles[dots].colour];
  if (steps < 0 && labels >= 0 && option.series[labels].data.length === option.series[dots].data.length) {
    return { icon: "circle", itemStyle: { color: theme.paper, borderColor: colour, borderWidth: 2.5 } };
  }
  const icon = { icon: steps < 0 ? points[option.series[dots].symbol] || option.series[dots].symbol : points.stepped };
  return faint.has(name) ? { ...icon, itemStyle: { color: theme.muted } } : icon;
}

function dressDots(series, spec, style, size, z) {
  Object.assign(series, { symbolSize: size, itemStyle: style, z, progressive: 0 });
  series.emphasis = spec.canvas ? { disabled: true } : { scale: 1.4 };
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
