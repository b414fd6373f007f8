package replay

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/workloads/goal"
)

// scale multiplies all times of a schedule, so that a fraction of 1e-4 of each is a whole number of nanoseconds.
const scale = 10_000

type goalDifferences struct{ schedules, compared, kinks, unresolved int }

// compare compares the sensitivities of a schedule with central differences.
func (d *goalDifferences) compare(t *testing.T, s *goal.Schedule, p goalsim.Parameters, name string) {
	t.Helper()
	for i := range s.Ops() {
		if op := &s.Ops()[i]; op.Kind == goal.Calc {
			op.Size *= scale
		}
	}
	for _, x := range []*goalsim.Nanoseconds{&p.Latency, &p.Overhead, &p.Gap, &p.GapPerByte, &p.OverheadPerByte} {
		*x *= scale
	}
	path := observe.NewCriticalPath(s.Ranks()*s.CPUs(), logGOPS(p))
	run, err := goalsim.Observe(t.Context(), s, p, path)
	if err != nil || run.Makespan == 0 {
		return // it does not end
	}
	d.schedules++
	makespan := func(p goalsim.Parameters) float64 {
		return float64(expect.Value(goalsim.Run(t.Context(), s, p))(t).Makespan)
	}
	got := sensitivities(path.Walk, p)
	if got.Unresolved > 1e-9*float64(run.Makespan)/1e9 {
		d.unresolved++
		t.Logf("%s: %v of %v unresolved", name, got.Unresolved, inSeconds(run.Makespan))
		return
	}
	shares := map[string]float64{}
	for _, x := range got.Parameters {
		shares[x.Parameter] = x.Share
	}
	base := float64(run.Makespan)
	check := func(parameter string, up, down float64) {
		t.Helper()
		up, down = (up-base)/base, (base-down)/base
		if math.Abs(up-down) > 1e-9 {
			d.kinks++
			return
		}
		d.compared++
		expect.Close(t, (up+down)/2*scale, shares[parameter], 1e-6, "%s: %s", name, parameter)
	}
	for parameter, of := range map[string]func(p *goalsim.Parameters) *goalsim.Nanoseconds{
		"latency L":           func(p *goalsim.Parameters) *goalsim.Nanoseconds { return &p.Latency },
		"overhead o":          func(p *goalsim.Parameters) *goalsim.Nanoseconds { return &p.Overhead },
		"gap g":               func(p *goalsim.Parameters) *goalsim.Nanoseconds { return &p.Gap },
		"gap per byte G":      func(p *goalsim.Parameters) *goalsim.Nanoseconds { return &p.GapPerByte },
		"overhead per byte O": func(p *goalsim.Parameters) *goalsim.Nanoseconds { return &p.OverheadPerByte },
	} {
		more, less := p, p
		*of(&more) += *of(&p) / scale
		*of(&less) -= *of(&p) / scale
		check(parameter, makespan(more), makespan(less))
	}
	computing := func(by int) float64 {
		for i := range s.Ops() {
			if op := &s.Ops()[i]; op.Kind == goal.Calc {
				op.Size = uint64(int(op.Size) + by*int(op.Size/scale))
			}
		}
		m := makespan(p)
		for i := range s.Ops() {
			if op := &s.Ops()[i]; op.Kind == goal.Calc {
				op.Size = op.Size / uint64(scale+by) * scale
			}
		}
		return m
	}
	check("speed", computing(1), computing(-1))
}

func TestSensitivitiesOfSchedules(t *testing.T) {
	var d goalDifferences
	r := rand.New(rand.NewPCG(28, 4))
	below := func(n int) goalsim.Nanoseconds { return goalsim.Nanoseconds(r.IntN(n)) }
	for range 300 {
		p := goalsim.Parameters{Latency: below(5000), Overhead: below(3000), Gap: below(3000), GapPerByte: below(12), OverheadPerByte: below(12),
			EagerLimit: int64(r.IntN(200))}
		d.compare(t, randomSchedule(t, r), p, "random")
	}
	expect.That(t, d.compared > 1500 && d.kinks*20 < d.compared, "random schedules: %+v", d)
	t.Logf("%+v", d)
	d = goalDifferences{}
	folders := []string{filepath.Join("..", "..", "..", "..", "sim", "goalsim", "testdata", "*.goal"), filepath.Join("..", "..", "..", "..", "examples", "*.goal")}
	if folder := os.Getenv("ISOSCALE_CONFORMANCE"); folder != "" {
		folders = append(folders, filepath.Join(folder, "goal", "*", "schedule.goal"))
	}
	for _, folder := range folders {
		for _, file := range expect.Value(filepath.Glob(folder))(t) {
			if s, _, err := ReadGOAL(file); err == nil {
				d.compare(t, s, goalsim.DefaultParameters(), file)
			}
		}
	}
	t.Logf("%+v", d)
	expect.That(t, d.schedules > 10 && d.compared > 2*d.schedules, "schedules of files: %+v", d)
}

// randomSchedule is a schedule whose hosts exchange messages and compute, each operation after the one before it.
func randomSchedule(t *testing.T, r *rand.Rand) *goal.Schedule {
	ranks := 2 + r.IntN(4)
	ops := make([][]goal.Op, ranks)
	for round := range uint32(3 + r.IntN(4)) {
		for from := range ranks {
			ops[from] = append(ops[from], goal.Op{Kind: goal.Calc, Size: uint64(r.IntN(20000))})
			to := (from + 1 + r.IntN(ranks-1)) % ranks
			size := 1 + uint64(r.IntN(300))
			ops[from] = append(ops[from], goal.Op{Kind: goal.Send, Size: size, Peer: int32(to), Tag: round})
			ops[to] = append(ops[to], goal.Op{Kind: goal.Recv, Size: size, Peer: int32(from), Tag: round})
		}
	}
	var b goal.Builder
	for _, list := range ops {
		b.NextRank()
		for i, op := range list {
			b.Add(op)
			if i > 0 && r.IntN(5) > 0 {
				b.Require(i, i-1)
			}
		}
	}
	return expect.Value(b.Schedule())(t)
}
