package scalability

import (
	"cmp"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// UpdateCost returns the cost of an update,
//
//	cost = sum_i Price_i dr_i
//
//	Price_i  price of one unit of resource i, >= 0, all in one currency; where r_i
//	         is the log2 of a count, the price of doubling it
//	dr_i     how much resource i grows, >= 0
//
// Source: [Jin] Eq. 10. Deviations: none. A logarithmic r_i makes every doubling
// cost the same, which holds for the next step only.
func UpdateCost(prices []units.Money, changes []float64) (units.Money, error) {
	const fn = "UpdateCost"
	if err := sameLength(fn, "dr", len(changes), "Price", len(prices)); err != nil {
		return units.Money{}, err
	}
	cost := units.Money{Currency: currencyOf(prices)}
	for i, price := range prices {
		symbol := fmt.Sprintf("Price[%d]", i)
		if err := cmp.Or(
			nonNegative(fn, symbol, price.Amount), sameCurrency(fn, symbol, price, cost.Currency),
			nonNegative(fn, fmt.Sprintf("dr[%d]", i), changes[i]),
		); err != nil {
			return units.Money{}, err
		}
		cost.Amount += float64(price.Amount * changes[i])
	}
	if err := nonNegative(fn, "cost", cost.Amount); err != nil {
		return units.Money{}, err
	}
	return cost, nil
}

// currencyOf returns the first currency named in a list.
func currencyOf(amounts []units.Money) string {
	for _, m := range amounts {
		if m.Currency != "" {
			return m.Currency
		}
	}
	return ""
}

// LinearGain returns the satisfaction that an update brings as long as it is small,
//
//	dU = grad U . V_U = sum_i Sc_i dr_i
//
//	Sc_i  scalability in dimension i, finite, see [Satisfaction.Gradient]
//	dr_i  how much resource i grows, finite
//
// Source: [Jin] Eq. 12. Deviations: none.
func LinearGain(gradient, changes []float64) (float64, error) {
	const fn = "LinearGain"
	if err := sameLength(fn, "dr", len(changes), "Sc", len(gradient)); err != nil {
		return 0, err
	}
	gain := 0.0
	for i, sc := range gradient {
		if err := cmp.Or(
			finite(fn, fmt.Sprintf("Sc[%d]", i), sc), finite(fn, fmt.Sprintf("dr[%d]", i), changes[i]),
		); err != nil {
			return 0, err
		}
		gain += float64(sc * changes[i])
	}
	return finiteResult(fn, "dU", gain)
}

// UpdateEfficiency returns the satisfaction that an update brings for its cost,
//
//	E = dU/cost
//
//	dU    gain in satisfaction, U after less U before, finite; or [LinearGain]
//	cost  > 0, see [UpdateCost]
//
// It is in units of U for one unit of the currency.
//
// Source: [Jin] Eq. 11; with the linear gain, Eq. 14. Deviations: none.
func UpdateEfficiency(gain float64, cost units.Money) (float64, error) {
	const fn = "UpdateEfficiency"
	return finiteResult(fn, "E", gain/cost.Amount, finite(fn, "dU", gain), positive(fn, "cost", cost.Amount))
}

// An Edge is where a small update pays best.
type Edge struct {
	Dimensions []int   // the dimensions of best Sc_i/Price_i, increasing; any mix of them is as good
	Efficiency float64 // Sc_i/Price_i there, in units of U for one unit of the currency
}

// tie is the relative difference below which two efficiencies count as equal: they
// come out of divisions, which round.
const tie = 1e-12

// EdgeScalability returns the most efficient direction of a small update,
//
//	E(v) = (v . Sc)/(v . Price) <= max_i Sc_i/Price_i   for all v >= 0, v != 0
//
//	Sc_i     scalability in dimension i, finite, see [Satisfaction.Gradient]
//	Price_i  price of one unit of resource i, > 0, all in one currency
//
// So nothing is gained by mixing, unless dimensions tie: those within one part in
// 10^12 of the best do. With equal prices of 1, Efficiency is the largest Sc_i. At
// or below 0 no update pays.
//
// The result holds in the linear range of U. As resources are added Sc_i falls, and
// the best path bends.
//
// Source: [Jin] 3.3 and appendix; the name is from 4.3. Deviations: the appendix
// asks for Sc_i >= 0 and leaves Price_i = 0 open. Its proof does not need the first,
// and the second is refused.
func EdgeScalability(scalabilities []float64, prices []units.Money) (Edge, error) {
	const fn = "EdgeScalability"
	if err := cmp.Or(
		checkPoint(fn, "Sc", scalabilities), sameLength(fn, "Price", len(prices), "Sc", len(scalabilities)),
	); err != nil {
		return Edge{}, err
	}
	currency := currencyOf(prices)
	ratios := make([]float64, len(prices))
	best := math.Inf(-1)
	for i, price := range prices {
		symbol := fmt.Sprintf("Price[%d]", i)
		if err := cmp.Or(
			positive(fn, symbol, price.Amount), sameCurrency(fn, symbol, price, currency),
		); err != nil {
			return Edge{}, err
		}
		ratios[i] = scalabilities[i] / price.Amount
		if err := finite(fn, fmt.Sprintf("E[%d]", i), ratios[i]); err != nil {
			return Edge{}, err
		}
		best = max(best, ratios[i])
	}
	edge := Edge{Efficiency: best}
	for i, ratio := range ratios {
		if best-ratio <= tie*math.Abs(best) {
			edge.Dimensions = append(edge.Dimensions, i)
		}
	}
	return edge, nil
}
