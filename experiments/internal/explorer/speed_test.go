package explorer

import (
	"context"
	"encoding/json"
	"os"
	"testing"
)

// BenchmarkSlider answers what the page asks when a slider is moved: a run of 64 ranks and 10 240 messages, with its
// timeline.
func BenchmarkSlider(b *testing.B) {
	text, err := os.ReadFile("page/assets/explore.yaml")
	if err != nil {
		b.Fatal(err)
	}
	bridge := New(map[string]string{"explore.yaml": string(text)})
	for _, network := range []string{"hockney", "flow"} {
		b.Run(network, func(b *testing.B) {
			request := []byte(`{"do": "run", "file": "explore.yaml", "timeline": true, "set": [{"path": "machine.nodes[0].count", "value": "64"},
				{"path": "workload.n", "value": "80"}, {"path": "network", "value": "` + network + `"}]}`)
			var reply Reply
			b.ReportAllocs()
			for b.Loop() {
				reply = bridge.Answer(context.Background(), request)
			}
			var answer struct {
				Run struct {
					Messages int `json:"messages"`
				} `json:"run"`
			}
			if err := json.Unmarshal(reply.JSON, &answer); err != nil || answer.Run.Messages != 10240 || len(reply.Timeline) == 0 {
				b.Fatalf("%v, %d messages, a timeline of %d bytes; want 10240 messages and a timeline: %.300s", err, answer.Run.Messages, len(reply.Timeline), reply.JSON)
			}
		})
	}
}
