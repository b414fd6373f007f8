// Makes the chart of a plot. Throws an error if the chart cannot be drawn.
function start(plot) {
  const figure = plot.parentElement, text = JSON.stringify(specs[figure.id]);
  const spec = JSON.parse(text), kind = kinds[spec.kind], refusal = kind.refuse ? kind.refuse() : "";
  if (refusal) throw Object.assign(new Error(refusal), { forReader: true });
  plot.classList.toggle("heat", kind.crisp === true);
  const chart = echarts.init(plot, null, { renderer: spec.canvas ? "canvas" : "svg" });
  const hint = figure.querySelector(".turn");
  const own = {
    plot, figure, chart, spec, hint, advice: hint && hint.textContent, height: plot.clientHeight, width: 0,
    state: { zoom: [0, 100] }, // what the reader has chosen with the buttons
    redraw: () => own.draw(readTheme()),
    draw(theme, forced) {
      own.width = forced || plot.clientWidth;
      const drawn = dressed(text, theme, own.width, own.height, own.state), { option } = drawn;
      if (kind.zoom) choose(drawn.spec, option, own.state);
      if (drawn.spec.extra !== undefined) plot.style.height = own.height + drawn.spec.extra + "px";
      if (kind.before) kind.before(own, drawn);
      drawn.spec.hidden = () => new Set(Object.entries(chart.getOption().legend[0].selected || {}).filter((pair) => !pair[1]).map((pair) => pair[0]));
      const before = chart.getOption();
      if (before) option.legend.selected = before.legend[0].selected; // what the reader has hidden stays hidden
      chart.resize({ width: own.width, height: plot.clientHeight });
      chart.setOption(option, { notMerge: true });
      keys();
    },
    changed: () => plot.clientWidth > 0 && plot.clientWidth !== own.width,
  };
  if (kind.mounted) kind.mounted(own);
  const keys = isoscaleTools.mountKeys(plot, chart);
  isoscaleTools.mount(own, kind);
  return own;
}

// Applies the scales and the part of the axes that the reader has chosen. The library then chooses the ticks: those of
// the drawing are for all data on its own scale.
function choose(spec, option, state) {
  if (!spec.x || !spec.y) return;
  const [from, to] = state.zoom, part = to - from < 100;
  for (const name of ["x", "y"]) {
    const axis = option[name + "Axis"][0], other = state[name] && state[name] !== axis.type;
    if (other) Object.assign(axis, { type: state[name], min: undefined, max: undefined, scale: true });
    if (!other && !part) continue;
    axis.axisTick.customValues = axis.axisLabel.customValues = axis.splitLine.customValues = undefined;
    axis.axisLabel.hideOverlap = true;
    if (axis.type !== "category") axis.axisLabel.formatter = format;
  }
  const zoom = { type: "inside", start: from, end: to, filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseMove: part, moveOnMouseWheel: false };
  option.dataZoom = [{ ...zoom, xAxisIndex: 0 }];
}

// Puts a message in place of a chart that fails, so that the others still start.
function fail(plot, error) {
  if (!error.forReader) console.error(error);
  plot.parentElement.classList.replace("live", "dead");
  const message = element("p", error.forReader ? error.message : "This chart could not start. It is drawn above, and its numbers are in the table below.");
  const hint = plot.parentElement.querySelector(".turn");
  if (hint) hint.remove();
  message.className = "failed";
  plot.replaceWith(message);
}

const specs = JSON.parse(document.getElementById("charts").textContent);
const charts = [];
let theme = readTheme();

// A chart starts when the reader comes near it, and replaces its drawing.
function live(plot) {
  const figure = plot.parentElement;
  figure.classList.add("live");
  try {
    const chart = start(plot);
    chart.draw(theme);
    charts.push(chart);
    resized.observe(plot);
  } catch (error) {
    fail(plot, error);
  }
}

function redraw() {
  theme = readTheme();
  for (const chart of charts) chart.draw(theme);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
const resized = new ResizeObserver(() => {
  for (const chart of charts) if (chart.changed()) chart.draw(theme);
});

const near = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    near.unobserve(entry.target);
    live(entry.target.querySelector(".plot"));
  }
}, { rootMargin: "200px" });
for (const plot of document.querySelectorAll(".plot")) near.observe(plot.parentElement);
