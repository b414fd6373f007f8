package schema

// draft is the dialect of JSON Schema.
const draft = "https://json-schema.org/draft/2020-12/schema"

// JSONSchema returns the schema of files of a type, ready for encoding/json.
func JSONSchema(title string, t Type) map[string]any {
	defs := map[string]any{}
	s := map[string]any{"$schema": draft, "title": title}
	for k, v := range t.schema(defs).(map[string]any) {
		if k != "title" {
			s[k] = v
		}
	}
	if len(defs) > 0 {
		s["$defs"] = defs
	}
	return s
}
