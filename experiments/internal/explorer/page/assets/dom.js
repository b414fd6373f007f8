const $ = (id) => document.getElementById(id);

const { make, shape } = isoscaleElements;

// roomFor returns the width of a drawing. It is less than usual on a narrow screen, which would otherwise shrink the
// drawing until nobody could read its text.
const roomFor = (usual) => Math.max(320, Math.min(usual, document.documentElement.clientWidth - 30));

const PREFIXES = {
  "s": [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]],
  "B": [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]],
  "B/s": [[1e12, "TB/s"], [1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]],
  "flop": [[1e12, "Tflop"], [1e9, "Gflop"], [1e6, "Mflop"], [1e3, "kflop"], [1, "flop"]],
  "W": [[1e6, "MW"], [1e3, "kW"], [1, "W"]],
  "flop/s": [[1e15, "Pflop/s"], [1e12, "Tflop/s"], [1e9, "Gflop/s"], [1e6, "Mflop/s"], [1e3, "kflop/s"], [1, "flop/s"]],
};

// quantity prints a value in base units with three digits.
function quantity(x, unit = "") {
  if (unit === "%") return `${+(100 * x).toPrecision(3)} %`;
  const scale = PREFIXES[unit];
  if (!scale) return unit ? `${+x.toPrecision(4)} ${unit}` : String(rounded(x));
  if (x === 0) return `0 ${unit}`;
  const [size, name] = scale.find(([k]) => Math.abs(x) >= k * 0.9995) ?? scale.at(-1);
  return `${+(x / size).toPrecision(3)} ${name}`;
}

// rounded returns a number with three digits, or all digits before the point, as in texts of lessons.
const rounded = (x) => (Math.abs(x) >= 1000 ? Math.round(x) : +x.toPrecision(3));

// number prints a rounded number, with five digits and more in groups.
const number = (x) => String(rounded(x)).replace(/^-?\d{5,}/, (d) => d.replace(/\B(?=(\d{3})+$)/g, "\u00a0"));

// paragraphs turns the text of a lesson into elements.
function paragraphs(text) {
  return (text || "").split(/\n\s*\n/).filter((p) => p.trim()).map((p) => {
    const lines = p.trim().split("\n");
    if (lines.every((l) => l.startsWith("- "))) return make("ul", {}, ...lines.map((l) => make("li", {}, ...inline(l.slice(2)))));
    return make("p", {}, ...inline(lines.join(" ")));
  });
}
const inline = (text) => text.split(/(`[^`]*`|\$[^$]+\$)/).map((part) => (part[0] === "`" ? make("code", {}, part.slice(1, -1)) : part[0] === "$" ? formula(part.slice(1, -1)) : part));

// formula turns the text between dollars in a lesson, such as "T_o = p T_p - T_1", into MathML. A / puts the product
// before it above a line and the next factor below; ^ and _ take the next factor.
function formula(text) {
  const tokens = text.match(/[A-Za-z]+|[0-9.]+|\S/g) ?? [], signs = { "-": "\u2212", "*": "\u00b7" };
  const node = (tag, ...children) => {
    const e = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
    e.append(...children);
    return e;
  };
  const row = (list) => (list.length === 1 ? list[0] : node("mrow", ...list));
  const bare = (e) => e.inner ?? e; // without its parentheses
  let at = 0;
  const sign = () => signs[tokens[at++]] ?? tokens[at - 1];
  function factor() {
    const token = tokens[at++] ?? "";
    let e = /[0-9]/.test(token) ? node("mn", token) : node("mi", token);
    if (token === "(") {
      const inner = sum();
      at++;
      e = node("mrow", node("mo", "("), inner.cloneNode(true), node("mo", ")"));
      e.inner = inner;
    }
    while (tokens[at] === "^" || tokens[at] === "_") e = node(tokens[at++] === "^" ? "msup" : "msub", e, bare(factor()));
    return e;
  }
  function product() {
    let list = [factor()];
    for (; at < tokens.length; ) {
      if (tokens[at] === "/") {
        at++;
        list = [node("mfrac", bare(row(list)), bare(factor()))];
      } else if (tokens[at] === "*") {
        list.push(node("mo", sign()), factor());
      } else if (/[A-Za-z0-9(]/.test(tokens[at])) list.push(factor());
      else break;
    }
    return row(list);
  }
  function sum() {
    const list = [];
    while (at < tokens.length && tokens[at] !== ")") list.push(/[A-Za-z0-9(]/.test(tokens[at]) ? product() : node("mo", sign()));
    return row(list);
  }
  return node("math", sum());
}

const download = (name, content, type = content.type) => isoscaleDownload(name, [content], type);
