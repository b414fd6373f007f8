// Package scenariotest reads scenarios and studies from the text of a test.
//
// Layer. Under experiments; for tests only.
package scenariotest

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

// file is the name of the text in messages.
const file = "test.yaml"

// Scenario reads a scenario. An error ends the test.
func Scenario(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Documents{file: []byte(text)}.Read(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Study reads a study. An error ends the test.
func Study(t testing.TB, text string) *scenario.Study {
	t.Helper()
	s, err := scenario.Documents{file: []byte(text)}.ReadStudy(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
