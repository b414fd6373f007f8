package run

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
)

// A kernel is the sum of the computations of one arithmetic intensity.
type kernel struct {
	work    units.Flops
	traffic units.Bytes   // between core and memory
	time    units.Seconds // that the computations take
	several bool          // it has several intensities; traffic and work give their mean
}

// intensity is the arithmetic intensity in flop/B.
func (k kernel) intensity() float64 { return float64(k.work) / float64(k.traffic) }

// mostKernels is the number of intensities that are told apart. If there are more, those closest
// together become one, except for the least and the largest, which bound all others.
const mostKernels = 8

func (k *kernel) add(x kernel) {
	k.work += x.work
	k.traffic += x.traffic
	k.time += x.time
	k.several = k.several || x.several
}

// addTo adds a kernel to the one of the same intensity (but for rounding), or to the list.
func (k kernel) addTo(list []kernel) []kernel {
	for i := range list {
		if math.Abs(list[i].intensity()-k.intensity()) <= 1e-9*k.intensity() {
			list[i].add(k)
			return list
		}
	}
	if list = append(list, k); len(list) <= mostKernels {
		return list
	}
	slices.SortFunc(list, func(a, b kernel) int { return cmp.Compare(a.intensity(), b.intensity()) })
	apart := func(i int) float64 { return list[i+1].intensity() / list[i].intensity() }
	closest := 1
	for i := 2; i < len(list)-2; i++ {
		if apart(i) < apart(closest) {
			closest = i
		}
	}
	list[closest].add(list[closest+1])
	list[closest].several = true
	return slices.Delete(list, closest+1, closest+2)
}

// kernels is a program that records the computations of another one that perform work
// and have memory traffic.
type kernels struct {
	workloads.Program
	system *system.System
	ranks  [][]kernel // each rank writes only its own, so that ranks can run at the same time
}

var _ workloads.Program = (*kernels)(nil)

func (k *kernels) Unwrap() workloads.Program { return k.Program }

// Next records the time by the roofline of [compute.Process], which is the engine's unless
// a fabric shares the memory.
func (k *kernels) Next(rank int, op *workloads.Op) bool {
	ok := k.Program.Next(rank, op)
	if ok && op.Kind == workloads.Compute && op.Work > 0 && op.Size > 0 {
		rank %= len(k.ranks) // of a stream: its rank
		time := k.system.Process(rank).Time(op.Work, op.Size)
		k.ranks[rank] = kernel{work: op.Work, traffic: op.Size, time: time}.addTo(k.ranks[rank])
	}
	return ok
}

// recordKernels makes a system record the computations of its program, on top of another change of the program.
func recordKernels(s *system.System) *kernels {
	k, other := &kernels{system: s, ranks: make([][]kernel, s.Placement.Ranks())}, s.Program
	s.Program = func(p workloads.Program) workloads.Program {
		k.Program = other(p)
		return k
	}
	return k
}

// A roof is the speed that processes of a node type can attain, with the kernels that they ran.
//
//	P(I) = min(v, m I)     ridge point I = v/m
//
//	P  speed of a process, flop/s
//	I  arithmetic intensity, flop/byte: work over memory traffic
//	v  speed of the process in the inner loops
//	m  its memory bandwidth: an equal share of that of the node or, alone, all of it
//
// Source: [Williams2009]. Deviation: like [compute.Process], the roof is for one process. That
// of the node is higher by the number of its processes.
type roof struct {
	name      string
	processes int             // that share the memory
	share     compute.Process // when all compute at once
	alone     compute.Process // when the others leave the memory to it
	ran       []kernel
}

// ridge is the intensity from which on the core limits the speed, not the memory.
func (r roof) ridge() float64 { return float64(r.share.Speed) / float64(r.share.Memory) }

// knowsMemory reports whether the memory bandwidth of some process is known.
func knowsMemory(p *topology.Placement) bool {
	return slices.ContainsFunc(p.Blocks, func(b topology.Block) bool { return b.Memory().Bandwidth > 0 })
}

// roofs returns the roofs of the node types whose memory bandwidth is known, with the
// kernels of the ranks there.
func (r *Result) roofs() []roof {
	var list []roof
	p := r.sim.System.Placement
	for _, b := range p.Blocks {
		m := b.Memory()
		if m.Bandwidth == 0 {
			continue
		}
		v := r.sim.System.Process(p.Rank(b.FirstSlot)).Speed
		x := roof{name: b.Type.Name, processes: m.Processes,
			share: compute.Process{Speed: v, Memory: compute.Share(m.Bandwidth, m.Processes)},
			alone: compute.Process{Speed: v, Memory: m.Bandwidth}}
		if b.OnDevices() {
			x.name += ", devices"
		}
		at := slices.IndexFunc(list, func(y roof) bool {
			return y.name == x.name && y.share == x.share && y.alone == x.alone
		})
		if at < 0 {
			at, list = len(list), append(list, x)
		}
		for i := range b.Nodes * b.Processes {
			for _, k := range r.ranOn(p.Rank(b.FirstSlot + i)) {
				list[at].ran = k.addTo(list[at].ran)
			}
		}
	}
	return list
}

