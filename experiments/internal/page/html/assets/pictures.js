"use strict";
// Puts the pictures of a report into the page, in place of their still forms.
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
      const links = (timeline && timeline.links) || [];
      const share = timeline && timeline.a.link_use;
      const use = links.length ? { links, windows: share.length / links.length, window_s: timeline.window_s, end_s: timeline.end * timeline.tick_s, share } : null;
      host.picture = isoscaleTopology.mount(host, JSON.parse(new TextDecoder().decode(await isoscaleUnpack(wiring))), use);
    } catch (error) {
      console.error(error);
      host.replaceChildren(isoscaleElements.make("p", { className: "failed" }, "This picture could not be drawn. The table below says the same."));
    }
  }
  for (const host of document.querySelectorAll(".picture")) show(host);
})();
