"use strict";
// Puts interactive pictures into a report, in place of the drawings.
(() => {
  async function show(host) {
    const figure = host.parentElement, title = figure.querySelector("h3").textContent;
    const [data, wiring] = ["data", "wiring"].map((name) => figure.querySelector(`script.${name}`));
    try {
      const timeline = data && isoscaleTimeline.decode(await isoscaleUnpack(data));
      if (!wiring) {
        host.picture = isoscaleTimeline.mount(host, timeline, { title, path: true });
        return;
      }
      host.picture = isoscaleTopology.mount(host, JSON.parse(new TextDecoder().decode(await isoscaleUnpack(wiring))), isoscaleTopology.useOf(timeline));
    } catch (error) {
      console.error(error);
      host.replaceChildren(isoscaleElements.make("p", { className: "failed" }, "This picture could not be drawn. The table below says the same."));
    }
  }
  for (const host of document.querySelectorAll(".picture")) show(host);
})();
