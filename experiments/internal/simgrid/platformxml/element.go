package platformxml

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

// An element is a start tag that the schema knows, with its place in the file.
type element struct {
	file         string
	name         string
	kind         *kind
	attributes   []xml.Attr
	line, column int
	tag          []byte // as written, to find the place of an attribute
	err          error  // the first problem with a value that was read
}

// value returns an attribute's value or default.
func (el *element) value(name string) string {
	for _, a := range el.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	for _, a := range el.kind.attributes {
		if a.name == name {
			return a.fallback
		}
	}
	return ""
}

// fail returns an error at the beginning of the element.
func (el *element) fail(what, expected string) error {
	return &SyntaxError{el.file, el.line, el.column, what, expected}
}

// wrong returns an error at an attribute, with its value.
func (el *element) wrong(name, what, expected string) error {
	line, column := el.place(name)
	return &SyntaxError{el.file, line, column, fmt.Sprintf("%s %s=%q: %s", el.name, name, el.value(name), what), expected}
}

// refuse records the first problem with a value, for [element.err].
func (el *element) refuse(name, what, expected string) {
	if el.err == nil {
		el.err = el.wrong(name, what, expected)
	}
}

// place returns where an attribute stands, and where the element does if the
// attribute is not written.
func (el *element) place(name string) (line, column int) {
	var quote byte
	for i, c := range el.tag {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case i > 0 && strings.IndexByte(" \t\r\n", el.tag[i-1]) >= 0 && bytes.HasPrefix(el.tag[i:], []byte(name)) &&
			bytes.HasPrefix(bytes.TrimLeft(el.tag[i+len(name):], " \t\r\n"), []byte("=")):
			before := el.tag[:i]
			if lines := bytes.Count(before, []byte("\n")); lines > 0 {
				return el.line + lines, i - bytes.LastIndexByte(before, '\n')
			}
			return el.line, el.column + i
		}
	}
	return el.line, el.column
}

// check compares the attributes with the schema.
func (el *element) check(note func(kind, text string, line int)) error {
	for i, a := range el.attributes {
		name := a.Name.Local
		if a.Name.Space != "" {
			name = a.Name.Space + ":" + name
		}
		k := slices.IndexFunc(el.kind.attributes, func(k attribute) bool { return k.name == name })
		if k < 0 {
			line, column := el.place(name)
			return &SyntaxError{el.file, line, column, fmt.Sprintf("unknown attribute %s of %s", name, el.name), el.kind.attributeNames()}
		}
		if slices.ContainsFunc(el.attributes[:i], func(b xml.Attr) bool { return b.Name == a.Name }) {
			return el.wrong(name, "given twice", "it once")
		}
		known := el.kind.attributes[k]
		switch {
		case known.values != nil && !slices.Contains(known.values, a.Value):
			return el.wrong(name, "unknown value", strings.Join(known.values, ", "))
		case a.Value == "":
		case known.refused != "":
			return el.wrong(name, "not supported", known.refused)
		case known.ignored:
			note(el.name+" "+name, fmt.Sprintf("the attribute %s of %s is ignored", name, el.name), el.line)
		}
	}
	for _, k := range el.kind.attributes {
		if k.required && !slices.ContainsFunc(el.attributes, func(a xml.Attr) bool { return a.Name.Local == k.name && a.Name.Space == "" }) {
			return el.fail(fmt.Sprintf("%s has no %s", el.name, k.name), "this attribute")
		}
	}
	return nil
}
