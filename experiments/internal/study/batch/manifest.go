package batch

import (
	"bytes"
	"cmp"
	_ "embed" // the template of the manifest
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// ManifestOptions is what a manifest is made of. Empty texts and zeros become the defaults named here, or placeholders
// for the reader to replace, as the manifest's comments say.
type ManifestOptions struct {
	// Name is that of the Job: a lower-case letter, then letters, digits and
	// hyphens, at most 50; default isoscale. The volume claim is called NAME-data.
	Name string
	// Image is the container image that has the program.
	Image string
	// Command is the program and the arguments of one pod, as seen in the image.
	// It finds its shard by ShardIndex.
	Command []string
	// Mount is the path of the result directory's volume in the image; default
	// /data.
	Mount string
	// Shards are the shards to be computed, and Of is how many the directory has.
	Shards []int
	Of     int

	Parallel int    // pods at the same time; default: 8, or fewer shards
	Retries  int    // of a shard after failures that are not bad input; default 2
	CPUs     int    // of a pod; default 1
	Memory   string // of a pod, in Kubernetes' notation; default 2Gi
	Storage  string // size of the volume, in Kubernetes' notation; default 10Gi
}

// The limits of Kubernetes (pkg/apis/batch/validation): pods at the same time in
// an indexed Job, and its indices together with a limit of failures for each.
const (
	maxParallel    = 100_000
	maxCompletions = 100_000
	// maxList is what Linux takes as one environment variable, 128 KiB, less its
	// name.
	maxList = 127 << 10
)

var (
	jobName  = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,48}[a-z0-9])?$`)
	quantity = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?([kMGTPE]|[KMGTPE]i)?$`)
)

// Manifest prints an indexed Job of Kubernetes (batch/v1) and a claim for the
// volume that the result directory is on, as YAML. It needs Kubernetes 1.33, or
// 1.29 where the feature gate JobBackoffLimitPerIndex is on, as it is by default.
//
// A pod for each shard runs the command; a pod that fails is repeated, unless it
// fails with exit code 2, bad input, and one that loses its node does not count
// as failed. A Job can only have indices from 0 on: if those are not the shards,
// the pods get the list of shards in ISOSCALE_SHARDS, which ShardIndex knows.
func Manifest(w io.Writer, m ManifestOptions) error {
	m.Name = cmp.Or(m.Name, "isoscale")
	m.Image = cmp.Or(m.Image, "REGISTRY/isoscale:VERSION")
	m.Mount = cmp.Or(m.Mount, "/data")
	m.Parallel = cmp.Or(m.Parallel, min(8, len(m.Shards)))
	m.Retries = cmp.Or(m.Retries, 2)
	m.CPUs = cmp.Or(m.CPUs, 1)
	m.Memory = cmp.Or(m.Memory, "2Gi")
	m.Storage = cmp.Or(m.Storage, "10Gi")
	m.Shards = slices.Compact(slices.Sorted(slices.Values(m.Shards)))
	if err := m.check(); err != nil {
		return err
	}
	var text bytes.Buffer
	err := manifest.Execute(&text, struct {
		ManifestOptions
		List string
	}{m, m.list()})
	if err != nil {
		return err
	}
	_, err = w.Write(text.Bytes())
	return err
}

