package observe_test

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

func TestMatrix(t *testing.T) {
	m := new(observe.Matrix)
	run(t, script{
		{send(2, 1.5), send(1, 1e6), send(2, 2), isend(0, 1e21, 1), recv(0)},
		{recv(0)},
		{recv(0), recv(0), compute(1), send(0, 0)}, // nobody receives the last
	}, hockney, m)
	want := []observe.Traffic{
		{From: 0, To: 0, Messages: 1, Bytes: 1e21},
		{From: 0, To: 1, Messages: 1, Bytes: 1e6},
		{From: 0, To: 2, Messages: 2, Bytes: 3.5},
		{From: 2, To: 0, Messages: 1, Bytes: 0},
	}
	expect.Same(t, m.Traffic(), want, "traffic")
	var b strings.Builder
	expect.Success(t, m.WriteCSV(&b))
	const csv = "from,to,messages,bytes\n0,0,1,1000000000000000000000\n0,1,1,1000000\n0,2,2,3.5\n2,0,1,0\n"
	expect.Same(t, b.String(), csv, "CSV")
}

// The engine counts on its own, and does not count the handshakes either.
func TestMatrixAgreesWithTheResult(t *testing.T) {
	scenes(t, 7, 200, everything, func(t *testing.T, s script, n sim.Network) {
		m := new(observe.Matrix)
		res := run(t, s, n, m)
		var messages int64
		var bytes units.Bytes
		for _, x := range m.Traffic() {
			messages, bytes = messages+x.Messages, bytes+x.Bytes
		}
		expect.That(t, messages == res.Messages && (bytes-res.Bytes)/max(bytes, 1) <= 1e-12 &&
			(res.Bytes-bytes)/max(bytes, 1) <= 1e-12,
			"%d messages, %v; want %d, %v", messages, bytes, res.Messages, res.Bytes)
	})
}

func TestTee(t *testing.T) {
	s := script{{compute(3), send(1, 2)}, {recv(0)}}
	o := observe.Tee()
	expect.That(t, o == nil, "tee of nothing is %v, want nil", o)
	m := new(observe.Matrix)
	expect.Equal(t, observe.Tee(nil, m, nil), sim.Observer(m), "tee of one")
	alone, first, second := observe.NewFingerprint(2), observe.NewFingerprint(2), observe.NewFingerprint(2)
	run(t, s, hockney, alone)
	run(t, s, hockney, observe.Tee(first, nil, second))
	expect.That(t, first.Sum() == alone.Sum() && second.Sum() == alone.Sum(),
		"fingerprints %x and %x through a tee, %x without", first.Sum(), second.Sum(), alone.Sum())
	seen := m.Traffic()
	expect.That(t, len(seen) == 0, "an observer that did not watch saw %v", seen)
}
