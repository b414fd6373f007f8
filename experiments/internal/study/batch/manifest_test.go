package batch

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
)

var update = flag.Bool("update", false, "write the golden manifests anew")

func TestManifest(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options ManifestOptions
	}{
		{"all.yaml", ManifestOptions{
			Image: "registry.example.org/isoscale:1.0", Command: []string{"isoscale", "sweep", "shard", "/data/study"},
			Shards: []int{0, 1, 2, 3}, Of: 4,
		}},
		{"missing.yaml", ManifestOptions{
			Name: "jin-case-1", Command: []string{"isoscale", "sweep", "shard", `/study/"a": $(b) # é`}, Mount: "/study",
			Shards: []int{39, 7, 25, 38}, Of: 100, Parallel: 2, Retries: 5, CPUs: 4, Memory: "500M", Storage: "1Ti",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			expect.Success(t, Manifest(&got, tt.options))
			golden := filepath.Join("testdata", tt.name)
			if *update {
				expect.Success(t, os.WriteFile(golden, got.Bytes(), 0o644))
			}
			want := expect.Value(os.ReadFile(golden))(t)
			expect.Same(t, got.String(), string(want), "unlike %s; -update writes it anew", golden)
		})
	}
}

// job parses the Job that Manifest prints after the claim.
func job(t *testing.T, m ManifestOptions) *yamldoc.Node {
	t.Helper()
	var text bytes.Buffer
	expect.Success(t, Manifest(&text, m))
	parts := strings.Split(text.String(), "\n---\n")
	expect.Need(t, len(parts) == 2, "%d documents, want 2", len(parts))
	expect.Value(yamldoc.Parse("manifest.yaml", []byte(parts[0])))(t)
	return expect.Value(yamldoc.Parse("manifest.yaml", []byte(parts[1])))(t)
}

// container returns the container of a Job's pods.
func container(job *yamldoc.Node) *yamldoc.Node {
	return job.Value("spec").Value("template").Value("spec").Value("containers").Item(0)
}

// The pods of a manifest compute, by ShardIndex, the shards that were asked for.
func TestManifestPodsHaveTheirShards(t *testing.T) {
	for _, shards := range [][]int{{0}, {0, 1, 2}, {5}, {1, 2, 3}, {39, 7, 25, 38, 7}, {0, 2}} {
		job := job(t, ManifestOptions{Command: []string{"x"}, Shards: shards, Of: 40})
		list := container(job).Value("env").Item(0).Value("value").Text()
		completions := expect.Value(strconv.Atoi(job.Value("spec").Value("completions").Text()))(t)
		var got []int
		for i := range completions {
			k, _, ok := ShardIndex(func(name string) string {
				return map[string]string{"JOB_COMPLETION_INDEX": strconv.Itoa(i), "ISOSCALE_SHARDS": list}[name]
			})
			expect.That(t, ok, "%v: pod %d has no shard", shards, i)
			got = append(got, k)
		}
		expect.List(t, got, slices.Compact(slices.Sorted(slices.Values(shards))), "pods compute")
	}
}

