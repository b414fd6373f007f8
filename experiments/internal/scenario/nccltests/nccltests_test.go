package nccltests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// output is what all_reduce_perf prints for some ranks, two on each node, with these rows.
func output(ranks int, rows ...string) string {
	var b strings.Builder
	b.WriteString("# nThread 1 nGpus 1 minBytes 0 maxBytes 4096 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0\n#\n# Using devices\n")
	for i := range ranks {
		fmt.Fprintf(&b, "#  Rank %2d Group  0 Pid %6d on %10s device %2d [0x1b] NVIDIA H100 80GB HBM3\n", i, 41+i, fmt.Sprint("node-", i/2), i%2)
	}
	b.WriteString("node-0:41:41 [0] NCCL INFO Bootstrap\n#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n")
	for _, r := range rows {
		b.WriteString(r + "\n")
	}
	return b.String() + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 1.5\n"
}

// Of 4 ranks, busbw is 2 x 3/4 algbw.
const (
	none  = "           0             0     float     sum      -1     9.00    0.00    0.00      0     9.00    0.00    0.00      0"
	small = "     1000000        250000     float     sum      -1    100.0   10.00   15.00      0    100.0   10.00   15.00      0"
	large = "     3000000        750000     float     sum      -1    200.0   15.00   22.50      0    200.0   15.00   22.50      0"
)

func table(op workloads.Collective, otherwise string, texts ...string) (*Table, error) {
	a, err := collective.Lookup(op, otherwise)
	if err != nil {
		return nil, err
	}
	t, d := New(a), yamldoc.Decoder{}
	for _, text := range texts {
		root, err := parse("run.txt", []byte(text))
		if err != nil {
			return nil, err
		}
		t.Add(&d, nil, root)
	}
	return t, d.Err()
}

// Rows of 1 and 3 MB take 100 and 200 us: between them a straight line, below the time of the first, beyond 15 GB/s.
func TestTimesByHand(t *testing.T) {
	x := expect.Value(table(workloads.Allreduce, "ring", output(4, none, small, large), output(2, strings.ReplaceAll(small, "15.00", "10.00"))))(t)
	for _, tt := range []struct {
		ranks, nodes int
		size         units.Bytes
		want         units.Seconds
	}{
		{4, 2, 0, 100e-6}, {4, 2, 1e6, 100e-6}, {4, 2, 2.5e6, 175e-6}, {4, 2, 3e6, 200e-6}, {4, 2, 6e6, 400e-6}, {4, 0, 3e6, 200e-6},
		{2, 1, 2e6, 200e-6},
	} {
		got, _, known := x.Measured(tt.ranks, tt.nodes, tt.size)
		expect.That(t, known, "%d ranks on %d nodes are not known", tt.ranks, tt.nodes)
		expect.Near(t, got, tt.want, 1e-15, "%v among %d", tt.size, tt.ranks)
	}
	for _, group := range [][2]int{{4, 1}, {4, 4}, {8, 2}, {2, 2}} {
		_, _, known := x.Measured(group[0], group[1], 1e6)
		expect.That(t, !known, "%v is known", group)
	}
}

func TestBadOutput(t *testing.T) {
	change := func(row, from, to string) string { return output(4, none, strings.Replace(row, from, to, 1)) }
	for _, tt := range []struct{ text, want string }{
		{"", "run.txt:1:1: no row of a size; expected output of nccl-tests"},
		{small, "run.txt:1:1: no line of a rank"},
		{output(4, none), "run.txt:1:1: no row of a size"},
		{change(small, "0     15.00", "0") + "12 13", "run.txt:14:1: 2 words; expected a row of nccl-tests"},
		{change(small, "100.0", "fast"), `run.txt:11:6: time is "fast"; expected a number, at least 0`},
		{change(small, "100.0", "0.000"), "run.txt:11:6: time is 0; expected above 0"},
		{change(small, "100.0", "NaN"), `run.txt:11:6: time is "NaN"`},
		{change(small, "10.00", "12.00"), "run.txt:11:6: algbw is 12.00 GB/s, but 1000000 B in 100.0 us are 10.00 GB/s; expected size/time"},
		{change(small, "15.00", "10.00"), "run.txt:11:6: size[0]: busbw is 10 GB/s with an algbw of 10 GB/s; expected 15 GB/s, as for all_reduce among 4 ranks"},
		{output(4, large, small), "run.txt:11:6: size 1000000 behind 3000000; expected sizes of one run, which grow"},
		{output(4, small) + output(4, large), "run.txt:16:1: rank 0 behind 4 ranks; expected the ranks of one run, from 0"},
		{"# Collective test starting: all_gather_perf\n" + output(4, small), "run.txt:1:1: tests[0]: the times of all_gather; expected all_reduce"},
	} {
		_, err := table(workloads.Allreduce, "ring", tt.text)
		expect.Failure(t, err, tt.want)
	}
	_, err := table(workloads.Allreduce, "ring", output(4, small), output(4, large))
	expect.Failure(t, err, "a second file of 4 ranks on 2 nodes; expected one for each group")
	_, err = table(workloads.Scan, "linear", output(4, small))
	expect.Failure(t, err, "nccl-tests do not measure scan")
}

// Any file is read without a panic, and what was read gives times that are finite and not below 0.
func FuzzParse(f *testing.F) {
	for _, text := range []string{output(4, none, small, large), output(2, small), "1 2 3 4 5 6 7 8", "#  Rank 0 on a device 0", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := table(workloads.Bcast, "binomial", text)
		if err != nil {
			return
		}
		for _, m := range x.of {
			for _, size := range []units.Bytes{0, 1, 1e6, 1e15} {
				got, _, known := x.Measured(m.ranks, m.nodes, size)
				expect.That(t, known && got >= 0 && got < 1e300, "%v takes %v", size, got)
			}
		}
	})
}
