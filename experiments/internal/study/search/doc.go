// Package search chooses which configurations of a design are simulated, where a plan
// does not simulate all, and predicts the others.
//
// [Read] reads the key search of a plan. A [History] takes the objective of each simulated point and says which points
// are next: first a start that is spread over the design, then those from which a [Model] of the values so far expects
// most. A [Replication] says which points to run again until the best is told apart. None of them simulates or stores
// anything.
//
// The model treats the objective as a sample of a Gaussian process over the factors, with an unknown constant mean
// (ordinary kriging, [Sacks1989]), [Process]:
//
//	y(x) = mu + Z(x)
//	cov(Z(x), Z(x')) = sigma^2 prod over k of c(|x_k - x'_k|/l_k)
//	c(d) = (1 + sqrt(5) d + 5 d^2/3) exp(-sqrt(5) d)        Matern, nu = 5/2
//
// A sample has two derivatives. Along a nominal dimension, such as the name of a network, the distance of two different
// values is 1. The unknown mean and variance follow from the data, by maximum likelihood in closed form; the length
// scales l_k, and with noise the nugget, are those of largest likelihood on a grid.
//
// [Process.Predict] is the best linear unbiased prediction with its standard error, which includes the uncertainty of
// mu but not that of the length scales. [Process.LeaveOneOut] is the check: what the other points predict for each
// point. [Process.Next] chooses by expected improvement [Jones1998] or by the largest standard error. The points of a
// batch are chosen one after the other, as if the result of each were its prediction (kriging believer,
// [Ginsbourger2010]).
//
// Units: values are in the unit of the objective, places in fractions of the factors' axes.
//
// Determinism: what comes next is a function of the settings, the design and the values so far, in their order, so an
// interrupted search continues as if it had not been interrupted. The last digits of a prediction depend on the
// processor, for which gonum and package math have different code. Therefore likelihoods and criteria are compared
// after rounding, and length scales are taken from a grid: the choice is the same on all processors unless a number
// falls on the border between two rounded ones.
package search
