package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/internal/each"
)

// Format is the number of the directory's layout. It changes when an older
// version of this package would misread a directory.
const Format = 1

// maxShards bounds the work that a damaged plan.json can cause. Shard numbers then have
// at most five digits.
const maxShards = 100_000

// maxPlan is the largest plan.json that is read, in bytes.
const maxPlan = 16 << 20

// pointColumn is the header of the first column of results.csv.
const pointColumn = "point"

// Column describes a cell of each row.
type Column struct {
	Name string `json:"name"`
	// Unit of the numbers in the column; empty if it has none.
	Unit string `json:"unit,omitempty"`
	// Kind is a note of the caller about the column, such as factor or response.
	Kind string `json:"kind,omitempty"`
}

// Header is the name with the unit, as in `latency [us]`.
func (c Column) Header() string {
	if c.Unit == "" {
		return c.Name
	}
	return c.Name + " [" + c.Unit + "]"
}

// Header returns the first line of a table with a row for each point.
func Header(columns []Column) []string {
	return each.Append([]string{pointColumn}, columns, Column.Header)
}

// Plan describes a study. Points, Seed, Columns and Spec are its identity: they
// determine the rows. Version prevents a table with rows of two versions of the tool.
// Shards determines only how the rows are stored.
type Plan struct {
	// Format and Hash are filled in by Create.
	Format  int    `json:"format"`
	Version string `json:"version"` // of the tool that computes the rows
	Hash    string `json:"hash"`
	Points  int    `json:"points"` // at least 1
	// Least, if not 0, is the least number of rows, in the one shard; these rows decide whether and which points
	// follow.
	Least  int   `json:"least,omitempty"`
	Shards int   `json:"shards"` // 1 to 100000; see the function Shards
	Seed   int64 `json:"seed"`
	// Columns of a row, without the point. At least one; no two have the same
	// header, and none is called point.
	Columns []Column `json:"columns"`
	// Spec has everything else that determines the rows, as JSON.
	Spec json.RawMessage `json:"spec"`
}

// PointsOf returns how many points the shard has.
func (p *Plan) PointsOf(shard int) int {
	if shard >= p.Points {
		return 0
	}
	return (p.Points-shard-1)/p.Shards + 1
}

// mayEnd reports whether a point need not have a row.
func (p *Plan) mayEnd(point int) bool { return p.Least > 0 && point >= p.Least }

// header is the first line of the parts of a shard, without its end.
func (p *Plan) header(shard int) string {
	return fmt.Sprintf("# isoscale shard format %d plan %s shard %d of %d", p.Format, p.Hash, shard, p.Shards)
}

// hash is the SHA-256 in hexadecimal digits of this JSON without white space:
//
//	{"format":F,"points":N,"seed":S,"columns":[...],"spec":...}
//
// in which the keys of the spec are sorted at every level. Numbers count as
// they are written: 1 and 1.0 are different.
func (p *Plan) hash() (string, error) {
	spec, err := canonical(p.Spec)
	if err != nil {
		return "", err
	}
	content, err := encode(struct {
		Format  int             `json:"format"`
		Points  int             `json:"points"`
		Seed    int64           `json:"seed"`
		Columns []Column        `json:"columns"`
		Spec    json.RawMessage `json:"spec"`
	}{p.Format, p.Points, p.Seed, p.Columns, spec}, "")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(bytes.TrimSuffix(content, []byte("\n")))
	return hex.EncodeToString(sum[:]), nil
}

// check reports what is wrong with the plan itself.
func (p *Plan) check() error {
	switch {
	case p.Points < 1 || p.Points > math.MaxInt-maxShards: // so that the point after the last is an int
		return fmt.Errorf("points: %d; expected 1 to %d", p.Points, math.MaxInt-maxShards)
	case p.Shards < 1 || p.Shards > maxShards:
		return fmt.Errorf("shards: %d; expected 1 to %d", p.Shards, maxShards)
	case p.Least < 0 || p.Least > p.Points || p.Least > 0 && p.Shards != 1:
		return fmt.Errorf("least: %d; expected 0, or up to %d in one shard", p.Least, p.Points)
	case !utf8.ValidString(p.Version):
		return fmt.Errorf("version: %q; expected UTF-8", p.Version)
	case len(p.Columns) == 0:
		return fmt.Errorf("columns: none; expected at least one")
	}
	seen := map[string]bool{pointColumn: true}
	for i, c := range p.Columns {
		header := c.Header()
		switch {
		case !utf8.ValidString(header + c.Kind):
			return fmt.Errorf("columns[%d]: %q, %q; expected UTF-8", i, header, c.Kind)
		case c.Name == "" || strings.ContainsAny(header, "\r\n"):
			return fmt.Errorf("columns[%d]: %q; expected a name on one line", i, header)
		case header == pointColumn:
			return fmt.Errorf("columns[%d]: %q is the name of the first column of every table; expected another name", i, header)
		case seen[header]:
			return fmt.Errorf("columns[%d]: %q occurs twice; expected different names", i, header)
		}
		seen[header] = true
	}
	return nil
}

// readPlan reads the content of plan.json. It refuses other formats, and content that
// does not match its hash.
func readPlan(dir string, text []byte) (*Plan, error) {
	var head struct {
		Format int `json:"format"`
	}
	name := planName(dir)
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%s: %w; expected the plan of a study", name, err)
	}
	if head.Format != Format {
		return nil, &PlanError{Dir: dir, Field: "format", Existing: fmt.Sprint(head.Format), Wanted: fmt.Sprint(Format)}
	}
	p := new(Plan)
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("%s: %w; expected the plan of a study", name, err)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	hash, err := p.hash()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if hash != p.Hash {
		return nil, &PlanError{Dir: dir, Field: "hash", Existing: p.Hash, Wanted: hash}
	}
	if len(p.Spec) == 0 {
		p.Spec = json.RawMessage("null")
	}
	var spec bytes.Buffer
	if err := json.Compact(&spec, p.Spec); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.Spec = spec.Bytes()
	return p, nil
}

