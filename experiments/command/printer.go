package command

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// width is the number of columns that text output keeps to where it can.
const width = 80

// printer writes text and remembers the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// facts prints names and values in two columns.
func (p *printer) facts(facts [][2]string) {
	var rows [][]string
	for _, f := range facts {
		rows = append(rows, f[:])
	}
	p.table(rows, "..")
}

// table prints rows in columns two spaces apart. align has one byte for each
// column: 'r' for right, anything else for left.
func (p *printer) table(rows [][]string, align string) {
	widths := make([]int, len(align))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if align[i] == 'r' {
				b.WriteString(pad + cell)
			} else {
				b.WriteString(cell + pad)
			}
		}
		p.line("%s", strings.TrimRight(b.String(), " "))
	}
}

// wideTable prints a table whose last column is broken between words to keep
// to the width.
func (p *printer) wideTable(columns []string, rows [][]string) {
	last := len(columns) - 1
	widths := make([]int, last)
	for _, row := range append([][]string{columns}, rows...) {
		for i, cell := range row[:last] {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range append([][]string{columns}, rows...) {
		prefix := "  "
		for i, cell := range row[:last] {
			prefix += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
		}
		p.wrapped(prefix, row[last])
	}
}

// wrapped prints text broken between words, the first line after prefix and
// the others indented as far.
func (p *printer) wrapped(prefix, text string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(prefix))
	line := prefix
	empty := true
	for _, word := range unbroken(text, width-len(indent)) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			p.line("%s", line)
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	p.line("%s", line)
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

// belongs reports whether there is no break between a word and the number before it.
func belongs(word, before string) bool {
	if '0' <= word[0] && word[0] <= '9' {
		return leadDigits.MatchString(before) && threeDigits.MatchString(word)
	}
	return word[0] != '(' && number.MatchString(before)
}

func (p *printer) warnings(warnings []string) {
	if len(warnings) == 0 {
		return
	}
	p.line("")
	for _, w := range warnings {
		p.wrapped("warning: ", w)
	}
}

// file says that a file was written, if it has a name.
func (p *printer) file(path string) {
	if path != "" {
		p.files(path)
	}
}

// files says that files were written.
func (p *printer) files(paths ...string) {
	p.line("")
	for _, path := range paths {
		p.line("wrote %s", path)
	}
}
