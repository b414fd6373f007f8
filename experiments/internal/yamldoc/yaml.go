package yamldoc

import (
	"bytes"
	"strings"
)

// YAML returns the tree under n as a YAML document for people: mappings and sequences of
// mappings a line for each key, other sequences in brackets, texts in quotes where they
// need them. Parsed, it gives an equal tree, except for positions and comments.
func (n *Node) YAML() string {
	if n.IsScalar() {
		return string(n.JSON()) + "\n" // without a key, more texts have a meaning of their own
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
		for _, item := range n.items {
			var inner strings.Builder
			item.writeYAML(&inner, indent+"  ")
			// The first line of the item stands behind its dash.
			b.WriteString(indent + "- " + strings.TrimLeft(inner.String(), "\n "))
		}
	default:
		b.WriteByte(' ')
		n.writeFlow(b)
		b.WriteByte('\n')
	}
}

func (n *Node) hasMapping() bool {
	for _, item := range n.items {
		if item.IsMapping() && len(item.entries) > 0 || item.hasMapping() {
			return true
		}
	}
	return false
}

// writeFlow writes n in one line.
func (n *Node) writeFlow(b *strings.Builder) {
	switch {
	case n.IsMapping():
		b.Write(n.JSON()) // an empty one, or one in a sequence in brackets
	case n.IsSequence():
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(", ")
			}
			if item.IsScalar() {
				b.WriteString(scalarYAML(item, false))
			} else {
				item.writeFlow(b)
			}
		}
		b.WriteByte(']')
	case n.IsScalar():
		b.WriteString(scalarYAML(n, true))
	default:
		b.WriteString("null")
	}
}

// scalarYAML returns a scalar as it may stand behind a key or, with block false, in
// brackets: as written if that is read as the same, else as JSON.
func scalarYAML(n *Node, block bool) string {
	quoted := string(n.JSON())
	if !block && strings.ContainsAny(n.text, ",[]{}") || strings.ContainsAny(n.text, "\n\r") {
		return quoted
	}
	again, err := Parse("", []byte("k: "+n.text+"\n"))
	if err != nil || !again.IsMapping() || len(again.entries) != 1 {
		return quoted
	}
	value := again.entries[0].value
	if !value.IsScalar() || value.text != n.text || !bytes.Equal(value.JSON(), n.JSON()) {
		return quoted
	}
	return n.text
}

// keyYAML returns a key as it may stand before a colon.
func keyYAML(key string) string {
	again, err := Parse("", []byte(key+": 1\n"))
	if err != nil || !again.IsMapping() || len(again.entries) != 1 || again.entries[0].key != key || again.entries[0].value.text != "1" {
		return string(appendJSONValue(nil, key))
	}
	return key
}
