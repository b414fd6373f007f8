package sim_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// FuzzScript turns bytes into arbitrary scripts on any legal network: the engine must
// end with finite times or with an error that blames the program.
func FuzzScript(f *testing.F) {
	// Fields as in decoded: ranks, network (5), then rank, kind, collective,
	// peer, tag, request, value for each operation.
	f.Add([]byte{})
	f.Add([]byte{1, 2, 2, 0, 0, 12, 0, 3, 0, 2, 2, 0, 1, 1, 5, 0, 1, 2, 0, 0}) // send, recv
	f.Add([]byte{1, 2, 2, 1, 1, 0, 0, 4, 0, 2, 2, 1, 2, 1, 6, 0, 0, 1, 1, 0})  // rendezvous, any tag
	f.Add([]byte{1, 2, 2, 0, 0, 0, 0, 9, 1, 1, 0, 0, 2, 1, 9, 1, 1, 0, 0, 2})  // barrier
	f.Add([]byte{1, 2, 2, 0, 0, 0, 0, 3, 0, 9, 9, 0, 10, 1, 7, 0, 0, 0, 5, 0}) // misuse
	f.Add([]byte{0, 2, 9, 0, 0, 0, 0, 2, 0, 0, 0, 0, 9, 0, 2, 0, 0, 0, 0, 9})  // huge times
	// A legal bandwidth that is so small that one byte takes for ever.
	f.Add([]byte{1, 1, 13, 0, 0, 12, 0, 3, 0, 2, 2, 0, 1, 1, 5, 0, 1, 2, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		sc, ok := decoded(data)
		if !ok {
			t.Skip("not a legal network")
		}
		wantCleanEnd(t, sc)
	})
}

func wantCleanEnd(t *testing.T, sc scene) {
	t.Helper()
	var results [2]*sim.Result
	for i, n := range []sim.Network{sc.net, strict{sc.net}} {
		res, err := sim.Run(
			context.Background(), sim.Config{Program: sc.script.program(), Network: n, Rates: ones(len(sc.script))},
		)
		results[i] = res
		var program *sim.ProgramError
		var deadlock *sim.DeadlockError
		switch {
		case err == nil:
			for r, got := range res.Ranks {
				v := reflect.ValueOf(got.Breakdown)
				for i := range v.NumField() {
					x := v.Field(i).Float()
					expect.Need(t, x >= 0 && !math.IsInf(x, 0), "rank %d: %+v\n%v", r, got, sc)
				}
				expect.Need(t, got.Finish >= 0 && !math.IsInf(float64(got.Finish), 0),
					"rank %d finishes at %v\n%v", r, got.Finish, sc)
			}
		case strings.Contains(err.Error(), "internal error"):
			t.Fatalf("%v\n%v", err, sc)
		case !errors.As(err, &program) && !errors.As(err, &deadlock):
			t.Fatalf("error %v, want one that blames the program\n%v", err, sc)
		}
	}
	expect.Need(t, (results[0] == nil) == (results[1] == nil) &&
		(results[0] == nil || reflect.DeepEqual(finishes(results[0]), finishes(results[1]))),
		"running ahead %+v\nstrict order  %+v\n%v", results[0], results[1], sc)
}

// decoded reads a scene; what is missing reads as 0.
func decoded(data []byte) (sc scene, ok bool) {
	values := []float64{0, 1, 2, 0.5, 0.1, 1e-9, 1e9, 1e30, 1e300, 1.7e308, -1, math.NaN(), math.Inf(1), 5e-324}
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	value := func() float64 { return values[next()%len(values)] }

	n := 1 + next()%4
	h := network.Hockney{
		Latency:      units.Seconds(value()),
		Bandwidth:    units.BytesPerSecond(value()),
		SendOverhead: units.Seconds(value()),
		RecvOverhead: units.Seconds(value()),
		EagerLimit:   units.Bytes(value()),
	}
	sc = scene{make(script, n), h}
	for len(data) > 0 {
		r := next() % n
		op := workloads.Op{
			Kind:       workloads.Kind(next() % 11),
			Collective: workloads.Collective(next() % 10),
			Peer:       int32(next()%(n+2) - 1),
			Tag:        int32(next()%4 - 2),
			Request:    int32(next() % 4),
		}
		x := value()
		op.Size, op.Work, op.Time = units.Bytes(x), units.Flops(x), units.Seconds(x)
		sc.script[r] = append(sc.script[r], op)
	}
	return sc, h.Validate() == nil
}