// canonical returns the JSON text with sorted keys and without white space.
func canonical(text json.RawMessage) (json.RawMessage, error) {
	value, err := decode(text)
	if err != nil {
		return nil, err
	}
	out, err := encode(value, "")
	return bytes.TrimSuffix(out, []byte("\n")), err
}

// decode returns the value of a JSON text, with numbers as they are written. An empty
// text is null.
func decode(text json.RawMessage) (any, error) {
	if len(text) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, fmt.Errorf("spec: %w; expected JSON", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("spec: text after the JSON value; expected one JSON value")
	}
	return value, nil
}

// encode is json.Marshal without escapes for HTML, which make conditions such
// as "a < b" hard to read.
func encode(value any, indent string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// PlanError reports that the plan in a directory is not the wanted one.
type PlanError struct {
	Dir string
	// Field is what differs: "format", "points", "seed", "columns", "spec" or
	// "version"; or "hash" if plan.json was changed after it was written.
	Field string
	// Path is where in the field, for columns and spec: "[2]" or
	// "factors.p.values[0]".
	Path string
	// Existing is the value in the directory, Wanted the other one; both are
	// shortened if they are long.
	Existing, Wanted string
}

func (e *PlanError) Error() string {
	name := planName(e.Dir)
	switch e.Field {
	case "format":
		return fmt.Sprintf("%s: format %s; this version reads format %s: expected the version that made the directory, or a new directory", name, e.Existing, e.Wanted)
	case "hash":
		return fmt.Sprintf("%s: changed after it was written: the hash does not match the content (it is %s, that of the content is %s); expected the original file", name, e.Existing, e.Wanted)
	case "version":
		return fmt.Sprintf("%s: computed by version %s, but this is version %s: a study cannot mix rows of two versions; it can be read and exported, but not resumed; expected version %s, or a new directory", name, e.Existing, e.Wanted, e.Existing)
	}
	where := e.Field
	if e.Path != "" {
		where += ": " + e.Path
	}
	return fmt.Sprintf("%s: the directory has another study: %s is %s there, but %s in the plan; expected the same study, or a new directory", name, where, e.Existing, e.Wanted)
}

// difference returns the first difference between two plans that matters, or
// nil. Both have passed check and are of this format.
func difference(dir string, existing, wanted *Plan) error {
	a, err := decode(existing.Spec)
	if err != nil {
		return err
	}
	b, err := decode(wanted.Spec)
	if err != nil {
		return err
	}
	// The spec is compared before the number of points, because that often follows from the spec.
	for _, x := range []struct {
		field            string
		existing, wanted any
	}{
		{"columns", anys(existing.Columns), anys(wanted.Columns)},
		{"spec", a, b},
		{"points", existing.Points, wanted.Points},
		{"seed", existing.Seed, wanted.Seed},
	} {
		if path, a, b, ok := differAt("", x.existing, x.wanted); ok {
			return &PlanError{Dir: dir, Field: x.field, Path: path, Existing: shown(a), Wanted: shown(b)}
		}
	}
	return sameVersion(dir, existing.Version, wanted.Version)
}

func sameVersion(dir, existing, wanted string) error {
	if existing == wanted {
		return nil
	}
	return &PlanError{Dir: dir, Field: "version", Existing: existing, Wanted: wanted}
}

func anys[T any](list []T) []any {
	return each.Of(list, func(x T) any { return x })
}

// absent stands for a value that does not exist.
type absent struct{}

// differAt finds the first place in which two JSON values differ, keys in
// sorted order.
func differAt(path string, a, b any) (at string, va, vb any, ok bool) {
	switch a := a.(type) {
	case map[string]any:
		if b, same := b.(map[string]any); same {
			keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
			slices.Sort(keys)
			for _, key := range slices.Compact(keys) {
				if at, va, vb, ok := differAt(joined(path, key), member(a, key), member(b, key)); ok {
					return at, va, vb, true
				}
			}
			return "", nil, nil, false
		}
	case []any:
		if b, same := b.([]any); same {
			for i := range max(len(a), len(b)) {
				if at, va, vb, ok := differAt(fmt.Sprintf("%s[%d]", path, i), item(a, i), item(b, i)); ok {
					return at, va, vb, true
				}
			}
			return "", nil, nil, false
		}
	}
	// Here at least one is a scalar, or they are of different kinds.
	return path, a, b, !reflect.DeepEqual(a, b)
}

func member(of map[string]any, key string) any {
	if v, ok := of[key]; ok {
		return v
	}
	return absent{}
}

func item(of []any, i int) any {
	if i < len(of) {
		return of[i]
	}
	return absent{}
}

// joined is the path of a key, quoted where it could be misread.
func joined(path, key string) string {
	switch {
	case key == "" || strings.ContainsAny(key, ".[]\" \r\n"):
		return fmt.Sprintf("%s[%q]", path, key)
	case path == "":
		return key
	}
	return path + "." + key
}

// shown returns a value as JSON for an error message, shortened if it is long.
func shown(value any) string {
	const limit = 80
	if _, ok := value.(absent); ok {
		return "nothing"
	}
	if c, ok := value.(Column); ok && c.Kind == "" {
		return fmt.Sprintf("%q", c.Header())
	} else if ok {
		return fmt.Sprintf("%q (%s)", c.Header(), c.Kind)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	if runes := []rune(string(text)); len(runes) > limit {
		return string(runes[:limit]) + "..."
	}
	return string(text)
}
