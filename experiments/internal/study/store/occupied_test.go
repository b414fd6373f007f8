package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A study is made in a new or empty directory only, and no message of a failure speaks
// of rows that there never were.
func TestCreateInAnOccupiedPlace(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string // in the directory; "" is a file in its place
		want  string   // "": it is created
	}{
		{"new", nil, ""},
		{"killed while it was created", []string{"plan.json.host.1.abc.tmp"}, ""},
		{"other files", []string{"thesis.tex", ".git"}, "it has other files, such as thesis.tex"},
		{"rows without a plan", []string{"shard-00001.csv"}, "it has the rows of a study, but not its plan.json"},
		{"parts without a plan", []string{"part-00001.host.1.abc"}, "it has the rows of a study, but not its plan.json"},
		{"a file", []string{""}, "it is a file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "study")
			for _, name := range tt.files {
				if name != "" {
					if err := os.MkdirAll(dir, 0o777); err != nil {
						t.Fatal(err)
					}
				}
				write(t, filepath.Join(dir, name), "x")
			}
			_, err := Create(dir, samplePlan(7, 2))
			var occupied *OccupiedError
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (!errors.As(err, &occupied) || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v; want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "rows are kept") {
				t.Errorf("the message speaks of rows: %v", err)
			}
		})
	}
}

// What is in the place of a file and is none is refused at once: a reader of a pipe
// would wait for ever.
func TestNoFile(t *testing.T) {
	d := mustCreate(t, samplePlan(7, 2))
	name := planName(d.path)
	for _, tt := range []struct {
		put  func() error
		want string
	}{
		{func() error { return os.Mkdir(name, 0o777) }, "it is a directory, not a file"},
		{func() error { return makePipe(name) }, "it is a named pipe, not a file"},
		{func() error { return os.Symlink(os.DevNull, name) }, "it is a device, not a file"},
	} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := tt.put(); errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(d.path); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v; want %q", err, tt.want)
		}
	}
}
