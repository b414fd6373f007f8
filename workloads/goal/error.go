package goal

import "github.com/isoscale/isoscale/workloads/internal/lines"

// SyntaxError is a place in a text that is not GOAL.
type SyntaxError = lines.SyntaxError