// ranOn returns the kernels of a rank. If a fabric shares the memory, only the total time of
// its computations is known, and they become one kernel.
func (r *Result) ranOn(rank int) []kernel {
	ran := r.kernels.ranks[rank]
	if r.sim.System.Transport.Last == nil || len(ran) == 0 {
		return ran
	}
	if rank >= len(r.sim.Ranks) {
		return nil
	}
	var sum kernel
	for _, k := range ran {
		sum.add(k)
	}
	sum.several = false // with a fabric the caption says so anyway
	sum.time = r.sim.Ranks[rank].Compute
	return []kernel{sum}
}

// rooflineSection compares the speed of the computations with what cores and memory can
// attain. Without memory traffic it says why there is no chart.
func (r *Result) rooflineSection() report.Section {
	s := report.Section{Heading: "Computation and memory"}
	if r.kernels == nil {
		s.Text = []string{"The workload moves nothing to and from memory (bytes_per_flop is 0): the cores alone " +
			"limit its computations, and it has no place on a roofline."}
		return s
	}
	roofs := slices.DeleteFunc(r.roofs(), func(x roof) bool { return len(x.ran) == 0 })
	if len(roofs) == 0 {
		s.Text = []string{"There is no roofline: no computation with memory traffic ran where the memory bandwidth " +
			"is known, or there are too many ranks to list their times."}
		return s
	}
	shared := r.sim.System.Transport.Last != nil
	s.Text = each.Append(s.Text, roofs, roof.sentence)
	s.Blocks = []report.Block{rooflineChart(roofs, shared)}
	return s
}

// sentence says what limits the kernel that takes longest.
func (r roof) sentence() string {
	k := slices.MaxFunc(r.ran, func(a, b kernel) int { return cmp.Compare(a.time, b.time) })
	limit, side := "memory limits them", "below"
	if k.intensity() >= r.ridge() {
		limit, side = "the core limits them", "not below"
	}
	return fmt.Sprintf("On %s the computations that take longest have an arithmetic intensity of %s flop/B, %s the "+
		"ridge point of %s flop/B: %s if all processes of a node compute at once. They achieve %v of %v for each "+
		"process.",
		r.name, input.Number(k.intensity()), side, input.Number(r.ridge()), limit, units.FlopsPerSecond(k.speed()), r.share.Speed)
}

// speed is the speed that a process achieves while it computes, flop/s.
func (k kernel) speed() float64 { return float64(k.work) / float64(k.time) }

// rooflineChart draws the roofs with a point for each kernel. On a fabric a process can have
// more than its share while others do not compute, up to a second, dashed roof.
func rooflineChart(roofs []roof, shared bool) *report.LineChart {
	low, high := math.Inf(1), 0.0
	var speeds []float64
	for _, r := range roofs {
		low, high = min(low, r.ridge()), max(high, r.ridge())
		speeds = append(speeds, float64(r.share.Speed))
		for _, k := range r.ran {
			low, high = min(low, k.intensity()), max(high, k.intensity())
		}
	}
	low, high = low/4, high*4
	shown := page.Display("flop/s", speeds...)
	c := &report.LineChart{
		Title: "Roofline",
		X:     report.Axis{Title: "arithmetic intensity", Unit: "flop/B", Log: true},
		Y:     report.Axis{Title: "speed of a process", Unit: shown.Unit, Log: true},
	}
	curve := func(p compute.Process) report.Series {
		at := []float64{low, float64(p.Speed) / float64(p.Memory), high}
		slices.Sort(at)
		s := report.Series{X: at, Plain: true}
		for _, intensity := range at {
			s.Y = append(s.Y, float64(p.Rate(1/intensity))*shown.Factor)
		}
		return s
	}
	var captions []string
	for _, r := range roofs {
		s := curve(r.share)
		s.Name, s.Colour = r.name+": attainable", r.name
		c.Points = append(c.Points, report.MarkedPoint{Series: len(c.Series), X: r.ridge(),
			Y:     float64(r.share.Speed) * shown.Factor,
			Label: fmt.Sprintf("ridge %.3g", r.ridge())})
		c.Series = append(c.Series, s)
		if shared && r.processes > 1 {
			s := curve(r.alone)
			s.Name, s.Colour, s.Dashed = r.name+": attainable alone", r.name, true
			c.Series = append(c.Series, s)
		}
		ran := report.Series{Name: r.name + ": achieved", Colour: r.name, Points: true}
		for _, k := range r.ran {
			ran.X, ran.Y = append(ran.X, k.intensity()), append(ran.Y, k.speed()*shown.Factor)
		}
		c.Series = append(c.Series, ran)
		captions = append(captions,
			fmt.Sprintf("%s: %v, and %v of memory bandwidth for each process, with %s that share it.",
				r.name, r.share.Speed, r.share.Memory, input.Plural(r.processes, "process")))
	}
	c.Caption = "Attainable: the smaller of the speed of the core and the product of intensity and memory bandwidth. " + strings.Join(captions, " ")
	if shared {
		c.Caption += " A point stands for all computations together: processes share the memory, and the time of " +
			"each computation is not known separately."
	} else {
		c.Caption += " A point stands for the computations of one intensity."
		several := func(r roof) bool { return slices.ContainsFunc(r.ran, func(k kernel) bool { return k.several }) }
		if slices.ContainsFunc(roofs, several) {
			c.Caption += fmt.Sprintf(" There are more than %d intensities: those that lie closest together share a "+
				"point; the least and the largest have their own.", mostKernels)
		}
	}
	return c
}
