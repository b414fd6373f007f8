// Package whatif has the figures from which the page of a purchase plan ranks machines
// again.
//
// What it is. [Machine] is what a machine does, draws and consists of, [Terms] the prices,
// rates and limits. Both go into the page as JSON. The sums are those of package buy/model,
// and experiments/internal/page/html/assets/machines.js does them in the same order.
//
// What it is not. It ranks nothing itself, and has no times of runs: what depends on them
// is simulated.
//
// Units. Money is in the currency of the terms, power in W, times in s. Layer: under
// experiments/report. Determinism: data only.
package whatif
