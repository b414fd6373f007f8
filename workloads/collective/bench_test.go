package collective_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// BenchmarkNext produces the operations of one rank among 2^20, with the number
// of them derived beside each: 20 = log2 P rounds.
func BenchmarkNext(b *testing.B) {
	algorithm := func(op workloads.Collective, name string) collective.Choice {
		return collective.Choice{Operation: op, Algorithm: lookup(b, op, name)}
	}
	rules := expect.Value(collective.LookupRules("openmpi"))(b)
	const p = 1 << 20
	all := collective.Call{Size: p}
	even := collective.In(collective.Strided{Stride: 2, N: p}, 1, 0)
	for _, tt := range []struct {
		name       string
		choice     collective.Choice
		call       collective.Call
		operations int32
	}{
		{"dissemination", algorithm(workloads.Barrier, "dissemination"), all, 20},
		{"dissemination in a group", algorithm(workloads.Barrier, "dissemination"), even, 20},
		{"recursive doubling", algorithm(workloads.Allreduce, "recursive-doubling"), all, 40},
		// 20 rounds of two steps, 20 rounds of one.
		{"rabenseifner", algorithm(workloads.Allreduce, "rabenseifner"), all, 60},
		{"bruck", algorithm(workloads.Alltoall, "bruck"), all, 20},
		// 8 bytes go by recursive doubling.
		{"rules", collective.Choice{Operation: workloads.Allreduce, Rules: rules}, all, 40},
	} {
		b.Run(tt.name, func(b *testing.B) {
			blocks := collective.Uniform(max(1, collective.BlockCount(tt.choice.Operation, p)), 8)
			var op workloads.Op
			var k int32
			b.ReportAllocs()
			for b.Loop() {
				for k = 0; collective.Next(tt.choice, tt.call, blocks, 0.125, 0, &k, &op); {
				}
				if k != tt.operations {
					b.Fatalf("%d operations; expected %d", k, tt.operations)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tt.operations), "ns/operation")
		})
	}
}
