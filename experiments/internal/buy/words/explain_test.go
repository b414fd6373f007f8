package words

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
)

// Four nodes multiply matrices of order 40 on a network of 1 MB/s: 32 us of computation,
// and 12.8 kB for each matrix. Process 0 scatters three quarters of one, broadcasts the
// other down a binomial tree, in which it sends two of three copies, and gathers three
// quarters of the result: it sends 2.75 of 4.5 matrices, 61 %.
func TestLowEfficiencyIsExplained(t *testing.T) {
	text := strings.Replace(strings.Replace(buytest.Ideal, "model: ideal\n", "", 1), "bandwidth: 1 GB/s", "bandwidth: 1 MB/s", 1)
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), "workloads[0].run.n=40", "workloads[0].run.bcast=binomial"))
	got := ""
	for _, w := range r.Warnings {
		if strings.HasPrefix(w, "w runs at") {
			got += w
		}
	}
	for _, want := range []string{"% of the marked speed of 4 a, x: ", "before a process begins to compute, while the data are distributed; process 0 sends 61 % of all bytes"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	for _, w := range solve(t, buytest.Read(t, buytest.PlanFile(t, buytest.Ideal))).Warnings {
		if strings.Contains(w, "runs at") {
			t.Errorf("an efficiency of 1 is explained: %s", w)
		}
	}
}

// A problem of three matrices of 240^2 numbers, 1.38 MB on process 0, does not fit into 1 MB.
// The summary names the design once, with the first of its machines.
func TestExcludedDesignsAreNamed(t *testing.T) {
	text := strings.Replace(buytest.Ideal, "nodes: {a:", "nodes: {tiny: {cores: 1, marked_speed: 1 Gflop/s, memory: 1 MB, power: 100 W, price: 900 EUR}, a:", 1)
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), "counts=[2, 3, 4, 5]"))
	if len(r.ExcludedBy) != 3 {
		t.Fatalf("%+v, want tiny for memory, and a and tiny for the budget", r.ExcludedBy)
	}
	// Of both designs the 5 nodes for 5000 EUR are beyond 4000 EUR.
	words := r.ExcludedInWords()
	if len(words) != 3 || !strings.HasPrefix(words[0], "none ranked of tiny, x (1 machine): 1 of 4 numbers of nodes exceed the budget") ||
		!strings.HasPrefix(words[1], "none ranked of tiny, x (3 machines), such as 2 tiny, x: w: the data of node tiny-1 (tiny) need") ||
		!strings.HasPrefix(words[2], "a, x (1 machine): 1 of 4 numbers of nodes exceed the budget") {
		t.Errorf("%q", words)
	}
	found := false
	for _, x := range r.ExcludedBy {
		if x.Design == "tiny, x" && x.Cause == "w" {
			found = x.Machines == 3 && x.Name == "2 tiny, x" && !x.Ranked
		}
		if x.Design == "a, x" && (!x.Ranked || x.Machines != 1) {
			t.Errorf("%+v", x)
		}
	}
	if !found {
		t.Errorf("%+v", r.ExcludedBy)
	}
}

// Designs that are excluded for the same reason share a line, which names all of them.
func TestDesignsExcludedForOneReasonShareALine(t *testing.T) {
	text := strings.NewReplacer("NODES", "1, partition: fast", "nodes: {a:", "nodes: {b: {cores: 1, marked_speed: 2 Gflop/s, power: 100 W, price: 900 EUR}, c: {cores: 1, marked_speed: 2 Gflop/s, power: 100 W, price: 900 EUR, partition: fast}, a:", "counts: [4]", "counts: [4, 5]").Replace(buytest.Jobs)
	words := solve(t, buytest.Read(t, buytest.PlanFile(t, text))).ExcludedInWords()
	if len(words) != 1 || words[0] != "none ranked of b, x (2 machines); a, x (2 machines), such as 4 b, x: w: no nodes of partition fast" {
		t.Errorf("%q", words)
	}
}

// A single node takes no network: it is one machine, listed with the first. Where it is the
// only one of a design that is within the limits, the summary names the others, too.
func TestDesignsOfASingleNodeAreNamed(t *testing.T) {
	text := strings.Replace(buytest.Ideal, "networks: {x:", "networks: {y: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 10 EUR, switch: {price: 0 EUR, ports: 64}}, x:", 1)
	const single = ": 1 a takes no network and is listed with y; "
	for _, c := range []struct{ counts, money, want string }{
		{"affordable", "1500 EUR", "none ranked of a, x (1 machine)" + single + "2 a, x: price 2 000 EUR exceeds 1 500 EUR"},
		{"[1, 3, 4]", "1500 EUR", "none ranked of a, x (2 machines)" + single + "3 a, x: price 3 000 EUR exceeds 1 500 EUR"},
		{"[1]", "4000 EUR", "none ranked of a, x (1 machine)" + single + "2 a, x: not in counts"},
		{"[1, 2]", "4000 EUR", ""},
	} {
		r := solve(t, buytest.Read(t, buytest.PlanFile(t, text), "counts="+c.counts, "budget.money="+c.money))
		words := strings.Join(r.ExcludedInWords(), "\n")
		if c.want == "" && words != "" || !strings.Contains(words, c.want) {
			t.Errorf("counts %s, %s: %q lacks %q", c.counts, c.money, words, c.want)
		}
	}
}
