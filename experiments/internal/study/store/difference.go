package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

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
	differs := func(field, path string, a, b any) error {
		return &PlanError{Dir: dir, Field: field, Path: path, Existing: shown(a), Wanted: shown(b)}
	}
	for i := range max(len(existing.Columns), len(wanted.Columns)) {
		a, b := columnAt(existing, i), columnAt(wanted, i)
		if a != b {
			return differs("columns", fmt.Sprintf("[%d]", i), a, b)
		}
	}
	a, err := decode(existing.Spec)
	if err != nil {
		return err
	}
	b, err := decode(wanted.Spec)
	if err != nil {
		return err
	}
	// The spec comes before the number of points, because that often follows
	// from it.
	if path, a, b, ok := differAt("", a, b); ok {
		return differs("spec", path, a, b)
	}
	switch {
	case existing.Points != wanted.Points:
		return differs("points", "", existing.Points, wanted.Points)
	case existing.Seed != wanted.Seed:
		return differs("seed", "", existing.Seed, wanted.Seed)
	}
	return sameVersion(dir, existing.Version, wanted.Version)
}

func sameVersion(dir, existing, wanted string) error {
	if existing == wanted {
		return nil
	}
	return &PlanError{Dir: dir, Field: "version", Existing: existing, Wanted: wanted}
}

// absent stands for a value that is not there.
type absent struct{}

// columnAt returns the column or absent.
func columnAt(p *Plan, i int) any {
	if i < len(p.Columns) {
		return p.Columns[i]
	}
	return absent{}
}

// differAt finds the first place in which two JSON values differ, keys in
// sorted order.
func differAt(path string, a, b any) (at string, va, vb any, ok bool) {
	switch a := a.(type) {
	case map[string]any:
		b, same := b.(map[string]any)
		if !same {
			break
		}
		keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			va, inA := a[key]
			vb, inB := b[key]
			if !inA {
				va = absent{}
			}
			if !inB {
				vb = absent{}
			}
			if at, va, vb, ok := differAt(joined(path, key), va, vb); ok {
				return at, va, vb, true
			}
		}
		return "", nil, nil, false
	case []any:
		b, same := b.([]any)
		if !same {
			break
		}
		for i := range max(len(a), len(b)) {
			va, vb := any(absent{}), any(absent{})
			if i < len(a) {
				va = a[i]
			}
			if i < len(b) {
				vb = b[i]
			}
			if at, va, vb, ok := differAt(fmt.Sprintf("%s[%d]", path, i), va, vb); ok {
				return at, va, vb, true
			}
		}
		return "", nil, nil, false
	}
	// Here at least one is a scalar, or they are of different kinds.
	return path, a, b, !reflect.DeepEqual(a, b)
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

// shown is a value in an error message: JSON, not too long.
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
