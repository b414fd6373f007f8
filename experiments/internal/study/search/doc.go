// Package search chooses which configurations of a design are simulated, where a plan
// does not simulate all, and predicts the others.
//
// [Read] reads the key search of a plan. A [History] is told the objective of each point
// that has been simulated, and says which are next: first a start that is spread over
// the design, then what a [Model] of the values so far expects most of. A [Replication] says
// which points are run again, until the best is told apart. They simulate nothing and store
// nothing.
//
// The model takes the objective as a function of the factors for a sample of a Gaussian
// process with an unknown constant mean (ordinary kriging, [Sacks1989]), [Process]:
//
//	y(x) = mu + Z(x)
//	cov(Z(x), Z(x')) = sigma^2 prod over k of c(|x_k - x'_k|/l_k)
//	c(d) = (1 + sqrt(5) d + 5 d^2/3) exp(-sqrt(5) d)        Matern, nu = 5/2
//
// A sample of it has two derivatives. Along a nominal dimension, such as the name of a
// network, the distance of two different values is 1. What the mean and the variance do
// not know they take from the data, by maximum likelihood in closed form; the length
// scales l_k, and with noise the nugget, are those of largest likelihood on a grid.
//
// [Process.Predict] is the best linear unbiased prediction with its standard error,
// which counts that mu is estimated, and does not count that the length scales are.
// [Process.LeaveOneOut] is the check: what the other points predict for each point.
// [Process.Next] chooses by expected improvement [Jones1998] or by the largest standard
// error. The points of a batch are chosen one after the other, each taken for a result
// equal to its prediction (kriging believer, [Ginsbourger2010]).
//
// Units: values are in the unit of the objective, places in shares of the axes of the
// factors.
//
// Determinism: what is next is a function of the settings, the design and the values
// before, in their order. So a search that was interrupted goes on as if it had not been.
// The last digits of a prediction depend on the processor, as gonum and package math have
// other code for each. So likelihoods and criteria are compared after rounding, and length
// scales are numbers of a grid: the choice is the same on all processors unless a number
// falls on the border of two rounded ones.
package search
