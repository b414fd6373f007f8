package system

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// counts are the numbers of processes that applications of the catalogue are tried on:
// all up to 64, then primes and powers.
func counts() []int {
	var all []int
	for p := 1; p <= 64; p++ {
		if expect.IsLong() || p <= 8 || p%9 == 0 {
			all = append(all, p)
		}
	}
	return append(all, 67, 97, 125, 127, 128, 243)
}

// onCatalogue runs a workload on p equal nodes.
func onCatalogue(t *testing.T, p int, network, workload string) *Simulation {
	t.Helper()
	return simulate(t, fmt.Sprintf(`
machine:
  node_types: {n: {cores: 1, marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: %d}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
network: %s
workload: %s
`, p, network, workload))
}

// cube returns the sides of a grid of p processes, the largest first. Of all grids it is
// the one with the largest smallest side and, among these, the largest second side.
func cube(p int) (x, y, z float64) {
	for a := 1; a <= p; a++ {
		for b := a; a*b <= p; b++ {
			if c := p / (a * b); a*b*c == p && c >= b {
				x, y, z = float64(c), float64(b), float64(a)
			}
		}
	}
	return x, y, z
}

// square is cube with two sides.
func square(p int) (x, y float64) {
	for a := 1; a*a <= p; a++ {
		if p%a == 0 {
			x, y = float64(p/a), float64(a)
		}
	}
	return x, y
}

// parts returns n divided among p, the larger parts first.
func parts[P int | float64](n int, p P) []float64 {
	all := make([]float64, int(p))
	for i := range n {
		all[i%len(all)]++
	}
	return all
}

func squares(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += x * x
	}
	return sum
}

// allreduce is the number of messages of recursive doubling: the processes beyond a
// power of two hand their data over before and get the result after.
func allreduce(p int) float64 {
	k := bits.Len(uint(p)) - 1
	return float64((1<<k)*k + 2*(p-1<<k))
}

// expected is what an application must count.
type expected struct {
	messages, bytes, work float64
	memory                float64 // of process 0
}

func (e expected) check(t *testing.T, what string, x *Simulation) {
	t.Helper()
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"messages", float64(x.Messages), e.messages},
		{"bytes", float64(x.Bytes), e.bytes},
		{"flop performed", float64(x.Result.Work), e.work},
		{"memory of process 0", float64(x.System.Algorithm(x.N).Footprints()[0]), e.memory},
	} {
		expect.That(t, near(c.got, c.want), "%s: %s %v, want %v", what, c.name, c.got, c.want)
	}
	expect.That(t, len(x.Warnings) <= 0, "%s: %q", what, x.Warnings)
}

// Every plane between processes is crossed by n^2 values in each direction. With a cube for each process all are alike.
func TestStencil3D(t *testing.T) {
	const n, steps = 300, 21
	for _, p := range counts() {
		x, y, z := cube(p)
		faces := 2 * ((x-1)*y*z + x*(y-1)*z + x*y*(z-1))
		nx, ny, nz := parts(n, x)[0], parts(n, y)[0], parts(n, z)[0]
		sums := 2 * allreduce(p) // after steps 10 and 20
		e := expected{
			messages: steps*faces + sums,
			bytes:    8*(steps*2*n*n*(x+y+z-3)) + 8*sums,
			work:     8 * n * n * n * steps,
			memory:   16 * (nx + 2) * (ny + 2) * (nz + 2),
		}
		run := fmt.Sprintf("{name: stencil3d, n: %d, steps: %d", n, steps)
		e.check(t, fmt.Sprint("7 points, p = ", p), onCatalogue(t, p, "ideal", run+"}"))
		e.check(t, fmt.Sprint("7 points with overlap, p = ", p), onCatalogue(t, p, "ideal", run+", overlap: 1}"))

		// With 27 points planes along y have two more points for each process along x,
		// and those along z for each along x and y.
		e.work = 30 * n * n * n * steps
		e.bytes = 8*steps*2*((x-1)*n*n+(y-1)*(n+2*x)*n+(z-1)*(n+2*x)*(n+2*y)) + 8*sums
		e.check(t, fmt.Sprint("27 points, p = ", p), onCatalogue(t, p, "ideal", run+", points: 27}"))

		// Messages of their own for edges and corners.
		edges := 4 * ((x-1)*(y-1)*z + (x-1)*y*(z-1) + x*(y-1)*(z-1))
		corners := 8 * (x - 1) * (y - 1) * (z - 1)
		e.messages = steps*(faces+edges+corners) + sums
		e.bytes = 8*steps*(2*n*n*(x+y+z-3)+4*n*((x-1)*(y-1)+(x-1)*(z-1)+(y-1)*(z-1))+corners) + 8*sums
		e.check(t, fmt.Sprint("27 points with overlap, p = ", p), onCatalogue(t, p, "ideal", run+", points: 27, overlap: 1}"))

		const each, rounds = 20, 10
		expected{
			messages: rounds*faces + allreduce(p),
			bytes:    8*rounds*faces*each*each + 8*allreduce(p),
			work:     8 * each * each * each * rounds * float64(p),
			memory:   16 * (each + 2) * (each + 2) * (each + 2),
		}.check(t, fmt.Sprint("weak, p = ", p), onCatalogue(t, p, "ideal", fmt.Sprintf("{name: stencil3d-weak, n: %d, steps: %d}", each, rounds)))
	}
}

