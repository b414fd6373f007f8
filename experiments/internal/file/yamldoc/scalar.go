package yamldoc

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	integerSyntax = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	// The float of the YAML 1.2 core schema (section 10.3.2), which is also
	// what strconv.ParseFloat accepts without its words and hexadecimals.
	floatSyntax = regexp.MustCompile(`^[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// resolve gives a scalar without quotes the type documented in the package
// comment.
func resolve(text string) any {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return nil
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	}
	if integerSyntax.MatchString(text) {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return i
		}
		return text
	}
	if floatSyntax.MatchString(text) {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	}
	return text
}

// describe names the type and value of n for a message.
func describe(n *Node) string {
	switch n.kind {
	case mapping:
		return "a mapping"
	case sequence:
		return "a sequence"
	case null:
		return "no value"
	}
	if n.quoted {
		return "the quoted text " + quote(n.text)
	}
	switch resolve(n.text).(type) {
	case bool:
		return n.text
	case int64, float64:
		return "the number " + Clip(n.text)
	}
	return "the text " + quote(n.text)
}

func quote(s string) string { return fmt.Sprintf("%q", Clip(s)) }

// Clip keeps messages readable when the value is a page of text.
func Clip(s string) string {
	const limit = 60
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	return string(r[:limit]) + "..."
}

// integerHint returns how to write a number that was meant as an integer, or "".
func integerHint(n *Node) string {
	text := n.text
	switch {
	case integerSyntax.MatchString(text):
		// Refused only because of its quotes.
		return "write " + Clip(text) + " without quotes"
	case strings.Contains(text, "_"):
		if digits := strings.ReplaceAll(text, "_", ""); integerSyntax.MatchString(digits) {
			return "write " + Clip(digits)
		}
	case floatSyntax.MatchString(text):
		// Up to 2^53 a float64 holds every integer exactly.
		f, err := strconv.ParseFloat(text, 64)
		if err == nil && f == float64(int64(f)) && f >= -1<<53 && f <= 1<<53 {
			return fmt.Sprintf("write %d", int64(f))
		}
	}
	return ""
}
