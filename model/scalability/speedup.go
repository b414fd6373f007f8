package scalability

import "github.com/isoscale/isoscale/model/units"

// Speedup returns how many times faster the same problem is done in parallel,
//
//	S = T_1/T_p
//
//	T_1  time of the sequential program, s, > 0
//	T_p  time of the parallel program on p processors, s, > 0
//
// It may exceed p, above all where p caches together hold data that one cache does not.
//
// Source: [Jin] Eq. 1. Deviations: none. The source asks for the best sequential
// algorithm; with the parallel program on one processor as T_1 the number is
// called relative speedup.
func Speedup(sequential, parallel units.Seconds) (float64, error) {
	return ratio("Speedup", "S", "T_1", sequential, "T_p", parallel)
}

// ratio returns a/b, both of which must be positive, for functions that are such a
// ratio; the symbols are for errors.
func ratio[T ~float64](fn, symbol, symbolA string, a T, symbolB string, b T) (float64, error) {
	return positiveResult(fn, symbol, float64(a/b), positive(fn, symbolA, a), positive(fn, symbolB, b))
}

// Efficiency returns the speedup for each processor,
//
//	E = S/p
//
//	S  speedup, > 0, see [Speedup]
//	p  number of equal processors, >= 1
//
// Source: [Grama1993]; [Jin] Eq. 2. Deviations: none.
func Efficiency(speedup float64, p int) (float64, error) {
	const fn = "Efficiency"
	return positiveResult(fn, "E", speedup/float64(p), positive(fn, "S", speedup), count(fn, "p", p, 1))
}

// TimeAtEfficiency returns the parallel time at a held efficiency,
//
//	T_p = T_1/(E p)
//
//	T_1  sequential time, s, > 0
//	E    efficiency, > 0
//	p    number of equal processors, >= 1
//
// Source: [Jin] Eq. 3. Deviations: none.
func TimeAtEfficiency(sequential units.Seconds, efficiency float64, p int) (units.Seconds, error) {
	const fn = "TimeAtEfficiency"
	return positiveResult(fn, "T_p", units.Seconds(float64(sequential)/efficiency/float64(p)),
		positive(fn, "T_1", sequential), positive(fn, "E", efficiency), count(fn, "p", p, 1))
}

// ProcessorsAtEfficiency returns how many processors finish in a given time if
// they can be held at an efficiency,
//
//	p = T_1/(E T_p)
//
//	T_1  sequential time, s, > 0
//	E    efficiency, > 0
//	T_p  wanted time, s, > 0
//
// The number is not rounded.
//
// Source: [Jin] Eq. 4. Deviations: none. As the source says itself, E at that p is
// seldom known beforehand.
func ProcessorsAtEfficiency(sequential units.Seconds, efficiency float64, parallel units.Seconds) (float64, error) {
	const fn = "ProcessorsAtEfficiency"
	return positiveResult(fn, "p", float64(sequential/parallel)/efficiency,
		positive(fn, "T_1", sequential), positive(fn, "E", efficiency), positive(fn, "T_p", parallel))
}

// IdealRatio returns the share of an ideal machine's speedup that was achieved,
//
//	Sc = S/S_I
//
//	S    speedup, > 0, see [Speedup]
//	S_I  speedup on an ideal machine with as many processors, > 0; a run on the
//	     network "ideal" gives one
//
// It separates the losses of the machine from those of the algorithm's own structure.
//
// Source: [Jin] Eq. 5. Deviations: the source compares asymptotic speedups, here
// they are those of one size.
func IdealRatio(speedup, ideal float64) (float64, error) {
	return ratio("IdealRatio", "Sc", "S", speedup, "S_I", ideal)
}

// KarpFlatt returns the experimentally determined serial fraction,
//
//	e = (1/S - 1/p)/(1 - 1/p)
//
//	S  measured speedup, > 0, see [Speedup]
//	p  number of equal processors, >= 2
//
// It is the sequential fraction that [Amdahl] would need to give S. Constant in p,
// it says that sequential work limits the speedup; growing with p, that overhead
// does. It is negative where S > p and above 1 where S < 1: findings, not errors.
//
// Source: [KarpFlatt1990]. Deviations: none.
func KarpFlatt(speedup float64, p int) (float64, error) {
	const fn = "KarpFlatt"
	n := float64(p)
	return finiteResult(fn, "e", (n/speedup-1)/(n-1), positive(fn, "S", speedup), count(fn, "p", p, 2))
}

// Amdahl returns the speedup for work that stays the same,
//
//	S = 1/(f + (1 - f)/p)
//
//	f  fraction of the time on one processor that cannot be parallelized, 0 to 1
//	p  number of equal processors, >= 1
//
// As p grows it tends to 1/f.
//
// Source: [Amdahl1967], which argues without a formula; the formula is the usual
// one, as in [SunNi1993]. Deviations: none.
func Amdahl(f float64, p int) (float64, error) {
	const fn = "Amdahl"
	return positiveResult(fn, "S", 1/(f+(1-f)/float64(p)), fraction(fn, "f", f), count(fn, "p", p, 1))
}

// Gustafson returns the scaled speedup for work that grows so that the time stays
// the same,
//
//	S = f + (1 - f) p
//
//	f  fraction of the time of the parallel run that is sequential, 0 to 1
//	p  number of equal processors, >= 1
//
// The f of one measured run is not that of [Amdahl]: here it is taken from the
// parallel run, there from the run on one processor.
//
// Source: [Gustafson1988]. Deviations: none.
func Gustafson(f float64, p int) (float64, error) {
	const fn = "Gustafson"
	return positiveResult(fn, "S", f+float64((1-f)*float64(p)), fraction(fn, "f", f), count(fn, "p", p, 1))
}

// SunNi returns the memory-bounded speedup, for work that grows to fill the memory
// that comes with the processors,
//
//	S = (f + (1 - f) G)/(f + (1 - f) G/p),   G = G(p)
//
//	f  fraction of the work at p = 1 that is sequential, 0 to 1
//	p  number of equal processors, each with its memory, >= 1
//	G  how many times the parallel work grows when the memory grows p times, > 0
//
// G = 1 is [Amdahl] and G = p is [Gustafson]. If work w depends on memory m as w = a
// m^b, G(p) = p^b; dense matrix multiplication, with work 2 N^3 and memory 3 N^2, has b
// = 3/2.
//
// Source: [SunNi1993]. Deviations: none. The simplified form of the source: no
// communication, parallel work shared evenly.
func SunNi(f float64, p int, growth float64) (float64, error) {
	const fn = "SunNi"
	parallel := (1 - f) * growth
	return positiveResult(fn, "S", (f+parallel)/(f+parallel/float64(p)),
		fraction(fn, "f", f), count(fn, "p", p, 1), positive(fn, "G", growth))
}