func TestStencil2D(t *testing.T) {
	const n, steps = 500, 10
	for _, p := range counts() {
		x, y := square(p)
		faces := 2 * ((x-1)*y + x*(y-1))
		e := expected{
			messages: steps*faces + allreduce(p),
			bytes:    8*steps*2*n*(x+y-2) + 8*allreduce(p),
			work:     6 * n * n * steps,
			memory:   16 * (parts(n, x)[0] + 2) * (parts(n, y)[0] + 2),
		}
		run := fmt.Sprintf("{name: stencil2d, n: %d, steps: %d", n, steps)
		e.check(t, fmt.Sprint("5 points, p = ", p), onCatalogue(t, p, "ideal", run+"}"))
		corners := 4 * (x - 1) * (y - 1)
		e.work = 11 * n * n * steps
		e.messages += steps * corners
		e.bytes += 8 * steps * corners
		e.check(t, fmt.Sprint("9 points with overlap, p = ", p), onCatalogue(t, p, "ideal", run+", points: 9, overlap: 1}"))
		e.messages -= steps * corners
		e.bytes += 8*steps*2*(y-1)*2*x - 8*steps*corners // rows along y with two corners each
		e.check(t, fmt.Sprint("9 points, p = ", p), onCatalogue(t, p, "ideal", run+", points: 9}"))
		const each = 30
		expected{
			messages: steps*faces + allreduce(p),
			bytes:    8*steps*faces*each + 8*allreduce(p),
			work:     6 * each * each * steps * float64(p),
			memory:   16 * (each + 2) * (each + 2),
		}.check(t, fmt.Sprint("weak, p = ", p), onCatalogue(t, p, "ideal", fmt.Sprintf("{name: stencil2d-weak, n: %d, steps: %d}", each, steps)))
	}
}

// An iteration has 2 x 27 flop for each row in A p, 2 in each of two dot products and
// in each of three updates of vectors.
func TestCG(t *testing.T) {
	const n, iterations = 270, 3
	for _, p := range counts() {
		x, y, z := cube(p)
		// A process and its neighbours: pairs of places at most 1 apart along each axis.
		neighbours := (3*x-2)*(3*y-2)*(3*z-2) - x*y*z
		// A point next to a cut is sent across it: the points that are within reach,
		// less those that stay.
		values := (n+2*(x-1))*(n+2*(y-1))*(n+2*(z-1)) - n*n*n
		nx, ny, nz := parts(n, x)[0], parts(n, y)[0], parts(n, z)[0]
		rows := nx * ny * nz
		expected{
			messages: iterations * (neighbours + 2*allreduce(p)),
			bytes:    iterations * (8*values + 16*allreduce(p)),
			work:     (2*27 + 2*2 + 3*2) * n * n * n * iterations,
			// 27 values and columns, 5 vectors, and the points around the box.
			memory: rows*(27*12+5*8) + 8*((nx+2)*(ny+2)*(nz+2)-rows),
		}.check(t, fmt.Sprint("p = ", p), onCatalogue(t, p, "ideal", fmt.Sprintf("{name: cg, n: %d, iterations: %d}", n, iterations)))
	}
}

