// Sorts and filters the machines of a plan, with the sums of package buy/model in the same order,
// so that they give the same bits. What is recommended stays: other prices or limits need a new search.
"use strict";
(function () {
  const hoursPerYear = 8765.82;
  const mostRows = 40;
  const slack = 1 + 1e-12; // of limits
  const prefix = "#try:";

  const fields = ["name", "design", "nodes", "network", "ports", "switches", "cables", "racks", "once", "power", "draw", "idle", "rackUnits", "score", "jobs", "cells"];
  const machineOf = (row) => Object.fromEntries(fields.map((field, k) => [field, row[k]]));

  function discounted(amount, rate, year) {
    for (let y = 0; y < year; y++) amount /= 1 + rate;
    return amount;
  }

  // The price of a kilowatt hour in each year.
  function energyPrices(t) {
    const prices = [];
    let grown = t.energy_price;
    for (let y = 1; y - 1 < t.years; y++) {
      const path = t.path || [];
      prices.push(path.length > 0 ? t.energy_price * path[Math.min(y, path.length) - 1] : grown);
      grown *= 1 + t.growth;
    }
    return prices;
  }

  function cost(m, t, prices, ofAnnuity) {
    let nodes = 0;
    m.nodes.forEach((count, k) => { nodes += count * t.node_prices[k]; });
    const [port, sw, cable] = t.network_prices[m.network];
    const ports = m.ports * port, switches = m.switches * sw, cables = m.cables * cable;
    const vat = t.vat * (nodes + ports + switches + cables + m.racks + m.once);
    const price = nodes + ports + switches + cables + m.racks + m.once + vat;
    const energy = (m.draw / 1000) * t.overhead * t.years * hoursPerYear;
    const kWh = energy / t.years, tax = 1 + t.vat, hardware = nodes + ports + switches + cables;
    let life = price;
    for (let y = 1; y - 1 < t.years; y++) {
      const part = Math.min(1, t.years - (y - 1));
      const total = kWh * prices[y - 1] * tax * part + hardware * t.maintenance * tax * part + t.staff * part + t.fixed * tax * part;
      life += discounted(total, t.discount, y);
    }
    return { price, life, year: life / ofAnnuity, job: m.jobs > 0 ? life / (m.jobs * t.years) : null, kWh };
  }

  // rank returns the machines within the limits, the best first, with what they cost, the
  // index of the recommended one, and how many exceed which limit.
  function rank(machines, t) {
    const prices = energyPrices(t);
    let ofAnnuity = 0;
    for (let y = 1; y - 1 < t.years; y++) ofAnnuity += discounted(Math.min(1, t.years - (y - 1)), t.discount, y);
    const rows = [], beyond = { money: 0, power: 0, space: 0 };
    for (const m of machines) {
      const x = cost(m, t, prices, ofAnnuity), money = t.life ? x.life : x.price;
      if (t.money > 0 && money > t.money * slack) beyond.money++;
      else if (t.power > 0 && m.power > t.power * slack) beyond.power++;
      else if (t.rack_units > 0 && m.rackUnits > t.rack_units) beyond.space++;
      else rows.push(Object.assign(x, { machine: m, objective: t.by_cost ? money : m.score }));
    }
    rows.sort((a, b) => a.objective - b.objective || a.price - b.price || a.machine.score - b.machine.score || (a.machine.name < b.machine.name ? -1 : 1));
    const tolerance = t.by_cost ? 0 : t.tolerance;
    let best = -1;
    rows.forEach((x, k) => {
      x.relative = x.objective === rows[0].objective ? 1 : x.objective / rows[0].objective;
      if (x.objective > rows[0].objective * (1 + tolerance)) return;
      if (best < 0 || x.price < rows[best].price || (x.price === rows[best].price && x.objective < rows[best].objective)) best = k;
    });
    return { rows, best, beyond };
  }

  // The best machine of each design; of that of the recommended machine, that one.
  function ofDesigns({ rows, best }) {
    const seen = new Set();
    return rows.filter((x, k) => {
      const { design } = x.machine;
      if (seen.has(design) || (design === rows[best].machine.design && k !== best)) return false;
      return seen.add(design);
    });
  }

  // A number for a reader: 4 digits, or whole ones, of a tie the even one, with spaces
  // between thousands.
  function readable(x) {
    if (Math.abs(x) < 1000) return String(Number(x.toPrecision(4)));
    const down = Math.floor(x), rest = x - down;
    const whole = rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
    return String(whole).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
  }

  const columns = [
    (x) => x.machine.name, (x, t) => x.machine.score / t.scale, (x) => x.relative, (x) => x.price,
    (x) => x.life, (x) => x.year, (x) => x.job, (x) => x.kWh,
  ];
  const valueIn = (x, k, t) => (k < columns.length ? columns[k](x, t) : x.machine.cells[k - columns.length]);
  function cellIn(x, k, t) {
    const value = valueIn(x, k, t);
    if (value === null) return "-";
    if (typeof value === "string") return value;
    return k === 2 ? value.toFixed(3) : readable(value);
  }
  // What a column is sorted by: numbers as such, "1 234" and "31.5" too.
  function sortKey(x, k, t) {
    const value = valueIn(x, k, t);
    if (value === null) return Infinity;
    if (typeof value === "number") return value;
    const number = Number(value.replace(/[ \u00a0]/g, ""));
    return value !== "" && !isNaN(number) ? number : value;
  }
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));

  async function mount(block) {
    const data = await isoscaleUnpack(block.querySelector(".machine-data"));
    const { terms, rows } = JSON.parse(new TextDecoder().decode(data));
    const machines = rows.map(machineOf);
    const form = block.querySelector("form"), body = block.querySelector("tbody"), said = block.querySelector(".said");
    const all = form.querySelector(".all"), filters = form.querySelector(".filters");
    const heads = [...block.querySelectorAll("thead th")], classes = heads.map((h) => h.className);
    const boxes = [...terms.nodes.map((name, k) => ["n" + (k + 1), name, (m) => m.nodes[k] > 0]), ...terms.networks.map((name, k) => ["w" + (k + 1), name, (m) => m.network === k])]
      .filter(([, , has]) => machines.some(has)).map(([key, name, has]) => {
        const label = document.createElement("label"), box = document.createElement("input");
        box.type = "checkbox";
        box.checked = true;
        label.append(box, " " + name);
        filters.append(label, " ");
        box.addEventListener("change", update);
        return { key, has, box };
      });
    let sort = { column: -1, down: false };
    const planned = rank(machines, terms);

    heads.forEach((head, k) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.addEventListener("click", () => {
        sort = sort.column !== k ? { column: k, down: false } : sort.down ? { column: -1, down: false } : { column: k, down: true };
        update();
      });
      head.replaceChildren(button);
    });

    const shown = ({ machine }) => !boxes.some(({ has, box }) => !box.checked && has(machine));

    function draw() {
      const t = terms;
      let list = all.checked || planned.rows.length === 0 ? [...planned.rows] : ofDesigns(planned);
      list = list.filter(shown);
      if (sort.column >= 0) {
        list = list.map((x) => [sortKey(x, sort.column, t), x]).sort((a, b) => (sort.down ? -1 : 1) * compare(a[0], b[0])).map((pair) => pair[1]);
      }
      body.replaceChildren(...list.slice(0, mostRows).map((x) => {
        const row = document.createElement("tr");
        row.dataset.machine = x.machine.name;
        if (x === planned.rows[planned.best]) row.className = "best";
        heads.forEach((_, k) => {
          const cell = document.createElement("td");
          if (classes[k]) cell.className = classes[k];
          cell.textContent = cellIn(x, k, t);
          row.append(cell);
        });
        return row;
      }));
      heads.forEach((head, k) => {
        if (k === sort.column) head.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      said.textContent = sentence(list.length);
    }

    function sentence(listed) {
      const { rows: ranked, best, beyond } = planned, filtered = ranked.length - ranked.filter(shown).length;
      const out = [[beyond.money, "exceed the budget"], [beyond.power, "the limit of power"], [beyond.space, "the rack units"], [filtered, "are hidden by choice"]]
        .filter((pair) => pair[0] > 0).map((pair) => pair[0] + " " + pair[1]).join(", ");
      const rest = ranked.length + " of " + machines.length + " machines are ranked" + (out ? ": " + out : "") +
        (listed > mostRows ? "; the first " + mostRows + " of " + listed + " are listed" : "") + ".";
      if (best < 0) return "No machine is left. " + rest;
      const { machine, price } = ranked[best];
      return "As planned: buy " + machine.name + " for " + readable(price) + " " + terms.currency + ". " + rest;
    }

    function update() {
      draw();
      const state = written();
      if (state || location.hash.startsWith(prefix)) history.replaceState(null, "", state ? prefix + state : location.pathname + location.search);
    }

    // The state of the form as text, without what is as planned.
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
      const quote = (text) => (/[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);
      const lines = [heads.map((head) => head.textContent)];
      for (const x of planned.rows.filter(shown)) lines.push(heads.map((_, k) => (valueIn(x, k, terms) === null ? "" : String(sortKey(x, k, terms)))));
      isoscaleDownload("machines.csv", [lines.map((line) => line.map(quote).join(",") + "\n").join("")], "text/csv");
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
    block.ranked = () => planned; // for tests
    form.hidden = false;
  }

  if (!window.isoscaleUnpack) return; // a browser without DecompressionStream
  for (const block of document.querySelectorAll(".machines")) mount(block);
})();
