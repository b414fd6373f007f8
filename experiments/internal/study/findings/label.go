package findings

import (
	"cmp"
	"regexp"
	"strings"
)

// label is what charts and tables call a factor, an outcome or an expression: its label
// or, without one, its name in words.
func (r *sections) label(name string) string {
	return cmp.Or(r.Study.About.Labels[name], inWords(name))
}

// fieldPath is the path of a field of a scenario, or a single name.
var fieldPath = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.\[\]]*$`)

// inWords is a name without underscores; of the path of a field, its last two keys.
// Expressions stay as they are.
func inWords(name string) string {
	if !fieldPath.MatchString(name) {
		return name
	}
	keys := strings.Split(name, ".")
	return strings.ReplaceAll(strings.Join(keys[max(0, len(keys)-2):], " "), "_", " ")
}
