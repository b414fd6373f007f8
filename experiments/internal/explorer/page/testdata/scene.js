"use strict";

// What tests ask of the explorer.

// picture draws a timeline without its axis on 1001 by 202 pixels, so that two ranks
// have lanes of 100 pixels and 1000 ticks one pixel each, in plain colours: compute is
// blue, overhead red, wait green, messages are black and the path magenta. look(x, y, w,
// h) then counts the pixels of an area by what they show: a hatched area has paper too.
globalThis.picture = (text, change) => {
  const data = isoscaleTimeline.decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  const canvas = document.createElement("canvas");
  canvas.width = 1001; canvas.height = 202;
  const c = canvas.getContext("2d");
  const theme = {paper: "#ffffff", ink: "#000000", muted: "#000000", grid: "#eeeeee", kinds: ["#0000ff", "#ff0000", "#00ff00", "#eeeeee"], path: "#ff00ff", message: "#000000", font: "sans-serif"};
  globalThis.layout = isoscaleTimeline.draw(c, data, {bare: true, gutter: 0, width: 1001, height: 202, from: 0, until: data.seconds, firstRank: 0, ranks: data.ranks, theme, ...change});
  globalThis.look = (x, y, w, h) => {
    const p = c.getImageData(x, y, w, h).data, n = {compute: 0, overhead: 0, wait: 0, path: 0, dark: 0, other: 0};
    for (let i = 0; i < p.length; i += 4) {
      const [r, g, b] = p.subarray(i, i + 3);
      if (Math.max(r, g, b) < 110) n.dark++;
      else if (r > 200 && b > 200 && g < 120) n.path++;
      else if (b > 200 && Math.max(r, g) < 60) n.compute++;
      else if (r > 200 && g === b && g < 250) n.overhead++;
      else if (g > 200 && r === b && r < 250) n.wait++;
      else n.other++; // paper, and edges
    }
    return n;
  };
};

// save presses a button of the menu and returns what would be saved.
globalThis.save = (as) => new Promise((done) => {
  const create = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
  let blob;
  URL.createObjectURL = (b) => { blob = b; return "data:,"; };
  HTMLAnchorElement.prototype.click = function () {
    URL.createObjectURL = create;
    HTMLAnchorElement.prototype.click = click;
    done({name: this.download, blob});
  };
  document.querySelector('#export button[data-as="' + as + '"]').click();
});

// savedPictures describes the SVG and the PNG that are saved, and the size of the timeline.
globalThis.savedPictures = async () => {
  const text = await (await save("svg")).blob.text();
  const d = new DOMParser().parseFromString(text, "image/svg+xml"), box = (d.documentElement.getAttribute("viewBox") ?? "0 0 0 0").split(" ").map(Number);
  const canvas = document.querySelector(".timeline canvas");
  const png = await createImageBitmap((await save("png")).blob);
  return {
    problem: d.querySelector("parsererror")?.textContent ?? "", rects: d.querySelectorAll("rect").length, lines: d.querySelectorAll("path").length,
    width: box[2], height: box[3], shownW: canvas.clientWidth, shownH: canvas.clientHeight,
    pngWidth: png.width, pngHeight: png.height, canvasW: canvas.width, canvasH: canvas.height,
  };
};

// boxOf scrolls to an element, and returns its box on the screen.
globalThis.boxOf = (selector) => {
  const s = document.querySelector(selector);
  s.scrollIntoView({block: "center"});
  const b = s.getBoundingClientRect();
  return {x: b.x, y: b.y, width: b.width, height: b.height};
};

// moveSlider returns the milliseconds from a move of the slider to the picture.
globalThis.moveSlider = async (to) => {
  const slider = document.querySelector('[data-path="workload.size"]').closest(".control").querySelector("input[type=range]");
  await new Promise((done) => setTimeout(done, 100)); // the last move is over
  const drawn = new Promise((done) => new MutationObserver((_, all) => { all.disconnect(); done(); })
    .observe(document.documentElement, {attributeFilter: ["data-drawn"]}));
  const began = performance.now();
  slider.value = to;
  slider.dispatchEvent(new Event("input", {bubbles: true}));
  await drawn;
  document.querySelector(".timeline canvas").getContext("2d").getImageData(0, 0, 1, 1);
  return performance.now() - began;
};

// shown is "shown" when the page shows what it was asked for, and "" before.
globalThis.shown = () => {
  const d = document.documentElement.dataset, view = document.body.dataset.view;
  if (!d.ready) return "";
  if (view === "plan") return d.state === "busy" ? "" : "shown";
  if (view === "lesson") return document.querySelector("#lesson h2") ? "shown" : "";
  if (view === "scaling") return document.querySelector("#scaling svg path") ? "shown" : "";
  return d.state === "shown" && document.querySelector("#controls fieldset") && (view !== "topology" || document.querySelector("#topology svg")) ? "shown" : d.state === "failed" ? document.getElementById("problem").textContent : "";
};
