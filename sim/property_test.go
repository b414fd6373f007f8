package sim_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// check checks the property on 6 times as many cases as rapid does by default,
// with ISOSCALE_LONG on 60 times as many. A failure prints the smallest scene found
// and the seed of rapid.
func check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	rounds := expect.Often(6, 60)
	for range rounds {
		rapid.Check(t, property)
	}
}

// drawn lets run fail the case that rapid is at.
type drawn struct {
	testing.TB
	t *rapid.T
}

func (d drawn) Helper()                           { d.t.Helper() }
func (d drawn) Fatalf(format string, args ...any) { d.t.Helper(); d.t.Fatalf(format, args...) }

// wantAgreement runs the scene on the engine and on the reference and demands
// the same outcome, unless the documentation allows several.
func wantAgreement(t testing.TB, sc scene) *reference {
	t.Helper()
	got, err := run(t, sc.script, sc.net)
	ref := simulate(sc.script, sc.net)
	want := &ref.result
	if ref.racy() {
		return ref
	}
	if blocked := ref.blocked(); len(blocked) > 0 {
		wantBlocked(t, sc, err, ref)
		return ref
	}
	expect.Need(t, err == nil, "engine: %v\nreference: all ranks finish\n%v", err, sc)
	for r := range want.Ranks {
		expect.Need(t, equalResults(got.Ranks[r], want.Ranks[r]),
			"rank %d:\nengine    %+v\nreference %+v\n%v", r, got.Ranks[r], want.Ranks[r], sc)
	}
	expect.Need(t, got.Makespan == want.Makespan && got.Messages == want.Messages &&
		close12(float64(got.Bytes), float64(want.Bytes)) && close12(float64(got.Work), float64(want.Work)) &&
		got.Operations == want.Operations && got.Collectives == want.Collectives,
		"totals:\nengine    %+v\nreference %+v\n%v", got, want, sc)
	expect.Need(t, slices.Equal(got.Warnings, want.Warnings),
		"warnings:\nengine    %q\nreference %q\n%v", got.Warnings, want.Warnings, sc)
	return ref
}

// close12 tells that a and b are equal but for rounding: the engine adds up bytes
// and work in the order in which it turns to the ranks.
func close12(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }

// equalResults demands the same finish to the bit, and parts that differ by no
// more than the rounding of a clock reading: what a rank paid can be computed
// as cost or as a difference of two times, and (2 + 0.1) - 2 is not 0.1.
func equalResults(a, b sim.RankResult) bool {
	va, vb := reflect.ValueOf(a.Breakdown), reflect.ValueOf(b.Breakdown)
	for i := range va.NumField() {
		if math.Abs(va.Field(i).Float()-vb.Field(i).Float()) > 1e-12*float64(a.Finish) {
			return false
		}
	}
	return a.Finish == b.Finish
}

// wantBlocked checks that the engine reports the deadlock that the reference
// ran into.
func wantBlocked(t testing.TB, sc scene, err error, ref *reference) {
	t.Helper()
	var d *sim.DeadlockError
	expect.Need(t, errors.As(err, &d), "engine: %v\nreference: ranks %v are blocked\n%v", err, ref.blocked(), sc)
	var blocked []int
	for _, b := range d.Blocked {
		since := ref.ranks[b.Rank].since
		expect.Need(t, b.Since == since, "rank %d blocked since %v, reference says %v\n%v", b.Rank, b.Since, since, sc)
		blocked = append(blocked, b.Rank)
	}
	blocked = slices.Compact(blocked)
	expect.Need(t, slices.Equal(blocked, ref.blocked()),
		"ranks %v are blocked, reference says %v\n%v", blocked, ref.blocked(), sc)
	expect.Need(t, d.Time == ref.result.Makespan,
		"deadlock at %v, reference says %v\n%v", d.Time, ref.result.Makespan, sc)
}

