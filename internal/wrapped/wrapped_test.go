package wrapped

import (
	"io"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// inner is a program that can be closed.
type inner struct{ workloads.Program }

func (*inner) Close() error { return nil }

// around is a program that wraps another one and has Unwrap.
type around struct{ workloads.Program }

func (a *around) Unwrap() workloads.Program { return a.Program }

// hiding is a program that wraps another one without Unwrap.
type hiding struct{ workloads.Program }

func TestOutermost(t *testing.T) {
	a := &inner{}
	outer := &inner{&around{a}}
	for _, tt := range []struct {
		p    workloads.Program
		want io.Closer
	}{
		{a, a},
		{&around{&around{a}}, a},
		{outer, outer},
		{&around{outer}, outer},
		{&hiding{a}, nil},
		{&around{nil}, nil},
	} {
		got, ok := Outermost[io.Closer](tt.p)
		expect.That(t, ok == (tt.want != nil) && got == tt.want, "%T: %v, %v, want %v", tt.p, got, ok, tt.want)
	}
}
