package chart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/isoscale/isoscale/internal/each"
)

// A Chart is a chart of one kind, in all its forms. Each kind has its own file here.
type Chart interface {
	Block
	drawable() bool    // has something to draw
	finding() []string // what it shows, if it is drawable
	data(*data)        // all its points
	vega() object      // marks and encoding of Vega-Lite, for those points

	// pixels is the height that the chart has in a page, in CSS pixels.
	pixels() int
	drawing
	// interactive fills in what the script of a page draws.
	interactive(*Interactive)
}

// A kind is a kind of chart: its name in JSON, and its type.
type kind struct {
	name string
	of   reflect.Type
}

// kinds lists all kinds in the order of their files, each of which calls [isKind] for its own.
var kinds []kind

// isKind registers the type of a chart as a kind.
func isKind(name string, c Chart) bool {
	kinds = append(kinds, kind{name, reflect.TypeOf(c)})
	return true
}

func (k kind) empty() Chart { return reflect.New(k.of.Elem()).Interface().(Chart) }

// kindOf returns the name of the kind of a chart, or "" for a block that is no chart.
func kindOf(b Block) string {
	for _, k := range kinds {
		if k.of == reflect.TypeOf(b) {
			return k.name
		}
	}
	return ""
}

// Kinds returns the names of the kinds of charts, as JSON has them.
func Kinds() []string {
	return each.Of(kinds, func(k kind) string { return k.name })
}

// Drawable reports whether a block is a chart with something to draw.
func Drawable(b Block) bool {
	c, ok := b.(Chart)
	return ok && c.drawable()
}

// Words returns the title and caption of a chart as they are shown. Every kind has both fields.
func Words(b Block) (title, caption string) {
	if _, ok := b.(Chart); !ok {
		return "", ""
	}
	of := reflect.ValueOf(b).Elem()
	return Clean(of.FieldByName("Title").String()), Clean(of.FieldByName("Caption").String())
}

// Title returns the title of a chart.
func Title(b Block) string {
	title, _ := Words(b)
	return title
}

const (
	// mostFound is how many series a description names.
	mostFound = 4
	// alike is the relative difference up to which a description calls values equal.
	alike = 1e-9
)

// Finding says in words what a drawable chart shows, for readers who do not see it: where each series starts
// and ends, and the extremes of bars and maps.
func Finding(c Chart) string {
	found := c.finding()
	if n := len(found); n > mostFound {
		found = append(found[:mostFound], fmt.Sprintf("and %d more", n-mostFound))
	}
	_, caption := Words(c)
	return strings.TrimSpace(strings.Join(found, "; ") + ". " + caption)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Pixels is the height that a chart has in a page, in CSS pixels.
func Pixels(c Chart) int { return c.pixels() }

// A Named is a chart of a document with its name in files and flags.
type Named struct {
	Name  string
	Block Block
}

// Of returns the charts of a document with something to draw. A name is the title in small
// letters and digits with hyphens between, and a number where two names would be equal.
func Of(d *Document) []Named {
	var charts []Named
	used := make(map[string]bool)
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			if !Drawable(b) {
				continue
			}
			base := slug(Title(b))
			name := base
			for k := 2; used[name]; k++ {
				name = base + "-" + strconv.Itoa(k)
			}
			used[name] = true
			charts = append(charts, Named{name, b})
		}
	}
	return charts
}

// slug turns a title into the name of a file.
func slug(title string) string {
	const longest = 60
	var out strings.Builder
	for _, r := range strings.ToLower(title) {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			out.WriteRune(r)
		} else if s := out.String(); s != "" && !strings.HasSuffix(s, "-") {
			out.WriteByte('-')
		}
		if out.Len() >= longest {
			break
		}
	}
	if name := strings.Trim(out.String(), "-"); name != "" {
		return name
	}
	return "chart"
}

// Kind returns the name of the kind of the chart, or "" for a block that is no chart.
func (c Named) Kind() string {
	return kindOf(c.Block)
}

