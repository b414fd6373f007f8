package throughput

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

type Job struct {
	Rate float64 // runs per second: 1e-100 to 1e100
	Ways []Way   // at least one
}

type Way struct {
	Partition int           // of the machine, from 0
	Nodes     int           // from 1; ways that need more nodes than the partition has are ignored
	Time      units.Seconds // 1e-100 to 1e100
}

// Plan is how a machine carries as much of a mix as possible.
type Plan struct {
	// Multiple is the largest multiple of all jobs' rates that the machine can carry.
	Multiple float64
	Packings []Packing // those in use; each partition is idle for the rest of the time
	// Prices are the shadow prices of the time of each partition: what the multiple gains per relative increase of the
	// partition's time or speed. They are at least 0 and add up to the multiple. Where several prices are right, these
	// lie between the gain of the first increase and the loss of the first decrease.
	Prices []float64
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
	maxNodes = 1 << 20 // of a partition: a knapsack may have a state for each node
	maxWays  = 1000    // of all jobs
	extreme  = 1e100   // of rates and times: keeps their products far from overflow
	certain  = 1e-9    // largest relative difference of the bounds of an answer
)

// Solve returns the largest multiple of the mix that a machine with these numbers of nodes in its partitions can carry,
// and how. Errors are about arguments out of range.
func Solve(nodes []int, jobs []Job) (*Plan, error) {
	s, err := newSolver(nodes, jobs)
	if err != nil {
		return nil, fmt.Errorf("throughput: %w", err)
	}
	return s.solve()
}

func (s *solver) solve() (*Plan, error) {
	for {
		if s.exact = s.exact || !s.simplex(); s.exact {
			s.exactly()
		}
		upper, added := s.generate()
		if added {
			continue
		}
		plan := s.plan()
		if upper-plan.Multiple <= certain*plan.Multiple { // false for NaN
			return s.inUnits(plan), nil
		}
		if s.exact {
			return nil, fmt.Errorf("throughput: a defect: exact bounds are %g and %g", plan.Multiple, upper)
		}
		s.exact = true
	}
}

// option is a way that fits on its partition.
type option struct {
	job, way, nodes int
	done            float64 // of its job while one job runs this way, in the unit of solver.done
}

// A packing is a Packing whose jobs are in solver.running.
type packing struct{ partition, from, to int }

// solver has a scaled problem, and the packings found so far.
//
//	maximize    z
//	such that   need[k] z - sum over the packings of done[p][k] x[p] <= 0 for each job
//	            sum of x[p] <= 1 for each partition
type solver struct {
	nodes   []int
	jobs    int
	options [][]option // by partition
	need    []float64  // by job: fraction of the time that it needs if jobs take turns on the machine; the sum is 1
	unit    float64    // multiple of the mix that is done then: one unit of z

	packings []packing
	running  []Running // of all packings
	done     []float64 // by packing and job: relative to what the machine gets done of the job if it does nothing else
	alone    []int     // by job and partition: the packing of that job alone that defines need, or -1

	exact    bool // floating-point numbers were not enough
	basis    basis
	best     []float64 // of the knapsack
	last     []int
	z        float64
	shares   []float64 // of packings
	values   []float64 // dual: of jobs, then of partitions
	worth    []float64 // the most that a packing of the partition is worth
	required float64   // value of the mix
}

func newSolver(nodes []int, jobs []Job) (*solver, error) {
	if len(nodes) == 0 || len(jobs) == 0 {
		return nil, fmt.Errorf("%d partitions and %d jobs; expected at least one of each", len(nodes), len(jobs))
	}
	s := &solver{nodes: nodes, jobs: len(jobs), options: make([][]option, len(nodes)), need: make([]float64, len(jobs)),
		alone: make([]int, len(jobs)*len(nodes)), worth: make([]float64, len(nodes))}
	most := 0
	for p, n := range nodes {
		if n < 1 || n > maxNodes {
			return nil, fmt.Errorf("partition %d has %d nodes; expected 1 to %d", p, n, maxNodes)
		}
		most = max(most, n)
	}
	s.best, s.last = make([]float64, most+1), make([]int, most+1)
	ways, sum := 0, 0.0
	for k, j := range jobs {
		if ways += len(j.Ways); ways > maxWays {
			return nil, fmt.Errorf("more than %d ways", maxWays)
		}
		if err := s.scale(k, j); err != nil {
			return nil, err
		}
		sum += s.need[k]
	}
	s.unit = 1 / sum
	for k := range s.need {
		// What needs next to nothing still needs something, so that ratios to it exist.
		s.need[k] = max(s.need[k]/sum, 1e-60)
	}
	s.addAlone()
	return s, nil
}

