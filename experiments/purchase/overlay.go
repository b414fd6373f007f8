package purchase

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/yamldoc"
)

// sourceOr returns where figures are from that the file gives.
func sourceOr(source string) string {
	if source == "" {
		return "plan file"
	}
	return source
}

// count checks how many entries a mapping of candidates has.
func (r *reader) count(n *yamldoc.Node, keys int, what string) bool {
	if n == nil || !n.IsMapping() {
		return false
	}
	if keys == 0 || keys > maxTypes {
		r.Fail(n, fmt.Sprintf("%d %s", keys, what), fmt.Sprintf("1 to %d", maxTypes))
		return false
	}
	return true
}
