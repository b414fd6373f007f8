// Unpacks the chart library and the script of the page when the first chart comes near
// the screen. Without scripts, or in a browser without DecompressionStream, the drawings
// stay. The policy of the page lists the hashes of both.
"use strict";
(function () {
  async function unpack(element) {
    const packed = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
    const text = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    if (element.id === "charts") {
      element.textContent = text; // data
      return;
    }
    const script = document.createElement("script");
    script.textContent = text;
    document.body.append(script);
  }

  async function start() {
    for (const element of document.querySelectorAll(".packed")) await unpack(element);
  }

  if (!("DecompressionStream" in window)) return;
  const near = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    near.disconnect();
    start();
  }, { rootMargin: "400px" });
  for (const plot of document.querySelectorAll(".plot")) near.observe(plot.parentElement);
})();
