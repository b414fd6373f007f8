package catalogue

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
)

// SchemaNames are the kinds of file that have a schema, as [Schema] takes them.
func SchemaNames() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.short
	}
	return names
}

// Schema returns the JSON Schema (draft 2020-12) of a kind of file, ready for
// encoding/json; of a file of any kind if the name is "".
func Schema(name string) (map[string]any, error) {
	if name == "" {
		var all schema.AnyOf
		for _, k := range kinds {
			all = append(all, k.form)
		}
		return schema.JSONSchema("a file of isoscale", all), nil
	}
	i := slices.Index(SchemaNames(), name)
	if i < 0 {
		return nil, input.Errorf("unknown kind of file %q; expected one of %s%s", name, input.List(SchemaNames()), input.Suggestion(name, SchemaNames()))
	}
	return schema.JSONSchema("isoscale: "+string(kinds[i].name), kinds[i].form), nil
}
