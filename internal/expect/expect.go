package expect

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TB is what tests, benchmarks and properties of rapid have in common.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// Value returns the value of a call that must succeed, as Value(f())(t). An error ends the
// test.
func Value[V any](v V, err error) func(t TB) V {
	return func(t TB) V {
		t.Helper()
		Success(t, err)
		return v
	}
}

// IsLong reports whether tests run in their long form: ISOSCALE_LONG is set.
func IsLong() bool { return os.Getenv("ISOSCALE_LONG") != "" }

// Long skips a test that takes seconds or needs another program, except in the long form.
func Long(t testing.TB, why string) {
	t.Helper()
	if !IsLong() {
		t.Skip(why + ": ISOSCALE_LONG=1 has it")
	}
}

// Often returns how much a test tries, in its usual or its long form.
func Often[V any](usual, long V) V {
	if IsLong() {
		return long
	}
	return usual
}

// Success ends the test if there is an error. Helper is called only where a check fails: it takes longer than most
// checks.
func Success(t TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// Failure demands an error whose text contains says.
func Failure(t TB, err error, says string) {
	if err == nil || !strings.Contains(err.Error(), says) {
		t.Helper()
		t.Errorf("error %v, want one with %q", err, says)
	}
}

// Outcome demands a Failure, or success if says is empty, for tables of both.
func Outcome(t TB, err error, says string) {
	t.Helper()
	if says != "" {
		Failure(t, err, says)
	} else {
		Success(t, err)
	}
}

// Kind demands an error of type E and returns it. Any other ends the test.
func Kind[E error](t TB, err error) E {
	t.Helper()
	of, ok := errors.AsType[E](err)
	if !ok {
		t.Fatal(fmt.Sprintf("error %v, want a %T", err, of))
	}
	return of
}

// Refusal demands a Failure of a call, as Refusal(f())(t, says).
func Refusal[V any](_ V, err error) func(t TB, says string) {
	return func(t TB, says string) {
		t.Helper()
		Failure(t, err, says)
	}
}

// Says demands that a text contains each of some parts.
func Says(t TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		That(t, strings.Contains(text, part), "%s\nlacks %q", text, part)
	}
}

// Lacks demands that a text contains none of some parts.
func Lacks(t TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		That(t, !strings.Contains(text, part), "%s\nhas %q", text, part)
	}
}

// That demands that holds is true; about describes the failure.
func That(t TB, holds bool, about string, args ...any) {
	if !holds {
		t.Helper()
		t.Errorf(about, args...)
	}
}

// Need is That for what the rest of the test needs: it ends the test.
func Need(t TB, holds bool, about string, args ...any) {
	if !holds {
		t.Helper()
		t.Fatal(fmt.Sprintf(about, args...))
	}
}

// Equal demands got == want.
func Equal[V comparable](t TB, got, want V, about string, args ...any) {
	if got != want {
		t.Helper()
		t.Errorf("%s: %s, want %s", fmt.Sprintf(about, args...), printed(got), printed(want))
	}
}

// Near demands that got differs from want by at most a tolerance.
func Near[V ~float64](t TB, got, want, tolerance V, about string, args ...any) {
	t.Helper()
	if !(math.Abs(float64(got-want)) <= float64(tolerance)) {
		t.Errorf("%s: %v, want %v within %v", fmt.Sprintf(about, args...), got, want, tolerance)
	}
}

// Close demands that got differs from want by at most a part of want.
func Close[V ~float64](t TB, got, want V, part float64, about string, args ...any) {
	t.Helper()
	if !(math.Abs(float64(got-want)) <= part*math.Abs(float64(want))) {
		t.Errorf("%s: %v, want %v within a part of %v", fmt.Sprintf(about, args...), got, want, part)
	}
}

// List demands equal elements in order; nil is an empty list.
func List[E comparable](t TB, got, want []E, about string, args ...any) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(about, args...), got, want)
	}
}

// Same demands that cmp finds no difference between got and want.
func Same[V any](t TB, got, want V, about string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", fmt.Sprintf(about, args...), diff)
	}
}

// File writes a text to a file in a temporary folder of the test, and returns its path.
func File(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	Success(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// printed shows texts of several lines as they are, and others quoted, so that blanks are
// visible.
func printed(v any) string {
	text, ok := v.(string)
	switch {
	case !ok:
		return fmt.Sprintf("%+v", v)
	case strings.Contains(text, "\n"):
		return "\n" + text + "\n"
	}
	return fmt.Sprintf("%q", text)
}
