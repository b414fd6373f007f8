package collective_test

import (
	"testing"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// BenchmarkNext produces the 60 operations of one rank of a dissemination
// barrier among 2^20 ranks: ceil(log2 P) rounds of 3.
func BenchmarkNext(b *testing.B) {
	ch := collective.Choice{Operation: workloads.Barrier, Algorithm: lookup(b, workloads.Barrier, "dissemination")}
	c := collective.Call{Size: 1 << 20}
	var op workloads.Op
	var k int32
	b.ReportAllocs()
	for b.Loop() {
		for k = 0; collective.Next(ch, c, collective.Uniform(0, 0), 0, 4711, &k, &op); {
		}
		if k != 60 {
			b.Fatalf("%d operations; expected 60", k)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(60*b.N), "ns/operation")
}
