package measurements

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// maxProblems is how many problems of a file are reported at once.
const maxProblems = 10

// problems collects what is wrong in a file.
type problems struct {
	file string
	list []string
}

func (p *problems) fail(line, at int, what, want string) {
	if len(p.list) == maxProblems {
		p.list = append(p.list, fmt.Sprintf("%s:%d:%d: more problems follow; expected these to be fixed first", p.file, line, at))
	}
	if len(p.list) < maxProblems {
		p.list = append(p.list, fmt.Sprintf("%s:%d:%d: %s; expected %s", p.file, line, at, what, want))
	}
}

// full reports whether no more problems are collected.
func (p *problems) full() bool { return len(p.list) > maxProblems }

func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	return input.PlacedErrorf("%s", strings.Join(p.list, "\n"))
}

// quoted quotes a text of the file for a message.
func quoted(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:39]) + "…"
	}
	return strconv.Quote(text)
}
