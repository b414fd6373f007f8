package scalability

import (
	"cmp"

	"github.com/isoscale/isoscale/model/units"
)

// A Service is what a system delivers and costs in a period of time, of any length
// but the same for both.
type Service struct {
	Responses float64     // lambda times the period: how many requests or jobs were done, > 0
	Value     float64     // f, mean value of one, > 0; in points of the user's own, see [ResponseValue]
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
// 1 means that what the larger system costs comes back as value. It may pass 1.
//
// Source: [JogalekarWoodside2000]. Deviations: the source lets each system be tuned
// for best productivity first; that is the caller's.
func (s Service) Scalability(scaled Service) (float64, error) {
	const fn = "Service.Scalability"
	return positiveResult(fn, "psi", scaled.productivity()/s.productivity(),
		s.check(fn, ""), scaled.check(fn, "'"),
		sameCurrency(fn, "C'", scaled.Cost, s.Cost.Currency))
}

// ResponseValue returns a value of a response that falls with its time,
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