func TestEngineAgreesWithReference(t *testing.T) {
	var total tally
	cases, racy := 0, 0
	for _, c := range []struct {
		name   string
		scenes *rapid.Generator[scene]
	}{
		{"ordered", orderedScenes(everything)},
		{"loose", looseScenes(everything)},
		{"chaotic", chaoticScenes(everything)},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, func(rt *rapid.T) {
				sc := c.scenes.Draw(rt, "scene")
				ref := wantAgreement(drawn{t, rt}, sc)
				expect.Need(rt, c.name != "ordered" || len(ref.blocked()) <= 0,
					"a script that cannot deadlock did\n%v", sc)
				total.add(ref.tally)
				cases++
				if ref.racy() {
					racy++
				}
			})
		})
	}
	t.Logf("%d cases, %d of them with several legal outcomes; exercised %+v", cases, racy, total)
	expect.That(t, racy <= cases/3, "%d of %d cases have several legal outcomes; expected at most a third", racy, cases)
	for v, i := reflect.ValueOf(total), 0; i < v.NumField(); i++ {
		expect.That(t, v.Field(i).Int() != 0, "nothing exercised %s", v.Type().Field(i).Name)
	}
}

// property checks a property of scenes that finish on the engine and makes sure
// that it was not skipped for all of them.
func property(
	t *testing.T, scenes *rapid.Generator[scene], holds func(t testing.TB, sc scene, res *sim.Result) (checked bool),
) {
	t.Helper()
	checked := 0
	check(t, func(rt *rapid.T) {
		sc := scenes.Draw(rt, "scene")
		tb := drawn{t, rt}
		if res, err := run(tb, sc.script, sc.net); err == nil && holds(tb, sc, res) {
			checked++
		}
	})
	t.Logf("%d cases", checked)
	expect.That(t, checked >= 50, "checked %d cases; expected at least 50", checked)
}

// mustRun runs a variation of a scene that has finished; it must finish, too.
func mustRun(t testing.TB, sc scene) *sim.Result {
	t.Helper()
	res, err := run(t, sc.script, sc.net)
	expect.Need(t, err == nil, "variation: %v\n%v", err, sc)
	return res
}

func TestTimeIsConserved(t *testing.T) {
	property(t, looseScenes(everything), func(t testing.TB, sc scene, res *sim.Result) bool {
		for r, got := range res.Ranks {
			sum := 0.0
			for v, i := reflect.ValueOf(got.Breakdown), 0; i < v.NumField(); i++ {
				part := v.Field(i).Float()
				expect.Need(t, part >= 0, "rank %d: %s is %v\n%v", r, v.Type().Field(i).Name, part, sc)
				sum += part
			}
			expect.Need(t, math.Abs(sum-float64(got.Finish)) <= 1e-9*sum,
				"rank %d: parts add up to %v, finished at %v\n%v", r, sum, got.Finish, sc)
			busy := units.Seconds(0)
			for _, op := range sc.script[r] {
				switch op.Kind {
				case workloads.Compute:
					busy += units.Seconds(op.Work)
				case workloads.Delay:
					busy += op.Time
				}
			}
			// Less than busy only by rounding.
			expect.Need(t, res.Makespan >= got.Finish && got.Finish >= busy*(1-1e-12),
				"rank %d: busy for %v, finished at %v, makespan %v\n%v", r, busy, got.Finish, res.Makespan, sc)
		}
		return true
	})
}

// Multiplying by 2 is exact, so are its sums.
func TestTwiceAsLongTakesTwiceAsLong(t *testing.T) {
	property(t, looseScenes(everything), func(t testing.TB, sc scene, res *sim.Result) bool {
		twice := scene{make(script, len(sc.script)), stretched(sc.net, 2, 2)}
		for r, ops := range sc.script {
			for _, op := range ops {
				op.Work *= 2
				op.Time *= 2
				twice.script[r] = append(twice.script[r], op)
			}
		}
		for r, got := range finishes(mustRun(t, twice)) {
			want := 2 * res.Ranks[r].Finish
			expect.Need(t, got == want, "rank %d: all times doubled, finished at %v; want %v\n%v", r, got, want, sc)
		}
		return true
	})
}

// An idle rank would keep collectives from ending, so there are none.
func TestIdleRankChangesNothing(t *testing.T) {
	f := everything
	f.collectives = false
	property(t, looseScenes(f), func(t testing.TB, sc scene, res *sim.Result) bool {
		more := mustRun(t, scene{append(slices.Clone(sc.script), nil), sc.net})
		expect.Need(t, slices.Equal(more.Ranks, append(slices.Clone(res.Ranks), sim.RankResult{})),
			"with an idle rank %+v, without %+v\n%v", more.Ranks, res.Ranks, sc)
		return true
	})
}

