package goal_test

import "pgregory.net/rapid"

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
