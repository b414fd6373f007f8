package chart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// A Named is a chart of a document with the name that files and flags have for it.
type Named struct {
	Name  string
	Block Block
}

// Of returns the charts of a document with something to draw. A name is made of the
// title: small letters and digits with hyphens between, and a number where two would be
// the same.
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

// slug is a title as the name of a file.
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

// Kind returns the name of the kind of the chart, or "" for what is no chart.
func (c Named) Kind() string {
	return kindOf(c.Block)
}

// MarshalJSON writes the chart with its name, its kind and all
// its fields.
func (c Named) MarshalJSON() ([]byte, error) {
	body := any(c.Block)
	if s, ok := c.Block.(flattened); ok {
		body = gridded(s.flat())
	}
	return json.Marshal(struct {
		Name  string `json:"name"`
		Kind  string `json:"kind"`
		Chart any    `json:"chart"`
	}{c.Name, c.Kind(), body})
}

// flattened charts are surfaces.
type flattened interface{ flat() *Surface }

// A surfaceJSON is a surface whose points without a value are null: JSON has no NaN.
type surfaceJSON struct {
	*Surface
	Values [][]*float64 `json:"values"`
}

func gridded(s *Surface) surfaceJSON {
	out := surfaceJSON{Surface: s, Values: make([][]*float64, len(s.Values))}
	for i, row := range s.Values {
		out.Values[i] = make([]*float64, len(row))
		for k, v := range row {
			if !math.IsNaN(v) {
				out.Values[i][k] = &v
			}
		}
	}
	return out
}

// grid sets the values of the surface to those that were read.
func (s surfaceJSON) grid() {
	s.Surface.Values = make([][]float64, len(s.Values))
	for i, row := range s.Values {
		for _, v := range row {
			if v == nil {
				s.Surface.Values[i] = append(s.Surface.Values[i], math.NaN())
			} else {
				s.Surface.Values[i] = append(s.Surface.Values[i], *v)
			}
		}
	}
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
	for _, k := range kinds {
		if k.name != head.Kind {
			continue
		}
		block := k.empty()
		d := json.NewDecoder(bytes.NewReader(head.Chart))
		d.DisallowUnknownFields()
		var surface surfaceJSON
		into := any(block)
		if s, ok := block.(flattened); ok {
			surface.Surface, into = s.flat(), &surface
		}
		if err := d.Decode(into); err != nil {
			return fmt.Errorf("chart %q: %w", head.Name, err)
		}
		if surface.Surface != nil {
			surface.grid()
		}
		*c = Named{head.Name, block}
		return nil
	}
	names := Kinds()
	last := len(names) - 1
	return fmt.Errorf("chart %q: kind is %q; expected %s or %s", head.Name, head.Kind, strings.Join(names[:last], ", "), names[last])
}

// Read reads charts as "charts" of a JSON document has them.
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
	// What is read is checked as what is computed: a chart that cannot be drawn is an
	// error here.
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
