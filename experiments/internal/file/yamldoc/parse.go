package yamldoc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	maxBytes  = 4 << 20
	maxLine   = 8 << 10
	maxTokens = 1 << 18 // keys, values and punctuation
	maxDepth  = 64
	maxKeys   = 8192 // in a mapping
	maxKey    = 128  // bytes in a key
)

// Parse reads one YAML document. The file name is used only for positions.
// Every error is an *Error or Problems.
func Parse(file string, data []byte) (*Node, error) {
	root, err := source{file: file}.parse(data)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, &Error{Pos: Position{file, 1, 1}, Msg: "empty document", Want: "a YAML mapping"}
	}
	return root, nil
}

// source gives tokens their positions.
type source struct {
	file  string
	shift int // added to the columns of line 1: a --set value does not start at column 1
}

func (s source) at(line, column int) Position {
	line, column = max(line, 1), max(column, 1)
	if line == 1 {
		column += s.shift
	}
	return Position{s.file, line, column}
}

func (s source) token(tk *token.Token) Position {
	if tk == nil || tk.Position == nil {
		return Position{File: s.file}
	}
	return s.at(tk.Position.Line, tk.Position.Column)
}

// recent has the texts that were parsed last, with their trees. Moving a slider reads a scenario and the values set
// in it many times, and only one value is new.
var recent struct {
	sync.Mutex
	read [16]kept
	next int
}

type kept struct {
	source source
	text   string
	root   *Node
}

// mostKept is the longest text that is kept, in bytes.
const mostKept = 1 << 14

// parse returns nil without an error for a document without content.
func (s source) parse(data []byte) (*Node, error) {
	recent.Lock()
	at := slices.IndexFunc(recent.read[:], func(r kept) bool { return r.root != nil && r.source == s && r.text == string(data) })
	if at >= 0 {
		defer recent.Unlock()
		return recent.read[at].root.clone(), nil
	}
	recent.Unlock()
	root, err := s.parsed(data)
	if root != nil && len(data) <= mostKept {
		recent.Lock()
		recent.read[recent.next] = kept{s, string(data), root.clone()}
		recent.next = (recent.next + 1) % len(recent.read)
		recent.Unlock()
	}
	return root, err
}

func (s source) parsed(data []byte) (*Node, error) {
	text, err := s.clean(data)
	if err != nil {
		return nil, err
	}
	var file *ast.File
	err = s.guard(func() error {
		tokens := slices.DeleteFunc(lexer.Tokenize(text), func(tk *token.Token) bool {
			return tk.Type == token.CommentType
		})
		if err := s.refuse(tokens); err != nil {
			return err
		}
		// Duplicate keys are left to the builder, which reports all of them.
		file, err = parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
		return s.syntaxError(err)
	})
	if err != nil {
		return nil, err
	}
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil {
			body = doc.Body
		}
	}
	if body == nil {
		return nil, nil
	}
	b := builder{source: s}
	root := b.node(body, s.at(1, 1), 0)
	if err := b.problems.err(); err != nil {
		return nil, err
	}
	return root, nil
}

// clean checks the bytes and returns them as text with \n line ends and
// without a BOM.
func (s source) clean(data []byte) (string, error) {
	if len(data) > maxBytes {
		return "", &Error{Pos: Position{File: s.file}, Msg: "too large", Want: "at most 4 MiB"}
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	line, start := 1, 0
	for i, r := range text {
		switch {
		case r == '\n':
			line, start = line+1, i+1
		case i-start >= maxLine:
			// Goccy's scanner looks ahead to the end of the line at some
			// characters, which is quadratic in the length of a line.
			return "", &Error{Pos: s.at(line, 1), Msg: "the line is too long",
				Want: fmt.Sprintf("at most %d bytes in a line", maxLine)}
		case r < ' ' && r != '\t' || r == 0x7f || r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			msg := fmt.Sprintf("control character %U", r)
			if r == utf8.RuneError {
				msg = fmt.Sprintf("byte 0x%02x is not valid UTF-8", text[i])
			}
			column := utf8.RuneCountInString(text[start:i]) + 1
			return "", &Error{Pos: s.at(line, column), Msg: msg, Want: "a text file in UTF-8"}
		}
	}
	return text, nil
}

// guard runs goccy's scanner and parser. They index and dereference without a
// check in many places, and earlier releases did panic on invalid documents
// (goccy/go-yaml issues 191, 274, 373, 479, 718). Fuzzing found no panic in
// v1.19.2, but a mistake in a file must never crash the program, so a panic
// becomes an error, here and nowhere else. It has no position: how far the
// parser got is unknown.
func (s source) guard(parse func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Error{Pos: Position{File: s.file}, Msg: fmt.Sprintf("the YAML parser failed: %v", r), Want: "a well-formed document"}
		}
	}()
	return parse()
}

// syntaxError gives an error of goccy our form: one line, without an excerpt.
func (s source) syntaxError(err error) error {
	if err == nil {
		return nil
	}
	var e yaml.Error
	if !errors.As(err, &e) {
		return &Error{Pos: Position{File: s.file}, Msg: "not valid YAML: " + err.Error()}
	}
	want := ""
	if strings.Contains(e.GetMessage(), "\t") || strings.Contains(e.GetMessage(), "tab character") {
		want = "spaces for indentation"
	}
	return &Error{Pos: s.token(e.GetToken()), Msg: "not valid YAML: " + e.GetMessage(), Want: want}
}
