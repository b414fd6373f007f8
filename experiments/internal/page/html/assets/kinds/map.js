// Cells of rows and columns.
kinds.map = {
  crisp: true,
  tooltip: ({ own, option }) => function (cell) {
    const x = option.xAxis[0], [column, row, value] = cell.value;
    const start = (k) => x.min + ((x.max - x.min) * k) / own.columns, unit = own.xUnit ? " " + own.xUnit : "";
    return tip(element("b", shorten(option.yAxis[0].data[row], 60)), element("div", format(start(column)) + " to " + format(start(column + 1)) + shorten(unit, 20)),
      tipRow(cell.color, own.value, format(unscaled(own.log, value))));
  },
  dress(look) {
    dressAxes(look);
    dressHeat(look);
    dressSeries(look);
  },
};

// A strip of paper between the rows of a heat map leads the eye along them.
function dressHeat({ option, own, theme, width }) {
  const x = option.xAxis[0], y = option.yAxis[0];
  x.splitLine.show = false;
  x.axisLabel.showMaxLabel = false;
  y.z = 3;
  y.splitLine = { show: true, interval: 0, lineStyle: { color: theme.paper, width: 2 } };
  option.legend.show = false;
  option.grid.top = 30 + dressColours(option, theme, width);
}
