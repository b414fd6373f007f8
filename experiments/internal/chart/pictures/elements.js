"use strict";
// make returns an element with properties, attributes and children, shape one of a drawing. What is null is left out.
var isoscaleElements = { // several scripts of a page bring it
  make(tag, properties = {}, ...children) {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(properties)) {
      if (v === undefined || v === null) continue;
      k in e && k !== "list" ? (e[k] = v) : e.setAttribute(k, v);
    }
    const unbroken = (c) => (typeof c === "string" && /^(p|li|d[dt]|h\d|legend)$/.test(tag) ? c.replace(isoscaleElements.quantity, "$1\u00a0") : c);
    e.append(...children.filter((c) => c !== null && c !== undefined).map(unbroken));
    return e;
  },
  // A number before its unit: a line of prose does not break between them.
  quantity: /(\d) (?=(?:%|min|h|d|EUR|k?Wh|[pnuµmkMGTPE]?(?:(?:B|bit|flop)\/s|flop|s|B|W|J|Hz)|[KMGT]iB)(?![\w/]))/g,
  shape(tag, attributes = {}, ...children) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    e.append(...children);
    return e;
  },
};

// isoscaleDownload offers a file that the page has made: it works offline.
window.isoscaleDownload = (name, parts, type) => {
  const link = isoscaleElements.make("a", { href: URL.createObjectURL(new Blob(parts, { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
