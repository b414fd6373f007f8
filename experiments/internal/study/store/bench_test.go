package store

import (
	"fmt"
	"path/filepath"
	"testing"
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

// A whole study but for the computing: plan, all shards, merge.
func BenchmarkStudy(b *testing.B) {
	for _, points := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(points), func(b *testing.B) {
			p, row := benchPlan(points)
			dir := b.TempDir()
			b.ReportAllocs()
			study := 0
			for b.Loop() {
				study++
				d, err := Create(filepath.Join(dir, fmt.Sprint(study)), p)
				must(b, err)
				for shard := range p.Shards {
					a, err := d.Begin(shard)
					must(b, err)
					for _, ok := a.Next(); ok; _, ok = a.Next() {
						must(b, a.Put(row, 0))
					}
					must(b, a.Commit())
				}
				if _, err := d.Merge(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(points), "ns/point")
		})
	}
}

func BenchmarkPut(b *testing.B) {
	p, row := benchPlan(1 << 40)
	p.Shards = 1
	d := mustCreate(b, p)
	a, err := d.Begin(0)
	must(b, err)
	b.ReportAllocs()
	for b.Loop() {
		must(b, a.Put(row, 0))
	}
	must(b, a.Close())
}

func BenchmarkRows(b *testing.B) {
	const points = 100_000
	p, row := benchPlan(points)
	d := mustCreate(b, p)
	for shard := range p.Shards {
		a, err := d.Begin(shard)
		must(b, err)
		for _, ok := a.Next(); ok; _, ok = a.Next() {
			must(b, a.Put(row, 0))
		}
		must(b, a.Commit())
	}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range d.Rows() {
			must(b, err)
			n++
		}
		if n != points {
			b.Fatalf("%d rows", n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/points, "ns/point")
}
