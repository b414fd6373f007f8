package throughput

import (
	"math"
	"math/big"
)

// exactly is simplex without rounding, by the rule of [Bland1977]. With the last pivot as common denominator, the
// tableau is one of whole numbers [Edmonds1967]: every division is exact.
func (s *solver) exactly() {
	m := s.jobs + len(s.nodes)
	z, end := m, m+1+len(s.packings) // the last column is the right-hand side
	shift := s.bits()
	whole := func(x float64) *big.Int {
		i, _ := new(big.Float).SetMantExp(big.NewFloat(x), shift).Int(nil)
		return i
	}
	t := make([][]*big.Int, m+1) // the last row has the gains, times -1
	for i := range t {
		t[i] = make([]*big.Int, end+1)
		for j := range t[i] {
			t[i][j] = new(big.Int)
		}
	}
	in := make([]int, m)
	for i := range in {
		in[i] = i
		t[i][i].SetInt64(1) // each slack in a unit of its own
	}
	t[m][z].SetInt64(-1)
	for k, need := range s.need {
		t[k][z] = whole(need)
	}
	for j, x := range s.packings {
		t[s.jobs+x.partition][z+1+j] = whole(1)
		for k, done := range s.done[j*s.jobs : (j+1)*s.jobs] {
			t[k][z+1+j] = whole(-done)
		}
	}
	for p := range s.nodes {
		t[s.jobs+p][end] = whole(1)
	}
	pivot, a, b := big.NewInt(1), new(big.Int), new(big.Int)
	for {
		enter := 0
		for enter < end && t[m][enter].Sign() >= 0 {
			enter++
		}
		if enter == end {
			break
		}
		leave := -1
		for i := range m {
			if t[i][enter].Sign() <= 0 {
				continue
			}
			less := -1
			if leave >= 0 {
				less = a.Mul(t[i][end], t[leave][enter]).Cmp(b.Mul(t[leave][end], t[i][enter]))
			}
			if less < 0 || less == 0 && in[i] < in[leave] {
				leave = i
			}
		}
		by := t[leave][enter]
		for i, row := range t {
			if i == leave {
				continue
			}
			factor := new(big.Int).Set(row[enter])
			for j, x := range row {
				x.Mul(x, by)
				x.Sub(x, a.Mul(factor, t[leave][j]))
				x.Quo(x, pivot)
			}
		}
		pivot, in[leave] = new(big.Int).Set(by), enter
	}
	ratio := func(x *big.Int) float64 {
		f, _ := new(big.Rat).SetFrac(x, pivot).Float64()
		return f
	}
	s.shares = append(s.shares[:0], make([]float64, len(s.packings))...)
	s.values = make([]float64, m)
	for i, v := range in {
		switch {
		case v == z:
			s.z = ratio(t[i][end])
		case v > z:
			s.shares[v-z-1] = ratio(t[i][end])
		}
		s.values[i] = ratio(a.Lsh(t[m][i], uint(shift)))
	}
}

// bits returns by how many bits all numbers must be shifted to become whole.
func (s *solver) bits() int {
	shift := 0
	for _, all := range [][]float64{s.need, s.done} {
		for _, x := range all {
			if x != 0 {
				_, exponent := math.Frexp(x)
				shift = max(shift, 53-exponent)
			}
		}
	}
	return shift
}
