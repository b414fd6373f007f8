package explorer

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Errors in what a reader sets on the page are in the words of the file, not of a command line; errors in the file keep
// their places.
func TestErrorsOfSettingsAreInWordsOfTheFile(t *testing.T) {
	const text = `machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 MB/s}}
network: hockney
workload: {name: pattern, n: 1, shape: ring, size: 1 MB}
`
	for _, tt := range []struct{ do, path, value, want string }{
		{"run", "network.latency", "abc", `network.latency: time "abc": `},
		{"hold", "network.latency", "abc", `network.latency: time "abc": `},
		{"controls", "network.latency", "abc", `network.latency: time "abc": `},
		{"run", "machine.nodes[0].count", "-1", "machine.nodes[0].count: -1 is less than 1; "},
		{"run", "machine.nodes[7].count", "1", "machine.nodes"},
		{"run", "network", "{", "network: "},
		{"run", "network..latency", "1 us", "network..latency: "},
	} {
		for place, file := range map[string]string{"": text, "\na.yaml:3:30: workload.n": strings.Replace(text, "n: 1,", "n: x,", 1)} {
			b := New(map[string]string{"a.yaml": file})
			answer := ask(t, b, Request{Do: tt.do, File: "a.yaml", Set: []Setting{{Path: tt.path, Value: tt.value}}})
			e, _ := answer["error"].(map[string]any)
			got, _ := e["text"].(string)
			if _, told := strings.CutPrefix(tt.want, "network.latency"); told {
				expect.That(t, strings.Contains(got, place), "%s, %s=%s: %q, want %q in it", tt.do, tt.path, tt.value, got, place)
			}
			expect.That(t, strings.HasPrefix(got, tt.want) && !strings.Contains(got, "--set"), "%s, %s=%s: %q, want %q", tt.do, tt.path, tt.value, got, tt.want)
		}
	}
}
