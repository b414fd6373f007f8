// Package design says which points a study has: the factors of a sweep plan and
// their levels, how they are combined, which combinations are excluded, how
// often each is repeated and with which seed.
//
// It knows no scenario and no simulator. A level is a list of settings, each a
// path and a value for yamldoc.Node.Set; whether a scenario has such a field is
// for the caller to find out.
//
// [Keys] takes the keys of a plan that docs/formats/sweep.md lists under factors, design,
// exclude, repetitions, seed and seeds. Problems go to the decoder, each with file, line
// and column.
//
// # Factors
//
// Without path and paths, the name of a factor is its path. Other names have letters, digits and underscores. No two
// factors set the same path, and no factor has two equal levels.
//
// If all levels (or labels) are numbers, or quantities of one kind such as
// times, the factor is numeric. Quantities are written in the unit of from, or of
// the first item of the list: [1 us, 1 ms] has the unit us and the levels 1 and
// 1000. A zero needs no unit. The simulated value is exactly the stored one: a
// computed level is rounded, and the scenario gets the rounded number. Levels have
// 6 significant digits, up to 10 if that makes them exact, and more if needed to
// keep all levels different and all samples in their strata.
//
// # Designs
//
// Factorial: the first factor varies slowest. Latin hypercube of N samples: every factor is cut into N strata of equal
// width (log: of equal ratio), and each stratum is used by one sample, drawn within it. A factor with separate levels
// gives each of its L levels N/L samples, rounded up or down; with fewer samples than levels, each sample draws one
// level from its N-th of them. Two samples may be equal.
//
// Each combination is run repetitions times; the repetition varies fastest.
//
// # Conditions
//
// A point is excluded if one of the conditions holds. Conditions are in the language of package formula; a factor is a
// number in its unit, a bool if its levels are true and false, or else the text or label of its level. A condition
// without a value, such as the logarithm of 0, is an error, even at points that another condition excludes. Each is
// computed once for each combination of the factors that it names, and leaves one bit per combination.
//
// # Order and number of points
//
// The remaining points are numbered from 0. There are at most 100 000 000
// before the conditions, of 64 factors with a million levels each, and 1000
// conditions. Points are not stored: a design costs the listed levels, a bit
// for each combination if there are conditions, and 4 bytes for each sample and
// factor of a Latin hypercube. [Design.Point] takes time for a binary search and
// at most 64 words of bits, whatever the index.
//
// # Seeds
//
// The seed of a point depends on the seed of the plan, on the names and levels of the point and on its repetition; not
// on its number, the order of factors or the other levels. So levels can be added, factors moved, conditions changed
// and numbers written in another unit without changing the seed of any existing point. With arithmetic modulo 2^64:
//
//	seed(point) = mix(mix(mix(plan seed) + own) + repetition) / 2^11
//	own         = sum of mix(fnv(name 0x00 text)) over the factors
//	              0 with "seeds: repetition"
//
// mix is one step of splitmix64, and fnv is 64-bit FNV-1a. text is the text of the level; for numbers with a unit it is
// the number in base units, a space and what is measured, as in "0.00001 time" for 10 us. Repetitions count from 1.
// Seeds are from 0 to 2^53-1. They may coincide: among a million points two have the same with probability 6e-5. Equal
// samples of a Latin hypercube have equal seeds.
//
// The same generator draws Latin hypercubes, for each factor from the seed of
// the plan and its name alone. Nothing depends on math/rand.
//
// # Determinism
//
// The package reads no clock, and no result depends on the order of a Go map. A [Design] does not change after Read:
// its methods may be called from any number of goroutines.
package design
