package formula_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/internal/expect"
)

// number computes a formula of numbers.
func number(text string, values map[string]float64) (float64, error) {
	var names []string
	for n := range values {
		names = append(names, n)
	}
	e, err := formula.Numbers(names).Compile(text, formula.IsNumber)
	if err != nil {
		return 0, err
	}
	return e.Number(values)
}

func TestNumber(t *testing.T) {
	n := map[string]float64{"n1": 8, "n2": 4, "p": 4, "s": 2}
	for _, tt := range []struct {
		text string
		want float64
	}{
		{"512", 512},
		{"5e2", 500},
		{"n1", 8},
		{"8*n2^1.5", 64},
		{"8 * n2 ^ 1.5", 64},
		{"2^18/n2^1.5", 1 << 15},
		{"8/p", 2},
		{"8 / p", 2},
		{"8 GB/s", 8e9},
		{"8e9", 8e9},
		{"8GB/s", 8e9},
		{"8 GB / s", 4e9}, // divided by s
		{"8 GB/s/p", 2e9},
		{"64 KiB + 1 kB", 66536},
		{"2*5 us", 1e-5},
		{"8 B*n1/2 GB/s", 32e-9},
		{"1 h / 1 min", 60},
		{"max(3 s, 2 min)", 120},
		{"-n1", -8},
		{"-2^2", -4},   // powers before signs
		{"2^3^2", 512}, // 2^9
		{"2^-1", 0.5},
		{"2 ** 3 * 2", 16},
		{"7/2", 3.5},     // whole numbers are float64
		{"7 - 4 - 2", 1}, // from left to right
		{"7 - (4 - 2)", 5},
		{"8/4/2", 1},
		{"8/(4/2)", 4},
		{"2 + 3*4 - 6/2", 11},
		{"(2 + 3)*4", 20},
		{"2*-3 - -4", -2},
		{"(-2)^2", 4},
		{"1/3*3", 1},
		{"7 % 4", 3},
		{"-7 % 4", 1},  // -7 = -2*4 + 1
		{"7 % -4", -1}, // 7 = -2*-4 - 1
		{"mod(-8, 4)", 0},
		{"n1 > n2 ? 1 : 2", 1},
		{"n1 in [2, 8] and not (n2 == 5) ? 1 : 2", 1},
		{"n1 in [2, 4] or n1 not in [7, 9] ? 1 : 2", 1},
		{"not n1 == n2 ? 1 : 2", 1},
		{"true ? 1 : 2", 1},
		{"(n1 > 2) == (n2 > 2) ? 1 : 2", 1},
		{"max(n1, n2)", 8},
		{"min(3, n1, n2)", 3},
		{"max(-1)", -1},
		{"log2(n1)", 3},
		{"log10(1000)", 3},
		{"ln(exp(2))", 2},
		{"log(exp(2))", 2},
		{"sqrt(n2)", 2},
		{"abs(-3)", 3},
		{"floor(-1.5)", -2},
		{"ceil(-1.5)", -1},
		{"round(2.5)", 3}, // halves away from zero
		{"round(-2.5)", -3},
		{"1 /\n2", 0.5},
	} {
		got, err := number(tt.text, n)
		expect.That(t, err == nil && (got == tt.want || math.Abs(got-tt.want) < 1e-15*math.Abs(tt.want)),
			"%q is %v, %v; want %v", tt.text, got, err, tt.want)
	}
}