// scale adds the options of a job and computes its need.
func (s *solver) scale(k int, j Job) error {
	if !(j.Rate >= 1/extreme && j.Rate <= extreme) { // also fails for NaN
		return fmt.Errorf("job %d has the rate %g; expected %g to %g", k, j.Rate, 1/extreme, extreme)
	}
	shortest := extreme
	for w, x := range j.Ways {
		switch {
		case x.Partition < 0 || x.Partition >= len(s.nodes):
			return fmt.Errorf("way %d of job %d is on partition %d; expected 0 to %d", w, k, x.Partition, len(s.nodes)-1)
		case x.Nodes < 1:
			return fmt.Errorf("way %d of job %d has %d nodes; expected at least 1", w, k, x.Nodes)
		case !(x.Time >= 1/extreme && x.Time <= extreme):
			return fmt.Errorf("way %d of job %d takes %g s; expected %g to %g", w, k, float64(x.Time), 1/extreme, extreme)
		case x.Nodes <= s.nodes[x.Partition]:
			shortest = min(shortest, float64(x.Time))
		}
	}
	all := 0.0 // runs in the shortest time
	for p, n := range s.nodes {
		most := 0.0
		for w, x := range j.Ways {
			if x.Partition == p && x.Nodes <= n {
				o := option{k, w, x.Nodes, shortest / float64(x.Time)}
				s.options[p] = append(s.options[p], o)
				most = max(most, float64(n/x.Nodes)*o.done)
			}
		}
		all += most
	}
	if all == 0 {
		return fmt.Errorf("job %d fits on no partition; expected a way of fewer nodes", k)
	}
	for p := range s.nodes {
		for i := range s.options[p] {
			if o := &s.options[p][i]; o.job == k {
				o.done /= all
			}
		}
	}
	s.need[k] = j.Rate * (shortest / all)
	return nil
}

// addAlone adds, for each job and partition, the packing that gets most of that job alone done.
func (s *solver) addAlone() {
	for p, options := range s.options {
		for k := range s.jobs {
			s.alone[k*len(s.nodes)+p] = -1
			var best option
			most := 0.0
			for _, o := range options {
				if done := float64(s.nodes[p]/o.nodes) * o.done; o.job == k && done > most {
					best, most = o, done
				}
			}
			if most > 0 {
				s.alone[k*len(s.nodes)+p] = len(s.packings)
				s.open(p)
				s.put(best, s.nodes[p]/best.nodes)
			}
		}
	}
}

// open adds an empty packing.
func (s *solver) open(partition int) {
	s.packings = append(s.packings, packing{partition, len(s.running), len(s.running)})
	for range s.jobs {
		s.done = append(s.done, 0)
	}
}

// put adds jobs to the last packing.
func (s *solver) put(o option, count int) {
	last := len(s.packings) - 1
	s.running = append(s.running, Running{o.job, o.way, count})
	s.packings[last].to++
	s.done[last*s.jobs+o.job] += float64(float64(count) * o.done)
}

// gain returns by how much the worth of a packing exceeds its price.
func (s *solver) gain(j int) float64 {
	worth := -s.values[s.jobs+s.packings[j].partition]
	for k, done := range s.done[j*s.jobs : (j+1)*s.jobs] {
		worth += float64(s.values[k] * done)
	}
	return worth
}

