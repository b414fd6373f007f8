// Package design says which points a study has: the factors of a sweep plan and
// their levels, how they are combined, which combinations are excluded, how
// often each is repeated and with which seed.
//
// It knows no scenario and no simulator. A level is a list of settings, each a
// path and a value for yamldoc.Node.Set; whether a scenario has such a field is
// for the caller to find out.
//
// # The part of a plan that is read here
//
//	seed: 1                  # 0 to 2^53-1; default 1
//	repetitions: 3           # default 1
//	seeds: point             # default; or repetition
//	factors:
//	  r1: {path: "log2_nodes[0]", from: 0, to: 9, step: 1}
//	  p: {path: nodes.blade, powers_of_two: {from: 1, to: 64}}
//	  latency: {path: network.latency, log: {from: 1 us, to: 100 us, count: 5}}
//	  load: {path: workload.sustained, linear: {from: 0.5, to: 1, count: 6}}
//	  network: [hockney, flow]
//	  system: {paths: [nodes.server, nodes.cpu], values: [[1, 1], [1, 3]], labels: [C2, C4]}
//	design: factorial        # default; or paired, or {latin_hypercube: 200}
//	exclude: ["r1 > 3 and p > 16", "network == 'flow' and log2(latency) > 4"]
//
// [Read] takes these keys from the mapping of the plan. Problems go to the
// decoder, each with file, line and column.
//
// # Factors
//
// The long form of a factor has path, or paths for several fields that change
// together, or neither: then the name is the path. The short form is a list of
// values, its name the path. A name has letters, digits and underscores, unless
// it is the path. No two factors set the same path, no factor has two equal
// levels.
//
//	values         any YAML values; with several paths, a list for each level.
//	               labels, one for each level, replace them in results
//	from, to       whole numbers, step 1 or the given step; to is the limit
//	powers_of_two  from and to are powers of two, both included
//	log            count numbers with equal ratios, from above 0
//	linear         count numbers with equal differences
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
// Factorial: every level with every other; the first factor varies slowest.
// Paired: all factors have equally many levels; the first levels make the first
// point, and so on. Latin hypercube of N samples: every factor is cut into N
// strata of equal width (log: of equal ratio), and each stratum is used by one
// sample, drawn within it. Factors with separate levels (lists, from and to,
// powers of two) give every level N/L samples of L levels, rounded up or down;
// with fewer samples than levels, each sample draws one out of its N-th of the
// levels. Ranges have no count there, as each has as many levels as there are
// samples, and two samples may be equal.
//
// Each combination is run repetitions times; the repetition varies fastest.
//
// # Conditions
//
// A point is excluded if one of the conditions holds. Conditions are in the
// language of package formula. The factors are names in it:
//
//	numeric factors      float64 in the unit of the factor
//	true and false       bool, if all levels of a factor are
//	other factors        string: the text of the level, or its label
//
// A factor that is named by its path, such as workload.n, is referred to by the
// last part, n, unless that is ambiguous. All names and types are checked before
// anything is computed. A condition without a value, such as the logarithm of 0,
// is an error, even at points that another condition excludes.
//
// A condition that removes no point is allowed, but [Design.Warnings] reports it
// with the values of its factors.
//
// Read evaluates every condition once for each combination of the factors that it
// names, and keeps one bit for each combination.
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
// The seed of a point depends on the seed of the plan, on the names and levels
// of the point and on its repetition; not on its number, the order of factors
// or the other levels. So a level can be added to a factor, factors can be moved
// and conditions changed without changing the seed of any existing point. With arithmetic modulo 2^64:
//
//	seed(point) = mix(mix(mix(plan seed) + own) + repetition) / 2^11
//	own         = sum of mix(fnv(name 0x00 text)) over the factors
//	              0 with "seeds: repetition"
//
// mix is one step of splitmix64, fnv is 64-bit FNV-1a, text is the text of the
// level, with a space and the unit if the factor has one; repetitions count from
// 1. Seeds are from 0 to 2^53-1. They are not guaranteed to differ: of a million
// points two have the same with probability 6e-5. Equal samples of a Latin
// hypercube have equal seeds.
//
// The same generator draws Latin hypercubes, for each factor from the seed of
// the plan and its name alone. Nothing depends on math/rand.
//
// # Layer
//
// Part of experiments. It imports experiments/internal/file/formula, experiments/yamldoc and
// model/units. It reads no clock, and no result depends on the order of a Go
// map. A [Design] does not change after Read: its methods may be called from any
// number of goroutines.
package design
