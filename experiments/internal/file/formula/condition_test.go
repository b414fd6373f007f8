package formula_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
)

// values are those of the tests of conditions.
func values() formula.Values {
	return formula.Values{"n": 4.0, "p": 1.5, "network": "flow", "label": "a\nb", "eager": true}
}

func TestCondition(t *testing.T) {
	for _, tt := range []struct {
		text  string
		want  bool
		names string
	}{
		{"n + p > 5", true, "n p"},
		{"p + n > 6 and n > 1", false, "p n"},
		{"n == 4", true, "n"},
		{"1/0 > n", true, "n"},
		{"0/0 == 0/0", false, ""}, // not a number
		{"n in [1, 2, 4]", true, "n"},
		{"n not in [p, 2 * p]", true, "n p"},
		{"network == 'flow' || n > 5", true, "network n"},
		{"network in ['flow', 'x'] && !eager", false, "network eager"},
		{"network + 'x' matches '^f.*x$'", true, "network"},
		{"network startsWith 'f' and network endsWith 'w' and network contains 'lo'", true, "network"},
		{"eager", true, "eager"},
		{"eager ? n > 5 : true", false, "eager n"},
		{"n > 5 and log2(0) > 1", false, "n"}, // the second half is not computed
		{"abs(-n) == mod(n, 5) and n % 3 == 1", true, "n"},
	} {
		c, err := formula.NewCondition(tt.text, values())
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		for range 2 { // the machine is used again
			if got, err := c.Holds(values()); err != nil || got != tt.want {
				t.Errorf("%q is %v, %v; want %v", tt.text, got, err, tt.want)
			}
		}
		if got := strings.Join(c.Names(), " "); got != tt.names {
			t.Errorf("%q has the names %s; want %s", tt.text, got, tt.names)
		}
	}
}

func TestConditionErrors(t *testing.T) {
	const all = "conditions have only names, numbers, texts, lists, operators and functions"
	const operators = "one of + - * / % ^ ** == != < <= > >= and && or || not ! in contains startsWith endsWith matches"
	for _, tt := range []struct {
		text string
		want formula.Error
	}{
		{"", formula.Error{Problem: "the condition is empty"}},
		{"n > 1" + strings.Repeat(" + 1", 300), formula.Error{Problem: "the condition has 1205 bytes", Expected: "at most 1000"}},
		{"n > m", formula.Error{Problem: "unknown name m", Character: 5, Unknown: "m"}},
		{"n > 'µ' + m", formula.Error{Problem: "unknown name m", Character: 11, Unknown: "m"}}, // characters, not bytes
		{"n + 1", formula.Error{Problem: "the condition is wrong: expected bool, but got float64"}},
		{"network > n", formula.Error{Problem: "the condition is wrong: invalid operation: > (mismatched types string and float64)", Character: 9}},
		{"n in 1..3", formula.Error{Problem: "conditions have no operator ..", Character: 7, Expected: operators}},
		{"[n][0] > 1", formula.Error{Problem: all, Character: 4}},
		{"network[0:1] == 'f'", formula.Error{Problem: all, Character: 8}},
		{"(n > 1)(2)", formula.Error{Problem: "the condition is wrong: unexpected token Bracket(\"(\")", Character: 8}},
		{"n == nil", formula.Error{Problem: all, Character: 6}},
	} {
		_, err := formula.NewCondition(tt.text, values())
		var e *formula.Error
		if !errors.As(err, &e) || *e != tt.want {
			t.Errorf("%q fails with %#v; want %#v", tt.text, err, tt.want)
		}
	}
	// Without a value.
	for _, tt := range []struct {
		text string
		want formula.Error
	}{
		{"n > 5 or log2(p - 1.5) > 1", formula.Error{Problem: "log2 of 0", Character: 10}},
		{"p % (n - 4) > 1", formula.Error{Problem: "remainder of a division by 0", Character: 3}},
		{"'x' matches '(' + label", formula.Error{Problem: "error parsing regexp: missing closing ): `(a b`", Character: 5}},
	} {
		c, err := formula.NewCondition(tt.text, values())
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		holds, err := c.Holds(values())
		var e *formula.Error
		if holds || !errors.As(err, &e) || *e != tt.want {
			t.Errorf("%q is %v, fails with %#v; want %#v", tt.text, holds, err, tt.want)
		}
		// The machine is fit for use after a failure.
		good := values()
		good["n"], good["p"], good["label"] = 9.0, 2.0, ")"
		if _, err := c.Holds(good); err != nil {
			t.Errorf("%q afterwards: %v", tt.text, err)
		}
	}
}

// What is a word cannot be used as a name, and what is none can.
func TestIsWord(t *testing.T) {
	for _, name := range slices.Concat(formula.Functions(), []string{"true", "nil", "let", "if", "and", "in", "matches"}) {
		if !formula.IsWord(name) {
			t.Errorf("%s is no word", name)
		}
	}
	if !slices.IsSorted(formula.Functions()) {
		t.Errorf("functions %q are not sorted", formula.Functions())
	}
	// Among them are words that the compiler knows elsewhere.
	for _, name := range []string{"n", "_", "N1", "len", "count", "filter", "sum", "map", "int", "now", "xor", "True", "LN", "any"} {
		if formula.IsWord(name) {
			t.Errorf("%s is a word", name)
		}
		c, err := formula.NewCondition(name+" > 2", formula.Values{name: 0.0})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if holds, err := c.Holds(formula.Values{name: 3.0}); err != nil || !holds {
			t.Errorf("%s > 2 is %v, %v", name, holds, err)
		}
	}
}

// No text makes a condition panic, and every problem is an Error of one line.
func FuzzCondition(f *testing.F) {
	for _, seed := range []string{
		"n > 2 and network == 'flow'", "eager ? n % 3 == 1 : p in [1, 2]", "network matches '^f' || label + 'x' contains \"\n\"",
		"all([n], # > 1)", "let a = n; a > 1", "n | abs() > 1", "if eager {n > 1} else {false}", "'x' matches label", "n?.x", "log2(n - p) ^ 3 ** 2 >= -1e300",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := formula.NewCondition(text, values())
		if err == nil {
			_, err = c.Holds(values())
		}
		var e *formula.Error
		if err != nil && (!errors.As(err, &e) || strings.ContainsAny(err.Error(), "\r\n")) {
			t.Errorf("%q fails with %T %q", text, err, err)
		}
	})
}

func ExampleCondition() {
	c, err := formula.NewCondition("nodes > 4 and network == 'flow'", formula.Values{"nodes": 0.0, "network": ""})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, nodes := range []float64{4, 8} {
		holds, err := c.Holds(formula.Values{"nodes": nodes, "network": "flow"})
		fmt.Println(c.Names(), nodes, holds, err)
	}
	// Output:
	// [nodes network] 4 false <nil>
	// [nodes network] 8 true <nil>
}
