// Package effects says which factors of a study matter, by one method: Shapley shares of
// the variance of a response over the configurations of the design.
// With c(S) the variance of the mean of the response given the factors of a set S, which is what S explains,
//
//	share of i = mean over all orders of the factors of c(those before i, and i) - c(those before i)
//
// over the variance of a single run. What factors explain together is divided equally among them, whether they interact
// or depend on each other, so shares and the noise of repetitions add up to 1. Source: [Owen2014], and [Song2016] for
// factors that depend on each other.
//
// There are two ways to c(S); both are exact where they apply:
//
//	the table is the design      means over the configurations of the table with equal
//	(a grid, also with points    levels of S: the law of total variance
//	excluded)
//	the table is a sample        the polynomial that predicts configurations left out
//	(a Latin hypercube)          best; intervals by the bootstrap
//
// Where a table cannot say what matters, [Of] returns an error with the reason.
//
// Units: effects are in that of the response; shares are ratios.
//
// Determinism: answers are functions of the table and of the seed; the order of rows does
// not matter.
//
// Complexity: k factors and n configurations take 2^k n steps, or 100 k n where that is more
// than a second of work.
package effects
