package yamldoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// flowWidth is the most columns of a line of a list in brackets.
const flowWidth = 96

// YAML returns the tree under n as a YAML document for people: one line for each key of
// mappings and sequences of mappings, other sequences in brackets over as many lines as
// they need, texts in quotes where they need them. Parsed, it gives an equal tree, except
// for positions and comments; but a text that quotes and escapes make longer than a line
// may be (see Limits) cannot be read again.
func (n *Node) YAML() string {
	if n.IsScalar() {
		return n.quotedYAML() + "\n" // without a key, more texts have a meaning of their own
	}
	var b strings.Builder
	n.writeYAML(&b, "")
	return strings.TrimLeft(b.String(), "\n ")
}

// writeYAML writes n after a key, or after the dash of a sequence, whose line it ends.
func (n *Node) writeYAML(b *strings.Builder, indent string) {
	switch {
	case n.IsMapping() && len(n.entries) > 0:
		b.WriteByte('\n')
		for _, e := range n.entries {
			b.WriteString(indent + keyYAML(e.key) + ":")
			e.value.writeYAML(b, indent+"  ")
		}
	case n.IsSequence() && n.hasMapping():
		b.WriteByte('\n')
		for _, e := range n.entries {
			item := e.value
			var inner strings.Builder
			item.writeYAML(&inner, indent+"  ")
			// The first line of the item stands behind its dash.
			b.WriteString(indent + "- " + strings.TrimLeft(inner.String(), "\n "))
		}
	default:
		b.WriteByte(' ')
		n.writeFlow(b, indent)
		b.WriteByte('\n')
	}
}

func (n *Node) hasMapping() bool {
	return slices.ContainsFunc(n.entries, func(e entry) bool {
		return e.value.IsMapping() && len(e.value.entries) > 0 || e.value.hasMapping()
	})
}

// writeFlow writes n behind its key or dash. A list that is too long for a line goes on
// below, indented by indent.
func (n *Node) writeFlow(b *strings.Builder, indent string) {
	switch {
	case n.IsMapping():
		b.Write(n.JSON()) // an empty one, or one in a sequence in brackets
	case n.IsSequence():
		b.WriteByte('[')
		for i, e := range n.entries {
			item := e.value
			var text strings.Builder
			if item.IsScalar() {
				text.WriteString(scalarYAML(item, false))
			} else {
				item.writeFlow(&text, indent)
			}
			column := b.Len() - 1 - strings.LastIndexByte(b.String(), '\n')
			switch {
			case i == 0:
			case column+len(", ")+text.Len() > flowWidth:
				b.WriteString(",\n" + indent)
			default:
				b.WriteString(", ")
			}
			b.WriteString(text.String())
		}
		b.WriteByte(']')
	case n.IsScalar():
		b.WriteString(scalarYAML(n, true))
	default:
		b.WriteString("null")
	}
}

// scalarYAML returns a scalar as it may stand behind a key or, with block false, in
// brackets: its text if that is read as the same scalar, else JSON.
func scalarYAML(n *Node, block bool) string {
	quoted := n.quotedYAML()
	if !block && strings.ContainsAny(n.text, ",[]{}") || strings.ContainsAny(n.text, "\n\r") {
		return quoted
	}
	_, value := pairOf("k: " + n.text)
	if !value.IsScalar() || value.text != n.text || !bytes.Equal(value.JSON(), n.JSON()) {
		return quoted
	}
	return n.text
}

// quotedYAML returns a scalar as JSON, with <, > and & as they are: JSON escapes them for
// the sake of HTML.
func (n *Node) quotedYAML() string {
	escaped := string(n.JSON())
	if escaped[0] != '"' {
		return escaped
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(n.text); err != nil {
		panic(fmt.Sprintf("yamldoc: %q: %v", n.text, err)) // a text always has a JSON form
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// keyYAML returns a key as it may stand before a colon.
func keyYAML(key string) string {
	if again, value := pairOf(key + ": 1"); again != key || value.Text() != "1" {
		return string(appendJSONValue(nil, key))
	}
	return key
}

// pairOf reads a line as a key and its value, nil if it is anything else.
func pairOf(line string) (key string, value *Node) {
	n, err := Parse("", []byte(line+"\n"))
	if err != nil || !n.IsMapping() || len(n.entries) != 1 {
		return "", nil
	}
	return n.entries[0].key, n.entries[0].value
}
