// Package regression fits models of scaling to measured or simulated points
// (p, y), p being a number of processors, nodes or any other size.
//
// Which question each function answers:
//
//	what fraction acts as if sequential            FitAmdahl
//	the same, if the work grows as p does          FitGustafson
//	how much is lost to contention and coherence,
//	and at which p is the throughput largest       FitUSL, USL.Peak
//	how does y grow with p                         FitNormalForm
//	how does y grow with two parameters            FitNormalForm2, NormalForm2.Band
//	does one model describe all the points         Compare, Segmented
//	which of the models describes them best        Compare
//	how far may the truth be from the line         Fit.Band
//	is this p outside the data                     Fit.Extrapolates
//	may the line be drawn on to this p             Fit.Holds
//	what will y be at a larger p, and how far
//	can that be said                               FitForecast, FitForecast2
//
// Repeated points of one p are averaged first, and every p counts the same. So
// residuals, bands and all figures of quality are those of means over the repetitions
// given, not of single runs.
//
// Laws are fitted by least squares of relative errors ([Kind] says why), so that
// times, throughputs and speedups of the same runs give one law; normal forms by
// least squares in y, as in Extra-P.
//
// What it is not: it does not say why a system scales as it does, it does not
// weigh points by their repetitions, and outside the range of the points it only
// continues a formula. Metrics computed from two systems (isospeed-efficiency,
// Karp-Flatt, ...) are in model/scalability.
//
// Errors: numbers come from users, so nothing here panics on them. A number outside its
// domain gives a [*DomainError], too few different p a [*TooFewPointsError]. Doubts
// about a fit are in [Fit.Warnings], and a law that cannot hold as fitted is not
// [Fit.Sound].
//
// Units: p is a plain number; y has the unit of the caller, in which predictions
// and bands come back. SMAPE is in percent, 0 to 200.
//
// Rounding: differences below a relative 1e-9 are rounding. Data that are equal within
// it give a constant, and a coefficient whose part of y is below it at all points
// becomes 0 and is left out of the formula.
//
// Determinism: pure functions; the order of the samples does not matter. Last
// bits may differ between types of processor, because gonum's kernels do.
//
// Layer: imports gonum only.
package regression
