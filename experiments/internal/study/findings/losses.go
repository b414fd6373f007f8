package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// Loss is a cause of lost time at a level of super-programs.
type Loss struct {
	Level   int    `json:"level"`   // from 1
	Cause   string `json:"cause"`   // transfers, dispatching or end
	Largest int    `json:"largest"` // points in which it is the largest loss

	column int // of its share in the table
}

func (l Loss) String() string { return fmt.Sprintf("%s at level %d", l.Cause, l.Level) }

// findLosses counts where dispatched configurations lose most.
func (r *Result) findLosses() {
	for _, o := range r.Study.Outcomes() {
		column, err := r.Table.ResponseIndex(o.Name)
		switch {
		case err != nil:
		case o.Lost != "":
			r.Losses = append(r.Losses, Loss{Level: o.Level, Cause: o.Lost, column: column})
		case o.OfDispatch:
			r.dispatch = column
		}
	}
	for _, row := range r.Table.Rows {
		if i, _ := r.LargestLoss(row); i >= 0 {
			r.Losses[i].Largest++
		}
	}
}

// LargestLoss returns the largest loss of a point that was dispatched, and its share of
// the time; -1 if it was not, failed or lost nothing.
func (r *Result) LargestLoss(row studytable.Row) (loss int, share float64) {
	loss = -1
	if len(r.Losses) == 0 || math.IsNaN(row.Values[r.dispatch]) {
		return loss, 0
	}
	for i, l := range r.Losses {
		if v := row.Values[l.column]; v > share {
			loss, share = i, v
		}
	}
	return loss, share
}

// FrequentLosses are the losses that are the largest somewhere, the most frequent first.
func (r *Result) FrequentLosses() []Loss {
	some := slices.DeleteFunc(slices.Clone(r.Losses), func(l Loss) bool { return l.Largest == 0 })
	slices.SortStableFunc(some, func(a, b Loss) int { return b.Largest - a.Largest })
	return some
}

// LossesInWords says where most is lost: the three most frequent losses.
func (r *Result) LossesInWords() []string {
	some := r.FrequentLosses()
	if len(some) == 0 {
		return nil
	}
	all := 0
	for _, l := range some {
		all += l.Largest
	}
	text := ""
	for i, l := range some[:min(3, len(some))] {
		if i == 0 {
			text = fmt.Sprintf("Most time is lost to %v at %d of %s", l, l.Largest, input.Plural(all, "point"))
			continue
		}
		text += fmt.Sprintf(", to %v at %d", l, l.Largest)
	}
	return []string{text + "."}
}
