package throughput

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/isoscale/isoscale/model/units"
)

type Job struct {
	Rate float64 // runs per second: above 0, finite
	Ways []Way   // at least one
}

type Way struct {
	Partition int           // of the machine, from 0
	Nodes     int           // from 1; ways of more nodes than the partition has are not taken
	Time      units.Seconds // above 0, finite
}

// Plan is how a machine carries the most of a mix.
type Plan struct {
	// Multiple is the largest multiple of the rates of all jobs that the machine can carry.
	Multiple float64
	Packings []Packing // that are used; each partition is idle for the rest of the time
}

// Packing is some jobs side by side on a partition.
type Packing struct {
	Partition int
	Share     float64 // of the time
	Running   []Running
}

type Running struct {
	Job, Way int
	Count    int
}

const (
	maxNodes = 1 << 20 // of a partition: a knapsack has a state for each
	maxWays  = 1000    // of all jobs
)

// Solve returns the largest multiple of the mix that a machine with so many nodes in
// each partition can carry, and how.
func Solve(nodes []int, jobs []Job) (*Plan, error) {
	s, err := newSolver(nodes, jobs)
	if err != nil {
		return nil, err
	}
	for range mostRounds {
		values, prices, err := s.dual()
		if err != nil {
			return nil, fmt.Errorf("throughput: %w", err)
		}
		if !s.generate(values, prices) {
			return s.primal()
		}
	}
	return nil, fmt.Errorf("throughput: no answer after %d rounds", mostRounds)
}

const (
	mostRounds       = 10_000 // beyond what is needed: each adds a packing that is better than all before it
	tolerance        = 1e-9   // relative gain that a new packing must promise
	simplexTolerance = 1e-12  // of the reduced costs, for numbers of about 1
)

// column is a packing with what it gets done.
type column struct {
	partition int
	count     []int     // by option
	done      []float64 // by job: runs over the rate of the job, in units of solver.unit
}

// option is a way that fits on its partition.
type option struct {
	job, way  int
	partition int
	nodes     int
	done      float64 // of its job, while one job runs in this way
}

// solver has the packings found so far. The unit of what is done is chosen so that the
// most that one job gets done is 1.
type solver struct {
	nodes   []int
	jobs    int
	options []option
	columns []column
	unit    float64
}

func newSolver(nodes []int, jobs []Job) (*solver, error) {
	s := &solver{nodes: nodes, jobs: len(jobs)}
	fail := func(format string, args ...any) (*solver, error) {
		return nil, fmt.Errorf("throughput: "+format, args...)
	}
	if len(nodes) == 0 || len(jobs) == 0 {
		return fail("%d partitions and %d jobs; expected at least one of each", len(nodes), len(jobs))
	}
	for p, n := range nodes {
		if n < 1 || n > maxNodes {
			return fail("partition %d has %d nodes; expected 1 to %d", p, n, maxNodes)
		}
	}
	ways := 0
	for k, j := range jobs {
		if !(j.Rate > 0 && j.Rate <= math.MaxFloat64) { // so that NaN fails
			return fail("job %d has the rate %g; expected a finite number above 0", k, j.Rate)
		}
		before := len(s.options)
		for w, x := range j.Ways {
			switch {
			case x.Partition < 0 || x.Partition >= len(nodes):
				return fail("way %d of job %d is on partition %d; expected 0 to %d", w, k, x.Partition, len(nodes)-1)
			case x.Nodes < 1:
				return fail("way %d of job %d has %d nodes; expected at least 1", w, k, x.Nodes)
			case !(x.Time > 0 && x.Time <= math.MaxFloat64):
				return fail("way %d of job %d takes %g s; expected a finite time above 0", w, k, float64(x.Time))
			case x.Nodes <= nodes[x.Partition]:
				o := option{k, w, x.Partition, x.Nodes, 1 / float64(x.Time) / j.Rate}
				s.options = append(s.options, o)
				s.unit = max(s.unit, o.done*float64(nodes[x.Partition]/x.Nodes))
			}
		}
		if len(s.options) == before {
			return fail("job %d fits on no partition; expected a way of fewer nodes", k)
		}
		ways += len(j.Ways)
	}
	if ways > maxWays {
		return fail("%d ways; expected at most %d", ways, maxWays)
	}
	for i := range s.options {
		s.options[i].done /= s.unit
	}
	// To begin with, no jobs, and as many jobs of one way as fit.
	for p := range nodes {
		s.add(p, make([]int, len(s.options)))
	}
	for i, o := range s.options {
		count := make([]int, len(s.options))
		count[i] = nodes[o.partition] / o.nodes
		s.add(o.partition, count)
	}
	return s, nil
}

