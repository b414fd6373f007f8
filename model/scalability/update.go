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

// currencyOf returns the first non-empty currency of a list.
func currencyOf(amounts []units.Money) string {
	for _, m := range amounts {
		if m.Currency != "" {
			return m.Currency
		}
	}
	return ""
}

// LinearGain returns the gain in satisfaction of a small update,
//
//	dU = grad U . V_U = sum_i Sc_i dr_i
//
//	Sc_i  scalability in dimension i, finite, see [Satisfaction.Gradient]
//	dr_i  how much resource i grows, finite
//
// Source: [Jin] Eq. 12. Deviations: none.
func LinearGain(gradient, changes []float64) (float64, error) {
	const fn = "LinearGain"
	if err := cmp.Or(
		sameLength(fn, "dr", len(changes), "Sc", len(gradient)), every(fn, "Sc", gradient, finite), every(fn, "dr", changes, finite),
	); err != nil {
		return 0, err
	}
	gain := 0.0
	for i, sc := range gradient {
		gain += float64(sc * changes[i])
	}
	return finiteResult(fn, "dU", gain)
}

// UpdateEfficiency returns the gain in satisfaction of an update per cost,
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
// So no mix is better than the best dimension. Dimensions within one part in 10^12 of
// the best tie, and any mix of them is as good. With all prices 1, Efficiency is the
// largest Sc_i. If it is 0 or less, no update pays.
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

// A Service is what a system delivers and costs in the same period of time, of any
// length.
type Service struct {
	Responses float64     // lambda times the period: how many requests or jobs were done, > 0
	Value     float64     // f, mean value of a response, > 0; in points that the user defines, see [ResponseValue]
	Cost      units.Money // C times the period: what running the system cost, > 0
}

func (s Service) check(fn, suffix string) error {
	return cmp.Or(
		positive(fn, "lambda"+suffix, s.Responses), positive(fn, "f"+suffix, s.Value),
		positive(fn, "C"+suffix, s.Cost.Amount),
	)
}

// productivity is F for a checked service.
func (s Service) productivity() float64 { return s.Responses / s.Cost.Amount * s.Value }

// Productivity returns the value delivered for the cost,
//
//	F = lambda f/C
//
//	lambda  throughput, 1/s
//	f       mean value of a response
//	C       cost of running the system, money/s
//
// The period divides out, see [Service]. F is in points for one unit of the currency.
//
// Source: [JogalekarWoodside2000]. Deviations: none.
func (s Service) Productivity() (float64, error) {
	const fn = "Service.Productivity"
	return positiveResult(fn, "F", s.productivity(), s.check(fn, ""))
}

// Scalability returns the scalability from a base to a scaled system,
//
//	psi = F'/F
//
//	F, F'  productivity of the base and of the scaled system, see
//	       [Service.Productivity]; costs in the same currency
//
// 1 means that the cost of the larger system comes back as value. It may exceed 1.
//
// Source: [JogalekarWoodside2000]. Deviations: the source lets each system be tuned
// for best productivity first; that is the caller's.
func (s Service) Scalability(scaled Service) (float64, error) {
	const fn = "Service.Scalability"
	return positiveResult(fn, "psi", scaled.productivity()/s.productivity(),
		s.check(fn, ""), scaled.check(fn, "'"),
		sameCurrency(fn, "C'", scaled.Cost, s.Cost.Currency))
}

// ResponseValue returns the value of a response, which falls with its time,
//
//	f = 1/(1 + T/T_target)
//
//	T         mean response time, s, >= 0
//	T_target  time at which a response is worth half, s, > 0
//
// Source: [JogalekarWoodside2000], as an example of f. Deviations: none.
func ResponseValue(response, target units.Seconds) (float64, error) {
	const fn = "ResponseValue"
	return positiveResult(fn, "f", 1/float64(1+response/target),
		nonNegative(fn, "T", response), positive(fn, "T_target", target))
}
