"use strict";

// What tests ask of any page.
globalThis.scene = (() => {
  const ruler = document.createElement("canvas").getContext("2d");

  // The box of the letters of an SVG text on the screen. The box is as high as the letters, as the height of a line
  // depends on the font.
  function letterBox(text) {
    const r = text.getBoundingClientRect();
    ruler.font = getComputedStyle(text).font;
    const m = ruler.measureText(text.textContent);
    const turned = text.getScreenCTM().b < 0; // upwards, as titles of axes are
    const scale = (turned ? r.width : r.height) / (m.fontBoundingBoxAscent + m.fontBoundingBoxDescent) || 0; // a drawing may be shown larger or smaller than it was made
    const above = scale * (m.fontBoundingBoxAscent - m.actualBoundingBoxAscent), below = scale * (m.fontBoundingBoxDescent - m.actualBoundingBoxDescent);
    return turned ? { left: r.left + above, right: r.right - below, top: r.top, bottom: r.bottom }
      : { left: r.left, right: r.right, top: r.top + above, bottom: r.bottom - below };
  }

  // Scrolls to each chart of a report, which starts it, and waits until all are on the screen.
  async function startCharts() {
    const frame = () => new Promise((done) => requestAnimationFrame(() => done(true)));
    for (const f of Array.from(document.querySelectorAll("figure")).filter((f) => f.querySelector(".plot") && f.getClientRects().length > 0)) {
      f.scrollIntoView({ block: "center" });
      while (!f.matches(".live, .dead")) await frame();
    }
    scrollTo(0, 0);
    return frame();
  }

  // Finds texts that overlap or are cut off in the visible drawings of a selector, and names each with the heading of
  // its figure.
  function textFaults(drawings) {
    const slack = 1; // pixel: letters are drawn on whole ones
    const faults = [];
    for (const svg of document.querySelectorAll(drawings)) {
      if (svg.getClientRects().length === 0) continue;
      const all = svg.getBoundingClientRect(), name = svg.closest("figure").querySelector("h3").textContent;
      const texts = Array.from(svg.querySelectorAll("text")).filter((t) => t.textContent.trim() !== "").map((t) => ({ text: t.textContent, ...letterBox(t) }));
      texts.forEach((a, i) => {
        if (a.left < all.left - slack || a.right > all.right + slack || a.top < all.top - slack || a.bottom > all.bottom + slack) faults.push(name + ": " + JSON.stringify(a.text) + " is cut off");
        for (const b of texts.slice(i + 1)) {
          if (a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom) faults.push(name + ": " + JSON.stringify(a.text) + " and " + JSON.stringify(b.text) + " overlap");
        }
      });
    }
    return faults;
  }

  // The number of pixels of a canvas that have a colour.
  function colouredPixels(canvas) {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
    let n = 0;
    for (let i = 3; i < data.length; i += 4) n += data[i] > 0;
    return n;
  }

  // The charts of a report with every text in them.
  function drawings() {
    return Array.from(document.querySelectorAll("figure")).map((f) => {
      const plot = f.querySelector(".plot"), svg = f.querySelector(".plot svg");
      const at = plot ? plot.getBoundingClientRect() : { left: 0, top: 0, width: 0, height: 0 };
      return {
        ID: f.id, Failed: !!f.querySelector(".failed"), Width: at.width, Height: at.height,
        Shapes: svg ? svg.querySelectorAll("path").length : 0,
        Pixels: plot ? Array.from(plot.querySelectorAll("canvas")).map(colouredPixels).reduce((a, b) => a + b, 0) : 0,
        Texts: svg ? Array.from(svg.querySelectorAll("text")).map((t) => {
          const box = letterBox(t);
          return { Text: t.textContent, Left: box.left - at.left, Top: box.top - at.top, Right: box.right - at.left, Bottom: box.bottom - at.top };
        }) : [],
      };
    });
  }

  // The first chart of a report.
  const plot = () => document.querySelector(".plot"), chart = () => echarts.getInstanceByDom(plot());

  // Where the first chart shows a point, given in the coordinates of its first series or, if three, in space.
  function placeOf(...point) {
    plot().scrollIntoView({ block: "center" });
    const [x, y] = point.length === 3 ? inSpace(point) : chart().convertToPixel({ seriesIndex: 0 }, point);
    const { left, top } = plot().getBoundingClientRect();
    return [left + x, top + y];
  }

  function inSpace(point) {
    const box = chart().getModel().getComponent("grid3D").coordinateSystem, view = box.viewGL;
    // Matrices have their columns one after the other.
    const times = (matrix, vector) => [0, 1, 2, 3].map((i) => vector.reduce((sum, v, k) => sum + matrix.array[4 * k + i] * v, 0));
    const [right, up, , w] = times(view.camera.projectionMatrix, times(view.camera.viewMatrix, [...box.dataToPoint(point), 1]));
    const port = view.viewport; // measured from below
    return [port.x + ((1 + right / w) / 2) * port.width, view.layer.renderer.getHeight() - port.y - ((1 + up / w) / 2) * port.height];
  }

  const option = () => chart().getOption();
  const tool = (name) => Array.from(document.querySelectorAll(".tools button")).find((b) => b.textContent === name);
  const key = (name) => document.querySelector(`.keys button[aria-label=${name}]`);

  // The file that a button at a chart makes: text, or the first bytes of a picture.
  async function file(name) {
    const made = URL.createObjectURL;
    const blob = await new Promise((done) => {
      URL.createObjectURL = (b) => { done(b); return made.call(URL, b); };
      HTMLAnchorElement.prototype.click = function () {};
      tool(name).click();
    });
    URL.createObjectURL = made;
    return blob.type === "image/png" ? String(new Uint8Array(await blob.arrayBuffer()).slice(0, 4)) : blob.text();
  }

  // Presses a button at a chart, and says whether the button has the focus and is pressed, and what the chart shows.
  function press(name) {
    const b = tool(name);
    b.closest("details").open = true;
    b.focus();
    b.click();
    const o = option();
    return [document.activeElement === b, b.getAttribute("aria-pressed"), o.yAxis[0].type, o.legend[0].selected.ideal !== false, Math.round(o.dataZoom[0].start)].join(" ");
  }

  // What the button, the key and the chart say of the ideal line once one of them is pressed.
  function ideal(pressed) {
    (pressed === "key" ? key("ideal") : tool("Ideal")).click();
    return [tool("Ideal").getAttribute("aria-pressed"), key("ideal").getAttribute("aria-pressed"), option().legend[0].selected.ideal !== false].join(" ");
  }

  // The keys of a legend: name, whether pressed, whether the series is shown, whether the key lies over its text.
  function keys() {
    const selected = option().legend[0].selected;
    return Array.from(document.querySelectorAll(".keys button")).map((b) => {
      const at = b.getBoundingClientRect(), name = b.getAttribute("aria-label");
      const text = Array.from(plot().querySelectorAll("text")).find((e) => e.textContent === name).getBoundingClientRect();
      const over = at.left <= text.left + 1 && text.right <= at.right + 1 && at.top <= text.top + 4 && text.bottom <= at.bottom + 4;
      return [name, b.getAttribute("aria-pressed"), selected[name] !== false, over].join(" ");
    }).join(", ");
  }

  // What a slice of maps shows: how many maps, which, whether drawn, and the level of the last slider.
  function slice() {
    const shown = [...document.querySelectorAll(".slice")].filter((s) => !s.hidden);
    const title = shown[0].querySelector("h3"), svg = shown[0].querySelector(".plot svg, .plot canvas");
    return [shown.length, title ? title.textContent : "", svg ? svg.getBoundingClientRect().width > 200 : false,
      document.querySelectorAll(".slider output")[1].textContent].join("|");
  }

  // Changes the value of an element as a reader does.
  function change(element, set) {
    element.focus();
    set(element);
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
    return document.activeElement === element;
  }

  // The rows of the table of machines of a document, their cells with | between.
  const machines = (page) => Array.from(page.querySelectorAll(".machines tbody tr"), (r) => Array.from(r.cells, (c) => c.textContent.trim()).join("|")).join("\n").replaceAll("\u00a0", " ");

  // Reads the pixels of a timeline of two ranks and 10 s around a time and a height in a lane (0 upper edge, 1 lower).
  // The axis and the summary take 48 pixels above the lanes and a margin 2 below; the room for names on the left
  // depends on the fonts. All messages stand out.
  function pixels(show, t, rank, part, w, h) {
    const p = document.querySelector(".picture").picture, view = p.view;
    const x = view.gutter + (t / 10) * (view.width - view.gutter - 1), y = 48 + ((rank + part) * (view.height - 50)) / 2;
    p.set({ path: false, messages: false, focus: { ranks: new Set([0, 1]), from: 0, until: 2 ** 32 }, ...show });
    p.paint();
    return p.canvas.getContext("2d").getImageData(Math.round(x - w / 2), Math.round(y - h / 2), w, h).data;
  }
  // The share of pixels that a function of their index finds.
  function share(data, found) {
    let n = 0;
    for (let i = 0; i < data.length; i += 4) n += found(i);
    return n / (data.length / 4);
  }
  const differs = (a, i, b, k) => Math.max(Math.abs(a[i] - b[k]), Math.abs(a[i + 1] - b[k + 1]), Math.abs(a[i + 2] - b[k + 2])) > 40;
  // The share of the pixels around a place that have a colour of the page.
  function of(colour, ...place) {
    const c = document.createElement("canvas").getContext("2d");
    c.fillStyle = getComputedStyle(document.querySelector(".picture").picture.canvas).getPropertyValue(colour).trim();
    c.fillRect(0, 0, 1, 1);
    const wanted = c.getImageData(0, 0, 1, 1).data, d = pixels({}, ...place);
    return share(d, (i) => !differs(d, i, wanted, 0));
  }
  // The share of the pixels around a place that change when something is shown.
  function by(what, ...place) {
    const off = pixels({}, ...place), on = pixels({ [what]: true }, ...place);
    return share(on, (i) => differs(on, i, off, i));
  }

  return { startCharts, textFaults, drawings, placeOf, file, press, ideal, keys, slice, change, machines, of, by };
})();
