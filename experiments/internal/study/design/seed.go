package design

// maxSeed is the largest seed: JSON and spreadsheets represent every integer up
// to it exactly.
const maxSeed = 1<<53 - 1

// pointSeed is the hash in the package comment.
func (s *Design) pointSeed(levels []int, repetition int) int64 {
	var own uint64
	if !s.SharedSeeds {
		for i, level := range levels {
			f := &s.Factors[i]
			own += f.hash(level)
		}
	}
	h := mix(uint64(s.Seed))
	h = mix(h + own)
	h = mix(h + uint64(repetition))
	return int64(h >> 11)
}

// hash depends on the name of the factor and the text of the level.
func (f *Factor) hash(level int) uint64 {
	h := fnv1a(fnvOffset, f.Name)
	h = fnv1a(h, "\x00")
	h = fnv1a(h, f.levels.text(level))
	if f.Unit != "" {
		h = fnv1a(h, " ")
		h = fnv1a(h, f.Unit)
	}
	return mix(h)
}

// FNV-1a with 64 bits, by Fowler, Noll and Vo. hash/fnv would need the text as
// bytes.
const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

func fnv1a(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * fnvPrime
	}
	return h
}

// mix is one step of splitmix64 from the state x: Steele, Lea, Flood: Fast
// splittable pseudorandom number generators, OOPSLA 2014, with the constants of
// Vigna's public domain version.
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

const golden = 0x9e3779b97f4a7c15
