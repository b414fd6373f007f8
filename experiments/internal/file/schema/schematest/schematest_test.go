package schematest

import (
	"errors"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/internal/expect"
)

// A schema and a reader disagree where only one of them refuses a file, unless the
// schema cannot know.
func TestAgree(t *testing.T) {
	s := Of(t, &schema.Object{What: "a thing", Fields: func() []schema.Field {
		return []schema.Field{
			{Key: "time", Type: schema.Time, Required: true},
		}
	}})
	for _, tt := range []struct {
		name, text string
		reader     error
		agree      bool
	}{
		{"both accept", "time: 1 s", nil, true},
		{"both refuse", "time: 1 m", errors.New("no unit of time"), true},
		{"only the reader refuses", "time: 1 s", errors.New("no unit of time"), false},
		{"only the schema refuses", "time: 1 m", nil, false},
		{"unknown key", "{time: 1 s, tome: 2 s}", nil, false},
		{"missing key", "{}", nil, false},
		{"beyond a schema", "time: 1e999 s", errors.New("the value is too large"), true},
		{"no document", "time: [", errors.New("not valid YAML"), true},
	} {
		err := s.AgreeText(tt.text, tt.reader)
		expect.That(t, (err == nil) == tt.agree, "%s: %v", tt.name, err)
	}
}
