package formula_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
)

func TestNumber(t *testing.T) {
	n := map[string]float64{"n1": 8, "n2": 4}
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
		{"-n1", -8},
		{"-2^2", -4},   // powers before signs
		{"2^3^2", 512}, // 2^9
		{"2 ** 3 * 2", 16},
		{"7/2", 3.5}, // whole numbers are float64
		{"1/3*3", 1},
		{"7 % 4", 3},
		{"-7 % 4", 1},  // -7 = -2*4 + 1
		{"7 % -4", -1}, // 7 = -2*-4 - 1
		{"mod(-8, 4)", 0},
		{"n1 > n2 ? 1 : 2", 1},
		{"if n1 > n2 {1} else {2}", 1},
		{"n1 in [2, 8] and not (n2 == 5) ? 1 : 2", 1},
		{"true ? 1 : 2", 1},
		{"max(n1, n2)", 8},
		{"min(3, n1, n2)", 3},
		{"max(-1)", -1},
		{"log2(n1)", 3},
		{"log2(8)", 3},
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
		if got, err := formula.Number(tt.text, n); err != nil || got != tt.want {
			t.Errorf("Number(%q) = %v, %v; want %v", tt.text, got, err, tt.want)
		}
	}
}

func TestNumberErrors(t *testing.T) {
	n := map[string]float64{"n2": 4, "n1": 8}
	for _, tt := range []struct{ text, want string }{
		{"8*n3", `"8*n3" is not a formula of n1, n2: unknown name n3 (at character 3)`},
		{"Inf", `"Inf" is not a formula of n1, n2: unknown name Inf (at character 1)`},
		{"len(n1)", `"len(n1)" is not a formula of n1, n2: unknown name len (at character 1)`},
		{"$env", `"$env" is not a formula of n1, n2: unknown name $env (at character 1)`},
		{"", `"": the formula is empty`},
		{" \n", `" \n": the formula is empty`},
		{"n1 +", `"n1 +": the formula is wrong: unexpected token EOF (at character 4)`},
		{"n1 +\n* 2", `"n1 +\n* 2": the formula is wrong: unexpected token Operator("*") (at character 6)`},
		{"n1 > n2", `"n1 > n2": the formula is wrong: expected float64, but got bool`},
		{"[n1]", `"[n1]": the formula is wrong: expected float64, but got []interface {}`},
		{"n1 > 2 ? 1 : true", `"n1 > 2 ? 1 : true": the formula is wrong: expected float64, but got unknown`},
		{"log2(n1 > 2)", `"log2(n1 > 2)": the formula is wrong: cannot use bool as argument (type float64) to call log2  (at character 9)`},
		{"log2", `"log2": the formula is wrong: expected float64, but got func(float64) float64`},
		{"'a'", `"'a'": formulas have only names, numbers, lists, operators and functions (at character 1)`},
		{"'a' == 'b' ? 1 : 2", `"'a' == 'b' ? 1 : 2": formulas have only names, numbers, lists, operators and functions (at character 1)`},
		{"[n1][0]", `"[n1][0]": formulas have only names, numbers, lists, operators and functions (at character 5)`},
		{"nil", `"nil": formulas have only names, numbers, lists, operators and functions (at character 1)`},
		{"{a: 1}", `"{a: 1}": formulas have only names, numbers, lists, operators and functions (at character 2)`},
		{"n1 ?? 1", `"n1 ?? 1": formulas have no operator ?? (at character 4); expected one of + - * / % ^ ** == != < <= > >= and && or || not ! in`},
		{"n1 matches n2 ? 1 : 2", `"n1 matches n2 ? 1 : 2": formulas have no operator matches (at character 4); expected one of + - * / % ^ ** == != < <= > >= and && or || not ! in`},
		{"1/0", `"1/0": the value +Inf is not finite`},
		{"0/0", `"0/0": the value NaN is not finite`},
		{"10^400", `"10^400": the value +Inf is not finite`},
		{"log2(0)", `"log2(0)": log2 of 0 (at character 1)`},
		{"1 + ln(n2 - n1)", `"1 + ln(n2 - n1)": ln of -4 (at character 5)`},
		{"sqrt(-n2)", `"sqrt(-n2)": sqrt of -4 (at character 1)`},
		{"n1 % (n2 - 4)", `"n1 % (n2 - 4)": remainder of a division by 0 (at character 4)`},
		{strings.Repeat("1+", 600) + "1", "the formula has 1201 bytes; expected at most 1000"},
		{strings.Repeat("-", 999) + "1", "exceeds maximum allowed nodes"},
	} {
		_, err := formula.Number(tt.text, n)
		var e *formula.Error
		switch {
		case err == nil || !strings.Contains(err.Error(), tt.want):
			t.Errorf("Number(%q) fails with %v\nwant %s", tt.text, err, tt.want)
		case !errors.As(err, &e) || !strings.HasSuffix(err.Error(), e.Error()):
			t.Errorf("Number(%q) fails with another error than %v", tt.text, e)
		}
	}
	if _, err := formula.Number("n1", nil); err == nil || err.Error() != `"n1" is not a formula of numbers alone: unknown name n1 (at character 1)` {
		t.Errorf("without variables: %v", err)
	}
}

// No text makes Number panic or gives more than one line, and what has a value is
// finite.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"8*n1^1.5", "n1 > 2 ? 1 : 0", "repeat('a', 1000)", "1..1000000000", "log2(n1 % 3)", "n1 in [1,\n2]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := formula.Number(text, map[string]float64{"n1": 8})
		var e *formula.Error
		switch {
		case err == nil && x-x != 0:
			t.Errorf("Number(%q) = %v", text, x)
		case err != nil && (!errors.As(err, &e) || strings.ContainsAny(err.Error(), "\r\n")):
			t.Errorf("Number(%q) fails with %T %q", text, err, err)
		}
	})
}

func ExampleNumber() {
	w, err := formula.Number("8*n2^1.5", map[string]float64{"n2": 16})
	fmt.Println(w, err)
	_, err = formula.Number("8*n2^1.5", map[string]float64{"n1": 16})
	fmt.Println(err)
	// Output:
	// 512 <nil>
	// "8*n2^1.5" is not a formula of n1: unknown name n2 (at character 3)
}

// The same text with other variables, names or values is another formula, also for
// several callers at once.
func TestNumberIsOfItsVariables(t *testing.T) {
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for k := range 600 {
				x := float64(i*10000 + k)
				for _, tt := range []struct {
					text      string
					variables map[string]float64
					want      float64
				}{
					{"a + 1", map[string]float64{"a": x}, x + 1},
					{"a + 1", map[string]float64{"a": x, "b": 2}, x + 1},
					{"b +\n a", map[string]float64{"a": x, "b": 2}, x + 2},
					{fmt.Sprintf("a + %d", k%300), map[string]float64{"a": x}, x + float64(k%300)},
				} {
					if got, err := formula.Number(tt.text, tt.variables); err != nil || got != tt.want {
						t.Errorf("%s of %v is %v, %v; want %v", tt.text, tt.variables, got, err, tt.want)
						return
					}
				}
				if _, err := formula.Number("b + 1", map[string]float64{"a": x}); err == nil {
					t.Error("b is no variable")
				}
			}
		})
	}
	group.Wait()
}
