// Bars to both sides of a base.
kinds.tornado = {
  tooltip: ({ own, option }) => function (found) {
    const [row, result] = found.value, note = own.notes[row][found.seriesIndex], change = result - own.base;
    return tip(element("b", shorten(option.yAxis[0].data[row], 120)), element("div", shorten(found.seriesName, 60) + (note ? ": " + shorten(note, 60) : "")),
      tipRow(found.color, own.value, format(result) + (own.halves && own.halves[row][found.seriesIndex] ? " \u00b1 " + format(own.halves[row][found.seriesIndex]) : "")), tipRow("transparent", own.label, format(own.base)),
      tipRow("transparent", "difference", (change > 0 ? "+" : "") + format(change)));
  },
  rows: ({ own, option }) => [["parameter", "change", own.value, ...(own.halves ? ["half of the interval"] : [])], [own.label, "", own.base],
    ...option.series.slice(0, 2).flatMap((s, side) => s.data.map(([row, result]) => [option.yAxis[0].data[row], s.name, result, own.halves?.[row][side]]))],
};

roles.swings = (series, { colour, own, theme }) => {
  Object.assign(series, { encode: { x: 1, y: 0 }, itemStyle: { color: colour }, renderItem: swing(own, theme) });
};

// A bar of a tornado runs from the base to a result, which is written at its end.
function swing(tornado, theme) {
  return function (params, api) {
    const row = api.value(0), result = api.value(1), lane = api.value(2);
    const [base, middle] = api.coord([tornado.base, row]);
    const end = api.coord([result, row])[0];
    const height = Math.min(24, 0.68 * api.size([0, 1])[1]);
    const shape = { x: Math.min(base, end), y: middle - height / 2, width: Math.max(1, Math.abs(end - base)), height };
    if (lane !== 0) shape.height = height / 2;
    if (lane === 2) shape.y = middle;
    const left = result < tornado.base || (result === tornado.base && params.seriesIndex === 0);
    const half = tornado.halves ? tornado.halves[row][params.seriesIndex] : 0;
    const [from, to] = [-half, half].map((d) => api.coord([result + d, row])[0]), y = shape.y + shape.height / 2;
    const ends = half ? whisker([from, y], [to, y], true, theme.ink) : [];
    const text = {
      type: "text", silent: true, x: (left ? Math.min(end, from) - 5 : Math.max(end, to) + 5), y,
      style: { text: formatShort(result), fill: theme.ink, font: (lane === 0 ? "11px " : "9px ") + theme.font, align: left ? "right" : "left", verticalAlign: "middle", stroke: theme.paper, lineWidth: 2 },
    };
    return { type: "group", children: [{ type: "rect", shape, style: { fill: api.visual("color") } }, ...ends, text] };
  };
}
