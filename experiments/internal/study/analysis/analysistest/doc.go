// Package analysistest makes tables for tests: full factorials, parts of them, and Latin
// hypercubes.
package analysistest
