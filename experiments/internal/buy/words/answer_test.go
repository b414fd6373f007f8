package words

import (
	"bytes"
	"flag"
	"fmt"
	"github.com/google/go-cmp/cmp"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/model/units"
)

var update = flag.Bool("update", false, "write the golden text anew")

// solve answers a plan.
func solve(t *testing.T, p *model.Plan) Answer {
	t.Helper()
	r, err := search.Solve(t.Context(), p, search.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return Of(r)
}

func TestGoldenText(t *testing.T) {
	r := solve(t, buytest.Read(t, buytest.Small))
	var b bytes.Buffer
	for _, text := range append(r.Summary(), r.Certainty()...) {
		fmt.Fprintln(&b, text)
	}
	for _, c := range r.Designs() {
		fmt.Fprintf(&b, "%d %s: %s, %.3f, %.0f %s, %v, %v\n", c.Rank, c.Name, r.ScoreOf(c.Score), c.Relative, c.Price, r.Currency, units.Watts(c.Power), c.Fronts)
	}
	for _, u := range r.Upgrades {
		fmt.Fprintf(&b, "%s, %s: %.0f %s, %+.3f %%, hypothetical %v, %s\n", u.Direction, u.Change, u.Cost, r.Currency, model.Percent(u.Gain), u.Hypothetical, u.Beyond)
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(&b, "warning:", w)
	}
	golden := "testdata/small.golden"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (run with -update to accept)", diff)
	}
}

func TestReport(t *testing.T) {
	for _, set := range [][]string{nil, {"existing={node: thin, count: 4, network: slow}"}, {"nodes={fat: {cores: 4, marked_speed: 10 Gflop/s, power: 400 W, price: 4000 EUR}}", "networks={slow: {latency: 50 us, bandwidth: 100 MB/s, price_per_port: 10 EUR, switch: {price: 200 EUR, ports: 8}}}"}} {
		var b bytes.Buffer
		if err := html.Write(&b, solve(t, buytest.Read(t, buytest.Small, append(buytest.Quarter, set...)...)).Report()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "</html>") || !strings.Contains(b.String(), "What was not considered") {
			t.Error("no complete page")
		}
	}
}

// Every field of the JSON is in docs/formats/plan.md.
func TestJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../../docs/formats/plan.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	var walk func(reflect.Type)
	walk = func(x reflect.Type) {
		switch x.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(x.Elem())
		case reflect.Struct:
			if x == reflect.TypeFor[input.Provenance]() {
				return // documented with run
			}
			for i := range x.NumField() {
				name, _, _ := strings.Cut(x.Field(i).Tag.Get("json"), ",")
				if name == "" || name == "-" {
					continue
				}
				checked++
				if !containsWord(string(doc), name) {
					t.Errorf("field %s of %s is not documented", name, x.Name())
				}
				walk(x.Field(i).Type)
			}
		}
	}
	walk(reflect.TypeFor[model.Result]())
	if checked < 60 {
		t.Errorf("only %d fields were checked", checked)
	}
}

// Twice the speed for 50 EUR is 20 000 % for 10 000 EUR, not 2^200 times.
func TestPerMoneyIsLinear(t *testing.T) {
	u := model.Upgrade{Gain: 1, Cost: 50, Efficiency: 1. / 50}
	if got := u.PerMoney(10000); math.Abs(got-20000) > 1e-6 {
		t.Errorf("%v, want 20000", got)
	}
}

// containsWord reports whether a name stands in backticks or in a list in braces.
func containsWord(text, name string) bool {
	for _, before := range []string{"`", "{", ", "} {
		for _, after := range []string{"`", "}", ","} {
			if strings.Contains(text, before+name+after) {
				return true
			}
		}
	}
	return false
}
