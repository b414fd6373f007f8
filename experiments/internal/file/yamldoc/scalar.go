package yamldoc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// isInteger reports whether a text is an integer of the YAML 1.2 core schema (section 10.3.2), however large.
func isInteger(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return !padded(text) && (err == nil || errors.Is(err, strconv.ErrRange))
}

// isFloat reports whether a text is a float of that schema, but neither a word such as .inf nor hexadecimal.
func isFloat(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return !padded(text) && strings.Trim(text, "+-.0123456789eE") == "" && (err == nil || errors.Is(err, strconv.ErrRange))
}

// padded reports whether a number begins with a zero before another digit.
func padded(text string) bool {
	digits := strings.TrimLeft(text, "+-")
	return len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
}

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
	if isInteger(text) {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return i
		}
		return text
	}
	if isFloat(text) {
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
	case isInteger(text):
		// Refused only because of its quotes.
		return "write " + Clip(text) + " without quotes"
	case strings.Contains(text, "_"):
		if digits := strings.ReplaceAll(text, "_", ""); isInteger(digits) {
			return "write " + Clip(digits)
		}
	case isFloat(text):
		// Up to 2^53 a float64 holds every integer exactly.
		f, err := strconv.ParseFloat(text, 64)
		if err == nil && f == float64(int64(f)) && f >= -1<<53 && f <= 1<<53 {
			return fmt.Sprintf("write %d", int64(f))
		}
	}
	return ""
}