func TestNumberErrors(t *testing.T) {
	n := map[string]float64{"n2": 4, "n1": 8}
	for _, tt := range []struct{ text, want string }{
		{"8*n3", `unknown name n3 (at character 3); expected one of n1, n2`},
		{"len(n1)", `unknown function len (at character 1); expected one of abs,`},
		{" \n", `the expression is empty`},
		{"n1 +", `the expression ends too early (at character 5); expected a number, a name or a function`},
		{"n1 +\n* 2", `unexpected "*" (at character 6)`},
		{"n1 > n2", `this is true or false (at character 4); expected a number`},
		{"[n1]", `a list stands alone (at character 1)`},
		{"n1 > 2 ? 1 : true", `one of the two values is a number and the other true or false (at character 8)`},
		{"log2(n1 > 2)", `this is true or false (at character 9); expected a number`},
		{"'a'", `this is a text (at character 1)`},
		{"'a", `a text without an end (at character 1)`},
		{"1 < n1 < 4 ? 1 : 2", `a comparison of true or false with a number (at character 8); expected two numbers; a range is written as 1 < n and n < 4`},
		{"(n1", `the expression ends too early (at character 4); expected as many ) as (`},
		{"max(n1 n2)", `unexpected "n2" (at character 8); expected a comma or )`},
		{"2 n1", `unexpected "n1" (at character 3)`},
		{"n1 ~ 2", `unexpected "~" (at character 4)`},
		{"1e999", `1e999 is too large (at character 1)`},
		{"5 s + 2 B", `2 B is a size, but the value next to it is in s (at character 7)`},
		{"5 s + 2 kWh", `2 kWh is a quantity of energy, but the value next to it is in s (at character 7)`},
		{"1 kb", `unit "kb" is not accepted, perhaps "kB" or "kbit" is meant (at character 1)`},
		{"1/0", `the value +Inf is not finite`},
		{"0/0", `the value NaN is not finite`},
		{"log2(0)", `log2 of 0 (at character 1)`},
		{"1 + ln(n2 - n1)", `ln of -4 (at character 5)`},
		{"sqrt(-n2)", `sqrt of -4 (at character 1)`},
		{"n1 % (n2 - 4)", `remainder of a division by 0 (at character 4)`},
		{strings.Repeat("1+", 600) + "1", "the expression has 1201 bytes; expected at most 1000"},
		{strings.Repeat("(1+", 40) + "1" + strings.Repeat(")", 40), "nested too deeply"},
	} {
		_, err := number(tt.text, n)
		var e *formula.Error
		expect.That(t, errors.As(err, &e) && strings.HasPrefix(err.Error(), tt.want), "%q fails with %v\nwant %s", tt.text, err, tt.want)
	}
}

var variables = formula.Variables{
	{Name: "n", Unit: formula.Plain}, {Name: "p", Unit: formula.Plain}, {Name: "latency", Unit: "us"},
	{Name: "network", Kind: formula.IsText}, {Name: "eager", Kind: formula.IsTruth},
}

func values() formula.Values {
	return formula.Values{"n": 4.0, "p": 1.5, "latency": 2.0, "network": "flow", "eager": true}
}

func TestCondition(t *testing.T) {
	for _, tt := range []struct {
		text  string
		want  bool
		names string
	}{
		{"n + p > 5", true, "n p"},
		{"p + n > 6 and n > 1", false, "p n"},
		{"1/0 > n", true, "n"},
		{"0/0 == 0/0", false, ""}, // not a number
		{"n not in [p, 2 * p]", true, "n p"},
		{"network == 'flow' || n > 5", true, "network n"},
		{"network in ['flow', 'x'] && !eager", false, "network eager"},
		{"network startsWith 'f' and network endsWith \"w\" and network contains 'lo'", true, "network"},
		{`network matches '^f.*\\w$'`, true, "network"},
		{"eager ? n > 5 : true", false, "eager n"},
		{"eager != false", true, "eager"},
		{"n > 5 and log2(0) > 1", false, "n"}, // the second half is not computed
		{"latency == 2 us and latency < 0.003 ms and 1 s > latency", true, "latency"},
	} {
		c, err := variables.Compile(tt.text, formula.IsTruth)
		expect.Need(t, err == nil, "%q: %v", tt.text, err)
		got, err := c.Holds(values())
		expect.That(t, err == nil && got == tt.want, "%q is %v, %v; want %v", tt.text, got, err, tt.want)
		expect.Equal(t, strings.Join(c.Names(), " "), tt.names, "%q has the names", tt.text)
	}
	c := expect.Value(variables.Compile("n > 5 or log2(p - 1.5) > 1", formula.IsTruth))(t)
	holds, err := c.Holds(values())
	expect.That(t, !holds && fmt.Sprint(err) == "log2 of 0 (at character 10)", "without a value: %v, %v", holds, err)
}

