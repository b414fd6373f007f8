// Package surrogate predicts the result of a simulation from those of others, with its
// uncertainty, and says which ones to carry out next.
//
// The result as a function of the factors is taken for a sample of a Gaussian process
// with an unknown constant mean (ordinary kriging, [Sacks1989]):
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
//
// [Process.Next] chooses by expected improvement [Jones1998] or by the largest standard
// error. The points of a batch are chosen one after the other, each taken for a result
// equal to its prediction (kriging believer, [Ginsbourger2010]).
//
// # Layer, units, determinism
//
// Imports gonum's linear algebra. Coordinates are numbers without unit, best scaled so
// that a dimension is about 1 wide; results are in the unit of the caller. The last
// digits of a prediction depend on the processor, as gonum and package math have other
// code for each. So likelihoods and criteria are compared after rounding, and length
// scales are numbers of a grid: the choice is the same on all processors unless a number
// falls on the border of two rounded ones.
package surrogate
