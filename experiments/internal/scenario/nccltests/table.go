package nccltests

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Table is an operation with measured times for some groups and sizes, and another algorithm for all others.
type Table struct {
	collective.Algorithm // for other groups
	of                   []measured
}

// measured is the content of one file.
type measured struct {
	ranks, nodes int
	sizes        []float64 // bytes, ascending
	times        []float64 // seconds
}

// New returns an operation without measured times.
func New(otherwise collective.Algorithm) *Table { return &Table{Algorithm: otherwise} }

func (t *Table) Name() string { return "measured" }

// Otherwise returns the algorithm for calls that Measured does not know.
func (t *Table) Otherwise() collective.Algorithm { return t.Algorithm }

// programs lists the programs of nccl-tests by operation; busbw/algbw among n ranks is all - own/n.
var programs = map[workloads.Collective]struct {
	name     string
	all, own float64
}{
	workloads.Allreduce:     {"all_reduce", 2, 2},
	workloads.Allgather:     {"all_gather", 1, 1},
	workloads.ReduceScatter: {"reduce_scatter", 1, 1},
	workloads.Alltoall:      {"alltoall", 1, 1},
	workloads.Bcast:         {"broadcast", 1, 0},
	workloads.Reduce:        {"reduce", 1, 0},
	workloads.Gather:        {"gather", 1, 1},
	workloads.Scatter:       {"scatter", 1, 1},
}

// Add adds a file, named by n, and reports problems to d.
func (t *Table) Add(d *yamldoc.Decoder, n, root *yamldoc.Node) {
	program, known := programs[t.Operation()]
	if !known {
		d.Fail(n, fmt.Sprintf("nccl-tests do not measure %v", t.Operation()), "a measured cost with base, per_process and per_byte")
		return
	}
	if root == nil {
		return // reported elsewhere
	}
	for _, x := range d.Sequence(root.Value(listTests), wantFile) {
		if name := strings.TrimSuffix(x.Text(), "_perf"); name != program.name {
			d.Fail(x, "the times of "+yamldoc.Clip(name), program.name)
			return
		}
	}
	var m measured
	seen := map[string]bool{}
	for _, host := range d.Sequence(root.Value(listHosts), wantFile) {
		m.ranks++
		seen[host.Text()] = true
	}
	m.nodes = len(seen)
	number := func(list string, i int) float64 {
		v, _ := strconv.ParseFloat(root.Value(list).Item(i).Text(), 64) // checked by parse
		return v
	}
	for i, x := range d.Sequence(root.Value(listSizes), wantFile) {
		m.sizes = append(m.sizes, number(listSizes, i))
		m.times = append(m.times, 1e-6*number(listTimes, i))
		algorithm, bus := number(listAlgorithm, i), number(listBus, i)
		if want := algorithm * (program.all - program.own/float64(m.ranks)); math.Abs(bus-want) > 0.01*want+0.02 {
			d.Fail(x, fmt.Sprintf("busbw is %g GB/s with an algbw of %g GB/s", bus, algorithm),
				fmt.Sprintf("%.4g GB/s, as for %s among %d ranks", want, program.name, m.ranks))
			return
		}
	}
	if i := slices.IndexFunc(t.of, func(o measured) bool { return o.ranks == m.ranks && o.nodes == m.nodes }); i >= 0 {
		d.Fail(n, fmt.Sprintf("a second file of %d ranks on %d nodes", m.ranks, m.nodes), "one for each group")
		return
	}
	if len(m.sizes) > 0 {
		t.of = append(t.of, m)
	}
}

// Measured returns the time of a call of some size among ranks on nodes, where 0 nodes means unknown: linear between
// two measured sizes, constant below the smallest, and with the bandwidth of the largest beyond it. least is the
// smallest size.
func (t *Table) Measured(ranks, nodes int, size units.Bytes) (_ units.Seconds, least units.Bytes, known bool) {
	i := slices.IndexFunc(t.of, func(m measured) bool { return m.ranks == ranks && (m.nodes == nodes || nodes == 0) })
	if i < 0 {
		return 0, 0, false
	}
	return units.Seconds(t.of[i].time(float64(size))), units.Bytes(t.of[i].sizes[0]), true
}

func (m *measured) time(size float64) float64 {
	last := len(m.sizes) - 1
	switch i := sort.SearchFloat64s(m.sizes, size); {
	case i == 0:
		return m.times[0]
	case i > last:
		return float64(m.times[last] * (size / m.sizes[last]))
	default:
		part := (size - m.sizes[i-1]) / (m.sizes[i] - m.sizes[i-1])
		return m.times[i-1] + float64(part*(m.times[i]-m.times[i-1]))
	}
}

// String says what was measured.
func (t *Table) String() string {
	groups := each.Of(t.of, func(m measured) string { return fmt.Sprintf("%d ranks on %d nodes", m.ranks, m.nodes) })
	return "measured among " + strings.Join(groups, ", ") + ", otherwise " + t.Algorithm.Name()
}
