package command

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

// textWidth is the number of columns that text output keeps to where it can.
const textWidth = 80

// printer writes text to W and remembers the first error.
type printer struct {
	W   io.Writer
	Err error
}

func (p *printer) Line(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = fmt.Fprintf(p.W, format+"\n", args...)
	}
}

// printAs prints a value as JSON or by text.
func printAs(w io.Writer, asJSON bool, v any, text func(p *printer)) error {
	if asJSON {
		return printJSON(w, v)
	}
	p := &printer{W: w}
	text(p)
	return p.Err
}

// printJSON writes one JSON document.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Facts prints names and values, with their notes in brackets, in two columns.
func (p *printer) Facts(facts input.Facts) {
	var rows [][]string
	for _, f := range facts {
		if f.Note != "" {
			f.Value += " (" + f.Note + ")"
		}
		rows = append(rows, []string{f.Name, f.Value})
	}
	p.Columns("", rows)
}

// Table prints rows in columns two spaces apart. align has one byte for each
// column: 'r' for right, anything else for left.
func (p *printer) Table(rows [][]string, align string) {
	for _, cells := range padded(rows, align) {
		p.Line("%s", strings.TrimRight(strings.Join(cells, "  "), " "))
	}
}

// padded returns rows with the cells of each column filled up with blanks to the same width.
func padded(rows [][]string, align string) [][]string {
	all := make([][]string, len(rows))
	for i := range align {
		width := each.Max(0, rows, func(row []string) int { return utf8.RuneCountInString(row[i]) })
		for k, row := range rows {
			cell, pad := row[i], strings.Repeat(" ", width-utf8.RuneCountInString(row[i]))
			if align[i] == 'r' {
				cell, pad = pad, cell
			}
			all[k] = append(all[k], cell+pad)
		}
	}
	return all
}

// Columns prints rows of which the last column is broken between words to keep to the width.
func (p *printer) Columns(indent string, rows [][]string) {
	last := len(rows[0]) - 1
	for i, cells := range padded(rows, strings.Repeat(".", last)) {
		p.Wrapped(indent+strings.Join(cells, "  ")+"  ", rows[i][last])
	}
}

// Wrapped prints text broken between words, the first line after prefix and
// the others indented as far.
func (p *printer) Wrapped(prefix, text string) { p.wrapped(plain, prefix, text) }

// wrapped is Wrapped with a style for the prefix or, if there is none, for all of the text.
func (p *printer) wrapped(s style, prefix, text string) {
	for i, line := range wrapped(prefix, unbroken(text, textWidth-utf8.RuneCountInString(prefix))) {
		switch {
		case prefix == "":
			line = s.in(p.W, line)
		case i == 0:
			line = s.in(p.W, prefix) + line[len(prefix):]
		}
		p.Line("%s", line)
	}
}

// wrapped returns the lines of words after prefix.
func wrapped(prefix string, words []string) (lines []string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(prefix))
	line := prefix
	empty := true
	for _, word := range words {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > textWidth {
			lines = append(lines, line)
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	return append(lines, line)
}

// leftOut stands for the end of a text that has no room.
const leftOut = "..."

// Brief prints rows of a name and a text as Columns does, in at most so many lines of at most textWidth columns. The
// longest texts lose their last clauses, which semicolons divide; a single clause loses its last words.
// REQUIRES: there are at least as many lines as rows.
func (p *printer) Brief(rows [][]string, most int) {
	prefixes, clauses, lines := make([]string, len(rows)), make([][]string, len(rows)), make([][]string, len(rows))
	lay := func(i int, end string) {
		room := textWidth - utf8.RuneCountInString(prefixes[i])
		words := unbroken(strings.Join(clauses[i], "; ")+end, room)
		for k, word := range words {
			words[k] = short(word, room-len(leftOut))
		}
		lines[i] = wrapped(prefixes[i], words)
	}
	for i, cells := range padded(rows, ".") {
		prefixes[i], clauses[i] = cells[0]+"  ", strings.Split(rows[i][1], "; ")
		lay(i, "")
	}
	for len(slices.Concat(lines...)) > most {
		longest := 0
		for i := range lines {
			// Of two equally long ones, the one with several clauses, and of these the later one, which matters less.
			if a, b := len(lines[i]), len(lines[longest]); a > b || a == b && len(clauses[i]) > 1 {
				longest = i
			}
		}
		last := len(clauses[longest]) - 1
		if last > 0 {
			clauses[longest] = clauses[longest][:last]
			lay(longest, "; and more")
		} else {
			words := strings.Fields(clauses[longest][0])
			clauses[longest][0] = strings.Join(words[:len(words)-1], " ")
			lay(longest, leftOut)
		}
	}
	for _, line := range slices.Concat(lines...) {
		p.Line("%s", line)
	}
}

// short cuts a text that is too wide for its column.
func short(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return strings.TrimRight(string(runes[:most-len(leftOut)]), " ,") + leftOut
}

// unbroken returns the words of a text. A number and the next word, which is its
// unit or what it counts, are returned as one word; so are the groups of digits of a
// number such as 400 000. Words wider than room columns are not joined.
func unbroken(text string, room int) []string {
	var words []string
	last := ""
	for _, word := range strings.Fields(text) {
		n := len(words) - 1
		if n >= 0 && belongs(word, last) && utf8.RuneCountInString(words[n])+1+utf8.RuneCountInString(word) <= room {
			words[n] += " " + word
		} else {
			words = append(words, word)
		}
		last = word
	}
	return words
}

var (
	number      = regexp.MustCompile(`^[(<>~=+-]*[0-9]([0-9.,e+-]*[0-9])?$`)
	leadDigits  = regexp.MustCompile(`^[(<>~=+-]*[0-9]{1,3}$`)
	threeDigits = regexp.MustCompile(`^[0-9]{3}([^0-9].*)?$`)
)

// belongs reports whether a word must stay in one line with the word before it, a number.
func belongs(word, before string) bool {
	if '0' <= word[0] && word[0] <= '9' {
		return leadDigits.MatchString(before) && threeDigits.MatchString(word)
	}
	return word[0] != '(' && number.MatchString(before)
}

// Title prints what stands above an answer.
func (p *printer) Title(text string) {
	p.wrapped(bold, "", text)
	p.Line("")
}

func (p *printer) Section(title string) {
	p.Line("")
	p.wrapped(bold, "", title)
}

// List prints texts below each other, each behind a word, if there are any.
func (p *printer) List(word string, texts []string) { p.list(plain, word, texts) }

func (p *printer) list(s style, word string, texts []string) {
	for i, text := range texts {
		if i == 0 {
			p.Line("")
		}
		p.wrapped(s, word, text)
	}
}

func (p *printer) Warnings(warnings []string) { p.list(yellow, "warning: ", warnings) }

// File says that a file was written, if it has a name.
func (p *printer) File(path string) {
	if path != "" {
		p.Files(path)
	}
}

func (p *printer) Files(paths ...string) {
	p.Line("")
	for _, path := range paths {
		p.Line("wrote %s", path)
	}
}
