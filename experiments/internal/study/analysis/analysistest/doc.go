// Package analysistest makes tables for tests: full factorials, Latin hypercubes and
// grids of which a condition admits some rows.
package analysistest
