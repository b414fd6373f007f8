package design

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// flow writes a value as YAML in one line. Reading it gives an equal value.
func flow(n *yamldoc.Node) string {
	var b strings.Builder
	writeFlow(&b, n)
	return b.String()
}

func writeFlow(b *strings.Builder, n *yamldoc.Node) {
	var d yamldoc.Decoder
	switch {
	case n.IsMapping():
		m := d.Mapping(n, "")
		b.WriteByte('{')
		for i, key := range m.Keys() {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(flowString(key) + ": ")
			writeFlow(b, m.Take(key))
		}
		b.WriteByte('}')
	case n.IsSequence():
		b.WriteByte('[')
		for i, item := range d.Sequence(n, "") {
			if i > 0 {
				b.WriteString(", ")
			}
			writeFlow(b, item)
		}
		b.WriteByte(']')
	default:
		switch v := n.Plain().(type) {
		case string:
			b.WriteString(flowString(v))
		case nil:
			b.WriteString("null")
		default:
			b.WriteString(n.Text())
		}
	}
}

// plainText matches strings that need no quotes unless they look like another
// type: words, paths, numbers with units.
var plainText = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_./+*-]*( [A-Za-z0-9_./+*-]+)*$`)

func flowString(s string) string {
	if plainText.MatchString(s) && !looksTyped(s) {
		return s
	}
	return strconv.Quote(s)
}

func looksTyped(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null":
		return true
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