// A reserved word cannot be used as a name, anything else can.
func TestIsWord(t *testing.T) {
	expect.That(t, slices.IsSorted(formula.FunctionNames()), "functions %q are not sorted", formula.FunctionNames())
	for _, name := range slices.Concat(formula.FunctionNames(), []string{"true", "and", "in", "matches"}) {
		expect.That(t, formula.IsWord(name), "%s is no word", name)
	}
	for _, name := range []string{"n", "_", "N1", "len", "let", "int", "True", "LN", "any"} {
		got, err := number(name+" + 2", map[string]float64{name: 3})
		expect.That(t, !formula.IsWord(name) && got == 5 && err == nil, "%s + 2 is %v, %v", name, got, err)
	}
}

// No text makes the package panic, problems are an Error of one line, and a number is
// finite.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		"n > 2 and network == 'flow'", "eager ? n % 3 == 1 : p in [1, 2]", "network matches '^f' || 'x' contains \"\n\"",
		"latency/1 ms < 3 us^2", "a.b[0].c(1)", "8GB/s/n", "((((", "not not !n", "log2(n - p) ^ 3 ** 2 >= -1e300", "1..2", "n in [1,\n2]", "5 µs",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check := func(err error) {
			var e *formula.Error
			expect.That(t, err == nil || errors.As(err, &e) && !strings.ContainsAny(err.Error(), "\r\n"),
				"%q fails with %T %q", text, err, err)
		}
		c, err := variables.Compile(text, formula.IsTruth)
		if err == nil {
			_, err = c.Holds(values())
		}
		check(err)
		e, err := variables.Compile(text, formula.IsNumber)
		if err == nil {
			var x float64
			x, err = e.Number(map[string]float64{"n": 4, "p": 1.5, "latency": 2})
			expect.That(t, err != nil || x-x == 0, "%q is %v", text, x)
		}
		check(err)
	})
}

func Example() {
	e, err := formula.Variables{{Name: "nodes"}, {Name: "latency", Unit: "us"}}.Compile("nodes > 4 and latency < 2 us", formula.IsTruth)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, nodes := range []float64{4, 8} {
		holds, err := e.Holds(formula.Values{"nodes": nodes, "latency": 1.5})
		fmt.Println(e.Names(), nodes, holds, err)
	}
	// Output:
	// [nodes latency] 4 false <nil>
	// [nodes latency] 8 true <nil>
}

// The unit of one comparison has no influence on other comparisons.
func TestUnitsOfSeveralComparisons(t *testing.T) {
	names := formula.Variables{{Name: "nodes", Unit: formula.Plain}, {Name: "memory", Unit: "B"}, {Name: "latency", Unit: "us"}}
	for _, text := range []string{"memory > 2 kB and nodes > 1", "nodes > 1 and memory > 2 kB", "not (memory < 2 kB or latency < 1 us)",
		"latency > 1 us and memory > 2000 and nodes == 2", "(memory > 2 kB and nodes > 1 ? latency : 0.5 us) > 1 us"} {
		e, err := names.Compile(text, formula.IsTruth)
		expect.Need(t, err == nil, "%q: %v", text, err)
		holds, err := e.Holds(formula.Values{"nodes": 2.0, "memory": 3000.0, "latency": 1.5})
		expect.That(t, holds && err == nil, "%q does not hold: %v", text, err)
		holds, err = e.Holds(formula.Values{"nodes": 2.0, "memory": 1000.0, "latency": 0.9})
		expect.That(t, !holds && err == nil, "%q holds: %v", text, err)
	}
}