func (s *solver) add(partition int, count []int) {
	c := column{partition, count, make([]float64, s.jobs)}
	for i, n := range count {
		c.done[s.options[i].job] += float64(float64(n) * s.options[i].done)
	}
	s.columns = append(s.columns, c)
}

// dual returns what the jobs and the partitions are worth, given the packings found so
// far: the values v and the prices u that
//
//	minimize    sum of u
//	such that   sum over the jobs of v done is at most u of the partition, for each packing
//	            sum of v is 1
//
// The first job that some packing gets done has the value 1 in the solution from which
// the simplex algorithm starts.
func (s *solver) dual() (values, prices []float64, err error) {
	jobs, partitions, columns := s.jobs, len(s.nodes), len(s.columns)
	n := jobs + partitions + columns
	a, b, c := mat.NewDense(columns+1, n, nil), make([]float64, columns+1), make([]float64, n)
	for i, x := range s.columns {
		for k, done := range x.done {
			a.Set(i, k, -done)
		}
		a.Set(i, jobs+x.partition, 1)
		a.Set(i, jobs+partitions+i, -1) // what the packing is worth less than the price
	}
	for k := range jobs {
		a.Set(columns, k, 1)
	}
	b[columns] = 1
	for p := range partitions {
		c[jobs+p] = 1
	}
	_, x, err := lp.Simplex(c, a, b, simplexTolerance, nil)
	if err != nil {
		return nil, nil, err
	}
	return x[:jobs], x[jobs : jobs+partitions], nil
}

// generate adds, for each partition, the packing that is worth most, if it is worth more
// than its price. It reports whether there was one.
func (s *solver) generate(values, prices []float64) bool {
	any := false
	for p := range s.nodes {
		if worth, count := s.knapsack(p, values); worth > prices[p]+tolerance {
			s.add(p, count)
			any = true
		}
	}
	return any
}

func (s *solver) knapsack(partition int, values []float64) (worth float64, count []int) {
	n := s.nodes[partition]
	best, last := make([]float64, n+1), make([]int, n+1) // of so many nodes; last is an option, or -1
	for used := range n + 1 {
		last[used] = -1
		if used > 0 {
			best[used] = best[used-1]
		}
		for i, o := range s.options {
			if o.partition != partition || o.nodes > used {
				continue
			}
			if w := best[used-o.nodes] + float64(values[o.job]*o.done); w > best[used] {
				best[used], last[used] = w, i
			}
		}
	}
	count = make([]int, len(s.options))
	for used := n; used > 0; {
		if last[used] < 0 {
			used--
			continue
		}
		count[last[used]]++
		used -= s.options[last[used]].nodes
	}
	return best[n], count
}

func (s *solver) primal() (*Plan, error) {
	// The variables are the shares of the packings, the multiple, what each job gets
	// done beyond it, and the idle shares of the partitions.
	columns, jobs, partitions := len(s.columns), s.jobs, len(s.nodes)
	n := columns + 1 + jobs + partitions
	a, b, c := mat.NewDense(jobs+partitions, n, nil), make([]float64, jobs+partitions), make([]float64, n)
	for i, x := range s.columns {
		for k, done := range x.done {
			a.Set(k, i, done)
		}
		a.Set(jobs+x.partition, i, 1)
	}
	for k := range jobs {
		a.Set(k, columns, -1)
		a.Set(k, columns+1+k, -1)
	}
	for p := range partitions {
		a.Set(jobs+p, columns+1+jobs+p, 1)
		b[jobs+p] = 1
	}
	c[columns] = -1
	_, x, err := lp.Simplex(c, a, b, simplexTolerance, nil)
	if err != nil {
		return nil, fmt.Errorf("throughput: %w", err)
	}
	plan := &Plan{Multiple: x[columns] * s.unit}
	for i, col := range s.columns {
		if x[i] <= 0 || i < partitions { // the first packings are those of no jobs
			continue
		}
		packing := Packing{Partition: col.partition, Share: x[i]}
		for k, count := range col.count {
			if count > 0 {
				packing.Running = append(packing.Running, Running{s.options[k].job, s.options[k].way, count})
			}
		}
		plan.Packings = append(plan.Packings, packing)
	}
	return plan, nil
}