// MarshalJSON writes the chart with its name, its kind and all its fields.
func (c Named) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name  string `json:"name"`
		Kind  string `json:"kind"`
		Chart any    `json:"chart"`
	}{c.Name, c.Kind(), c.Block})
}

// UnmarshalJSON reads what MarshalJSON writes. Unknown fields are errors.
func (c *Named) UnmarshalJSON(text []byte) error {
	var head struct {
		Name  string          `json:"name"`
		Kind  string          `json:"kind"`
		Chart json.RawMessage `json:"chart"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return err
	}
	names := Kinds()
	last := len(names) - 1
	k := slices.Index(names, head.Kind)
	if k < 0 {
		return fmt.Errorf("chart %q: kind is %q; expected %s or %s", head.Name, head.Kind,
			strings.Join(names[:last], ", "), names[last])
	}
	*c = Named{head.Name, kinds[k].empty()}
	d := json.NewDecoder(bytes.NewReader(head.Chart))
	d.DisallowUnknownFields()
	if err := d.Decode(c.Block); err != nil {
		return fmt.Errorf("chart %q: %w", head.Name, err)
	}
	return nil
}

// Read reads the charts under "charts" of a JSON document.
func Read(r io.Reader) ([]Named, error) {
	var document struct {
		Charts []Named `json:"charts"`
	}
	if err := json.NewDecoder(r).Decode(&document); err != nil {
		return nil, err
	}
	if len(document.Charts) == 0 {
		return nil, fmt.Errorf("it has no charts; expected what --json --charts prints")
	}
	// Charts from a file are checked like computed ones. Those that cannot be drawn are errors here.
	check := &Document{Title: "charts", Sections: []Section{{Heading: "charts"}}}
	for _, c := range document.Charts {
		check.Sections[0].Blocks = append(check.Sections[0].Blocks, c.Block)
	}
	if err := check.Check(); err != nil {
		return nil, err
	}
	for _, c := range document.Charts {
		if !Drawable(c.Block) {
			return nil, fmt.Errorf("chart %q has nothing to draw", c.Name)
		}
	}
	return document.Charts, nil
}

// A Change says how a figure differs from the chart of the report.
type Change struct {
	X, Y   string   // "log" or "linear"; "" leaves the axis as it is
	Series []string // which to keep; nil keeps all
}

// Apply returns a changed copy of a chart. The error names what the chart lacks.
func (c Change) Apply(of Named) (Named, error) {
	if c.X == "" && c.Y == "" && c.Series == nil {
		return of, nil
	}
	from, ok := of.Block.(changeable)
	if !ok {
		return Named{}, fmt.Errorf("chart %q: it has no series and no axes to change", of.Name)
	}
	changed, err := from.changed(c)
	if err != nil {
		return Named{}, fmt.Errorf("chart %q: %w", of.Name, err)
	}
	d := &Document{Title: "figure", Sections: []Section{{Heading: "figure", Blocks: []Block{changed}}}}
	if err := d.Check(); err != nil {
		return Named{}, err
	}
	return Named{of.Name, changed}, nil
}

// changeable charts have series and axes to change.
type changeable interface {
	changed(to Change) (Block, error)
}

func selected[S any](all []S, keep []bool) []S {
	var some []S
	for i, s := range all {
		if keep[i] {
			some = append(some, s)
		}
	}
	return some
}

func scaled(a Axis, to string) Axis {
	if to != "" {
		a.Log = to == "log"
		a.Min, a.Max = nil, nil
	}
	return a
}

// kept reports for each name whether it is wanted; wanted is nil for all. The error says which wanted one is missing.
func kept(wanted, names []string) (keep []bool, err error) {
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			err = fmt.Errorf("no series is called %q; expected some of %s", name, strings.Join(names, ", "))
		}
	}
	return each.Of(names, func(name string) bool { return wanted == nil || slices.Contains(wanted, name) }), err
}
