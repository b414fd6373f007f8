// Sorts and filters the machines of a plan. It computes nothing: other prices or limits need a new search.
"use strict";
(function () {
  const { make } = isoscaleElements;
  const mostRows = 40;
  const prefix = "#try:";

  const fields = ["name", "design", "types", "network", "figures", "cells"];
  const machineOf = (row) => Object.fromEntries(fields.map((field, k) => [field, row[k]]));

  // The best machine of each design, but the recommended machine for its own design.
  function ofDesigns(machines, recommended) {
    const seen = new Set();
    return machines.filter((m) => {
      if (seen.has(m.design) || (m.design === recommended.design && m !== recommended)) return false;
      return seen.add(m.design);
    });
  }

  // Prints a number with 4 digits or, from 1000 on, as an integer (ties to even) with spaces between thousands.
  function readable(x) {
    if (Math.abs(x) < 1000) return String(Number(x.toPrecision(4)));
    const down = Math.floor(x), rest = x - down;
    const whole = rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
    return String(whole).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
  }

  // The value of a machine in column k: a text, a number, or null.
  function valueIn(m, k, scale) {
    if (k === 0) return m.name;
    if (k > m.figures.length) return m.cells[k - 1 - m.figures.length];
    return k === 1 ? m.figures[0] / scale : m.figures[k - 1];
  }
  function cellIn(m, k, scale) {
    const value = valueIn(m, k, scale);
    if (value === null) return "-";
    if (typeof value === "string") return value;
    return k === 2 ? value.toFixed(3) : readable(value);
  }
  // The value by which column k sorts a machine. Texts such as "1 234" and "31.5" count as numbers.
  function sortKey(m, k, scale) {
    const value = valueIn(m, k, scale);
    if (value === null) return Infinity;
    if (typeof value === "number") return value;
    const number = Number(value.replace(/[ \u00a0]/g, ""));
    return value !== "" && !isNaN(number) ? number : value;
  }
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));

  async function mount(block) {
    const data = await isoscaleUnpack(block.querySelector(".machine-data"));
    const { currency, scale, types, networks, recommended: best, rows } = JSON.parse(new TextDecoder().decode(data));
    const machines = rows.map(machineOf), recommended = machines[best];
    const form = block.querySelector("form"), body = block.querySelector("tbody"), said = block.querySelector(".said");
    const all = form.querySelector(".all"), filters = form.querySelector(".filters");
    const heads = [...block.querySelectorAll("thead th")], classes = heads.map((h) => h.className);
    const boxes = [...types.map((name, k) => ["n" + (k + 1), name, (m) => m.types.includes(k)]), ...networks.map((name, k) => ["w" + (k + 1), name, (m) => m.network === k])]
      .filter(([, , has]) => machines.some(has)).map(([key, name, has]) => {
        const box = make("input", { type: "checkbox", checked: true, onchange: update });
        filters.append(make("label", {}, box, " " + name), " ");
        return { key, has, box };
      });
    let sort = { column: -1, down: false };

    heads.forEach((head, k) => {
      const turn = () => {
        sort = sort.column !== k ? { column: k, down: false } : sort.down ? { column: -1, down: false } : { column: k, down: true };
        update();
      };
      head.replaceChildren(make("button", { type: "button", onclick: turn }, head.textContent));
    });

    const shown = (m) => !boxes.some(({ has, box }) => !box.checked && has(m));

    function draw() {
      let list = (all.checked ? machines : ofDesigns(machines, recommended)).filter(shown);
      if (sort.column >= 0) {
        list = list.map((x) => [sortKey(x, sort.column, scale), x]).sort((a, b) => (sort.down ? -1 : 1) * compare(a[0], b[0])).map((pair) => pair[1]);
      }
      body.replaceChildren(...list.slice(0, mostRows).map((x) => {
        const cells = heads.map((_, k) => make("td", { className: classes[k] || null }, cellIn(x, k, scale)));
        return make("tr", { "data-machine": x.name, className: x === recommended ? "best" : null }, ...cells);
      }));
      heads.forEach((head, k) => {
        if (k === sort.column) head.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      said.textContent = sentence(list.length);
    }

    function sentence(listed) {
      const hidden = machines.length - machines.filter(shown).length;
      return "As planned: buy " + recommended.name + " for " + readable(recommended.figures[2]) + " " + currency + ". " +
        machines.length + " of " + machines.length + " machines are ranked" + (hidden > 0 ? ": " + hidden + " are hidden by choice" : "") +
        (listed > mostRows ? "; the first " + mostRows + " of " + listed + " are listed" : "") + ".";
    }

    function update() {
      draw();
      const state = written();
      if (state || location.hash.startsWith(prefix)) history.replaceState(null, "", state ? prefix + state : location.pathname + location.search);
    }

    // The settings of the form that are not as planned, as text.
    function written() {
      const parts = [];
      if (all.checked) parts.push("all=1");
      const off = boxes.filter(({ box }) => !box.checked).map(({ key }) => key);
      if (off.length > 0) parts.push("without=" + off.join(","));
      if (sort.column >= 0) parts.push("sort=" + sort.column + (sort.down ? "d" : ""));
      return parts.join("&");
    }

    function read() {
      if (!location.hash.startsWith(prefix) && location.hash !== "") return;
      const given = new URLSearchParams(location.hash.slice(prefix.length));
      all.checked = given.get("all") === "1";
      const off = (given.get("without") || "").split(",");
      for (const { key, box } of boxes) box.checked = !off.includes(key);
      const by = /^(\d+)(d?)$/.exec(given.get("sort") || "");
      sort = by && by[1] < heads.length ? { column: Number(by[1]), down: by[2] === "d" } : { column: -1, down: false };
    }

    function csv() {
      const lines = [heads.map((head) => head.textContent)];
      for (const x of machines.filter(shown)) lines.push(heads.map((_, k) => (valueIn(x, k, scale) === null ? "" : String(sortKey(x, k, scale)))));
      isoscaleDownload("machines.csv", [isoscaleElements.csv(lines)], "text/csv");
    }

    // A machine that the reader points at is marked in the table and in the charts.
    const tell = (name) => document.dispatchEvent(new CustomEvent("isoscale-point", { detail: { name } }));
    body.addEventListener("mouseover", (event) => {
      const row = event.target.closest("tr");
      if (row) tell(row.dataset.machine);
    });
    body.addEventListener("mouseleave", () => tell(""));
    document.addEventListener("isoscale-point", ({ detail }) => {
      for (const row of body.rows) row.classList.toggle("lit", detail.name !== "" && row.dataset.machine === detail.name);
    });

    all.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.querySelector(".csv").addEventListener("click", csv);
    form.querySelector(".reset").addEventListener("click", () => {
      all.checked = false;
      for (const { box } of boxes) box.checked = true;
      sort = { column: -1, down: false };
      update();
    });
    addEventListener("hashchange", () => {
      if (!location.hash.startsWith(prefix)) return;
      read();
      update();
    });
    read();
    update();
    block.ranked = () => ({ recommended, machines }); // for tests
    form.hidden = false;
  }

  if (!window.isoscaleUnpack) return; // a browser without DecompressionStream
  for (const block of document.querySelectorAll(".machines")) mount(block);
})();
