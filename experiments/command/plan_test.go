package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
	"github.com/isoscale/isoscale/internal/expect"
)

// The answer of a plan has at most 25 lines of 80 columns, whatever it asks for. Beside plans of tests this holds of
// the example, whose answer is a golden text.
func TestAnswerOfAPlanFitsOnAScreen(t *testing.T) {
	check := func(name, text string) {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		expect.That(t, len(lines) <= 25 && strings.HasPrefix(lines[0], "What to buy? "), "%s: %d lines:\n%s", name, len(lines), text)
		for _, line := range lines {
			expect.That(t, utf8.RuneCountInString(line) <= 80, "%s: %d columns: %s", name, utf8.RuneCountInString(line), line)
		}
	}
	site := buytest.PlanFile(t, buytest.Site)
	small := filepath.Join("..", "internal", "buy", "buytest", "small.yaml")
	for _, x := range []struct {
		name, file string
		set        []string
	}{
		{"small", small, buytest.Quarter},
		{"existing", small, append(buytest.Quarter, "existing={node: thin, count: 4, network: slow}")},
		{"nothing to buy", small, append(buytest.Quarter, "existing={node: fat, count: 6, network: fast}", "budget.money=1600 EUR", "budget.rack_units=40")},
		{"throughput", site, nil},
		{"cheapest", site, []string{"objective=cheapest"}},
		{"time", site, []string{"objective={name: time, workload: dense}"}},
		{"ranges", site, []string{"ranges={samples: 100}"}},
		{"next to no work", site, []string{"workloads[0].runs_per_year=1e-6", "workloads[1].runs_per_year=1e-6"}},
		{"a long name", site, []string{"workloads[0].name=" + strings.Repeat("long", 15)}},
		{"ideal", buytest.PlanFile(t, buytest.Ideal), nil},
	}[:expect.Often(3, 10)] {
		r, err := search.Solve(t.Context(), buytest.Read(t, x.file, x.set...), search.Options{Jobs: 2})
		expect.Success(t, err)
		var b strings.Builder
		printPlan(&printer{W: &b}, words.Of(r))
		check(x.name, b.String())
	}
	for _, file := range expect.Value(filepath.Glob("testdata/golden/examples/buy-a-cluster*.txt"))(t) {
		text := string(expect.Value(os.ReadFile(file))(t))
		check(file, text[strings.Index(text, "What to buy?"):])
	}
}
