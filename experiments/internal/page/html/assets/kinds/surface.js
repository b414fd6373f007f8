// A surface from above: cells, and lines, arrows and points over them.
kinds.surface = {
  tooltip: ({ own, option }) => function (cell) {
    const [column, row, value] = cell.value;
    return tip(element("b", shorten(own.x, 60) + ": " + option.xAxis[0].data[column]), element("b", shorten(own.y, 60) + ": " + option.yAxis[0].data[row]),
      tipRow(cell.color, own.value, format(unscaled(own.log, value)) + (own.half && own.half[row][column] !== null ? " \u00b1 " + format(own.half[row][column]) : "")));
  },
  dress(look) {
    dressAxes(look);
    dressSurface(look);
    dressSeries(look);
  },
};

Object.assign(roles, {
  contours: dressTraces, dashes: dressTraces, arrows: dressTraces, path: dressTraces,
  levels(series, { theme }) {
    Object.assign(series, { silent: true, clip: false, symbolSize: 1, itemStyle: { color: "transparent", opacity: 1 }, z: 8 }); // labels inherit the opacity
    series.label = {
      show: true, position: "inside", color: theme.ink, fontSize: 11.5, fontWeight: 600,
      textBorderColor: theme.paper, textBorderWidth: 3, formatter: (p) => shorten(p.name, 12),
    };
    series.labelLayout = { hideOverlap: true };
  },
  ...Object.fromEntries(Object.entries(outlines).map(([name, symbol]) => [name, (series, { theme }) => {
    Object.assign(series, {
      silent: true, clip: false, symbol, symbolSize: 8, z: 7,
      itemStyle: { color: theme.paper, borderColor: theme.ink, borderWidth: 2, opacity: 1 },
    });
  }])),
});

// Dresses the axes, the legend and the colour scale, which is for the cells alone.
function dressSurface({ own: surface, option, theme, width }) {
  const x = option.xAxis[0], y = option.yAxis[0];
  option.visualMap[0].seriesIndex = 0;
  const ticks = dressColours(option, theme, width);
  if (surface.both) option.visualMap[0].inRange.color = theme.both;
  const rows = dressMarks(surface.marks, option, theme, width, 24 + ticks);
  option.grid.top = 34 + ticks + legendLine * rows;
  for (const axis of [x, y]) axis.splitLine.show = false;
  Object.assign(x.axisLabel, { interval: "auto", width: undefined, overflow: "none", formatter: null });
  Object.assign(y.axisLabel, { interval: "auto" });
  x.nameGap = 30;
  option.grid.bottom = 32;
}

// A line over a surface lies on a wider one in the colour of the paper.
function dressTraces(series, { role, halo, theme, narrow }) {
  const [mark] = role.kind.split("-");
  const width = { contours: 1.2, dashes: 1.2, arrows: 1.6, path: 5 }[mark];
  const z = { contours: 3, dashes: 3, arrows: 5, path: 4 }[mark];
  const colour = halo ? theme.paper : mark === "path" ? theme.series[0] : theme.ink;
  Object.assign(series, {
    silent: true, clip: false, polyline: mark !== "arrows", z, itemStyle: { color: colour },
    lineStyle: { color: colour, opacity: halo ? 0.8 : 1, width: halo ? width + 2 : width, type: mark === "dashes" && !halo ? [5, 4] : "solid" },
  });
  if (mark === "arrows") Object.assign(series, { symbol: ["none", "arrow"], symbolSize: (halo ? 11 : 8) * (narrow ? 0.6 : 1) });
  for (const line of series.data) if (line.head) line.symbolSize = ((halo ? 3 : 0) + 8 * line.head) * (narrow ? 0.6 : 1);
}
