package paper

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
)

// Report makes one report of the papers: for each its tables beside our values, its
// figures, claims and misprints.
func (r *Result) Report() *report.Document {
	doc := &report.Document{
		Title:    "Published tables and figures, reproduced",
		Subtitle: r.subtitle(),
		Lead: []string{
			"Every number of these papers that follows from other numbers is computed again, and what can be simulated is simulated. Printed and our value stand side by side.",
			"Recomputed: by formula from printed values. Simulated: by the engine, with no parameter chosen for that table. Fitted: with parameters chosen for that table, which are listed.",
			sizeLegend(),
		},
		Facts:      r.facts(),
		Provenance: r.provenanceFacts(),
	}
	for _, p := range r.Papers {
		sections := p.sections()
		key, _, _ := strings.Cut(p.Citation, " ")
		for i := range sections {
			sections[i].Part = key + " " + p.Title
		}
		doc.Sections = append(doc.Sections, sections...)
	}
	return doc
}

func (r *Result) subtitle() string {
	var names []string
	for _, p := range r.Papers {
		key, _, _ := strings.Cut(p.Citation, " ")
		names = append(names, key)
	}
	return strings.Join(names, ", ")
}

func (r *Result) facts() []report.Fact {
	var n Tally
	claims, holding := 0, 0
	for _, p := range r.Papers {
		for i := range p.Tables {
			x := p.Tables[i].Tally(Recomputed)
			n.Cells, n.Exact, n.Rounding, n.Differ = n.Cells+x.Cells, n.Exact+x.Exact, n.Rounding+x.Rounding, n.Differ+x.Differ
		}
		claims, holding = claims+len(p.Claims), holding+p.Holding()
	}
	return []report.Fact{
		{Label: "Recomputed", Value: fmt.Sprint(n.Cells), Note: "comparisons with a printed value"},
		{Label: "Exact", Value: fmt.Sprint(n.Exact), Note: "rounds to the printed digits"},
		{Label: "Rounding", Value: fmt.Sprint(n.Rounding), Note: "within the rounding of the inputs, or cut instead of rounded"},
		{Label: "Differ", Value: fmt.Sprint(n.Differ), Note: "each with its reason"},
		{Label: "Claims that hold", Value: fmt.Sprintf("%d of %d", holding, claims)},
	}
}

// Holding counts the claims that hold.
func (p *Paper) Holding() int {
	n := 0
	for _, c := range p.Claims {
		if c.Holds {
			n++
		}
	}
	return n
}

func (r *Result) provenanceFacts() []report.Fact {
	facts := []report.Fact{
		{Label: "isoscale", Value: r.Provenance.Version, Note: r.Provenance.Revision},
		{Label: "command", Value: "paper"},
	}
	for _, in := range r.Provenance.Inputs {
		facts = append(facts, report.Fact{Label: "input", Value: in.File, Note: "SHA-256 " + in.SHA256})
	}
	return facts
}

// sections are the sections of one paper. Each title begins with the key of the
// paper, so that the table of contents shows which paper it belongs to.
func (p *Paper) sections() []report.Section {
	key, _, _ := strings.Cut(p.Citation, " ")
	head := report.Section{Heading: key + " Overview", Text: []string{sentence(p.Citation), p.Questions}, Blocks: []report.Block{p.Summary()}}
	if len(p.NotReproduced) > 0 {
		t := wordTable("Not reproduced", "what, and why")
		for _, x := range p.NotReproduced {
			t.Rows = append(t.Rows, []string{x})
		}
		head.Blocks = append(head.Blocks, t)
	}
	sections := []report.Section{head}
	drawn := map[string][]report.Block{}
	for _, f := range p.Figures {
		drawn[f.ID] = append(drawn[f.ID], f.Draw...)
	}
	// The statements of the text about a figure are a table with the same ID, below
	// it. Values without a printed counterpart are in the data of the chart.
	for i := range p.Tables {
		s := p.Tables[i].section(key)
		s.Blocks = append(drawn[p.Tables[i].ID], s.Blocks...)
		delete(drawn, p.Tables[i].ID)
		sections = append(sections, s)
	}
	for _, f := range p.Figures {
		if blocks, left := drawn[f.ID]; left {
			sections = append(sections, report.Section{Heading: key + " " + f.Title, Blocks: blocks})
			delete(drawn, f.ID)
		}
	}
	if len(p.Claims) > 0 {
		t := wordTable("Claims", "where", "claim", "stated", "found", "holds", "why not")
		for _, c := range p.Claims {
			holds := "yes"
			if !c.Holds {
				holds = "no"
			}
			t.Rows = append(t.Rows, []string{c.Where, c.What, c.Paper, c.Ours, holds, c.Note})
		}
		sections = append(sections, report.Section{Heading: key + " Claims", Blocks: []report.Block{t}})
	}
	if len(p.Misprints) > 0 {
		t := wordTable("Misprints and inconsistencies", "where", "what")
		for _, m := range p.Misprints {
			t.Rows = append(t.Rows, []string{m.Where, m.What})
		}
		sections = append(sections, report.Section{Heading: key + " Misprints and inconsistencies", Blocks: []report.Block{t}})
	}
	return sections
}

// wordTable is an empty table with columns of text.
func wordTable(title string, columns ...string) *report.Table {
	t := &report.Table{Title: title}
	for _, c := range columns {
		t.Columns = append(t.Columns, report.Column{Title: c})
	}
	return t
}