// All points are exchanged except those that stay where they are.
func TestFFT3D(t *testing.T) {
	const n = 256
	work := 5 * n * n * n * math.Log2(n*n*n)
	for _, p := range counts() {
		x, y := square(p)
		nx, ny, all := parts(n, x), parts(n, y), parts(n, p)
		expected{
			messages: x*y*(y-1) + y*x*(x-1),
			bytes:    16 * n * (2*n*n - squares(nx) - squares(ny)),
			work:     work,
			memory:   2 * 16 * n * nx[0] * ny[0],
		}.check(t, fmt.Sprint("pencils, p = ", p), onCatalogue(t, p, "ideal", fmt.Sprintf("{name: fft3d, n: %d}", n)))
		expected{
			messages: float64(p * (p - 1)),
			bytes:    16 * n * (n*n - squares(all)),
			work:     work,
			memory:   2 * 16 * n * n * all[0],
		}.check(t, fmt.Sprint("slabs, p = ", p), onCatalogue(t, p, "ideal", fmt.Sprintf("{name: fft3d, n: %d, slabs: 1}", n)))
	}
}

// A sweep crosses every cut between processes with n values of each plane and angle.
// On a network without cost a block begins when those upstream have ended it: the
// recurrence that the pipeline formula of [Hoisie2000] solves.
func TestSweep3D(t *testing.T) {
	const n, angles, planes, perBlock = 64, 6, 10, 4
	for _, p := range counts() {
		x, y := square(p)
		const blocks = 7 * 2 // of 10 planes but the last, and of 4 angles and 2
		run := onCatalogue(t, p, "ideal", fmt.Sprintf("{name: sweep3d, n: %d, planes_per_block: %d, angles_per_block: %d}", n, planes, perBlock))
		nx, ny := parts(n, x), parts(n, y)
		expected{
			messages: 8 * blocks * ((x-1)*y + x*(y-1)),
			bytes:    8 * 8 * angles * n * n * (x + y - 2),
			work:     8 * angles * n * n * n * 40,
			memory:   8 * nx[0] * ny[0] * n * 10,
		}.check(t, fmt.Sprint("p = ", p), run)

		ready := make([][]float64, len(nx)) // when a process has ended all blocks so far
		for i := range ready {
			ready[i] = make([]float64, len(ny))
		}
		for octant := range 8 {
			for a := 0; a < angles; a += perBlock {
				for k := 0; k < n; k += planes {
					size := float64(min(planes, n-k) * min(perBlock, angles-a))
					for i := range nx {
						for j := range ny {
							c, d := i, j // count from the corner where the octant starts
							fromX, fromY := -1, -1
							if octant/2%2 == 1 {
								c, fromX = len(nx)-1-i, 1
							}
							if octant/4 == 1 {
								d, fromY = len(ny)-1-j, 1
							}
							begin := ready[c][d]
							if i > 0 {
								begin = max(begin, ready[c+fromX][d])
							}
							if j > 0 {
								begin = max(begin, ready[c][d+fromY])
							}
							ready[c][d] = begin + 40*nx[c]*ny[d]*size/1e9
						}
					}
				}
			}
		}
		last := 0.0
		for _, row := range ready {
			for _, end := range row {
				last = max(last, end)
			}
		}
		got := float64(run.Makespan)
		expect.That(t, math.Abs(got-last) <= 1e-12*last, "p = %d: %v s, want %v s", p, got, last)
	}
}

