// Unpacks scripts when an element that needs them comes near the screen: the chart library
// with the script of the page, and the script of pictures. Without scripts, or in a browser
// without DecompressionStream, the drawings stay. The page's policy lists every script's hash.
"use strict";
(function () {
  if (!("DecompressionStream" in window)) return;

  // Decodes Ascii85 with v in place of <: five digits for four bytes. Digits that the end
  // lacks count as the largest.
  function bytes(text) {
    const digits = text.replaceAll("z", "!!!!!").replaceAll("v", "<"), n = digits.length;
    const out = new DataView(new ArrayBuffer(4 * Math.ceil(n / 5)));
    for (let i = 0; i < n; i += 5) {
      let value = 0;
      for (let k = i; k < i + 5; k++) value = 85 * value + (k < n ? digits.charCodeAt(k) - 33 : 84);
      out.setUint32((4 * i) / 5, value);
    }
    return out.buffer.slice(0, Math.floor((4 * n) / 5));
  }

  // Unzips the bytes that an element holds.
  window.isoscaleUnpack = async (element) => {
    const packed = bytes(element.textContent);
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };

  async function unpack(element) {
    const text = new TextDecoder().decode(await isoscaleUnpack(element));
    if (element.id === "charts") {
      element.textContent = text; // data
      return;
    }
    const script = document.createElement("script");
    script.textContent = text;
    document.body.append(script);
  }

  const groups = new Map(); // packed scripts by the selector of the elements that need them
  for (const element of document.querySelectorAll(".packed")) {
    const needed = element.dataset.for || ".plot";
    groups.set(needed, [...(groups.get(needed) || []), element]);
  }
  for (const [needed, elements] of groups) {
    const near = new IntersectionObserver(async (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      near.disconnect();
      for (const element of elements) await unpack(element);
    }, { rootMargin: "400px" });
    for (const host of document.querySelectorAll(needed)) near.observe(host.parentElement);
  }
})();
