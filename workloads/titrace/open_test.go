package titrace_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// write makes files below a new folder and returns it.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		expect.Success(t, os.MkdirAll(filepath.Dir(path), 0o777))
		expect.Success(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return folder
}

func compressed(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	expect.Value(w.Write([]byte(text)))(t)
	expect.Success(t, w.Close())
	return b.String()
}

const (
	rank0  = "# first\n0 init\n0 send 1 0 1e6\n0 finalize\n"
	rank1  = "\n1 init\n1 recv 0 0 1e6\n1 compute 5\n1 finalize\n"
	merged = "1 init\n0 init\n0 send 1 0 1e6\n1 recv 0 0 1e6\n1 compute 5\n1 finalize\n0 finalize\n"
)

func TestOpen(t *testing.T) {
	want := [][]workloads.Op{
		{{Kind: workloads.Send, Peer: 1, Size: 1e6}},
		{{Kind: workloads.Recv, Size: 1e6}, {Kind: workloads.Compute, Work: 5}},
	}
	folder := write(t, map[string]string{
		"merged.ti":          merged,
		"merged.gz":          compressed(t, merged),
		"one":                "merged.ti\n",
		"one.gz":             compressed(t, "merged.gz\n"),
		"same":               "merged.ti\nmerged.ti\n",
		"list":               "\n# comment\ntrace/0.txt\n\ttrace/1.txt \r\n",
		"mixed":              "trace/0.txt\nzipped/1.gz",
		"zipped/list":        "0.gz\n1.gz\n",
		"zipped/0.gz":        compressed(t, rank0),
		"zipped/1.gz":        compressed(t, rank1),
		"trace/0.txt":        rank0,
		"trace/1.txt":        rank1,
		"trace/.hidden":      "x",
		"trace/deeper/x":     "x",
		"backwards/a":        rank1,
		"backwards/b":        rank0,
		"folder/only.ti":     merged,
		"compressed/a.gz":    compressed(t, rank1),
		"compressed/b.gz":    compressed(t, rank0),
		"absolute":           "",
		"wrong":              "merged.ti\nmissing\n",
		"folders":            "trace\nfolder\n",
		"empty":              "\n",
		"nothing/x":          "",
		"twice/a":            rank0,
		"twice/b":            rank0,
		"high/a":             rank0,
		"high/b":             "2 init\n",
		"other/a":            rank0,
		"other/b":            "hello\n",
		"swapped":            "trace/1.txt\ntrace/0.txt\n",
		"third":              "trace/0.txt\ntrace/1.txt\nmerged.ti\n",
		"damaged.gz":         compressed(t, merged)[:30],
		"trace2/damaged/0":   compressed(t, merged)[:30],
		"trace2/damaged/1":   rank1,
		"trace2/damagedlist": "damaged/0\ndamaged/1\n",
	})
	if err := os.WriteFile(filepath.Join(folder, "absolute"),
		[]byte(filepath.Join(folder, "trace/0.txt")+"\n"+filepath.Join(folder, "trace/1.txt")), 0o666); err != nil {
		t.Fatal(err)
	}
	expect.Success(t, os.Mkdir(filepath.Join(folder, "none"), 0o777))
	for _, name := range []string{"merged.ti", "merged.gz", "one", "one.gz", "same", "list", "mixed", "zipped/list",
		"trace", "backwards", "folder", "compressed", "absolute"} {
		for _, ranks := range []int{0, 2} {
			p, err := titrace.Open(filepath.Join(folder, name), ranks)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			diff := cmp.Diff(want, drain(t, p))
			expect.That(t, diff == "", "%s: %s", name, diff)
		}
	}
	for _, tt := range []struct {
		name  string
		ranks int
		want  string // ~ is the folder
	}{
		{"missing", 0, "stat ~missing: no such file or directory"},
		{"wrong", 0, `~wrong:2:1: there is no file "`},
		{"folders", 0, `~folders:1:1: there is no file "`},
		{"list", 3, "~list: 2 files for 3 ranks; expected one for each rank"},
		{"trace", 1, "~trace: 2 files for 1 ranks; expected one for each rank"},
		{"merged.ti", 1, `~merged.ti:1:1: the rank is "1"; expected a rank from 0 to 0 at the beginning of the line`},
		{"merged.ti", -1, "titrace: -1 ranks;"},
		{"empty", 0, "~empty: empty; expected a trace, or the names of some"},
		{"none", 0, "~none: no files; expected those of a trace"},
		{"nothing", 0, "~nothing/x: no action; expected a trace"},
		{"twice", 0, "~twice/b: is of rank 0 like ~twice/a; expected a file for each rank"},
		{"high", 0, "~high/b: is of rank 2; expected one from 0 to 1, as there are 2 files"},
		{"other", 0, "~other/b: does not begin with an action; expected only traces in the folder"},
		{"damaged.gz", 0, "~damaged.gz: unexpected EOF; expected a complete file of gzip"},
		{"trace2/damagedlist", 0, "~trace2/damaged/0: unexpected EOF"},
		{"swapped", 0, `~trace/1.txt:2:1: the rank is "1"; expected rank 0, whose actions these are, at the beginning of the line`},
		{"third", 0, `~merged.ti:1:1: the rank is "1"; expected rank 2, whose actions these are, at the beginning of the line`},
	} {
		p, err := titrace.Open(filepath.Join(folder, tt.name), tt.ranks)
		if err == nil {
			for rank := range p.Ranks() {
				for op := (workloads.Op{}); p.Next(rank, &op) && op.Kind != 0; {
					op = workloads.Op{}
				}
			}
			err = p.Close()
		}
		want := strings.ReplaceAll(tt.want, "~", folder+string(filepath.Separator))
		expect.That(t, err != nil && strings.HasPrefix(err.Error(), want),
			"%s: error\n%v\nwant\n%s", tt.name, err, want)
	}
}

// A file that goes away while it is read is an error of the program.
func TestFileGone(t *testing.T) {
	folder := write(t, map[string]string{"list": "0\n1\n", "0": rank0, "1": rank1})
	p := expect.Value(titrace.Open(filepath.Join(folder, "list"), 0))(t)
	expect.Success(t, os.Remove(filepath.Join(folder, "0")))
	var op workloads.Op
	expect.Need(t, p.Next(0, &op) && op.Kind == 0, "got %+v, want an operation of kind 0", op)
	if err := p.Close(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one of a missing file", err)
	}
}

// However the lines of the ranks are mixed, and whether they are merged or
// split, each rank performs the same operations.
func TestMergedIsSplit(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		all := randomTrace(r, 1+r.IntN(6), 300)
		files := map[string]string{}
		var list strings.Builder
		for rank, lines := range all {
			var text strings.Builder
			for _, l := range lines {
				text.WriteString(line(rank, l))
			}
			name := "trace/" + number(rank)
			list.WriteString(name + "\n")
			if files[name] = text.String(); rank%3 == 2 {
				files[name] = compressed(t, text.String())
			}
		}
		files["list"] = list.String()
		folder := write(t, files)
		p := expect.Value(titrace.Open(filepath.Join(folder, "list"), len(all)))(t)
		want := drain(t, p)
		for range 3 {
			if got := read(t, merge(r, all), 0); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %s", seed, cmp.Diff(want, got))
			}
		}
		p = expect.Value(titrace.Open(filepath.Join(folder, "trace"), 0))(t)
		if got := drain(t, p); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: folder: %s", seed, cmp.Diff(want, got))
		}
	}
}
