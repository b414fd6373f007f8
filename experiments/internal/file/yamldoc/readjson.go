package yamldoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

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
		if n.kind == mapping {
			n.add(key, p.pos, v)
		} else {
			n.push(v)
		}
	}
	_, err := p.token()
	return err
}
