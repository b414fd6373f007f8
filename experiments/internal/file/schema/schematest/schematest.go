package schematest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Schema is a schema in the form of the validator.
type Schema struct{ compiled *jsonschema.Schema }

// Of returns the schema of files of a type.
func Of(t testing.TB, of schema.Type) *Schema {
	t.Helper()
	return Compile(t, schema.JSONSchema("", of))
}

// Compile returns the schema in a JSON document. A document that is none ends the test.
func Compile(t testing.TB, document map[string]any) *Schema {
	t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return &Schema{compiled}
}

// Validate says what is wrong with a file by the schema.
func (s *Schema) Validate(root *yamldoc.Node) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(root.JSON()))
	if err != nil {
		return err
	}
	return s.compiled.Validate(doc)
}

// Agree returns an error where the schema contradicts what the reader says of a
// file.
func (s *Schema) Agree(root *yamldoc.Node, reader error) error {
	refused := s.Validate(root)
	switch {
	case reader == nil && refused != nil:
		return fmt.Errorf("the reader accepts it, the schema does not: %w", refused)
	case reader != nil && refused == nil && expressible(reader):
		return fmt.Errorf("the schema accepts it, the reader does not: %w", reader)
	}
	return nil
}

// AgreeText is [Schema.Agree] for the text of a file. Text that is no YAML document is
// not compared.
func (s *Schema) AgreeText(text string, reader error) error {
	root, err := yamldoc.Parse("file.yaml", []byte(text))
	if err != nil {
		return nil
	}
	return s.Agree(root, reader)
}
