package algorithm

import "math"

// Mix draws 64 random bits for a position in a seeded stream: the output
// function of SplitMix64 [Steele2014] applied twice.
func Mix(seed, position uint64) uint64 {
	z := splitmix(seed + 0x9e3779b97f4a7c15*(position+1))
	return splitmix(z + 0x9e3779b97f4a7c15)
}

func splitmix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// uniforms are independent draws from [0, 1) for one key.
type uniforms struct{ key, position uint64 }

func (u *uniforms) next() float64 {
	u.position++
	return float64(Mix(u.key, u.position)>>11) / (1 << 53)
}

// scatter returns a draw with mean 1 and the given standard deviation from a
// half-normal distribution: its smallest value is 1 - 1.32 times the deviation, and
// larger values are less and less likely.
func scatter(key uint64, deviation float64) float64 {
	// |Z| of a normal Z has mean sqrt(2/pi) and variance 1 - 2/pi.
	const mean = math.Sqrt2 / (math.SqrtPi)
	sigma := deviation / math.Sqrt(1-2/math.Pi)
	u := uniforms{key: key}
	return 1 + float64(sigma*(u.halfNormal()-mean))
}

// halfNormal draws |Z|, where Z is normal with mean 0 and deviation 1. It takes x with
// density exp(-x) and keeps it with probability exp(-(x-1)^2/2) [vonNeumann1951]. It
// only compares uniform numbers and adds, so it gives the same bits on all processors,
// unlike logarithms.
func (u *uniforms) halfNormal() float64 {
	for {
		x := u.exponential()
		if u.happens(float64((x-1)*(x-1)) / 2) {
			return x
		}
	}
}

// exponential draws from the density exp(-x): each whole number below x is passed with
// probability 1/e.
func (u *uniforms) exponential() float64 {
	for whole := 0.0; ; whole++ {
		if x := u.next(); u.descends(x) {
			return whole + x
		}
	}
}

// happens is true with probability exp(-y), y >= 0.
func (u *uniforms) happens(y float64) bool {
	for ; y > 1; y-- {
		if !u.descends(1) {
			return false
		}
	}
	return u.descends(y)
}

// descends is true with probability exp(-y), 0 <= y <= 1. The probability that k
// numbers follow y in descending order is y^k/k!; the alternating sum over k is the
// probability that their number is even when the descent ends.
func (u *uniforms) descends(y float64) bool {
	for even := true; ; even = !even {
		x := u.next()
		if x >= y {
			return even
		}
		y = x
	}
}
