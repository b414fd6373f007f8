package scalability

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
// G = 1 is [Amdahl] and G = p is [Gustafson]. Where work w goes with memory m as
// w = a m^b, G(p) = p^b: 3/2 is the b of dense matrix multiplication, with work
// 2 N^3 and memory 3 N^2.
//
// Source: [SunNi1993]. Deviations: none. The simplified form of the source: no
// communication, parallel work shared evenly.
func SunNi(f float64, p int, growth float64) (float64, error) {
	const fn = "SunNi"
	parallel := (1 - f) * growth
	return positiveResult(fn, "S", (f+parallel)/(f+parallel/float64(p)),
		fraction(fn, "f", f), count(fn, "p", p, 1), positive(fn, "G", growth))
}