// Any strings arrive unchanged, except that dollar signs are escaped as Kubernetes requires.
func TestManifestQuotes(t *testing.T) {
	command := []string{"a b", `"`, `\`, "'", "# x", "- y", "a: b", "line\nbreak", "<&>", "\u2028", "é", "", "true", "1"}
	job := job(t, ManifestOptions{Image: "x\"\nkind: Secret", Command: append(command, "$(A) $B $$(C)"), Mount: "/a b", Shards: []int{0}, Of: 1})
	var want []any
	for _, argument := range append(command, "$$(A) $$B $$$$(C)") {
		want = append(want, argument)
	}
	pod := container(job)
	expect.Same(t, pod.Value("command").Plain(), any(want), "command")
	expect.Equal(t, pod.Value("image").Text(), "x\"\nkind: Secret", "image")
	expect.Equal(t, pod.Value("volumeMounts").Item(0).Value("mountPath").Text(), "/a b", "mount path")
	expect.Equal(t, job.Value("kind").Text(), "Job", "kind")
}

func TestManifestRefuses(t *testing.T) {
	good := ManifestOptions{Command: []string{"x"}, Shards: []int{0}, Of: 1}
	alternate := make([]int, 50_000)
	for i := range alternate {
		alternate[i] = 2 * i
	}
	for _, tt := range []struct {
		name string
		edit func(*ManifestOptions)
		want string
	}{
		{"name", func(m *ManifestOptions) { m.Name = "Jin_1" }, `name "Jin_1"; expected a lower-case letter`},
		{"long name", func(m *ManifestOptions) { m.Name = strings.Repeat("a", 51) }, "at most 50"},
		{"hyphen", func(m *ManifestOptions) { m.Name = "a-" }, `name "a-"`},
		{"command", func(m *ManifestOptions) { m.Command = nil }, "no command"},
		{"mount", func(m *ManifestOptions) { m.Mount = "data" }, `mount "data"; expected an absolute path`},
		{"no shards", func(m *ManifestOptions) { m.Shards = nil }, "0 shards to compute; expected 1 to 100000"},
		{"too large", func(m *ManifestOptions) { m.Shards = []int{0, 1} }, "shards from 0 to 1 of a directory with 1; expected 0 to 0"},
		{"negative", func(m *ManifestOptions) { m.Shards = []int{-1} }, "shards from -1"},
		{"long list", func(m *ManifestOptions) { m.Shards, m.Of = alternate, 100_000 }, "the list of shards has"},
		{"parallel", func(m *ManifestOptions) { m.Parallel = 100_001 }, "100001 pods at the same time"},
		{"memory", func(m *ManifestOptions) { m.Memory = "2 GB" }, `memory "2 GB"; expected a quantity`},
		{"storage", func(m *ManifestOptions) { m.Storage = "1Gi\n" }, "storage"},
		{"CPUs", func(m *ManifestOptions) { m.CPUs = -2 }, "-2 CPUs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := good
			tt.edit(&m)
			var text bytes.Buffer
			expect.Failure(t, Manifest(&text, m), tt.want)
			expect.That(t, text.Len() <= 0, "something was printed")
		})
	}
}

func TestShardIndex(t *testing.T) {
	type env map[string]string
	for _, tt := range []struct {
		name string
		env  env
		k    int
		from string
		ok   bool
	}{
		{"nothing", env{}, 0, "", false},
		{"a list alone", env{"ISOSCALE_SHARDS": "7"}, 0, "", false},
		{"Slurm", env{"SLURM_ARRAY_TASK_ID": "9"}, 9, "SLURM_ARRAY_TASK_ID", true},
		{"Slurm, the first", env{"SLURM_ARRAY_TASK_ID": "0"}, 0, "SLURM_ARRAY_TASK_ID", true},
		// A resubmission of 7, 25 and 38 has COUNT 3: it bounds nothing.
		{"Slurm, bounds", env{"SLURM_ARRAY_TASK_ID": "38", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MAX": "38"}, 38, "SLURM_ARRAY_TASK_ID", true},
		// sbatch exports the environment; a list left in it means nothing there.
		{"Slurm, list", env{"SLURM_ARRAY_TASK_ID": "1", "ISOSCALE_SHARDS": "7,25"}, 1, "SLURM_ARRAY_TASK_ID", true},
		{"Kubernetes", env{"JOB_COMPLETION_INDEX": "3"}, 3, "JOB_COMPLETION_INDEX", true},
		// 7, 25, 38, 39: index 2 is 38.
		{"Kubernetes, list", env{"JOB_COMPLETION_INDEX": "2", "ISOSCALE_SHARDS": "7,25,38-39"}, 38, "ISOSCALE_SHARDS", true},
		{"Kubernetes, last of the list", env{"JOB_COMPLETION_INDEX": "3", "ISOSCALE_SHARDS": "7,25,38-39"}, 39, "ISOSCALE_SHARDS", true},
		{"Kubernetes, beyond the list", env{"JOB_COMPLETION_INDEX": "4", "ISOSCALE_SHARDS": "7,25,38-39"}, 0, "ISOSCALE_SHARDS", false},
		{"Kubernetes, bad list", env{"JOB_COMPLETION_INDEX": "0", "ISOSCALE_SHARDS": "seven"}, 0, "ISOSCALE_SHARDS", false},
		{"Kubernetes, huge list", env{"JOB_COMPLETION_INDEX": "0", "ISOSCALE_SHARDS": "0-999999999999"}, 0, "ISOSCALE_SHARDS", false},
		{"AWS Batch, list", env{"AWS_BATCH_JOB_ARRAY_INDEX": "1", "ISOSCALE_SHARDS": "7,25"}, 25, "ISOSCALE_SHARDS", true},
		{"PBS", env{"PBS_ARRAY_INDEX": "5", "ISOSCALE_SHARDS": "7,25"}, 5, "PBS_ARRAY_INDEX", true},
		{"two of them", env{"JOB_COMPLETION_INDEX": "3", "SLURM_ARRAY_TASK_ID": "9"}, 9, "SLURM_ARRAY_TASK_ID", true},
		{"negative", env{"SLURM_ARRAY_TASK_ID": "-1"}, 0, "SLURM_ARRAY_TASK_ID", false},
		{"no number", env{"SLURM_ARRAY_TASK_ID": "x"}, 0, "SLURM_ARRAY_TASK_ID", false},
		// Slurm's value for a job that is no array: 2^32 - 2.
		{"no array", env{"SLURM_ARRAY_TASK_ID": "4294967294"}, 0, "SLURM_ARRAY_TASK_ID", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, from, ok := ShardIndex(func(name string) string { return tt.env[name] })
			expect.That(t, k == tt.k && from == tt.from && ok == tt.ok,
				"got %d, %q, %v; want %d, %q, %v", k, from, ok, tt.k, tt.from, tt.ok)
		})
	}
}

func FuzzShardIndex(f *testing.F) {
	f.Add("2", "7,25,38-39")
	f.Fuzz(func(t *testing.T, index, list string) {
		k, from, ok := ShardIndex(func(name string) string {
			switch name {
			case "JOB_COMPLETION_INDEX":
				return index
			case "ISOSCALE_SHARDS":
				return list
			}
			return ""
		})
		expect.That(t, k >= 0 && (!ok || from != "") && (from == "") == (index == ""), "got %d, %q, %v", k, from, ok)
		expect.That(t, !ok || list == "" || strings.ContainsAny(list, "0123456789"), "%d of a list without numbers", k)
	})
}
