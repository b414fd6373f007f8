package words

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// ExcludedInWords names every excluded design with the reason. Designs that are excluded for
// the same one share a line.
func (r Answer) ExcludedInWords() []string {
	type group struct {
		ranked bool
		reason string
	}
	var order []group
	designs, first := map[group][]string{}, map[group]string{}
	for _, x := range r.ExcludedBy {
		g := group{x.Ranked, x.Reason}
		if designs[g] == nil {
			order = append(order, g)
			if x.Machines > 1 && x.Name != x.Design {
				first[g] = ", such as " + x.Name
			}
		}
		designs[g] = append(designs[g], fmt.Sprintf("%s (%s)", x.Design, input.Plural(x.Machines, "machine")))
	}
	var lines []string
	for _, g := range order {
		text := strings.Join(designs[g], "; ") + first[g]
		if !g.ranked {
			text = "none ranked of " + text
		}
		lines = append(lines, text+": "+g.reason)
	}
	return lines
}