// check returns all that is wrong.
func (m ManifestOptions) check() error {
	var p problems
	n := len(m.Shards)
	p.unless(jobName.MatchString(m.Name), "name %q; expected a lower-case letter, then letters, digits and hyphens, at most 50 in all, not a hyphen at the end", m.Name)
	p.unless(len(m.Command) > 0, "no command; expected a program and its arguments")
	p.unless(strings.HasPrefix(m.Mount, "/") && !strings.Contains(m.Mount, ":"), "mount %q; expected an absolute path without a colon", m.Mount)
	if p.unless(0 < n && n <= maxCompletions, "%d shards to compute; expected 1 to %d", n, maxCompletions) {
		p.unless(m.Shards[0] >= 0 && m.Shards[n-1] < m.Of, "shards from %d to %d of a directory with %d; expected 0 to %d", m.Shards[0], m.Shards[n-1], m.Of, m.Of-1)
	}
	if len(p) == 0 {
		p.unless(len(m.list()) <= maxList, "the list of shards has %d bytes; expected at most %d, the limit of an environment variable; compute the first half of the shards first", len(m.list()), maxList)
	}
	p.unless(0 <= m.Parallel && m.Parallel <= maxParallel, "%d pods at the same time; expected 1 to %d", m.Parallel, maxParallel)
	p.unless(m.Retries >= 0, "%d retries; expected at least 1", m.Retries)
	p.unless(m.CPUs >= 0, "%d CPUs; expected at least 1", m.CPUs)
	for _, q := range []struct{ name, value string }{{"memory", m.Memory}, {"storage", m.Storage}} {
		p.unless(quantity.MatchString(q.value), "%s %q; expected a quantity of Kubernetes, as in 2Gi or 500M", q.name, q.value)
	}
	return errors.Join(p...)
}

// list returns the shards to be computed if they are not simply 0, 1, 2, ...
func (m ManifestOptions) list() string {
	if m.Shards[len(m.Shards)-1] == len(m.Shards)-1 {
		return ""
	}
	return store.Ranges(m.Shards)
}

// manifestText has the strings of the caller, unless they were checked, only
// through the functions text and argument.
//
//go:embed manifest.yaml.tmpl
var manifestText string

var manifest = template.Must(template.New("manifest").Funcs(template.FuncMap{
	"text": quoted,
	// In commands Kubernetes expands $(NAME) and takes two dollar signs for one.
	"argument": func(s string) (string, error) { return quoted(strings.ReplaceAll(s, "$", "$$")) },
}).Parse(manifestText))

// quoted returns a double-quoted scalar: the strings of JSON are among YAML's.
func quoted(s string) (string, error) {
	text, err := json.Marshal(s)
	return string(text), err
}

// shardsVariable is the environment variable with the list of the shards of a
// job whose indices can only count from 0, as in "7,25,38-39".
const shardsVariable = "ISOSCALE_SHARDS"

// indexVariables are where batch systems say which task of an array this is, the
// first that is set wins.
var indexVariables = []struct {
	name string
	// counted: indices are 0, 1, 2, ..., so that a subset of the shards needs a
	// list. Elsewhere the index is the shard.
	counted bool
}{
	{"SLURM_ARRAY_TASK_ID", false},
	{"JOB_COMPLETION_INDEX", true}, // Kubernetes, indexed Job
	{"PBS_ARRAY_INDEX", false},     // PBS Professional, OpenPBS
	{"AWS_BATCH_JOB_ARRAY_INDEX", true},
}

// ShardIndex returns the number of the shard that the environment assigns to
// this process, and the variable that says so: SLURM_ARRAY_TASK_ID,
// JOB_COMPLETION_INDEX, PBS_ARRAY_INDEX or AWS_BATCH_JOB_ARRAY_INDEX. With the
// second and the last, which count from 0, ISOSCALE_SHARDS may list the shards:
// index i is its i-th number, in ascending order.
//
// If no variable is set, from is empty. If from is not empty and ok is false,
// the value of that variable is invalid: not a number, or beyond the end of the list.
// How many shards there are is never taken from the environment, which describes
// one submission and not the directory: the caller compares k with the plan.
func ShardIndex(getenv func(string) string) (k int, from string, ok bool) {
	for _, v := range indexVariables {
		text := getenv(v.name)
		if text == "" {
			continue
		}
		// Digits only, and within the range of any int.
		index, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return 0, v.name, false
		}
		if list := getenv(shardsVariable); v.counted && list != "" {
			shards, err := store.ParseRanges(list)
			if err != nil || index >= uint64(len(shards)) {
				return 0, shardsVariable, false
			}
			return shards[index], shardsVariable, true
		}
		return int(index), v.name, true
	}
	return 0, "", false
}
