"use strict";
// make returns an element with properties, attributes and children, and shape one of an SVG. Null ones are left out.
var isoscaleElements = { // several scripts of a page bring it
  make(tag, properties = {}, ...children) {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(properties)) {
      if (v === undefined || v === null) continue;
      k in e && k !== "list" ? (e[k] = v) : e.setAttribute(k, v);
    }
    const prose = /^(p|li|d[dt]|h\d|legend|strong|b)$/.test(tag);
    e.append(...children.filter((c) => c !== null && c !== undefined).flatMap((c) => (prose && typeof c === "string" ? isoscaleElements.prose(c) : c)));
    return e;
  },
  // prose divides a text so that its lines break neither at joints nor in names. The last of the joints matches names.
  prose(text) {
    return isoscaleElements.joined(text).split(isoscaleElements.joints.at(-1)[0]).map((t, k) => (k % 2 ? isoscaleElements.make("span", { className: "word" }, t) : t));
  },
  joined: (text) => isoscaleElements.joints.slice(0, -1).reduce((t, [where, put]) => t.replace(where, put), text),
  joints: JOINTS.map(([where, put]) => [new RegExp(where, "g"), put]),
  csv: (rows) => rows.map((row) => row.map((x) => (/[",\r\n]/.test(x) ? `"${x.replaceAll('"', '""')}"` : x)).join(",") + "\n").join(""),
  shape(tag, attributes = {}, ...children) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    e.append(...children);
    return e;
  },
};

// isoscaleDownload offers a file made by the page, which works offline.
window.isoscaleDownload = (name, parts, type) => {
  const link = isoscaleElements.make("a", { href: URL.createObjectURL(new Blob(parts, { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
