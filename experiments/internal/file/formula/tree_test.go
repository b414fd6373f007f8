package formula_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
)

// lisp writes a tree with the operator or function before its arguments.
func lisp(n *formula.Node) string {
	head := n.Text
	switch n.Kind {
	case formula.Literal:
		return fmt.Sprint(n.Value)
	case formula.Truth:
		return fmt.Sprint(n.Value == 1)
	case formula.Name:
		return n.Text
	case formula.List:
		head = "list"
	case formula.Conditional:
		head = "if"
	}
	parts := []string{head}
	for _, a := range n.Args {
		parts = append(parts, lisp(a))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"8*n^3", "(* 8 (^ n 3))"},
		{"-2^2", "(- (^ 2 2))"},
		{"2**3**2", "(^ 2 (^ 3 2))"},
		{"a - b - c", "(- (- a b) c)"},
		{"i % 2 == 0 && !(rank > 1)", "(and (== (mod i 2) 0) (not (> rank 1)))"},
		{"share(n, x) + at(-1, 0)", "(+ (share n x) (at (- 1) 0))"},
		{"p in [1, 2]", "(in p (list 1 2))"},
		{"p not in [1]", "(not (in p (list 1)))"},
		{"n > 1 ? 2.5 : 0", "(if (> n 1) 2.5 0)"},
		{"random()", "(random)"},
		{"all + count", "(+ all count)"}, // words of the compiler elsewhere
	} {
		n, err := formula.Parse(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if got := lisp(n); got != tt.want {
			t.Errorf("%q is %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const all = "formulas have only names, numbers, lists, operators and functions"
	for _, tt := range []struct {
		text string
		want formula.Error
	}{
		{" ", formula.Error{Problem: "the formula is empty"}},
		{"n +", formula.Error{Problem: "the formula is wrong: unexpected token EOF", Character: 3}},
		{"1 + 'a'", formula.Error{Problem: all, Character: 5}},
		{"a.b", formula.Error{Problem: all, Character: 3}},
		{"(a+b)(c)", formula.Error{Problem: "the formula is wrong: unexpected token Bracket(\"(\")", Character: 6}},
		{"let y = 1; y", formula.Error{Problem: all, Character: 5}},
		{"1 .. 3", formula.Error{Problem: "formulas have no operator ..", Character: 3,
			Expected: "one of + - * / % ^ ** == != < <= > >= and && or || not ! in"}},
	} {
		_, err := formula.Parse(tt.text)
		var e *formula.Error
		if !errors.As(err, &e) || *e != tt.want {
			t.Errorf("%q fails with %#v; want %#v", tt.text, err, tt.want)
		}
	}
}

func TestFunction(t *testing.T) {
	f, args := formula.Function("mod")
	if v, err := f(-1, 4); args != 2 || v != 3 || err != nil {
		t.Errorf("mod(-1, 4) = %v, %v with %d arguments", v, err, args)
	}
	if f, _ := formula.Function("share"); f != nil {
		t.Error("share is a function of the language")
	}
}

// No text makes Parse panic, and every problem is an Error of one line.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"8*n^3", "share(n, x) % 2 == 0 ? a : b", "all([n], # > 1)", "if a {b} else {c}", "n?.x[1:2]", "a | b()", "1..9", "a ?? b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := formula.Parse(text)
		var e *formula.Error
		if err != nil && (!errors.As(err, &e) || strings.ContainsAny(err.Error(), "\r\n")) {
			t.Errorf("%q fails with %T %q", text, err, err)
		}
	})
}
