package input

// Progress is called before the first part of a computation and after each one that
// has succeeded.
type Progress func(Step)

// Step is how far a computation has come.
type Step struct {
	Done, Total int      // parts
	What        string   // the part that was done last, or what the parts are
	Found       []string // lines about what is known by now, which stay on a terminal
}
