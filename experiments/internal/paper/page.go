package paper

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// Report makes one report of all papers: for each paper its tables beside our values, its figures, claims and
// misprints.
func (r *Result) Report() *report.Document {
	doc := &report.Document{
		Title:    "Published tables and figures, reproduced",
		Subtitle: r.subtitle(),
		Lead: []string{
			r.verdict(),
			"Numbers of these papers that follow from other numbers are computed again, and what can be simulated " +
				"is simulated; what is not reproduced is listed. The printed value and ours stand side by side.",
			"Recomputed: by formula from printed values. Simulated: by the engine, with no parameter chosen for that table. " +
				"Fitted: with parameters chosen for that table, which are listed.",
			sizeLegend(),
		},
		Facts:      r.facts(),
		Sections:   []report.Section{{Heading: "How close our values are", Blocks: []report.Block{r.nearness()}}},
		Provenance: r.provenanceFacts(),
	}
	for _, p := range r.Papers {
		sections := p.sections()
		for i := range sections {
			sections[i].Part = p.key() + " " + p.Title
		}
		doc.Sections = append(doc.Sections, sections...)
	}
	return doc
}

// key returns the key of the citation, such as [Jin].
func (p *Paper) key() string {
	key, _, _ := strings.Cut(p.Citation, " ")
	return key
}

func (r *Result) subtitle() string {
	keys := each.Append(nil, r.Papers, (*Paper).key)
	return strings.Join(keys, ", ")
}

// totals says how close the recomputed values of all papers are, and how many of their claims hold.
func (r *Result) totals() (n Tally, claims, holding int) {
	var all Table
	for _, p := range r.Papers {
		for _, t := range p.Tables {
			all.Cells = append(all.Cells, t.Cells...)
		}
		claims, holding = claims+len(p.Claims), holding+p.Holding()
	}
	return all.Tally(Recomputed), claims, holding
}

// verdict is the headline.
func (r *Result) verdict() string {
	n, claims, holding := r.totals()
	text := fmt.Sprintf("Of %d recomputed numbers, %d are exact, %d within rounding and %d differ", n.Cells, n.Exact, n.Rounding, n.Differ)
	if claims > 0 {
		text += fmt.Sprintf("; %d of %d claims hold", holding, claims)
	}
	return text + "."
}

// nearness shows, for each paper and origin, the share of values with each size of deviation.
func (r *Result) nearness() *report.BarChart {
	c := &report.BarChart{Title: "Deviation of our values from the printed ones", Horizontal: true,
		X: report.Axis{Title: "paper, values", Unit: report.Dimensionless},
		Y: report.Axis{Title: "share of the values", Unit: "%", Min: new(0.0), Max: new(100.0)}}
	for k, x := range sizes {
		name := fmt.Sprintf("%s, up to %g %%", x.word, 100*x.limit)
		switch k {
		case 0:
			name = x.word + " to the printed digits"
		case len(sizes) - 1:
			name = x.word + ", above"
		}
		c.Series = append(c.Series, report.BarSeries{Name: name, Stack: "size"})
	}
	for _, p := range r.Papers {
		for _, how := range hows {
			counts, total := make([]float64, len(sizes)), 0.0
			for _, t := range p.Tables {
				for _, cell := range t.Cells {
					if cell.How == how {
						counts[sizeOf(cell)]++
						total++
					}
				}
			}
			if total == 0 {
				continue
			}
			c.Categories = append(c.Categories, fmt.Sprintf("%s %s, %.0f", p.key(), how, total))
			for k, n := range counts {
				c.Series[k].Values = append(c.Series[k].Values, 100*n/total)
			}
		}
	}
	return c
}

