package explorer

import (
	"context"
	"path/filepath"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// exported is the answer to "export": the files of a scenario as they run in the command
// line, the scenario first.
type exported struct {
	Files []file `json:"files"`
}

type file struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// export writes a scenario with what was set in it. Its machine is written into it, so
// that one file is enough, unless its workload is an application of a file.
func (b *Bridge) export(_ context.Context, q *Request) (any, []byte, error) {
	if _, _, err := b.documents.ReadRunnable(q.File, q.overrides()); err != nil {
		return nil, nil, err
	}
	root, err := b.documents.WithMachine(q.File, q.overrides())
	if err != nil {
		return nil, nil, err
	}
	x := exported{[]file{{"scenario.yaml", root.YAML()}}}
	if name := textAt(root, "workload", "application"); name != "" {
		x.Files = append(x.Files, file{name, string(b.documents[input.Resolve(filepath.Dir(q.File), name)])})
	}
	return x, nil, nil
}
