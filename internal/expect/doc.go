// Package expect says once what most tests ask: that a call succeeds or fails with some
// text, and that a value is the one that was derived. What a value is called comes in the
// form of fmt, so that a failure names it as the sentence of the test would:
//
//	expect.Equal(t, r.Makespan, 4, "makespan with %d ranks", n) // makespan with 2 ranks: 5 s, want 4 s
//
// Layer: for tests alone, of packages testing and rapid; imports go-cmp.
package expect
