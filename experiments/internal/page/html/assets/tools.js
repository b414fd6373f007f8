// Buttons of each chart that has started: drawing and data as files, scales, zoom. The page works offline, so files are
// made here and downloaded from memory.
"use strict";
(function () {
  const { make, shape } = isoscaleElements;
  const zoomStep = 0.25; // of the visible part, at each end

  function fileName(title) {
    return title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "chart";
  }

  // A colour of the style sheet in hexadecimal digits, which every program can read.
  const dot = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  function solid(colour) {
    dot.clearRect(0, 0, 1, 1);
    dot.fillStyle = colour;
    dot.fillRect(0, 0, 1, 1);
    return "#" + Array.from(dot.getImageData(0, 0, 1, 1).data.slice(0, 3), (v) => v.toString(16).padStart(2, "0")).join("");
  }

  // The drawing of the page as a file of its own.
  function drawing(figure) {
    const shown = figure.querySelector(".drawing svg"), svg = shown.cloneNode(true);
    svg.setAttribute("font-family", getComputedStyle(shown).fontFamily);
    const style = getComputedStyle(document.documentElement);
    const named = (value) => value.replace(/var\((--[a-z0-9-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
    for (const element of [svg, ...svg.querySelectorAll("*")]) {
      for (const name of ["fill", "stroke"]) {
        const value = element.getAttribute(name);
        if (value && value !== "none") element.setAttribute(name, solid(named(value)));
      }
    }
    const { width, height } = svg.viewBox.baseVal;
    svg.querySelector("desc").after(shape("rect", { width, height, fill: solid(style.getPropertyValue("--paper")) }));
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    return { text: new XMLSerializer().serializeToString(svg), width, height };
  }

  async function png(figure, name) {
    const { text, width, height } = drawing(figure), scale = 3;
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * scale, height * scale];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => isoscaleDownload(name + ".png", [blob], "image/png"));
  }

  // All points that the chart draws, with all digits: cells at their places, and numbers in place of their logarithms.
  function rows(spec, kind) {
    const { option, roles, own } = spec, [x, y] = ["xAxis", "yAxis"].map((name) => option[name]?.[0] ?? option[name + "3D"] ?? {});
    const power = (log, base, v) => (log ? Number((base ** v).toPrecision(12)) : v);
    const place = (axis, names, k, steps) => (names ?? axis.data)?.[k] ?? axis.min + ((axis.max - axis.min) * k) / steps;
    const cell = ([column, row, value]) => [place(x, own.xNames, column, own.columns ?? own.grid?.[0].length - 1), place(y, own.yNames, row, own.grid?.length - 1),
      power(own.log, 10, value), own.half?.[row][column]];
    const point = ([px, py, ...values]) => [power(own?.xLog2, 2, px), power(own?.yLog2, 2, py), ...values.map((v) => power(own?.log, 10, v))];
    const dataOf = (s) => (s.type === "surface" ? own.grid.flatMap((heights, row) => heights.map((h, column) => (h === null ? null : [column, row, h]))) : s.data);
    const all = kind.rows ? kind.rows(spec) : [["series", "kind", "name", x.name ?? "x", y.name ?? "y", "high or value", ...(own?.half ? ["half of the interval"] : [])]];
    if (!kind.rows) option.series.forEach((s, i) => {
      if (/^(targets|labels|steps)$|-halo$/.test(roles[i].kind)) return;
      for (const d of dataOf(s)) for (const p of d ? d.coords ?? [d.value ?? d] : []) all.push([roles[i].name || s.name, roles[i].kind, d.name, ...(roles[i].kind === "cells" ? cell : point)(p)]);
    });
    return all.map((row) => all[0].map((_, k) => row[k] ?? ""));
  }

  async function copy(spec, kind, button) {
    const text = rows(spec, kind).map((row) => row.map((value) => String(value).replace(/[\t\n\r]/g, " ")).join("\t")).join("\n");
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => (button.textContent = said), 2000);
  }

  // mount puts the buttons of a chart into a menu beside its title.
  function mount({ figure, spec, chart, state, redraw }, kind) {
    const title = figure.querySelector("h3").textContent, name = fileName(title);
    const opener = make("summary", { "aria-label": "Tools of " + title }, "Tools"), bar = make("div");
    const menu = make("details", { className: "tools", name: "tools" }, opener, bar); // opening one closes the others
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      opener.focus();
    });
    const add = (text, label, act, pressed) => {
      const button = make("button", { type: "button", "aria-label": label, "aria-pressed": pressed, onclick: () => act(button) }, text);
      bar.append(button);
    };
    add("SVG", "Download the drawing as SVG", () => isoscaleDownload(name + ".svg", [drawing(figure).text], "image/svg+xml"));
    add("PNG", "Download the drawing as PNG", () => png(figure, name));
    add("CSV", "Download the data as CSV", () => isoscaleDownload(name + ".csv", [isoscaleElements.csv(rows(spec, kind))], "text/csv"));
    add("Copy", "Copy the data", (button) => copy(spec, kind, button));
    const toggle = (button, act) => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", on);
      act(on);
      redraw();
    };
    for (const axis of kind.zoom && spec.x && spec.y ? ["x", "y"] : []) {
      if (!(spec[axis].min > 0) && !spec[axis].positive) continue;
      add("Log " + axis, "Logarithmic " + axis + " axis", (button) => toggle(button, (on) => (state[axis] = on ? "log" : "value")), spec.option[axis + "Axis"][0].type === "log");
    }
    const ideals = spec.option.series.filter((series, k) => spec.roles[k].kind === "ideal" && series.data.length > 0).map((series) => series.name);
    if (ideals.length > 0) {
      add("Ideal", "Ideal line", (button) => toggle(button, (on) => ideals.forEach((name) => chart.dispatchAction({ type: on ? "legendSelect" : "legendUnSelect", name }))), true);
      const button = bar.lastElementChild; // it also follows the legend, which can hide and show the line
      onLegend(chart, ({ selected }) => button.setAttribute("aria-pressed", ideals.some((name) => selected[name] !== false)));
    }
    if (kind.zoom && spec.x && spec.y) {
      const zoom = (change) => {
        state.zoom = change === 0 ? [0, 100] : state.zoom;
        const [from, to] = state.zoom, width = to - from;
        if (change !== 0) state.zoom = [Math.max(0, from + change * width), Math.min(100, to - change * width)];
        redraw();
      };
      add("+", "Zoom in", () => zoom(zoomStep));
      add("\u2212", "Zoom out", () => zoom(-zoomStep * 2));
      add("Reset", "Show all again", () => zoom(0));
    }
    figure.querySelector(".plot").before(menu);
  }

  // mountKeys lays a button over each entry of the legend, as the library's entries work with the mouse only. It
  // returns the function that places the buttons after each drawing.
  function mountKeys(plot, chart) {
    const bar = make("div", { className: "keys", role: "group", "aria-label": "Series of " + plot.parentElement.querySelector("h3").textContent });
    plot.before(bar);
    const button = (name) => make("button", { type: "button", "aria-label": name, onclick: () => chart.dispatchAction({ type: "legendToggleSelect", name }) });
    function place() {
      const legend = chart.getModel().getComponent("legend");
      const shown = legend && legend.get("show") && chart.getViewOfComponentModel(legend).getContentGroup().children();
      const names = shown ? legend.getData().map((item) => item.get("name")).filter((name) => name !== "" && name !== "\n") : [];
      bar.hidden = names.length === 0;
      if (bar.childElementCount !== names.length) bar.replaceChildren(...names.map(button));
      names.forEach((name, k) => {
        const box = shown[k].getBoundingRect().clone();
        box.applyTransform(shown[k].getComputedTransform());
        const key = bar.children[k];
        key.setAttribute("aria-pressed", legend.isSelected(name));
        Object.assign(key.style, { left: box.x + "px", top: plot.offsetTop + box.y + "px", width: box.width + "px", height: box.height + "px" });
      });
    }
    onLegend(chart, place);
    return place;
  }

  // onLegend calls act when series are hidden or shown, whatever the reader uses for that.
  function onLegend(chart, act) {
    for (const change of ["legendselectchanged", "legendselected", "legendunselected"]) chart.on(change, act);
  }

  window.isoscaleTools = { mount, mountKeys };
})();
