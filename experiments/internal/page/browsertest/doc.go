// Package browsertest drives a real Chromium in tests: it opens pages from files, reads what they show, and checks that
// they request nothing and report no errors.
//
// Layer. A test kit. Tests that need a browser run with ISOSCALE_LONG=1 and are skipped where there is none;
// with ISOSCALE_REQUIRE_BROWSER=1 they fail.
package browsertest
