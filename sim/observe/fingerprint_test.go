package observe_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/workloads"
)

func fingerprint(t *testing.T, s script, n sim.Network) uint64 {
	t.Helper()
	f := observe.NewFingerprint(len(s))
	run(t, s, n, f)
	return f.Sum()
}

// The same, computed as documented with FNV of the standard library. The message leaves
// at 3, arrives at 3 + 2 + 1 = 6.
func TestFingerprintIsWhatItSays(t *testing.T) {
	histories := []string{
		"span\tcompute\t0.00000000000e+00\t3.00000000000e+00\n",
		"sent\t1\t0\t2.00000000000e+00\t3.00000000000e+00\n",
		"",
		"span\tcompute\t0.00000000000e+00\t1.00000000000e+00\n" +
			"span\twait for message\t1.00000000000e+00\t6.00000000000e+00\n",
		"",
		"received\t0\t0\t6.00000000000e+00\n",
	}
	whole := fnv.New64a()
	for _, h := range histories {
		one := fnv.New64a()
		fmt.Fprint(one, h)
		fmt.Fprintf(whole, "%d\n", one.Sum64())
	}
	got := fingerprint(t, script{{compute(3), send(1, 2)}, {compute(1), recv(0)}}, hockney)
	expect.Equal(t, got, whole.Sum64(), "fingerprint")
}

// Without exchanges and synchronous sends, as for timelines.
func TestFingerprintDoesNotDependOnTheOrderOfRanks(t *testing.T) {
	sums := map[uint64]bool{}
	scenes(t, 6, 300, nonBlocking, func(t *testing.T, s script, n sim.Network) {
		n = withoutSynchronous(n)
		ahead := fingerprint(t, s, n)
		expect.Equal(t, fingerprint(t, s, strict{n}), ahead, "running ahead %016x, in strict order", ahead)
		sums[ahead] = true
	})
	expect.Equal(t, len(sums), 300, "fingerprints of 300 different scenes")
}

func TestFingerprintShowsEveryChange(t *testing.T) {
	base := func() script {
		return script{
			{compute(3), send(1, 2), isend(1, 1, 1), irecv(1, 2), waitall(), measured(workloads.Barrier, 0, 1)},
			{delay(1), recv(0), recv(0), send(0, 3), measured(workloads.Barrier, 0, 1)},
		}
	}
	want := fingerprint(t, base(), hockney)
	expect.Equal(t, fingerprint(t, base(), hockney), want, "fingerprints of the same run")
	changes := map[string]func(s script){
		"work":                func(s script) { s[0][0].Work *= 1 + 1e-9 },
		"delay":               func(s script) { s[1][0].Time *= 1 + 1e-9 },
		"delay, not work":     func(s script) { s[0][0] = delay(3) },
		"size":                func(s script) { s[0][1].Size += 1e-6 },
		"size of the last":    func(s script) { s[1][3].Size = 4 },
		"tag":                 func(s script) { s[0][2].Tag, s[1][2].Tag = 1, 1 },
		"cost":                func(s script) { s[0][5].Time, s[1][4].Time = 2, 2 },
		"order of messages":   func(s script) { s[0][1].Size, s[0][2].Size = 1, 2 },
		"one operation more":  func(s script) { s[1] = append(s[1], compute(1e-6)) },
		"one more lost":       func(s script) { s[1] = append(s[1], send(0, 0)) },
		"the other way round": func(s script) { s[0], s[1] = mirrored(s[1]), mirrored(s[0]) },
	}
	for name, change := range changes {
		s := base()
		change(s)
		expect.That(t, fingerprint(t, s, hockney) != want, "%s: the fingerprint did not change", name)
	}
	faster := hockney
	faster.Latency = 1 - 1e-9
	expect.That(t, fingerprint(t, base(), faster) != want, "latency: the fingerprint did not change")
}

func mirrored(ops []workloads.Op) []workloads.Op {
	for i := range ops {
		if ops[i].Kind != workloads.Measured {
			ops[i].Peer = 1 - ops[i].Peer
		}
	}
	return ops
}

// A fused multiplication and addition changes the last bit.
func TestFingerprintIgnoresTheLastBit(t *testing.T) {
	sum := func(x float64) uint64 {
		f := observe.NewFingerprint(1)
		f.Span(sim.Span{Part: sim.PartCompute, To: units.Seconds(x)})
		f.Sent(sim.Sent{Size: units.Bytes(x), At: units.Seconds(x)})
		f.Received(sim.Received{At: units.Seconds(x)})
		return f.Sum()
	}
	for _, x := range []float64{1, 0.1, 1.0 / 3, 123.456, 2.5e-6} {
		expect.That(t, sum(x) == sum(math.Nextafter(x, 2*x)), "%v: the last bit changes the fingerprint", x)
		expect.That(t, sum(x) != sum(x*(1+1e-11)), "%v: the eleventh digit does not change the fingerprint", x)
	}
}
