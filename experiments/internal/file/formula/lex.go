package formula

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// words are the reserved words of the language.
var words = []string{"true", "false", "and", "or", "not", "in", "contains", "startsWith", "endsWith", "matches"}

// IsWord reports whether a name is reserved: a word of the language or a function. The
// names of an expression must not be words.
func IsWord(name string) bool { return slices.Contains(words, name) || functionOf(name) != nil }

// pattern returns a regular expression that is compiled when it is first asked for: many programs never do.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// The syntax of tokens. A name may go on as a path, as in machine.nodes[0].count; a reserved
// word may not. In a text, a backslash makes the next character stand for itself.
var (
	blanks         = pattern(`^[ \t\r\n]*`)
	numberSyntax   = pattern(`^([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][-+]?[0-9]+)?`)
	unitSyntax     = pattern(`^[ \t\r\n]*([a-zA-Zµμ]+)`)
	nameSyntax     = pattern(`^[a-zA-Z0-9_$]+`)
	pathSyntax     = pattern(`^(\.[a-zA-Z][a-zA-Z0-9_$]*|\[[0-9]+\])*`)
	textSyntax     = pattern(`(?s)^('(\\.|[^'\\])*'|"(\\.|[^"\\])*")`)
	escaped        = pattern(`(?s)\\(.)`)
	operatorSyntax = pattern(`^(\*\*|[=!<>]=|&&|\|\||[-+*/%^<>!?:()\[\],])`)
)

// spellings has the first spelling of an operator by its second.
var spellings = map[string]string{"**": "^", "&&": "and", "||": "or"}

type tokenKind uint8

const (
	atEnd    tokenKind = iota
	aNumber            // value, with its unit
	aName              // also a path such as machine.nodes[0].count
	aText              // text
	operator           // in its first spelling; also a reserved word
)

type token struct {
	kind  tokenKind
	text  string // the name, the operator, the contents of a text, the number as written
	unit  string // of a number; "" for none
	value float64
	at    int // character, from 1
}

// lexer cuts an expression into tokens.
type lexer struct {
	text string // what is left
	at   int    // characters before it
}

// take returns what a syntax matches at the present place, and moves behind it.
func (x *lexer) take(syntax *regexp.Regexp) string {
	found := syntax.FindString(x.text)
	x.text = x.text[len(found):]
	x.at += utf8.RuneCountInString(found)
	return found
}

func (x *lexer) token() (token, *Error) {
	x.take(blanks())
	t := token{at: x.at + 1}
	if x.text == "" {
		return t, nil
	}
	if t.text = x.take(numberSyntax()); t.text != "" {
		return x.number(t)
	}
	if t.text = x.take(nameSyntax()); t.text != "" {
		t.kind = operator
		if !slices.Contains(words, t.text) {
			t.kind, t.text = aName, t.text+x.take(pathSyntax())
		}
		return t, nil
	}
	if t.text = x.take(textSyntax()); t.text != "" {
		t.kind, t.text = aText, escaped().ReplaceAllString(t.text[1:len(t.text)-1], "$1")
		return t, nil
	}
	if t.text = x.take(operatorSyntax()); t.text != "" {
		t.kind = operator
		if first, ok := spellings[t.text]; ok {
			t.text = first
		}
		return t, nil
	}
	if strings.ContainsAny(x.text[:1], `'"`) {
		return t, &Error{Problem: "a text without an end", Character: t.at, Expected: "the quote that it begins with"}
	}
	c, _ := utf8.DecodeRuneInString(x.text)
	return t, &Error{Problem: fmt.Sprintf("unexpected %q", string(c)), Character: t.at, Expected: anOperator}
}

const anOperator = "names, numbers, texts, functions and + - * / % ^ == != < <= > >= and or not in ? :"

// number gives a number its value, and the unit behind it if there is one.
func (x *lexer) number(t token) (token, *Error) {
	var err error
	t.kind = aNumber
	if t.value, err = strconv.ParseFloat(t.text, 64); err != nil {
		return t, &Error{Problem: t.text + " is too large", Character: t.at, Expected: "a number up to 1.7e308"}
	}
	t.unit = x.unit()
	return t, nil
}

// perSecond is /s as the end of a unit, and not as the beginning of a longer name.
var perSecond = pattern(`^/s($|[^a-zA-Z0-9_$])`)

// unit returns the unit that comes next, "" if something else does. The longest
// unit counts: 8 GB/s is a bandwidth, and 8 GB / s a size divided by s.
func (x *lexer) unit() string {
	before := *x
	unit := strings.TrimLeft(x.take(unitSyntax()), " \t\r\n")
	if unit == "" || slices.Contains(words, unit) || nameSyntax().MatchString(x.text) {
		*x = before
		return ""
	}
	if perSecond().MatchString(x.text) && (isUnit(unit+"/s") || !isUnit(unit)) {
		x.text, x.at = x.text[len("/s"):], x.at+len("/s")
		return unit + "/s"
	}
	return unit
}
