package throughput

import "math"

const (
	tolerance = 1e-14 // of gains, which are of order 1
	least     = 1e-11 // of a pivot
	tie       = 1e-14 // of ratios
)

// A basis is that of the simplex algorithm. Its variables are the slacks of the rows of jobs and of partitions, then z,
// then the shares of packings.
type basis struct {
	in      []int     // the variable of each row
	inverse []float64 // of the matrix of the basis, by row
	column  []float64 // of a variable, multiplied by inverse
}

// simplex finds the best shares of the known packings, starting from the best basis of fewer packings. It reports
// success.
func (s *solver) simplex() bool {
	fresh := s.basis.in == nil // the inverse has no accumulated rounding, which tiny pivots enlarge
	if fresh {
		s.invert()
	}
	z := len(s.basis.in)
	still := 0 // steps in which z did not change
	for range 50 * (z + len(s.packings)) {
		s.dual()
		enter := s.entering(still > 2*z)
		if enter < 0 && fresh {
			s.primal()
			return true
		}
		if enter < 0 {
			if fresh = s.invert(); !fresh {
				return false
			}
			continue
		}
		s.multiply(enter)
		leave, ratio := -1, 0.0
		for i, w := range s.basis.column {
			if w <= least {
				continue
			}
			if r := max(0, s.at(i)) / w; leave < 0 || r < ratio-tie || r <= ratio+tie && w > s.basis.column[leave] {
				leave, ratio = i, r
			}
		}
		if leave < 0 {
			return false
		}
		if still++; ratio > tie {
			still = 0
		}
		s.pivot(leave, enter)
		fresh = false
	}
	return false
}

// invert recomputes the inverse, so that rounding does not accumulate. It reports whether there is one.
func (s *solver) invert() bool {
	b := &s.basis
	m := s.jobs + len(s.nodes)
	if b.in == nil {
		b.in, b.inverse, b.column = make([]int, m), make([]float64, m*m), make([]float64, m)
		for i := range b.in {
			b.in[i] = i
		}
		s.values = make([]float64, m)
	}
	clear(b.inverse)
	const free = -1
	var others []int // variables other than slacks, each in need of a row
	slack := make([]bool, m)
	for _, v := range b.in {
		if v < m {
			slack[v] = true
		} else {
			others = append(others, v)
		}
	}
	for i := range b.in {
		b.inverse[i*m+i] = 1
		if b.in[i] = free; slack[i] {
			b.in[i] = i
		}
	}
	for _, v := range others {
		s.multiply(v)
		row := -1
		for i, w := range b.column {
			if b.in[i] == free && (row < 0 || math.Abs(w) > math.Abs(b.column[row])) {
				row = i
			}
		}
		if math.Abs(b.column[row]) <= least {
			return false
		}
		s.pivot(row, v)
	}
	return true
}

// multiply computes the column of a variable.
func (s *solver) multiply(v int) {
	b := &s.basis
	m := len(b.in)
	for i := range m {
		row := b.inverse[i*m : (i+1)*m]
		w := 0.0
		switch {
		case v < m:
			w = row[v]
		case v == m:
			for k, need := range s.need {
				w += float64(row[k] * need)
			}
		default:
			j := v - m - 1
			w = row[s.jobs+s.packings[j].partition]
			for k, done := range s.done[j*s.jobs : (j+1)*s.jobs] {
				w -= float64(row[k] * done)
			}
		}
		b.column[i] = w
	}
}

// pivot brings a variable, the one whose column was computed last, into the basis.
func (s *solver) pivot(row, v int) {
	b := &s.basis
	m := len(b.in)
	of := b.inverse[row*m : (row+1)*m]
	for k := range of {
		of[k] /= b.column[row]
	}
	for i, w := range b.column {
		if i == row || w == 0 {
			continue
		}
		for k, x := range of {
			b.inverse[i*m+k] -= float64(w * x)
		}
	}
	b.in[row] = v
}

// at returns the value of the variable of a row.
func (s *solver) at(row int) float64 {
	m, x := len(s.basis.in), 0.0
	for p := range s.nodes {
		x += s.basis.inverse[row*m+s.jobs+p]
	}
	return x
}

// dual computes the values of jobs and partitions: the row of z, the only variable in the objective.
func (s *solver) dual() {
	clear(s.values)
	m := len(s.basis.in)
	for i, v := range s.basis.in {
		if v == m {
			copy(s.values, s.basis.inverse[i*m:(i+1)*m])
		}
	}
}

// entering returns the variable that gains most, or the first that gains anything, which rules out cycles [Bland1977];
// -1 if there is none.
func (s *solver) entering(first bool) int {
	m := len(s.basis.in)
	enter, most := -1, tolerance
	for v := range m + 1 + len(s.packings) {
		gain := 0.0
		switch {
		case v < m:
			gain = -s.values[v]
		case v == m:
			gain = 1
			for k, need := range s.need {
				gain -= float64(s.values[k] * need)
			}
		default:
			gain = s.gain(v - m - 1)
		}
		if gain > most {
			if enter, most = v, gain; first {
				return enter
			}
		}
	}
	return enter
}

// primal computes z and the shares.
func (s *solver) primal() {
	m := len(s.basis.in)
	s.shares = append(s.shares[:0], make([]float64, len(s.packings))...)
	for i, v := range s.basis.in {
		switch {
		case v == m:
			s.z = s.at(i)
		case v > m:
			s.shares[v-m-1] = max(0, s.at(i))
		}
	}
}