// Every key is sent except those that stay. With fewer keys than processes, each has at most one, which is merged.
func TestSampleSort(t *testing.T) {
	for _, n := range []int{1 << 20, 5} {
		for _, p := range counts() {
			mine := parts(n, p)
			stay := 0.0
			for q, k := range mine {
				stay += math.Floor(k*float64(q+1)/float64(p)) - math.Floor(k*float64(q)/float64(p))
			}
			f, keys := float64(p), float64(n)
			samples := 32 * f * f
			expected{
				messages: 2*(f-1) + f*(f-1),
				bytes:    8*32*f*(f-1) + 8*(f-1)*(f-1) + 8*(keys-stay),
				work:     keys*math.Log2(keys) + samples*math.Log2(samples),
				memory:   16 * mine[0],
			}.check(t, fmt.Sprint("n = ", n, ", p = ", p), onCatalogue(t, p, "ideal", fmt.Sprintf("{name: samplesort, n: %d, gather: flat}", n)))
		}
	}
}

// The makespan of a list schedule is between the bounds of [Graham1969]: mean load and
// longest task from below, mean load and all but a share of the longest task from above.
func TestTaskFarm(t *testing.T) {
	const n, flop = 500, 1e9
	for _, p := range counts() {
		x := onCatalogue(t, p, "ideal", fmt.Sprintf("{name: taskfarm, n: %d, flop: 1 Gflop, spread: 0.5}", n))
		workers := float64(max(1, p-1))
		messages, bytes := 0.0, 0.0
		if p > 1 {
			messages, bytes = 2*(n+workers), n*2000.0
		}
		total := float64(x.Result.Work)
		expected{messages, bytes, total, 2000}.check(t, fmt.Sprint("dynamic, p = ", p), x)
		expect.Close(t, float64(x.Work), total, 1e-12, "p = %d: W, the work of all tasks", p)
		// The sum of n uniform draws has standard deviation sqrt(n/12); six of them.
		off := math.Abs(total-n*flop) / flop
		expect.That(t, off <= 6*math.Sqrt(n/12), "p = %d: the tasks have %v flop in all", p, total)
		const longest = 1.5 * flop
		mean := total / workers / 1e9
		got := float64(x.Makespan)
		expect.That(t, got >= mean*(1-1e-12) && got <= (total/workers+longest*(1-1/workers))/1e9*(1+1e-12),
			"p = %d: makespan %v s, mean load %v s", p, got, mean)
		// The same tasks, whoever has them.
		fixed := onCatalogue(t, p, "ideal", fmt.Sprintf("{name: taskfarm, n: %d, flop: 1 Gflop, spread: 0.5, dynamic: 0}", n))
		got = float64(fixed.Result.Work)
		expect.That(t, math.Abs(got-total) <= 1e-9*total && fixed.Messages == 0,
			"p = %d: %v flop and %d messages if tasks are dealt out, want %v and none", p, got, fixed.Messages, total)
	}
}

func TestMonteCarlo(t *testing.T) {
	const n = 1_000_003
	for _, p := range counts() {
		x := onCatalogue(t, p, "ideal", fmt.Sprintf("{name: montecarlo, n: %d}", n))
		expected{messages: float64(p - 1), bytes: 8 * float64(p-1), work: 200 * n, memory: 16}.check(t, fmt.Sprint("p = ", p), x)
		got, want := float64(x.Makespan), 200*parts(n, p)[0]/1e9
		expect.That(t, math.Abs(got-want) <= 1e-12*want, "p = %d: %v s, want %v s", p, got, want)
	}
}

// All particles move p-1 times.
func TestNBody(t *testing.T) {
	const n, steps = 1001, 2
	for _, p := range counts() {
		f := float64(p)
		x := onCatalogue(t, p, "ideal", fmt.Sprintf("{name: nbody, n: %d, steps: %d}", n, steps))
		expected{
			messages: f * (f - 1) * steps,
			bytes:    32 * n * (f - 1) * steps,
			work:     20 * n * n * steps,
			memory:   3 * 32 * parts(n, p)[0],
		}.check(t, fmt.Sprint("p = ", p), x)
	}
}
