package sweep

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/studytable"
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
	causes := []string{"transfers", "dispatching", "the end"}
	for level := range r.study.more.Levels {
		for k, share := range []string{"lost_transfer", "lost_dispatch", "lost_end"} {
			column, err := r.table.ResponseIndex(fmt.Sprintf("%s_%d", share, level+1))
			if err != nil {
				return
			}
			r.Losses = append(r.Losses, Loss{Level: level + 1, Cause: causes[k], column: column})
		}
	}
	for _, row := range r.table.Rows {
		if i := r.largestLoss(row); i >= 0 {
			r.Losses[i].Largest++
		}
	}
}

// largestLoss returns the largest loss of a point that was dispatched, -1 if it was
// not, failed or lost nothing.
func (r *Result) largestLoss(row studytable.Row) int {
	if !r.dispatched(row) {
		return -1
	}
	largest, most := -1, 0.0
	for i, l := range r.Losses {
		if v := row.Values[l.column]; v > most {
			largest, most = i, v
		}
	}
	return largest
}

// dispatched reports whether a point has the outcomes that only a simulation has.
func (r *Result) dispatched(row studytable.Row) bool {
	column, err := r.table.ResponseIndex("transfer_1")
	return err == nil && row.Values[column] == row.Values[column]
}

// byCount are the losses that are the largest somewhere, the most frequent first.
func (r *Result) byCount() []Loss {
	some := slices.DeleteFunc(slices.Clone(r.Losses), func(l Loss) bool { return l.Largest == 0 })
	slices.SortStableFunc(some, func(a, b Loss) int { return b.Largest - a.Largest })
	return some
}

// lossesInWords says where most is lost: the three most frequent losses.
func (r *Result) lossesInWords() []string {
	some := r.byCount()
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
