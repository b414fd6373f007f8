package store

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// benchPlan has as many columns as a study with many metrics.
func benchPlan(points int) (Plan, []string) {
	p := samplePlan(points, Shards(points))
	p.Columns = nil
	var row []string
	for i := range 20 {
		p.Columns = append(p.Columns, Column{Name: fmt.Sprint("column", i)})
		row = append(row, fmt.Sprint(float64(i)/7))
	}
	return p, row
}

// A whole study without the computing: plan, all shards, merge.
func BenchmarkStudy(b *testing.B) {
	for _, points := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(points), func(b *testing.B) {
			p, row := benchPlan(points)
			dir := b.TempDir()
			b.ReportAllocs()
			study := 0
			for b.Loop() {
				study++
				d := expect.Value(Create(filepath.Join(dir, fmt.Sprint(study)), p))(b)
				for shard := range p.Shards {
					a := expect.Value(d.Begin(shard, nil))(b)
					for _, ok := a.Next(); ok; _, ok = a.Next() {
						expect.Success(b, a.Put(row, 0))
					}
					expect.Success(b, a.Commit())
				}
				_, err := d.Merge()
				expect.Need(b, err == nil, "%v", err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(points), "ns/point")
		})
	}
}

func BenchmarkPut(b *testing.B) {
	p, row := benchPlan(1 << 40)
	p.Shards = 1
	d := mustCreate(b, p)
	a := expect.Value(d.Begin(0, nil))(b)
	b.ReportAllocs()
	for b.Loop() {
		expect.Success(b, a.Put(row, 0))
	}
	expect.Success(b, a.Close())
}

func BenchmarkRows(b *testing.B) {
	const points = 100_000
	p, row := benchPlan(points)
	d := mustCreate(b, p)
	for shard := range p.Shards {
		a := expect.Value(d.Begin(shard, nil))(b)
		for _, ok := a.Next(); ok; _, ok = a.Next() {
			expect.Success(b, a.Put(row, 0))
		}
		expect.Success(b, a.Commit())
	}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range d.Rows() {
			expect.Success(b, err)
			n++
		}
		expect.Need(b, n == points, "%d rows", n)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/points, "ns/point")
}