// hows are the origins of values in the order of tables.
var hows = []How{Recomputed, Simulated, Fitted}

// Summary has a row for each table and origin of values.
func (p *Paper) Summary() *report.Table {
	t := &report.Table{Title: "Summary", Columns: []report.Column{
		{Title: "table"}, {Title: "how"}, {Title: "cells", Numeric: true}, {Title: "exact", Numeric: true}, {Title: "rounding", Numeric: true},
		{Title: "differ", Numeric: true}, {Title: "rms deviation", Unit: "%", Numeric: true}, {Title: "worst", Unit: "%", Numeric: true}}}
	for i := range p.Tables {
		for _, how := range hows {
			if n := p.Tables[i].Tally(how); n.Cells > 0 {
				t.Rows = append(t.Rows, []string{p.Tables[i].ID, string(how), fmt.Sprint(n.Cells), fmt.Sprint(n.Exact), fmt.Sprint(n.Rounding),
					fmt.Sprint(n.Differ), fmt.Sprintf("%.2f", 100*n.RMS), fmt.Sprintf("%.2f", 100*n.Worst)})
			}
		}
	}
	return t
}

func (t *Table) section(key string) report.Section {
	s := report.Section{Heading: key + " " + t.Title}
	if t.Formula != "" {
		s.Text = append(s.Text, sentence("Ours: "+t.Formula))
	}
	if len(t.Cells) > 0 {
		s.Blocks = append(s.Blocks, t.cellTable())
	}
	if c := t.parityChart(); c != nil {
		s.Blocks = append(s.Blocks, c)
	}
	reasons := &report.Notes{}
	for _, d := range t.Differences() {
		reasons.Items = append(reasons.Items, d.String())
	}
	reasons.Items = append(reasons.Items, t.Notes...)
	s.Blocks = append(s.Blocks, reasons)
	if len(t.Parameters) > 0 {
		x := &report.Table{Title: "Parameters of the simulation", Columns: []report.Column{{Title: "parameter"}, {Title: "value", Numeric: true}, {Title: "unit"}, {Title: "from"}}}
		for _, p := range t.Parameters {
			x.Rows = append(x.Rows, []string{p.Name, strconv.FormatFloat(p.Value, 'g', 6, 64), p.Unit, p.Note})
		}
		s.Blocks = append(s.Blocks, x)
	}
	return s
}

// cellTable shows every cell.
func (t *Table) cellTable() *report.Table {
	x := &report.Table{Title: t.ID, Columns: []report.Column{{Title: "row"}, {Title: "column"}, {Title: "paper", Numeric: true}, {Title: "ours", Numeric: true},
		{Title: "deviation", Sizes: sizeWords()}, {Title: "verdict"}, {Title: "how"}}}
	readings := false
	for _, c := range t.Cells {
		readings = readings || c.Reading != ""
	}
	if readings {
		x.Columns = append(x.Columns, report.Column{Title: "reading"})
	}
	for _, c := range t.Cells {
		row := []string{c.Row, c.Column, printed(c.Paper), number(c.Ours), deviationText(c), string(c.Verdict), string(c.How)}
		if readings {
			row = append(row, c.Reading)
		}
		x.Rows = append(x.Rows, row)
	}
	return x
}

// printed writes a number with all its digits.
func printed(v float64) string {
	if v == math.Trunc(v) {
		return number(v)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// number writes whole numbers in full and others with six digits.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e12 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// sentence ends a text with a full stop.
func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }

// String lists the cells of a difference and the reason.
func (d Difference) String() string {
	var parts []string
	for _, c := range d.Cells {
		s := c.Row
		if c.Reading != "" {
			s += " (" + c.Reading + ")"
		}
		parts = append(parts, fmt.Sprintf("%s: %s, ours %s", s, printed(c.Paper), number(c.Ours)))
	}
	return sentence(d.Cells[0].Column + ", " + strings.Join(parts, "; ") + ": " + d.Reason)
}

// sizes are those of relative deviations. Each includes its limit.
var sizes = []struct {
	word  string
	limit float64
}{
	{"equal", 0}, // and whatever has the verdict exact
	{"slight", 0.02},
	{"small", 0.05},
	{"medium", 0.15},
	{"large", math.Inf(1)},
}

func sizeWords() []string {
	words := make([]string, len(sizes))
	for i, s := range sizes {
		words[i] = s.word
	}
	return words
}

// sizeOf returns the index of the size of a deviation.
func sizeOf(c Cell) int {
	if c.Verdict == Exact {
		return 0
	}
	for i, s := range sizes {
		if math.Abs(c.Deviation) <= s.limit {
			return i
		}
	}
	return len(sizes) - 1
}

// deviationText is a deviation with its word, as in "+2.6 % small".
func deviationText(c Cell) string {
	percent := math.Round(1e4*c.Deviation)/100 + 0 // no -0
	text := fmt.Sprintf("%+.2f %%", percent)
	if c.Paper == 0 {
		text = fmt.Sprintf("%+.3g", c.Deviation) // an absolute one
	}
	return text + " " + sizes[sizeOf(c)].word
}

func sizeLegend() string {
	s := "Deviations of ours from the printed value come with a word and a colour: " + sizes[0].word + " to the printed digits"
	for _, x := range sizes[1 : len(sizes)-1] {
		s += fmt.Sprintf(", %s up to %g %%", x.word, 100*x.limit)
	}
	return s + ", " + sizes[len(sizes)-1].word + " above."
}
