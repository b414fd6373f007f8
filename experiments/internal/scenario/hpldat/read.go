package hpldat

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
)

// Limits of a file.
const (
	lineCount = 31
	maxValues = 20 // HPL_MAX_PARAM
	maxBytes  = 1 << 20
)

// Parameters are the parameters whose values a file has, in the order of its lines.
var Parameters = []string{"n", "nb", "order", "rows", "columns", "bcast", "depth", "swap", "threshold"}

// Names of the codes 0, 1, ...
var (
	broadcasts = []string{"1ring", "1ringM", "2ring", "2ringM", "long", "longM"}
	swaps      = []string{"bin-exch", "long", "mix"}
	orders     = []string{"row-major", "column-major"}
	factors    = []string{"left", "Crout", "right"}
	forms      = []string{"transposed", "not transposed"}
)

// Read returns a mapping from [Parameters] to the values of the file, with a sequence for each. Other lines are checked
// but left out.
func Read(file string, data []byte) (*yamldoc.Node, error) {
	r := &reader{file: file}
	if len(data) > maxBytes {
		return nil, &yamldoc.Error{Pos: yamldoc.Position{File: file}, Msg: "larger than 1 MiB", Want: "an HPL.dat"}
	}
	text := strings.TrimSuffix(string(data), "\n")
	r.lines = strings.Split(text, "\n")
	if len(r.lines) < lineCount {
		r.failAt(yamldoc.Position{File: file, Line: len(r.lines), Column: 1},
			"the file ends here", fmt.Sprintf("the %d lines of an HPL.dat", lineCount))
		return nil, r.problems
	}
	r.line = 4 // two lines of text, the name of an output file, and its unit
	r.keep("n", r.several("problem sizes", "Ns", atLeast(1)))
	r.keep("nb", r.several("NBs", "NBs", atLeast(1)))
	r.keep("order", r.values("PMAP", 1, named(orders)))
	grids := r.count("process grids")
	r.keep("rows", r.values("Ps", grids, atLeast(1)))
	r.keep("columns", r.values("Qs", grids, atLeast(1)))
	r.values("threshold", 1, number)
	r.several("panel factorisations", "PFACTs", named(factors))
	r.several("recursive stopping criteria", "NBMINs", atLeast(1))
	r.several("panels in recursion", "NDIVs", atLeast(2))
	r.several("recursive panel factorisations", "RFACTs", named(factors))
	r.keep("bcast", r.several("broadcasts", "BCASTs", named(broadcasts)))
	r.keep("depth", r.several("lookahead depths", "DEPTHs", atLeast(0)))
	r.keep("swap", r.values("SWAP", 1, named(swaps)))
	r.keep("threshold", r.values("swapping threshold", 1, atLeast(0)))
	r.values("L1", 1, named(forms))
	r.values("U", 1, named(forms))
	r.values("Equilibration", 1, named([]string{"no", "yes"}))
	r.values("memory alignment", 1, atLeast(1))
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return yamldoc.Lists(yamldoc.Position{File: file, Line: 1, Column: 1}, r.lists...), nil
}

type reader struct {
	file     string
	lines    []string
	line     int // number of lines read so far
	lists    []yamldoc.List
	problems yamldoc.Problems
}

func (r *reader) failAt(pos yamldoc.Position, msg, want string) {
	r.problems = append(r.problems, &yamldoc.Error{Pos: pos, Msg: msg, Want: want})
}

// keep stores the values of the line read last under the name of a parameter.
func (r *reader) keep(key string, values []yamldoc.Value) {
	r.lists = append(r.lists, yamldoc.List{Key: key, Pos: r.pos(0), Values: values})
}

// pos returns the position of a byte in the line read last.
func (r *reader) pos(offset int) yamldoc.Position {
	return yamldoc.Position{File: r.file, Line: r.line, Column: utf8.RuneCountInString(r.lines[r.line-1][:offset]) + 1}
}

// several reads a line with a number of values, and then the line with these values.
func (r *reader) several(of, name string, judge judge) []yamldoc.Value {
	return r.values(name, r.count(of), judge)
}

// count reads a line with a number of values, 0 if it has none.
func (r *reader) count(of string) int {
	count := 0
	r.values("number of "+of, 1, func(text string) (string, string) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxValues {
			return "", fmt.Sprintf("a number from 1 to %d", maxValues)
		}
		count = n
		return text, ""
	})
	return count
}

// judge returns the meaning of a text, or what was expected instead.
type judge func(text string) (value, want string)

// values reads the next line, whose first n words are values. If n is 0, the number is unknown, and no value is read.
func (r *reader) values(name string, n int, judge judge) []yamldoc.Value {
	text := r.lines[r.line]
	r.line++
	var values []yamldoc.Value
	end := 0
	for i := range n {
		begin := end + len(text[end:]) - len(strings.TrimLeft(text[end:], " \t\r"))
		if end = begin + strings.IndexAny(text[begin:], " \t\r"); end < begin {
			end = len(text)
		}
		word := text[begin:end]
		value, want := judge(word)
		if want == "" {
			values = append(values, yamldoc.Value{Pos: r.pos(begin), Text: value})
			continue
		}
		found := "found " + strconv.Quote(clip(word))
		if word == "" {
			found = "the line ends here"
		}
		if n > 1 {
			want = fmt.Sprintf("%s, value %d of %d", want, i+1, n)
		}
		r.failAt(r.pos(begin), name+": "+found, want)
		break
	}
	return values
}

// clip keeps quotations in messages short.
func clip(word string) string {
	if len(word) > 40 {
		return word[:37] + "..."
	}
	return word
}

// atLeast accepts whole numbers from least up.
func atLeast(least int) judge {
	return func(text string) (string, string) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least {
			return "", fmt.Sprintf("a whole number of at least %d", least)
		}
		return strconv.Itoa(n), ""
	}
}

// number accepts any number.
func number(text string) (string, string) {
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return "", "a number"
	}
	return text, ""
}

// named accepts the codes 0, 1, ... of some names.
func named(names []string) judge {
	return func(text string) (string, string) {
		code, err := strconv.Atoi(text)
		if err != nil || code < 0 || code >= len(names) {
			var codes []string
			for i, name := range names {
				codes = append(codes, fmt.Sprintf("%d (%s)", i, name))
			}
			return "", input.Joined(codes, "or")
		}
		return names[code], ""
	}
}

// ReadValues returns the result of [Read] for display, and the number of combinations of values: as many as HPL runs,
// except for lines that do not matter here.
func ReadValues(file string, data []byte) (all []input.Parameter, combinations int, err error) {
	root, err := Read(file, data)
	if err != nil {
		return nil, 0, err
	}
	var d yamldoc.Decoder
	m := d.Mapping(root, "values")
	combinations = 1
	for _, name := range Parameters {
		values := each.Append(nil, d.Sequence(m.Take(name), "values"), (*yamldoc.Node).Text)
		if name != "columns" { // rows and columns go together
			combinations *= len(values)
		}
		all = append(all, input.Parameter{Name: name, Value: strings.Join(values, ", ")})
	}
	return all, combinations, nil
}
