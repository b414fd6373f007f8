// Package expect has the checks that most tests need: that a call succeeds, or fails with
// some text, and that a value is the expected one. The name of a value is a format of
// fmt, so that a failure reads as a sentence:
//
//	expect.Equal(t, r.Makespan, 4, "makespan with %d ranks", n) // makespan with 2 ranks: 5 s, want 4 s
//
// Layer: for tests only, of packages testing and rapid; imports go-cmp.
package expect
