package yamldoc

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// ParseCSV reads a table as a sequence of mappings, one for each row, with the names of the
// header as keys. Cells are scalars with the position that they have in the file; empty
// ones are left out. Lines that begin with # are comments. Every error is an *Error.
func ParseCSV(file string, data []byte) (*Node, error) {
	fail := func(line, column int, msg, want string) error {
		return &Error{Pos: Position{file, line, column}, Msg: msg, Want: want}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > maxBytes:
		return nil, &Error{Pos: Position{File: file}, Msg: "too large", Want: fmt.Sprintf("at most %d bytes", maxBytes)}
	case !utf8.Valid(data):
		return nil, &Error{Pos: Position{File: file}, Msg: "is not valid UTF-8", Want: "a text file in UTF-8"}
	}
	in := csv.NewReader(bytes.NewReader(data))
	in.Comment, in.TrimLeadingSpace, in.FieldsPerRecord = '#', true, -1
	root := &Node{pos: Position{file, 1, 1}, kind: sequence}
	var header []string
	for cells := 0; ; {
		fields, err := in.Read()
		if err == io.EOF {
			break
		}
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			return nil, fail(bad.Line, bad.Column, bad.Err.Error(), `cells separated by commas, those with a comma or a quote in them between quotes (")`)
		}
		if err != nil {
			return nil, &Error{Pos: Position{File: file}, Msg: err.Error(), cause: err}
		}
		line, column := in.FieldPos(0)
		if header == nil {
			for i, name := range fields {
				name = strings.TrimSpace(name)
				at, column := in.FieldPos(i)
				switch {
				case name == "":
					return nil, fail(at, column, "a column has no name", "a name for each column in the first line")
				case slices.Contains(header, name):
					return nil, fail(at, column, fmt.Sprintf("duplicate column %q", Clip(name)), "each name once")
				}
				header = append(header, name)
			}
			continue
		}
		if len(fields) > len(header) {
			return nil, fail(line, column, fmt.Sprintf("%d cells", len(fields)), fmt.Sprintf("at most %d, as many as the first line has", len(header)))
		}
		if cells += len(fields); cells > maxTokens {
			return nil, fail(line, column, "too many cells", fmt.Sprintf("at most %d", maxTokens))
		}
		row := &Node{pos: Position{file, line, column}, kind: mapping}
		for i, text := range fields {
			if text = strings.TrimSpace(text); text != "" {
				at, column := in.FieldPos(i)
				pos := Position{file, at, column}
				row.add(header[i], pos, &Node{pos: pos, kind: scalar, text: text})
			}
		}
		root.push(row)
	}
	if header == nil {
		return nil, fail(1, 1, "the file is empty", "a first line with the names of the columns")
	}
	return root, nil
}
