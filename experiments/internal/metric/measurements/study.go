package measurements

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
)

// The table of a study (docs/formats/sweep.md) has a column point, its factors, repetition if there are several, seed,
// status and the outcomes. Its factors determine what rows are:
//
//   - A factor whose levels have different numbers of processes makes a system grow: its levels are one system. If several do
//     so that different machines have equal numbers of processes, only the one with the most levels does, or the first such.
//   - Otherwise a number whose levels have different work is the problem size n.
//   - Each level of any other factor is a system of its own, for example a topology, a latency or an application.
//
// So rows of one point are repetitions, never runs on two machines. Rows whose status is not ok are left out.
const (
	firstOfStudy  = "point"
	statusOfStudy = "status"
	statusOK      = "ok"
)

// factorsOfStudy returns the columns of factors and of the status; ok is false if the header is not that of a study.
func factorsOfStudy(fields []string) (factors []int, status int, ok bool) {
	seed, repetition := slices.Index(fields, "seed"), slices.Index(fields, "repetition")
	status = slices.Index(fields, statusOfStudy)
	if len(fields) == 0 || fields[0] != firstOfStudy || seed < 0 || status != seed+1 {
		return nil, 0, false
	}
	end := seed
	if repetition == seed-1 {
		end = repetition
	}
	return each.Ascending(end)[1:], status, true
}

// study is what a reader keeps about the table of a study.
type study struct {
	names   []string // of factors
	factors []int    // their columns
	status  int
	levels  [][]string // by row and factor
	left    int        // number of rows left out
}

// divide assigns systems and sizes to rows.
func (r *reader) divide() {
	s := r.study
	if s == nil || len(r.Rows) == 0 {
		return
	}
	s.average(r.Rows)
	var systems, sizes, growing []int // factors
	for k := range s.names {
		switch processes, work := s.changes(r.Rows, k); {
		case processes:
			growing = append(growing, k)
		case work && s.numbers(k) != nil:
			sizes = append(sizes, k)
		default:
			systems = append(systems, k)
		}
	}
	if s.ambiguous(r.Rows, growing) {
		levels := func(k int) int {
			seen := map[string]bool{}
			for _, row := range s.levels {
				seen[row[k]] = true
			}
			return len(seen)
		}
		most := slices.MaxFunc(growing, func(a, b int) int { return levels(a) - levels(b) })
		systems = append(systems, slices.DeleteFunc(growing, func(k int) bool { return k == most })...)
		slices.Sort(systems)
	}
	for i := range r.Rows {
		var name []string
		for _, k := range systems {
			level := s.levels[i][k]
			if _, err := strconv.ParseFloat(level, 64); err == nil {
				level = s.names[k][strings.LastIndexByte(s.names[k], '.')+1:] + " " + level
			}
			name = append(name, level)
		}
		r.Rows[i].system = strings.Join(name, ", ")
	}
	if len(systems) > 0 {
		r.has[ColSystem] = true
	}
	if len(sizes) == 1 && !r.has[ColN] {
		r.has[ColN] = true
		for i, n := range s.numbers(sizes[0]) {
			r.Rows[i].Quantity[ColN] = n
		}
	} else if len(sizes) > 1 {
		r.has[ColN] = false // the work distinguishes problems of several sizes
	}
	if s.left > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d points are left out: their status is not ok", s.left, s.left+len(r.Rows)))
	}
}

// average gives all repetitions of a point the mean of their drawn work.
func (s *study) average(rows []Row) {
	sum, runs := map[string]float64{}, map[string]float64{}
	for i := range rows {
		point := strings.Join(s.levels[i], "\x00")
		sum[point] += rows[i].Quantity[ColWork]
		runs[point]++
	}
	for i := range rows {
		point := strings.Join(s.levels[i], "\x00")
		rows[i].Quantity[ColWork] = sum[point] / runs[point]
	}
}

// ambiguous reports whether rows that differ only in some factors have equal numbers of processes.
func (s *study) ambiguous(rows []Row, factors []int) bool {
	first := map[string]int{}
	for i := range rows {
		others := slices.Clone(s.levels[i])
		for _, k := range factors {
			others[k] = ""
		}
		key := fmt.Sprint(rows[i].processes, "\x00", strings.Join(others, "\x00"))
		if j, seen := first[key]; seen && !slices.Equal(s.levels[i], s.levels[j]) {
			return true
		} else if !seen {
			first[key] = i
		}
	}
	return false
}

// changes reports whether rows that differ only in one factor differ in their processes, or in their work.
func (s *study) changes(rows []Row, k int) (processes, work bool) {
	first := map[string]int{}
	for i := range rows {
		key := strings.Join(slices.Delete(slices.Clone(s.levels[i]), k, k+1), "\x00")
		j, seen := first[key]
		if !seen {
			first[key] = i
			continue
		}
		if s.levels[i][k] == s.levels[j][k] {
			continue
		}
		a, b := &rows[j], &rows[i]
		processes = processes || a.processes != b.processes
		x, y := a.Quantity[ColWork], b.Quantity[ColWork]
		work = work || math.Abs(x-y) > 1e-9*max(x, y)
	}
	return processes, work
}

// numbers returns the levels of a factor by row; nil if one is not a number above 0.
func (s *study) numbers(k int) []float64 {
	all := make([]float64, len(s.levels))
	for i := range s.levels {
		x, err := strconv.ParseFloat(s.levels[i][k], 64)
		if err != nil || !(x >= LeastQuantity && x <= MostQuantity) {
			return nil
		}
		all[i] = x
	}
	return all
}
