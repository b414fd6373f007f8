package yamldoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// JSON returns the tree under n as JSON in one line, keys in the order of the
// file. Parsed as YAML it gives an equal tree, except for positions, comments and
// the notation of numbers.
func (n *Node) JSON() []byte { return n.appendJSON(nil) }

func (n *Node) appendJSON(b []byte) []byte {
	switch {
	case n == nil || n.kind == null:
		return append(b, "null"...)
	case n.kind == mapping, n.kind == sequence:
		brackets := "{}"
		if n.kind == sequence {
			brackets = "[]"
		}
		b = append(b, brackets[0])
		for i, e := range n.entries {
			if i > 0 {
				b = append(b, ',')
			}
			if n.kind == mapping {
				b = append(appendJSONValue(b, e.key), ':')
			}
			b = e.value.appendJSON(b)
		}
		return append(b, brackets[1])
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

// ParseJSON reads what [Node.JSON] wrote, or any other JSON value. Its nodes have
// no line; keys keep their order; texts count as quoted. Every error is an
// *Error.
func ParseJSON(file string, data []byte) (*Node, error) {
	p := jsonParser{pos: Position{File: file}, d: json.NewDecoder(bytes.NewReader(data))}
	p.d.UseNumber()
	n, err := p.value(0)
	if err == nil {
		if _, end := p.d.Token(); end != io.EOF {
			err = p.fail("unexpected data after the value", "one JSON value")
		}
	}
	if err != nil {
		return nil, err
	}
	return n, nil
}

type jsonParser struct {
	pos    Position
	d      *json.Decoder
	tokens int
}

func (p *jsonParser) fail(msg, want string) error {
	return &Error{Pos: p.pos, Msg: msg, Want: want}
}

func (p *jsonParser) token() (json.Token, error) {
	t, err := p.d.Token()
	if err != nil {
		return nil, &Error{Pos: p.pos, Msg: "not valid JSON: " + err.Error(), cause: err}
	}
	if p.tokens++; p.tokens > maxTokens {
		return nil, p.fail("too many values", fmt.Sprintf("at most %d", maxTokens))
	}
	return t, nil
}

func (p *jsonParser) value(depth int) (*Node, error) {
	t, err := p.token()
	if err != nil {
		return nil, err
	}
	n := &Node{pos: p.pos}
	switch t := t.(type) {
	case json.Delim:
		if depth >= maxDepth {
			return nil, p.fail("nested too deeply", depthWant)
		}
		if t == '[' {
			n.kind = sequence
		} else {
			n.kind = mapping
		}
		return n, p.fill(n, depth+1)
	case string:
		n.kind, n.text, n.quoted = scalar, t, true
	case json.Number:
		n.kind, n.text = scalar, t.String()
	case bool:
		n.kind, n.text = scalar, fmt.Sprint(t)
	}
	return n, nil
}

// fill reads the content of a collection up to its closing bracket.
func (p *jsonParser) fill(n *Node, depth int) error {
	seen := map[string]bool{}
	for p.d.More() {
		key := ""
		if n.kind == mapping {
			t, err := p.token()
			if err != nil {
				return err
			}
			key = t.(string) // the decoder accepts nothing else here
			if seen[key] {
				return p.fail("the key "+quote(key)+" occurs twice", "every key once")
			}
			seen[key] = true
		}
		v, err := p.value(depth)
		if err != nil {
			return err
		}
		n.add(key, p.pos, v)
	}
	_, err := p.token()
	return err
}
