package fault

import "fmt"

// UnattainableError reports a speed-efficiency that no problem size searched has.
type UnattainableError struct {
	Pos       fmt.Stringer // place of the target in a file; nil: none
	System    string       // "" where the reader knows
	Processes int          // of the system; 0 where it does not matter
	Target    float64
	Best      float64 // largest efficiency found
	BestN     int
	From, To  int  // sizes searched
	Flat      bool // the search ended at To because the efficiency had stopped growing
	TooEasy   bool // the target is exceeded at From already
}

func (e *UnattainableError) Error() string {
	want := "a lower target_efficiency or a larger sizes.to"
	switch {
	case e.TooEasy && e.Processes == 1:
		want = "a system of at least two processes: a single one does not communicate"
	case e.TooEasy:
		want = "a higher target_efficiency or a smaller sizes.from"
	}
	text := e.Reason() + "; expected " + want
	if e.Pos != nil {
		text = e.Pos.String() + ": " + text
	}
	return text
}

// Reason says what was found, without the place in a file and what to do about it.
func (e *UnattainableError) Reason() string {
	on := ""
	if e.System != "" {
		on = " on " + e.System
	}
	if e.TooEasy {
		return fmt.Sprintf("a speed-efficiency of %g is exceeded%s at the smallest size searched: it is %.4g at n = %d", e.Target, on, e.Best, e.BestN)
	}
	not, end := "attainable"+on, ""
	switch {
	case e.BestN < e.To: // sizes that divide evenly may be more efficient than those tried
		not, end = "attained"+on+" at the sizes tried", ", where it is smaller; others may reach it"
	case e.Flat:
		end = ", where it has stopped growing"
	}
	return fmt.Sprintf("a speed-efficiency of %g is not %s: the largest found is %.4g at n = %d, searching n from %d to %d%s",
		e.Target, not, e.Best, e.BestN, e.From, e.To, end)
}
