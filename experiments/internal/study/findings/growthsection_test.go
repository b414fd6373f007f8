package findings

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
)

// All scalabilities are 1, so there is no map of them.
func TestSectionsOfSteps(t *testing.T) {
	r := drawn(t, sweeptest.Prices)
	if r.spendingSection() == nil || len(r.updateSection().Blocks) != 2 {
		t.Errorf("%+v", r.updateSection())
	}
}

// With many sizes, map and table have the nine bounds of the best up to a size.
func TestSectionsOfManySizes(t *testing.T) {
	r := drawn(t, sweeptest.Sizes)
	jumps := 0
	for _, l := range r.mapSection().Blocks[0].(*report.Surface).Layers {
		if l.Mark == report.MarkDashes {
			jumps += len(l.Traces)
		}
	}
	if jumps != r.Envelope.Jumps || jumps > 2 {
		t.Errorf("%d jumps drawn, %d found", jumps, r.Envelope.Jumps)
	}
	for _, b := range r.growthSection().Blocks {
		if t2, ok := b.(*report.Table); ok && t2.Title == "Best configuration up to each size" && len(t2.Rows) != 9 {
			t.Errorf("%d rows", len(t2.Rows))
		}
	}
}
