package formula

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// words are the reserved words of the language.
var words = []string{"true", "false", "and", "or", "not", "in", "contains", "startsWith", "endsWith", "matches"}

// IsWord reports whether a name is reserved: a word of the language or a function. The
// names of an expression must not be words.
func IsWord(name string) bool { return slices.Contains(words, name) || functionOf(name) != nil }

// operators, those of two characters first. Some have two spellings.
var (
	operators = []string{"**", "==", "!=", "<=", ">=", "&&", "||",
		"+", "-", "*", "/", "%", "^", "<", ">", "!", "?", ":", "(", ")", "[", "]", ","}
	spellings = map[string]string{"**": "^", "&&": "and", "||": "or"}
)

type tokenKind uint8

const (
	atEnd    tokenKind = iota
	aNumber            // value, with its unit
	aName              // also a path such as machine.nodes[0].count
	aText              // text
	operator           // or a word, in its first spelling
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
	text []rune
	next int
}

func (x *lexer) peek(ahead int) rune {
	if x.next+ahead < len(x.text) {
		return x.text[x.next+ahead]
	}
	return 0
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
func isDigit(r rune) bool  { return r >= '0' && r <= '9' }
func inName(r rune) bool   { return isLetter(r) || isDigit(r) || r == '_' || r == '$' }
func inUnit(r rune) bool   { return isLetter(r) || r == 'µ' || r == 'μ' }
func isBlank(r rune) bool  { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// while returns the characters from here for which a condition holds.
func (x *lexer) while(holds func(rune) bool) string {
	from := x.next
	for x.next < len(x.text) && holds(x.text[x.next]) {
		x.next++
	}
	return string(x.text[from:x.next])
}

// token returns the next token.
func (x *lexer) token() (token, *Error) {
	x.while(isBlank)
	t := token{at: x.next + 1}
	c := x.peek(0)
	switch {
	case x.next == len(x.text):
		return t, nil
	case isDigit(c), c == '.' && isDigit(x.peek(1)):
		return x.number(t)
	case inName(c):
		t.kind, t.text = aName, x.while(inName)
		if slices.Contains(words, t.text) {
			t.kind = operator
			return t, nil
		}
		t.text += x.path()
		return t, nil
	case c == '\'' || c == '"':
		return x.quoted(t, c)
	}
	for _, o := range operators {
		if strings.HasPrefix(string(x.text[x.next:min(x.next+2, len(x.text))]), o) {
			x.next += len(o)
			if first, ok := spellings[o]; ok {
				o = first
			}
			t.kind, t.text = operator, o
			return t, nil
		}
	}
	return t, &Error{Problem: fmt.Sprintf("unexpected %q", string(c)), Character: t.at, Expected: anOperator}
}

const anOperator = "names, numbers, texts, functions and + - * / % ^ == != < <= > >= and or not in ? :"

// path returns what follows the first key of a path.
func (x *lexer) path() string {
	from := x.next
	for {
		start := x.next
		switch {
		case x.peek(0) == '.' && isLetter(x.peek(1)):
			x.next++
			x.while(inName)
			continue
		case x.peek(0) == '[':
			x.next++
			if x.while(isDigit) != "" && x.peek(0) == ']' {
				x.next++
				continue
			}
		}
		x.next = start
		return string(x.text[from:x.next])
	}
}

// number reads a number, and the unit behind it if there is one.
func (x *lexer) number(t token) (token, *Error) {
	from := x.next
	x.while(isDigit)
	if x.peek(0) == '.' && isDigit(x.peek(1)) {
		x.next++
		x.while(isDigit)
	}
	if e := x.peek(0); e == 'e' || e == 'E' {
		sign := 0
		if s := x.peek(1); s == '+' || s == '-' {
			sign = 1
		}
		if isDigit(x.peek(1 + sign)) {
			x.next += 1 + sign
			x.while(isDigit)
		}
	}
	t.kind, t.text = aNumber, string(x.text[from:x.next])
	var err error
	if t.value, err = strconv.ParseFloat(t.text, 64); err != nil {
		return t, &Error{Problem: t.text + " is too large", Character: t.at, Expected: "a number up to 1.7e308"}
	}
	t.unit = x.unit()
	return t, nil
}

// unit returns the unit at the next place, "" if something else is there. The longest
// unit counts: 8 GB/s is a bandwidth, and 8 GB / s a size divided by s.
func (x *lexer) unit() string {
	before := x.next
	x.while(isBlank)
	unit := x.while(inUnit)
	if unit == "" || slices.Contains(words, unit) || inName(x.peek(0)) {
		x.next = before
		return ""
	}
	if x.peek(0) == '/' && x.peek(1) == 's' && !inName(x.peek(2)) {
		if isUnit(unit+"/s") || !isUnit(unit) {
			x.next += 2
			return unit + "/s"
		}
	}
	return unit
}

// quoted reads a text. A backslash takes the next character as it is.
func (x *lexer) quoted(t token, quote rune) (token, *Error) {
	x.next++
	var b strings.Builder
	for ; x.next < len(x.text); x.next++ {
		c := x.text[x.next]
		switch {
		case c == quote:
			x.next++
			t.kind, t.text = aText, b.String()
			return t, nil
		case c == '\\' && x.next+1 < len(x.text):
			x.next++
			c = x.text[x.next]
		}
		b.WriteRune(c)
	}
	return t, &Error{Problem: "a text without an end", Character: t.at, Expected: "the quote that it begins with"}
}
