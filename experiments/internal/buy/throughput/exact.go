package throughput

import (
	"math/big"

	"github.com/isoscale/isoscale/internal/each"
)

// exactly is simplex in rational numbers, by the rule of [Bland1977].
func (s *solver) exactly() {
	m := s.jobs + len(s.nodes)
	z, end := m, m+1+len(s.packings) // the last column is the right-hand side
	t := make([][]big.Rat, m+1)      // the last row has the gains, times -1
	for i := range t {
		t[i] = make([]big.Rat, end+1)
	}
	in := each.Ascending(m)
	for i := range in {
		t[i][i].SetInt64(1)
	}
	t[m][z].SetInt64(-1)
	for k, need := range s.need {
		t[k][z].SetFloat64(need)
	}
	for j, x := range s.packings {
		t[s.jobs+x.partition][z+1+j].SetInt64(1)
		for k, done := range s.done[j*s.jobs : (j+1)*s.jobs] {
			t[k][z+1+j].SetFloat64(-done)
		}
	}
	for p := range s.nodes {
		t[s.jobs+p][end].SetInt64(1)
	}
	ratio, least, product := new(big.Rat), new(big.Rat), new(big.Rat)
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
			ratio.Quo(&t[i][end], &t[i][enter])
			if order := ratio.Cmp(least); leave < 0 || order < 0 || order == 0 && in[i] < in[leave] {
				leave = i
				least.Set(ratio)
			}
		}
		by := new(big.Rat).Inv(&t[leave][enter])
		for j := range t[leave] {
			t[leave][j].Mul(&t[leave][j], by)
		}
		for i, row := range t {
			factor := new(big.Rat).Set(&row[enter])
			if i == leave || factor.Sign() == 0 {
				continue
			}
			for j := range row {
				if of := &t[leave][j]; of.Sign() != 0 {
					row[j].Sub(&row[j], product.Mul(factor, of))
				}
			}
		}
		in[leave] = enter
	}
	s.shares = append(s.shares[:0], make([]float64, len(s.packings))...)
	s.values = make([]float64, m)
	for i, v := range in {
		switch {
		case v == z:
			s.z, _ = t[i][end].Float64()
		case v > z:
			s.shares[v-z-1], _ = t[i][end].Float64()
		}
		s.values[i], _ = t[m][i].Float64()
	}
}