// generate finds the most valuable packings and adds those worth more than their price. It returns the upper bound by
// duality.
func (s *solver) generate() (upper float64, added bool) {
	s.required = 0
	for k, need := range s.need {
		s.values[k] = max(0, s.values[k])
		s.required += float64(s.values[k] * need)
	}
	for p := range s.nodes {
		s.open(p)
		s.fill(p)
		last := len(s.packings) - 1
		gain := s.gain(last)
		s.worth[p] = gain + s.values[s.jobs+p]
		upper += s.worth[p]
		if gain > tolerance {
			added = true
			continue
		}
		s.running = s.running[:s.packings[last].from]
		s.packings, s.done = s.packings[:last], s.done[:last*s.jobs]
	}
	return upper / s.required, added
}

// fill puts the most valuable jobs into the last packing, which is empty: an unbounded knapsack.
//
// Among any d items some take a multiple of d nodes together. If jobs of d nodes are worth most per node, they may
// replace these items. So a best packing has fewer than d other items, which bounds the nodes to consider, however
// large the partition is.
func (s *solver) fill(p int) {
	var dense option
	density, largest := 0.0, 1 // an idle node is an item, too
	for _, o := range s.options[p] {
		if worth := s.values[o.job] * o.done; worth > 0 {
			largest = max(largest, o.nodes)
			if each := worth / float64(o.nodes); each > density || each == density && o.nodes < dense.nodes {
				dense, density = o, each
			}
		}
	}
	if density == 0 {
		return
	}
	n := s.nodes[p]
	if sure := (n - (dense.nodes-1)*largest) / dense.nodes; sure > 0 {
		s.put(dense, sure)
		n -= sure * dense.nodes
	}
	best, last := s.best[:n+1], s.last[:n+1] // by number of nodes; last is an option, or -1
	for used := range best {
		last[used] = -1
		if used > 0 {
			best[used] = best[used-1]
		}
		for i, o := range s.options[p] {
			if o.nodes > used {
				continue
			}
			if worth := best[used-o.nodes] + float64(s.values[o.job]*o.done); worth > best[used] {
				best[used], last[used] = worth, i
			}
		}
	}
	for n > 0 {
		if last[n] < 0 {
			n--
			continue
		}
		i, count := last[n], 0
		for ; n >= 0 && last[n] == i; n -= s.options[p][i].nodes {
			count++
		}
		s.put(s.options[p][i], count)
	}
}

const (
	noise    = 1e-13 // relative rounding of what a packing gets done
	shortage = 1e-11 // relative lack that is made up for
)

// plan returns what the shares carry with certainty, with the multiple in units of z.
func (s *solver) plan() *Plan {
	done, sums := make([]float64, s.jobs), make([]float64, len(s.nodes))
	for j, share := range s.shares {
		matters := false
		of := s.done[j*s.jobs : (j+1)*s.jobs]
		for k, x := range of {
			matters = matters || float64(share*x) > noise*s.z*s.need[k]
		}
		if !matters {
			s.shares[j] = 0
			continue
		}
		for k, x := range of {
			done[k] += float64(share * x)
		}
	}
	// Rounding may leave nothing for a job that needs next to nothing. It gets the machine for what it lacks.
	for k, need := range s.need {
		lack := float64(s.z*need) - done[k]
		for _, j := range s.alone[k*len(s.nodes) : (k+1)*len(s.nodes)] {
			if j >= 0 && lack > shortage*s.z*need {
				s.shares[j] += lack
			}
		}
	}
	for j, share := range s.shares {
		sums[s.packings[j].partition] += share
	}
	plan := &Plan{Multiple: math.Inf(1)}
	clear(done)
	for j, x := range s.packings {
		if s.shares[j] == 0 {
			continue
		}
		share := s.shares[j] / max(1, sums[x.partition])
		plan.Packings = append(plan.Packings, Packing{x.partition, share, s.running[x.from:x.to:x.to]})
		for k := range done {
			done[k] += float64(share * s.done[j*s.jobs+k])
		}
	}
	for k, need := range s.need {
		plan.Multiple = min(plan.Multiple, done[k]/need)
	}
	return plan
}

func (s *solver) inUnits(plan *Plan) *Plan {
	plan.Multiple *= s.unit
	for _, worth := range s.worth {
		plan.Prices = append(plan.Prices, worth/s.required*s.unit)
	}
	return plan
}
