// Package browsertest drives a real Chromium in tests: pages opened from files, what they
// show, and that they request nothing and complain of nothing.
//
// Layer. A test kit. Tests that need a browser run with ISOSCALE_LONG=1 and are skipped where there is none;
// with ISOSCALE_REQUIRE_BROWSER=1 they fail.
package browsertest
