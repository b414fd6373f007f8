package titrace

import "testing"

// must returns the value of a call that a test needs, as must(f())(t).
func must[V any](v V, err error) func(t testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		succeed(t, err)
		return v
	}
}

// succeed ends a test at an error.
func succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
