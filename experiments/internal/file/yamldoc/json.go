package yamldoc

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSON returns the tree under n as JSON in one line, keys in the order of the
// file. Parsed as YAML it gives an equal tree, except for positions, comments and
// the notation of numbers.
func (n *Node) JSON() []byte { return n.appendJSON(nil) }

func (n *Node) appendJSON(b []byte) []byte {
	switch {
	case n == nil || n.kind == null:
		return append(b, "null"...)
	case n.kind == mapping:
		b = append(b, '{')
		for i, e := range n.entries {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSONValue(b, e.key)
			b = append(b, ':')
			b = e.value.appendJSON(b)
		}
		return append(b, '}')
	case n.kind == sequence:
		b = append(b, '[')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.appendJSON(b)
		}
		return append(b, ']')
	}
	// A number keeps its digits as written if they are valid JSON: an integer of
	// more than 53 bits, or 0.10.
	if !n.quoted && json.Valid([]byte(n.text)) {
		return append(b, n.text...)
	}
	start := len(b)
	b = appendJSONValue(b, n.Plain())
	if _, ok := n.Plain().(float64); ok && !bytes.ContainsAny(b[start:], ".e") {
		b = append(b, ".0"...) // not to be read as an integer
	}
	return b
}

func appendJSONValue(b []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		// Strings, bools and finite numbers are all that a tree holds.
		panic(fmt.Sprintf("yamldoc: %v: %v", v, err))
	}
	return append(b, text...)
}