// relabelled is a network with other numbers for the ranks.
type relabelled struct {
	sim.Network
	old []int // by new number
}

func (n relabelled) Message(from, to int32, size units.Bytes) network.Cost {
	return n.Network.Message(int32(n.old[from]), int32(n.old[to]), size)
}

// Numbers matter only where they break ties, and to receives from any source.
func TestNumbersOfRanksDoNotMatter(t *testing.T) {
	check(t, func(rt *rapid.T) {
		sc := orderedScenes(features{collectives: true, rendezvous: true}).Draw(rt, "scene")
		tb := drawn{t, rt}
		if simulate(sc.script, sc.net).tally.ties > 0 {
			rt.Skip("ties")
		}
		res := mustRun(tb, sc)

		var number []int // new, by old
		for r := range sc.script {
			number = append(number, r)
		}
		number = rapid.Permutation(number).Draw(rt, "numbers")
		other := scene{script: make(script, len(number))}
		old := make([]int, len(number))
		for r, ops := range sc.script {
			old[number[r]] = r
			for _, op := range ops {
				switch op.Kind {
				case workloads.Send, workloads.Isend, workloads.Recv, workloads.Irecv, workloads.Measured:
					op.Peer = int32(number[op.Peer])
				}
				other.script[number[r]] = append(other.script[number[r]], op)
			}
		}
		other.net = relabelled{sc.net, old}
		for r, got := range mustRun(tb, other).Ranks {
			want := res.Ranks[old[r]]
			expect.Need(rt, got == want, "rank %d, now %d: %+v, was %+v\n%v", old[r], r, got, want, sc)
		}
	})
}

// Without wildcards the matching is fixed and without rendezvous the order at
// the interfaces is, so every time is a maximum of sums of given times.
func TestMoreLatencyNeverHelps(t *testing.T) {
	later := 0
	property(t, orderedScenes(features{collectives: true, zeroLatency: true}), func(t testing.TB, sc scene, res *sim.Result) bool {
		slow := mustRun(t, scene{sc.script, stretched(sc.net, 2, 1)})
		for r, got := range finishes(slow) {
			switch was := res.Ranks[r].Finish; {
			case got < was:
				t.Fatalf("rank %d: latency doubled, finished at %v instead of %v\n%v", r, got, was, sc)
			case got > was:
				later++
			}
		}
		return true
	})
	expect.That(t, later != 0, "latency made no difference anywhere")
}

// A Sendrecv is an Isend, a Recv and a Wait for the Isend, in one operation.
func TestSendrecvIsItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 5).Draw(t, "ranks")
		one, three := make(script, p), make(script, p)
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			shift := rapid.IntRange(0, p-1).Draw(t, "shift")
			size := units.Bytes(rapid.IntRange(0, 4).Draw(t, "size"))
			tag := int32(rapid.IntRange(0, 1).Draw(t, "tag"))
			for r := range p {
				work := compute(units.Flops(rapid.IntRange(0, 5).Draw(t, "work")))
				to, from := int32((r+shift)%p), int32((r-shift+p)%p)
				one[r] = append(one[r], work, sendrecv(to, size, from, tag))
				three[r] = append(three[r], work, isend(to, size, tag, 7), recv(from, tag), wait(7))
			}
		}
		n := network.Hockney{
			Latency:      units.Seconds(rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "latency")),
			Bandwidth:    1,
			SendOverhead: units.Seconds(rapid.SampledFrom([]float64{0, 0.25, 2}).Draw(t, "o_s")),
			RecvOverhead: units.Seconds(rapid.SampledFrom([]float64{0, 0.5, 2}).Draw(t, "o_r")),
			EagerLimit:   units.Bytes(rapid.IntRange(0, 4).Draw(t, "limit")),
		}
		whole := ran(t, sim.Config{Program: one.program(), Network: n, Rates: ones(p), Ranks: true})
		parts := ran(t, sim.Config{Program: three.program(), Network: n, Rates: ones(p), Ranks: true})
		for r := range p {
			expect.Need(t, whole.Ranks[r] == parts.Ranks[r],
				"rank %d: sendrecv %+v, parts %+v", r, whole.Ranks[r], parts.Ranks[r])
		}
	})
}
