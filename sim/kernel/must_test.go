package kernel

import "testing"

// succeed ends a test at an error.
func succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
