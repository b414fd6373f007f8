package findings

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
)

// MaxSizes is how many sizes are told one by one. Of more, as off powers of two, each
// has few configurations, and neighbouring ones have nothing to do with each other: the
// best up to a size is told instead.
const MaxSizes = 40

// findUpTo finds the best configuration up to some sizes, if there are many sizes.
func (r *Result) findUpTo() {
	if len(r.Path.Optima) <= MaxSizes {
		return
	}
	e, err := analysis.UpTo(r.Table, r.Response.Name, r.Goal, r.Size.Name)
	if err != nil {
		r.warn("the best configurations up to a size could not be computed: %v", err)
		return
	}
	r.Envelope = e
	r.UpTo = r.optima(e.Optima)
	for i := range r.UpTo {
		r.UpTo[i].Bound = e.Bounds[i]
	}
}

// Told are the optima that text, tables and maps show: of each size, or up to some
// sizes.
func (r *Result) Told() []analysis.Optimum {
	if r.Envelope != nil {
		return r.Envelope.Optima
	}
	return r.Path.Optima
}

// upToInWords says whether the best configurations up to a size contain each other.
func (r *Result) upToInWords() string {
	n, last := len(r.UpTo), r.UpTo[len(r.UpTo)-1]
	text := fmt.Sprintf("There are %d sizes, so growth is told by the best configuration up to a size, at %s from %s to %s %s: ",
		len(r.Growth), input.Plural(n, "size"), quantity(r.UpTo[0].Bound, r.Size.Unit), quantity(last.Bound, r.Size.Unit), r.Size.Name)
	stays := 0
	for _, o := range r.Envelope.Optima {
		if o.Move == analysis.Stay {
			stays++
		}
	}
	switch jumps, switches := r.Envelope.Jumps, r.Envelope.Switches; {
	case jumps == 0 && switches == 0:
		text += "each contains the one before, so a system can grow along the optimum."
	case jumps == 0:
		text += fmt.Sprintf("none has less of a numeric factor than the one before, and %s another level of a factor without order, which is a choice and no growth.", input.Plural(switches, "time"))
	default:
		text += fmt.Sprintf("between them, something has to be taken down %s.", input.Plural(jumps, "time"))
	}
	if stays > 0 {
		text += fmt.Sprintf(" It stays the same %s: a larger size does not help.", input.Plural(stays, "time"))
	}
	return text
}