func (r *Result) facts() []report.Fact {
	n, claims, holding := r.totals()
	facts := []report.Fact{
		{Label: "Exact", Value: fmt.Sprintf("%d of %d", n.Exact, n.Cells), Note: "recomputed numbers that round to the printed digits"},
		{Label: "Rounding", Value: fmt.Sprint(n.Rounding),
			Note: "within the rounding of the inputs, or a unit of the last digit off"},
		{Label: "Differ", Value: fmt.Sprint(n.Differ), Note: "each with its reason"},
	}
	if claims > 0 {
		facts = append(facts, report.Fact{Label: "Claims that hold", Value: fmt.Sprintf("%d of %d", holding, claims)})
	}
	return facts
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

// sections are the sections of one paper, which is a part of the report.
func (p *Paper) sections() []report.Section {
	var sections []report.Section
	add := func(title string, blocks ...report.Block) *report.Section {
		sections = append(sections, report.Section{Heading: title, Blocks: blocks})
		return &sections[len(sections)-1]
	}
	head := add("Overview", p.Summary())
	head.Text = []string{sentence(p.Citation), p.Questions}
	left := tableOf("Not reproduced", "what, and why")
	left.Rows = each.Append(left.Rows, p.NotReproduced, func(x string) []string { return []string{x} })
	if len(left.Rows) > 0 {
		head.Blocks = append(head.Blocks, left)
	}
	drawn := map[string][]report.Block{}
	for _, f := range p.Figures {
		drawn[f.ID] = f.Draw
	}
	// The statements of the text about a figure are a table with the same ID, below
	// it. Values without a printed counterpart are in the data of the chart.
	for i := range p.Tables {
		t := &p.Tables[i]
		s := add(t.Title, slices.Concat(drawn[t.ID], t.blocks())...)
		if t.Formula != "" {
			s.Text = []string{sentence("Ours: " + t.Formula)}
		}
		delete(drawn, t.ID)
	}
	for _, f := range p.Figures {
		if blocks, left := drawn[f.ID]; left {
			add(f.Title, blocks...)
		}
	}
	claims := tableOf("Claims", "where", "claim", "stated", "found", "holds", "why not")
	for _, c := range p.Claims {
		holds := map[bool]string{true: "yes", false: "no"}[c.Holds]
		claims.Rows = append(claims.Rows, []string{c.Where, c.What, c.Paper, c.Ours, holds, c.Note})
	}
	misprints := tableOf("Misprints and inconsistencies", "where", "what")
	for _, m := range p.Misprints {
		misprints.Rows = append(misprints.Rows, []string{m.Where, m.What})
	}
	for _, t := range []*report.Table{claims, misprints} {
		if len(t.Rows) > 0 {
			add(t.Title, t)
		}
	}
	return sections
}

// tableOf returns an empty table; columns are as for [page.Columns].
func tableOf(title string, columns ...string) *report.Table {
	return &report.Table{Title: title, Columns: page.Columns(columns...)}
}

// hows are the origins of values in the order of tables.
var hows = []How{Recomputed, Simulated, Fitted}

// Summary has a row for each table and each origin of values.
func (p *Paper) Summary() *report.Table {
	t := tableOf("Summary", "table", "how", "#cells", "#exact", "#rounding", "#differ", "#rms deviation [%]", "#worst [%]")
	for i := range p.Tables {
		for _, how := range hows {
			if n := p.Tables[i].Tally(how); n.Cells > 0 {
				row := []string{p.Tables[i].ID, string(how)}
				for _, count := range []int{n.Cells, n.Exact, n.Rounding, n.Differ} {
					row = append(row, fmt.Sprint(count))
				}
				t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.2f", 100*n.RMS), fmt.Sprintf("%.2f", 100*n.Worst)))
			}
		}
	}
	return t
}

// blocks returns the cells, the notes on them, and the parameters.
func (t *Table) blocks() []report.Block {
	var blocks []report.Block
	if len(t.Cells) > 0 {
		blocks = append(blocks, t.cellTable())
	}
	if c := t.parityChart(); c != nil {
		blocks = append(blocks, c)
	}
	reasons := &report.Notes{}
	reasons.Items = each.Append(reasons.Items, t.Differences(), Difference.String)
	reasons.Items = append(reasons.Items, t.Notes...)
	blocks = append(blocks, reasons)
	if len(t.Parameters) > 0 {
		x := tableOf("Parameters of the simulation", "parameter", "#value", "unit", "from")
		for _, p := range t.Parameters {
			x.Rows = append(x.Rows, []string{p.Name, strconv.FormatFloat(p.Value, 'g', 6, 64), p.Unit, p.Note})
		}
		blocks = append(blocks, x)
	}
	return blocks
}

// cellTable shows every cell, with a column of readings if there are any.
func (t *Table) cellTable() *report.Table {
	x := tableOf(t.ID, "row", "column", "#paper", "#ours", "deviation", "verdict", "how", "reading")
	x.Columns[4].Sizes = sizeWords()
	n := len(x.Columns)
	if !slices.ContainsFunc(t.Cells, func(c Cell) bool { return c.Reading != "" }) {
		n--
	}
	x.Columns = x.Columns[:n]
	for _, c := range t.Cells {
		row := []string{c.Row, c.Column, printed(c.Paper), number(c.Ours), deviationText(c),
			string(c.Verdict), string(c.How), c.Reading}
		x.Rows = append(x.Rows, row[:n])
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

// sizes are classes of relative deviations. Each includes its limit.
var sizes = []struct {
	word  string
	limit float64
}{
	{"equal", 0}, // and everything with the verdict exact
	{"slight", 0.02},
	{"small", 0.05},
	{"medium", 0.15},
	{"large", math.Inf(1)},
}

func sizeWords() []string {
	var all []string
	for _, s := range sizes {
		all = append(all, s.word)
	}
	return all
}

// sizeOf returns the index of the class of a deviation.
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

// deviationText returns a deviation with its class, as in "+2.6 % small".
func deviationText(c Cell) string {
	percent := math.Round(1e4*c.Deviation)/100 + 0 // no -0
	text := fmt.Sprintf("%+.2f %%", percent)
	if c.Paper == 0 {
		text = fmt.Sprintf("%+.3g", c.Deviation) // an absolute one
	}
	return text + " " + sizes[sizeOf(c)].word
}

func sizeLegend() string {
	s := "Each deviation from the printed value comes with a word and a colour: " + sizes[0].word + " to the printed digits"
	for _, x := range sizes[1 : len(sizes)-1] {
		s += fmt.Sprintf(", %s up to %g %%", x.word, 100*x.limit)
	}
	return s + ", " + sizes[len(sizes)-1].word + " above."
}

// fewestPairs is the number of values from which on a chart adds to the table.
const fewestPairs = 5

// parityChart shows the values of the engine and of models over the printed ones; values recomputed by formula differ
// only by rounding. It is nil for few values, and for values of several units.
func (t *Table) parityChart() *report.LineChart {
	var pairs []page.Pair
	names, units, origins := make(map[string]bool), make(map[string]bool), make(map[How]bool)
	name, unit, origin := "", "", How("")
	for _, c := range t.Cells {
		if c.How == Recomputed || c.Paper < leastDrawn || c.Ours < leastDrawn {
			continue
		}
		name, unit = quantity(c.Column)
		origin = c.How
		names[name], units[unit], origins[origin] = true, true, true
		group := name
		if c.Reading != "" {
			group += ", " + c.Reading
		}
		pairs = append(pairs, page.Pair{Group: group, Reference: c.Paper, Computed: c.Ours})
	}
	if len(pairs) < fewestPairs || len(units) > 1 {
		return nil
	}
	if len(names) > 1 {
		name = "values"
	}
	if len(origins) > 1 {
		origin = "our"
	}
	c := page.ParityChart(name, unit, "published", string(origin), pairs)
	if table, _, _ := strings.Cut(t.Title, ":"); table != "" {
		c.Title += ", " + table // distinguishes it from other tables
	}
	return c
}

// leastDrawn is the least value of a logarithmic axis.
const leastDrawn = 1e-9

// quantity splits the head of a column, such as T [ms].
func quantity(column string) (name, unit string) {
	name, unit, ok := strings.Cut(column, " [")
	if !ok {
		return column, report.Dimensionless
	}
	return name, strings.TrimSuffix(unit, "]")
}
