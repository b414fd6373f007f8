package sim_test

import (
	"context"
	"strings"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/sim"
)

// must returns the value of a call that a test needs, as must(f())(t).
func must[V any](v V, err error) func(t rapid.TB) V {
	return func(t rapid.TB) V {
		t.Helper()
		succeed(t, err)
		return v
	}
}

// succeed ends a test at an error.
func succeed(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ran returns the result of a run that must not fail.
func ran(t rapid.TB, c sim.Config) *sim.Result {
	t.Helper()
	return must(sim.Run(context.Background(), c))(t)
}

// wantError demands an error that says so.
func wantError(t rapid.TB, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

// fails demands that of a call, as fails(f())(t, want).
func fails[V any](_ V, err error) func(t rapid.TB, want string) {
	return func(t rapid.TB, want string) {
		t.Helper()
		wantError(t, err, want)
	}
}
