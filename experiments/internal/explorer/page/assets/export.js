// SvgSurface has the methods of a canvas that draw a timeline, and makes an SVG.
class SvgSurface {
  constructor(width, height) {
    Object.assign(this, { width, height, body: [], defs: [], known: new Set(), at: "", dash: "", globalAlpha: 1, lineWidth: 1, textAlign: "left", stack: [], clips: 0 });
  }
  static escape = (s) => String(s).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  n(x) { return +x.toFixed(2); }
  hatch(t, kind) {
    const id = `hatch-${kind}`;
    if (!this.known.has(id)) {
      this.known.add(id);
      const [back, front, line] = kind === 1 ? [t.kinds[1], t.paper, "M-1 7L7 -1"] : [t.paper, t.kinds[2], "M-1 -1L7 7"];
      this.defs.push(`<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="${back}"/><path d="${line}" stroke="${front}" stroke-width="1.4"/></pattern>`);
    }
    return `url(#${id})`;
  }
  get alpha() { return this.globalAlpha === 1 ? "" : ` opacity="${this.globalAlpha}"`; }
  fillRect(x, y, w, h) { if (w > 0 && h > 0) this.body.push(`<rect x="${this.n(x)}" y="${this.n(y)}" width="${this.n(w)}" height="${this.n(h)}" fill="${this.fillStyle}"${this.alpha}/>`); }
  strokeRect(x, y, w, h) { this.body.push(`<rect x="${this.n(x)}" y="${this.n(y)}" width="${this.n(w)}" height="${this.n(h)}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"/>`); }
  beginPath() { this.at = ""; }
  moveTo(x, y) { this.at += `M${this.n(x)} ${this.n(y)}`; }
  lineTo(x, y) { this.at += `L${this.n(x)} ${this.n(y)}`; }
  closePath() { this.at += "Z"; }
  rect(x, y, w, h) { this.at += `M${this.n(x)} ${this.n(y)}h${this.n(w)}v${this.n(h)}h${this.n(-w)}Z`; }
  stroke() { this.body.push(`<path d="${this.at}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${this.dash ? ` stroke-dasharray="${this.dash}"` : ""}${this.alpha}/>`); }
  fill() { this.body.push(`<path d="${this.at}" fill="${this.fillStyle}"${this.alpha}/>`); }
  clip() { const id = `clip-${this.clips++}`; this.defs.push(`<clipPath id="${id}"><path d="${this.at}"/></clipPath>`); this.body.push(`<g clip-path="url(#${id})">`); this.stack.push(this.stack.pop() + 1); }
  save() { this.stack.push(0); }
  restore() { for (let k = this.stack.pop(); k > 0; k--) this.body.push("</g>"); }
  setLineDash(list) { this.dash = list.join(" "); }
  fillText(text, x, y) {
    const anchor = { center: "middle", right: "end" }[this.textAlign] ?? "start";
    this.body.push(`<text x="${this.n(x)}" y="${this.n(y)}" dy="0.35em" font-family="sans-serif" font-size="12" text-anchor="${anchor}" fill="${this.fillStyle}">${SvgSurface.escape(text)}</text>`);
  }
  toString() { return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"><defs>${this.defs.join("")}</defs>${this.body.join("")}</svg>\n`; }
}

// standalone returns an SVG of the page with the colours that the page gives it.
function standalone(svg) {
  const copy = svg.cloneNode(true), style = getComputedStyle(document.documentElement);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const box = svg.viewBox.baseVal;
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  return copy.outerHTML.replace(/var\((--[a-z0-9-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
}
