package platformxml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/topology"
)

// Read reads a platform file. The name is that of the file, for errors and for
// Platform.Name. Every error about the file is a *SyntaxError.
//
// The platform's Route returns a *topology.NoRouteError for hosts that the file
// does not connect. It may be called from several goroutines at once, but only
// with numbers of hosts.
func Read(name string, data []byte) (*topology.Platform, error) {
	return readWithin(name, data, limits{hosts: maxHosts, links: maxLinks})
}

func readWithin(name string, data []byte, most limits) (*topology.Platform, error) {
	if len(data) > maxSize {
		return nil, &SyntaxError{name, 1, 1, "the file is too large", fmt.Sprintf("at most %d bytes", maxSize)}
	}
	b := &builder{most: most, names: map[string]int32{}, declared: map[string]declaredLink{}, generated: map[string]int32{},
		notes: notes{index: map[string]int{}}}
	p := &parser{file: name, data: bytes.TrimPrefix(data, []byte("\ufeff")), builder: b}
	p.decoder = xml.NewDecoder(bytes.NewReader(p.data))
	if err := p.document(); err != nil {
		return nil, err
	}
	r := b.router()
	return &topology.Platform{Name: name, Hosts: b.hosts, Links: b.links, Router: r, Notes: b.notes.texts(name)}, nil
}

// A parser turns tokens into calls of the builder.
type parser struct {
	file    string
	data    []byte
	decoder *xml.Decoder
	builder *builder
	open    []*element // those that have begun and not ended
	done    bool       // the platform has ended
	cursor  cursor
}

// A cursor turns offsets into lines and columns, from the beginning to the end.
type cursor struct {
	offset, line, lineStart int
}

// at returns the line and column of an offset that is not before the last one.
func (c *cursor) at(data []byte, offset int64) (line, column int) {
	for ; c.offset < int(offset); c.offset++ {
		if data[c.offset] == '\n' {
			c.line, c.lineStart = c.line+1, c.offset+1
		}
	}
	return c.line + 1, c.offset - c.lineStart + 1
}

func (p *parser) document() error {
	for {
		start := p.decoder.InputOffset()
		line, column := p.cursor.at(p.data, start)
		token, err := p.decoder.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return p.malformed(err)
		}
		fail := func(what, expected string) error { return &SyntaxError{p.file, line, column, what, expected} }
		switch t := token.(type) {
		case xml.StartElement:
			el := &element{file: p.file, name: fullName(t.Name), attributes: t.Attr, line: line, column: column,
				tag: p.data[start:p.decoder.InputOffset()]}
			if err := p.start(el); err != nil {
				return err
			}
		case xml.EndElement:
			if parent := p.parent(); parent == nil || parent.name != fullName(t.Name) {
				return fail("unexpected </"+fullName(t.Name)+">", p.closing())
			}
			if err := p.end(); err != nil {
				return err
			}
		case xml.CharData:
			if text := bytes.TrimSpace(t); len(text) > 0 {
				return fail(fmt.Sprintf("unexpected text %.20q", text), "elements only")
			}
		case xml.Directive:
			// Entities that are made of others can grow without bound.
			if bytes.ContainsRune(t, '[') || !bytes.HasPrefix(t, []byte("DOCTYPE")) {
				return fail("declarations of a document type in the file",
					"at most <!DOCTYPE platform SYSTEM ...>, which is not read")
			}
		}
	}
	if line, column := p.cursor.at(p.data, int64(len(p.data))); len(p.open) > 0 {
		return &SyntaxError{p.file, line, column, "the file ends", p.closing()}
	} else if !p.done {
		return &SyntaxError{p.file, line, column, "no platform", "<platform version=\"4.1\">"}
	} else if len(p.builder.hosts) == 0 {
		return &SyntaxError{p.file, line, column, "a platform without hosts", "at least one"}
	}
	return nil
}

func fullName(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}

// closing says what may end here.
func (p *parser) closing() string {
	if parent := p.parent(); parent != nil {
		return "</" + parent.name + ">"
	}
	return "the beginning of an element"
}

// malformed gives an error of the decoder its place.
func (p *parser) malformed(err error) error {
	line, column := p.cursor.at(p.data, p.decoder.InputOffset())
	what := err.Error()
	if s, ok := errors.AsType[*xml.SyntaxError](err); ok {
		what = s.Msg
	}
	return &SyntaxError{p.file, line, column, strings.TrimPrefix(what, "xml: "), "well-formed XML"}
}

// parent returns the innermost element that is open, or nil.
func (p *parser) parent() *element {
	if len(p.open) == 0 {
		return nil
	}
	return p.open[len(p.open)-1]
}

func (p *parser) start(el *element) error {
	if parent := p.parent(); parent != nil && parent.kind.ignored != "" {
		el.kind = parent.kind
		if len(p.open) > 2*maxDepth {
			return el.fail("elements nested too deeply", fmt.Sprintf("at most %d", 2*maxDepth))
		}
		p.open = append(p.open, el)
		return nil
	}
	el.kind = schema()[el.name]
	if el.kind == nil {
		return el.fail("unknown element <"+el.name+">", "an element of SimGrid's platform files, version 4.1")
	}
	if el.kind.refused != "" {
		return el.fail("<"+el.name+"> is not supported", el.kind.refused)
	}
	if err := p.placed(el); err != nil {
		return err
	}
	if el.kind.ignored != "" {
		p.builder.notes.add(el.name, fmt.Sprintf("<%s> is ignored: %s", el.name, el.kind.ignored), el.line)
	} else {
		if err := el.check(&p.builder.notes); err != nil {
			return err
		}
		if err := el.kind.begin(p.builder, el); err != nil {
			return err
		}
	}
	p.open = append(p.open, el)
	return nil
}

// placed checks that the element may stand where it does.
func (p *parser) placed(el *element) error {
	parent := p.parent()
	switch {
	case parent == nil && p.done:
		return el.fail("<"+el.name+"> after the platform", "the end of the file")
	case parent == nil && el.name != "platform":
		return el.fail("<"+el.name+"> outside of a platform", "<platform>")
	case parent != nil && el.kind.ignored == "" && !slices.Contains(el.kind.parents, parent.name):
		where := "the beginning of the file"
		if el.kind.parents != nil {
			where = "it in " + strings.Join(el.kind.parents, ", ")
		}
		return el.fail("<"+el.name+"> in <"+parent.name+">", where)
	}
	return nil
}

func (p *parser) end() error {
	el := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	p.done = len(p.open) == 0
	if el.kind.end == nil {
		return nil
	}
	return el.kind.end(p.builder, el)
}

// version accepts 4 and 4.1.
func (b *builder) version(el *element) error {
	v, err := strconv.ParseFloat(el.value("version"), 64)
	if h := math.Round(100 * v); err != nil || h < 400 || h > 410 {
		return el.wrong("version", "not a version that can be read", "4 or 4.1")
	}
	return nil
}

// notes collects one remark for each kind of thing that is ignored.
type notes struct {
	index map[string]int
	list  []note
}

type note struct {
	text        string
	line, count int
}

func (n *notes) add(kind, text string, line int) {
	i, known := n.index[kind]
	if !known {
		i = len(n.list)
		n.index[kind], n.list = i, append(n.list, note{text: text, line: line})
	}
	n.list[i].count++
}

func (n *notes) texts(file string) []string {
	var texts []string
	for _, t := range n.list {
		text := fmt.Sprintf("%s:%d: %s", file, t.line, t.text)
		if t.count > 1 {
			text += fmt.Sprintf(" (%d times)", t.count)
		}
		texts = append(texts, text)
	}
	return texts
}
