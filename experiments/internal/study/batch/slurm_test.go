package batch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestSlurmSubmission(t *testing.T) {
	f := newFake(t, 12, map[string][]string{
		"sbatch": {`echo 71`},
		"squeue": {
			`row 3 RUNNING 0 n1 None; row 4 PENDING 0 "" Resources; row 9 PENDING 0 "" JobArrayTaskLimit`,
			`shard 3 4 9; row 3 COMPLETED 0 n1 None; row 4 COMPLETED 0 n1 None; row 9 COMPLETED 0 n1 None`,
		},
	})
	for _, k := range []string{"0", "1", "2", "5", "6", "7", "8", "10", "11"} {
		expect.Success(t, os.WriteFile(filepath.Join(f.result, "shard-"+k), nil, 0o644))
	}
	o := quick
	o.Partition, o.Account, o.Time, o.CPUs, o.Parallel = "fast", "physics", "30", 4, 2
	o.Extra = []string{"--mem=4G", "--array=0-5", "--no-requeue"}
	told := expect.Value(f.run(o))(t)

	name := f.option(1, "--job-name=")
	expect.List(t, f.args("sbatch", 1), []string{
		// Arguments of the user first: of sbatch's options the last one counts.
		"--mem=4G", "--array=0-5", "--no-requeue",
		"--parsable", "--job-name=" + name, "--array=3-4,9%2", "--requeue", "--open-mode=append",
		"--output=" + f.result + "/log/%A_%a.out",
		"--cpus-per-task=4", "--partition=fast", "--account=physics", "--time=30",
	}, "sbatch was called with")
	expect.Equal(t, f.read("sbatch.1.stdin"), "#!/bin/sh\nexec 'isoscale' 'sweep' 'shard' '"+f.result+"'\n", "script")
	expect.List(t, f.args("squeue", 1), []string{"-h", "-r", "-t", "all", "-j", "71", "-n", name,
		"-O", "arraytaskid:30,state:20,exit_code:12,nodelist:40,reason:60"}, "squeue was called with")
	expect.List(t, f.args("scontrol", 1), []string{"show", "config"}, "scontrol was called with")
	expect.That(t, expect.Value(os.Stat(filepath.Join(f.result, "log")))(t).IsDir(), "no directory for logs")
	expect.That(t, !f.hasRecord(), "slurm.json is left")
	// Two queries, and the end.
	expect.List(t, told, []Status{
		{Job: 71, Round: 1, Rounds: 3, Pending: 2, Running: 1, Done: 9, Reason: "Resources"},
		{Job: 71, Round: 1, Rounds: 3, Done: 12}, {Job: 71, Round: 1, Rounds: 3, Done: 12},
	}, "told")
}

// Rounds as tables: Slurm's answers, and the arrays that are then submitted.
func TestSlurmRounds(t *testing.T) {
	expect.Long(t, "waits for many processes")
	for _, tt := range []struct {
		name   string
		shards int
		sbatch []string // nil: arrays 71, 72 and 73
		squeue []string
		arrays []string
		err    string // part of it; empty: none
	}{
		{
			name: "nothing is missing", shards: 0,
		}, {
			name: "a lost node and a time limit are repeated", shards: 4, arrays: []string{"0-3", "1,3"},
			squeue: []string{
				`shard 0 2; row 0 COMPLETED 0 n1 None; row 1 NODE_FAIL 0 n2 None; row 2 COMPLETED 0 n1 None; row 3 TIMEOUT 15 n1 TimeLimit`,
				`shard 1 3; row 1 COMPLETED 0 n1 None; row 3 COMPLETED 0 n1 None`,
			},
		}, {
			name: "the directory counts: complete, although the queue has them running", shards: 2,
			squeue: []string{`shard 0 1; row 0 RUNNING 0 n1 None; row 1 PENDING 0 "" Resources`},
			arrays: []string{"0-1"},
		}, {
			name: "the directory counts: missing, although the task ended well", shards: 2,
			squeue: []string{
				`shard 0; row 0 COMPLETED 0 n1 None; row 1 COMPLETED 0 n1 None`,
				`shard 1; row 1 COMPLETED 0 n1 None`,
			},
			arrays: []string{"0-1", "1"},
		}, {
			name: "a requeued task is still in the queue", shards: 1, arrays: []string{"0"},
			squeue: []string{
				`row 0 RUNNING 0 n1 None`, `row 0 COMPLETING 0 n1 None`, `row 0 PENDING 0 "" BeginTime`,
				`row 0 RUNNING 0 n2 None`, `shard 0; row 0 COMPLETED 0 n2 None`,
			},
		}, {
			name: "purged from the queue, done", shards: 2, arrays: []string{"0-1"},
			squeue: []string{`row 0 RUNNING 0 n1 None; row 1 RUNNING 0 n1 None`, `shard 0 1; unknown`},
		}, {
			name: "purged from the queue, not done", shards: 2, arrays: []string{"0-1", "1"},
			squeue: []string{`row 0 RUNNING 0 n1 None; row 1 RUNNING 0 n1 None`, `shard 0; unknown`, `shard 1; row 1 COMPLETED 0 n1 None`},
		}, {
			name: "forgotten without a message", shards: 1, arrays: []string{"0"},
			squeue: []string{`row 0 RUNNING 0 n1 None`, `shard 0`},
		}, {
			name: "the controller is silent for a while", shards: 1, arrays: []string{"0"},
			squeue: []string{`row 0 RUNNING 0 n1 None`, `dead`, `dead`, `echo nonsense`, `row 0 RUNNING 0 n1 None`, `shard 0; row 0 COMPLETED 0 n1 None`},
		}, {
			name: "the work ends while the controller is silent", shards: 1, arrays: []string{"0"},
			squeue: []string{`dead`, `shard 0; dead`},
		}, {
			name: "the controller is silent at the second submission", shards: 1, arrays: []string{"0", "0", "0", "0"},
			sbatch: []string{`echo 71`, `dead`, `dead`, `echo 72`},
			// Each failed submission looks for the array in the queue.
			squeue: []string{`row 0 NODE_FAIL 0 n1 None`, `dead`, ``, `shard 0; row 0 COMPLETED 0 n1 None`},
		}, {
			name: "sbatch fails but the array is there", shards: 1, arrays: []string{"0"},
			sbatch: []string{`echo "sbatch: error: Socket timed out on send/recv operation" >&2; exit 1`},
			squeue: []string{`echo "71                  "`, `shard 0; row 0 COMPLETED 0 n1 None`},
		}, {
			name: "given up after the same exit code twice, the others go on", shards: 3,
			squeue: []string{
				`shard 0; row 0 COMPLETED 0 n1 None; row 1 FAILED 768 n1 NonZeroExitCode; row 2 NODE_FAIL 0 n2 None`,
				`row 1 FAILED 768 n2 NonZeroExitCode; row 2 NODE_FAIL 0 n1 None`,
				`shard 2; row 2 COMPLETED 0 n1 None`,
			},
			arrays: []string{"0-2", "1-2", "2"},
			err:    "1 of 3 shards failed (1)\nshard 1 was given up after the same failure twice: exit code 3 on n1 (array 71), then exit code 3 on n2 (array 72); nothing was printed to ",
		}, {
			name: "different exit codes", shards: 1, arrays: []string{"0", "0", "0"},
			squeue: []string{
				`row 0 FAILED 768 n1 NonZeroExitCode`, `row 0 FAILED 256 n2 NonZeroExitCode`, `row 0 FAILED 512 n2 NonZeroExitCode`,
			},
			err: "shard 0 is missing after 3 rounds: exit code 3 on n1 (array 71), then exit code 1 on n2 (array 72), then exit code 2 on n2 (array 73)",
		}, {
			name: "the same exit code, but not in a row", shards: 1, arrays: []string{"0", "0", "0"},
			squeue: []string{
				`row 0 FAILED 768 n1 NonZeroExitCode`, `row 0 NODE_FAIL 0 n2 None`, `row 0 FAILED 3:0 n2 NonZeroExitCode`,
			},
			err: "shard 0 was given up after the same failure twice: exit code 3 on n1 (array 71), then NODE_FAIL on n2 (array 72), then exit code 3 on n2 (array 73)",
		}, {
			name: "signals are repeated until the rounds end", shards: 1, arrays: []string{"0", "0", "0"},
			squeue: []string{`row 0 FAILED 9 n1 RaisedSignal:9`, `row 0 OUT_OF_MEMORY 125 n1 OutOfMemory`, `unknown`},
			err:    "shard 0 is missing after 3 rounds: signal 9 on n1 (array 71), then OUT_OF_MEMORY on n1 (array 72), then an end that Slurm has forgotten (array 73)",
		}, {
			name: "a limit with an exit code, or a signal with one, is not the command's answer", shards: 2,
			squeue: []string{
				`row 0 TIMEOUT 256 n1 TimeLimit; row 1 FAILED 1:9 n1 RaisedSignal:9`,
				`row 0 TIMEOUT 256 n1 TimeLimit; row 1 FAILED 1:9 n1 RaisedSignal:9`,
				`shard 0 1; unknown`,
			},
			arrays: []string{"0-1", "0-1", "0-1"},
		}, {
			// As seen when a task's log could not be opened: 15 * 256 + 53.
			name: "not started", shards: 1, arrays: []string{"0", "0", "0"},
			squeue: []string{`row 0 FAILED 3893 n1 JobLaunchFailure`},
			err:    "shard 0 is missing after 3 rounds: a failed start, as if the node did not see the directory, on n1 (array 71), then",
		}, {
			name: "cancelled", shards: 3, arrays: []string{"0-2"},
			squeue: []string{`shard 0; row 0 COMPLETED 0 n1 None; row 1 CANCELLED 15 n1 None; row 2 CANCELLED 0 "" None`},
			err:    "array 71 was cancelled before 2 of 3 shards were complete (1-2 cancelled); rerun the command to submit the missing shards",
		}, {
			name: "refused by the site", shards: 1, arrays: []string{"0"},
			sbatch: []string{`echo "sbatch: error: invalid partition specified: nope" >&2; exit 1`},
			squeue: []string{``},
			err:    "exit status 1: sbatch: error: invalid partition specified: nope",
		}, {
			name: "sbatch says something else", shards: 1, arrays: []string{"0"},
			sbatch: []string{`echo "Submitted batch job 12"`},
			squeue: []string{``},
			err:    `sbatch printed "Submitted batch job 12"; expected the number of a job`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.sbatch == nil {
				tt.sbatch = []string{`echo 71`, `echo 72`, `echo 73`}
			}
			f := newFake(t, tt.shards, map[string][]string{"sbatch": tt.sbatch, "squeue": tt.squeue})
			w, o := f.work(), quick
			w.Shards = max(1, tt.shards)
			expect.Outcome(t, Slurm(context.Background(), w, o, nil), tt.err)
			expect.List(t, f.arrays(), tt.arrays, "submitted")
			expect.That(t, !f.hasRecord(), "slurm.json is left")
		})
	}
}

// A file that becomes visible after its task has left the queue is not computed
// again.
func TestSlurmGrace(t *testing.T) {
	f := newFake(t, 1, map[string][]string{
		"sbatch": {`echo 71`},
		"squeue": {`row 0 COMPLETED 0 n1 None`},
	})
	w := f.work()
	asked := 0
	w.Missing = func() ([]int, error) {
		if asked++; asked < 4 { // before the round, in it, twice after it
			return []int{0}, nil
		}
		return nil, nil
	}
	o := quick
	o.Grace = 20 * time.Second // of which a twentieth passes before it asks again
	expect.Success(t, Slurm(context.Background(), w, o, nil))
	expect.That(t, asked == 4 && f.calls("sbatch") == 1,
		"asked %d times and submitted %d times, want 4 and 1", asked, f.calls("sbatch"))
}

// A failure shows the end of the log, without characters that a terminal obeys.
func TestSlurmShowsLog(t *testing.T) {
	f := newFake(t, 1, map[string][]string{
		"sbatch": {`echo 71`, `echo 72`},
		"squeue": {`row 0 FAILED 512 n1 NonZeroExitCode`},
	})
	expect.Success(t, os.Mkdir(filepath.Join(f.result, "log"), 0o755))
	log := strings.Repeat("an early line\n", 1000) + "plan.yaml:3:1: \x1b[31munknown key\n\n"
	for name, content := range map[string]string{"71_0.out": "first\n", "72_0.out": log} {
		expect.Success(t, os.WriteFile(filepath.Join(f.result, "log", name), []byte(content), 0o644))
	}
	_, err := f.run(quick)
	want := "1 of 1 shards failed (0)\nshard 0 was given up after the same failure twice: exit code 2 on n1 (array 71), then " +
		"exit code 2 on n1 (array 72); " + filepath.Join(f.result, "log", "72_0.out") + " ends with" +
		strings.Repeat("\n    an early line", 9) + "\n    plan.yaml:3:1:  [31munknown key"
	expect.That(t, err != nil && err.Error() == want, "got %v\nwant %s", err, want)
}

func TestLastLines(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		want          []string
	}{
		{"nothing", "", nil},
		{"line breaks", "\n\n", nil},
		{"short", "a\nb\n", []string{"a", "b"}},
		{"not ended", "a\nb", []string{"a", "b"}},
		// 4 KiB from the end is within the first line, which is left out.
		{"long line first", strings.Repeat("x", 5000) + "\nb\n", []string{"b"}},
		{"one long line", strings.Repeat("x", 5000), []string{strings.Repeat("x", 300) + "..."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := expect.File(t, "log", tt.content)
			expect.List(t, lastLines(path), tt.want, "last lines")
		})
	}
	expect.List(t, lastLines(filepath.Join(t.TempDir(), "none")), nil, "last lines of no file")
}

// A user's defaults for squeue must not hide tasks; those for sbatch apply, except for waiting.
func TestSlurmEnvironment(t *testing.T) {
	for _, name := range []string{"SQUEUE_PARTITION", "SBATCH_WAIT", "SBATCH_ACCOUNT"} {
		t.Setenv(name, "x")
	}
	f := newFake(t, 1, map[string][]string{
		"sbatch": {`env >sbatch.env; echo 71`},
		"squeue": {`env >squeue.env; shard 0; unknown`},
	})
	expect.Value(f.run(quick))(t)
	for _, tt := range []struct {
		file, variable string
		want           bool
	}{
		{"squeue.env", "SQUEUE_PARTITION=x\n", false},
		{"sbatch.env", "SBATCH_WAIT=x\n", false},
		{"sbatch.env", "SBATCH_ACCOUNT=x\n", true},
	} {
		expect.Equal(t, strings.Contains(f.read(tt.file), tt.variable), tt.want, "%s has %q", tt.file, tt.variable)
	}
}

func TestSlurmSaysWhatTheSitePermits(t *testing.T) {
	config := func(text string) []string { return []string{`echo "` + text + `"`} }
	for _, tt := range []struct {
		name     string
		shards   int
		scontrol []string
		want     string
	}{
		{"index too large", 1002, nil, "shard 1001 of 1002 cannot be a task on cluster toy, whose MaxArraySize is 1001: the index of a task is at most 1000; expected a directory with at most 1001 shards"},
		{"no arrays", 2, config("ClusterName = toy\nMaxArraySize = 0\nMaxJobCount = 5"), "cluster toy permits no job arrays"},
		{"too many jobs", 6, config("ClusterName = toy\nMaxArraySize = 1001\nMaxJobCount = 5"), "6 shards (0-5) are more jobs than cluster toy keeps, whose MaxJobCount is 5"},
		{"no limit told", 2, config("ClusterName = toy\nMaxJobCount = 5"), "MaxArraySize is \"\"; expected a line `MaxArraySize = number`"},
		{"another program", 2, config("hello"), "no ClusterName; expected a line"},
		{"no answer", 2, []string{`dead`}, "Slurm does not answer: scontrol show config: exit status 1: slurm_load_jobs error: Unable to contact slurm controller (connect failure); expected the configuration of the cluster"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, tt.shards, map[string][]string{"scontrol": tt.scontrol, "sbatch": {`echo 71`}, "squeue": {`unknown`}})
			_, err := f.run(quick)
			expect.Failure(t, err, tt.want)
			expect.That(t, f.calls("sbatch") == 0 && !f.hasRecord(), "something was submitted")
		})
	}
}

func TestSlurmNotInstalled(t *testing.T) {
	f := newFake(t, 1, map[string][]string{})
	t.Setenv("PATH", t.TempDir())
	_, err := f.run(quick)
	expect.That(t, errors.Is(err, exec.ErrNotFound) && strings.Contains(err.Error(), "scontrol show config: not found; expected the programs of Slurm in PATH"),
		"got error %v", err)
}

// An interrupted call leaves the array running; the next call follows it and remembers its round.
func TestSlurmFollowsWhatIsUnderWay(t *testing.T) {
	f := newFake(t, 2, map[string][]string{
		"sbatch": {`echo 71`, `echo 72`, `echo 73`},
		"squeue": {
			`shard 0; row 0 COMPLETED 0 n1 None; row 1 FAILED 768 n1 NonZeroExitCode`,
			`row 1 PENDING 0 "" Priority`,
			// From here on the second call: once to check whether the array exists.
			`row 1 RUNNING 0 n1 None`, `row 1 RUNNING 0 n1 None`, `row 1 FAILED 768 n2 NonZeroExitCode`,
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := Slurm(ctx, f.work(), quick, func(s Status) {
		if s.Round == 2 {
			expect.Equal(t, s, (Status{Job: 72, Round: 2, Rounds: 3, Pending: 1, Done: 1, Reason: "Priority"}), "told")
			cancel()
		}
	})
	expect.Need(t, errors.Is(err, context.Canceled) && strings.Contains(err.Error(), "array 72 still runs: rerun the command to follow it, or run scancel 72 to end it"),
		"got error %v", err)
	expect.Need(t, f.hasRecord(), "slurm.json is not there")
	_, err = f.run(quick)
	expect.Failure(t, err, "exit code 3 on n1 (array 71), then exit code 3 on n2 (array 72)") // that of the first call, too
	expect.List(t, f.arrays(), []string{"0-1", "1"}, "submitted")
	expect.That(t, !f.hasRecord(), "slurm.json is left")
}

func TestSlurmRecord(t *testing.T) {
	const good = `{"version":1,"cluster":"toy","name":"isoscale-X","job":71,"round":2,"ended":{"0":[{"job":70,"state":"FAILED","exit":3,"signal":0,"node":"n1"}]}}`
	for _, tt := range []struct {
		name, record string
		squeue       []string
		submissions  int
		round        int    // of the last status told
		err          string // empty: none
		left         bool   // slurm.json stays
	}{
		{"under way", good, []string{`row 0 RUNNING 0 n1 None`, `shard 0; unknown`}, 0, 2, "", false},
		{"forgotten by Slurm", good, []string{`unknown`, `shard 0; unknown`}, 1, 1, "", false},
		// -n NAME -j JOB finds nothing if the number now belongs to another job.
		{"another job", good, []string{``, `shard 0; unknown`}, 1, 1, "", false},
		{"has ended", good, []string{`row 0 CANCELLED 0 n1 None`, `shard 0; unknown`}, 1, 1, "", false},
		{"killed before sbatch answered", strings.Replace(good, "71", "0", 1),
			[]string{`echo "71                  "`, `row 0 RUNNING 0 n1 None`, `shard 0; unknown`}, 0, 2, "", false},
		{"killed before sbatch was called", strings.Replace(good, "71", "0", 1),
			[]string{``, `shard 0; unknown`}, 1, 1, "", false},
		{"Slurm does not answer", good, []string{`dead`}, 0, 0, "Unable to contact slurm controller", true},
		{"another cluster", strings.Replace(good, "toy", "big", 1), nil, 0, 0,
			"slurm.json: an array is in the queue of cluster big (job 71), but this is cluster toy; expected a call on the former; if that array no longer exists, remove the file", true},
		{"another version", strings.Replace(good, "1", "2", 1), nil, 0, 0, "slurm.json: version 2; expected version 1", true},
		{"no JSON", "x", nil, 0, 0, "slurm.json: invalid character 'x'", true},
		{"half of it", `{"version":1}`, nil, 0, 0, "slurm.json: not all of cluster, name, job and round; expected", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, 1, map[string][]string{"sbatch": {`echo 80`}, "squeue": tt.squeue})
			expect.Success(t, os.WriteFile(filepath.Join(f.result, "slurm.json"), []byte(tt.record), 0o644))
			told, err := f.run(quick)
			expect.Outcome(t, err, tt.err)
			round := 0
			if len(told) > 0 {
				round = told[len(told)-1].Round
			}
			expect.That(t, f.calls("sbatch") == tt.submissions && round == tt.round && f.hasRecord() == tt.left,
				"%d submissions, round %d, slurm.json %v; want %d, %d, %v", f.calls("sbatch"), round, f.hasRecord(), tt.submissions, tt.round, tt.left)
		})
	}
}

// While sbatch runs, slurm.json already names the array.
func TestSlurmRecordsBeforeSubmission(t *testing.T) {
	f := newFake(t, 1, map[string][]string{
		"sbatch": {`cp "$FAKE_RESULT/slurm.json" record; echo 71`},
		"squeue": {`cp "$FAKE_RESULT/slurm.json" later; shard 0; unknown`},
	})
	expect.Value(f.run(quick))(t)
	name := f.option(1, "--job-name=")
	expect.Need(t, strings.HasPrefix(name, "isoscale-"), "job name %q", name)
	for file, job := range map[string]string{"record": `"job": 0,`, "later": `"job": 71,`} {
		got := f.read(file)
		expect.That(t, strings.Contains(got, `"name": "`+name+`"`) && strings.Contains(got, job),
			"%s: %s\nwant the name %s and %s", file, got, name, job)
	}
}

func TestSlurmPatienceEnds(t *testing.T) {
	f := newFake(t, 1, map[string][]string{
		"sbatch": {`echo 71`},
		"squeue": {`row 0 RUNNING 0 n1 None`, `dead`},
	})
	o := quick
	o.Patience = time.Second
	told, err := f.run(o)
	expect.That(t, err != nil && strings.Contains(err.Error(), "Slurm has not answered for 1s") && strings.Contains(err.Error(), "array 71 may still run; rerun the command to follow it"),
		"got error %v", err)
	expect.That(t, f.hasRecord(), "slurm.json is gone, and with it the way back to the array")
	silent := slices.ContainsFunc(told, func(s Status) bool { return s.Silent > 0 && s.Running == 1 })
	expect.That(t, silent, "told %+v, want also that Slurm is silent, with what was known before", told)
}

func TestSlurmRefusesBadWork(t *testing.T) {
	missing := func() ([]int, error) { return []int{0}, nil }
	work := Work{Dir: t.TempDir(), Command: []string{"true"}, Missing: missing, Shards: 1}
	for _, tt := range []struct {
		name string
		edit func(*Work, *Options)
		want string
	}{
		{"command", func(w *Work, o *Options) { w.Command = nil }, "no command"},
		{"zero byte", func(w *Work, o *Options) { w.Command = []string{"a\x00"} }, `argument "a\x00" has a zero byte`},
		{"no shards", func(w *Work, o *Options) { w.Shards = 0 }, "0 shards; expected at least 1"},
		{"directory", func(w *Work, o *Options) { w.Dir = `a\b` }, `directory "a\\b"; expected a name without backslashes`},
		{"CPUs", func(w *Work, o *Options) { o.CPUs = -1 }, "-1 CPUs"},
		{"poll", func(w *Work, o *Options) { o.Poll = -1 }, "poll -1ns"},
		{"wait", func(w *Work, o *Options) { o.Extra = []string{"--wait"} }, `sbatch argument "--wait"`},
		{"cluster", func(w *Work, o *Options) { o.Extra = []string{"--clusters=b"} }, `sbatch argument "--clusters=b"`},
		{"cluster, short", func(w *Work, o *Options) { o.Extra = []string{"-Mb"} }, `sbatch argument "-Mb"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, o := work, quick
			tt.edit(&w, &o)
			expect.Failure(t, Slurm(context.Background(), w, o, nil), tt.want)
		})
	}
	failure := errors.New("the disk is gone")
	work.Missing = func() ([]int, error) { return nil, failure }
	err := Slurm(context.Background(), work, quick, nil)
	expect.That(t, errors.Is(err, failure), "got error %v, want that of Missing", err)
}

// Whatever is in an argument, the shell passes it to the command unchanged.
func TestScriptQuotes(t *testing.T) {
	arguments := []string{"", "a b", "it's", "''", `"`, "$HOME `id` $(id)", "*", `\`, "line\nbreak", "é", "-n", "%a"}
	out, err := exec.Command("sh", "-c", strings.Replace(
		script(append([]string{"printf", `[%s]`}, arguments...)), "#!/bin/sh\n", "", 1)).Output()
	expect.Success(t, err)
	expect.Equal(t, string(out), "["+strings.Join(arguments, "][")+"]", "arguments")
}

// In sbatch's file names a percent sign begins a placeholder.
func TestSubmissionEscapesDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "100%a")
	args := submission(dir, Options{CPUs: 1}, "x", []int{0})
	want := "--output=" + strings.Replace(dir, "%", "%%", 1) + "/log/%A_%a.out"
	expect.That(t, slices.Contains(args, want), "%q has no %q", args, want)
}

func TestParseQueue(t *testing.T) {
	pad := func(cells ...string) string {
		var line strings.Builder
		for i, width := range []int{30, 20, 12, 40, 60} {
			line.WriteString(cells[i] + strings.Repeat(" ", width-len(cells[i])))
		}
		return line.String() + "\n"
	}
	for _, tt := range []struct {
		name, out string
		want      []task
		err       string
	}{
		{"nothing", "", nil, ""},
		{"running", pad("7", "RUNNING", "0", "n1", "None"), []task{{shard: 7, End: End{State: "RUNNING", Node: "n1"}}}, ""},
		{"no node, a reason of words", pad("7", "PENDING", "0", "", "launch failed requeued held"),
			[]task{{shard: 7, End: End{State: "PENDING"}, reason: "launch failed requeued held"}}, ""},
		// 768 = 3 * 256: exit code 3. 9: killed by signal 9.
		{"ends", pad("1", "FAILED", "768", "n2", "NonZeroExitCode") + pad("2", "FAILED", "9", "n2", "RaisedSignal:9(Killed)"), []task{
			{shard: 1, End: End{State: "FAILED", ExitCode: 3, Node: "n2"}, reason: "NonZeroExitCode"},
			{shard: 2, End: End{State: "FAILED", Signal: 9, Node: "n2"}, reason: "RaisedSignal:9(Killed)"}}, ""},
		{"as a pair", pad("1", "FAILED", "3:0", "n2", "(null)"), []task{{shard: 1, End: End{State: "FAILED", ExitCode: 3, Node: "n2"}}}, ""},
		{"spaces cut off", "1                             COMPLETED           0\n", []task{{shard: 1, End: End{State: "COMPLETED"}}}, ""},
		// What Slurm 22.05 prints just after an array of which two tasks run is cancelled.
		{"the tasks that have not started", pad("N/A", "CANCELLED", "0", "", "Resources") + pad("0", "CANCELLED", "15", "n1", "None"),
			[]task{{shard: others, End: End{State: "CANCELLED"}, reason: "Resources"}, {shard: 0, End: End{State: "CANCELLED", Signal: 15, Node: "n1"}}}, ""},
		// Without the option -r, which a site may unset.
		{"ranges", pad("[3-5,7%2]", "PENDING", "0", "", "Priority"), []task{{shard: others, End: End{State: "PENDING"}, reason: "Priority"}}, ""},
		{"no index", pad("x", "RUNNING", "0", "n1", "None"), nil, `expected the index of a task and its state`},
		{"below 0", pad("-1", "RUNNING", "0", "n1", "None"), nil, `expected the index of a task and its state`},
		{"no exit code", pad("1", "RUNNING", "x", "n1", "None"), nil, `exit code "x"; expected a number`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseQueue(tt.out)
			expect.Outcome(t, err, tt.err)
			expect.List(t, got, tt.want, "tasks")
		})
	}
}

func FuzzParseQueue(f *testing.F) {
	f.Add("1                             FAILED              768         n2\n")
	f.Add("1 RUNNING\n\n2")
	f.Add("N/A                           CANCELLED           0                                                   Resources\n")
	f.Add("[3-5%2]                       PENDING             0\n")
	f.Fuzz(func(t *testing.T, out string) {
		tasks, err := parseQueue(out)
		expect.That(t, err != nil || len(tasks) <= strings.Count(out, "\n")+1,
			"%d tasks of %d lines", len(tasks), strings.Count(out, "\n")+1)
		for _, task := range tasks {
			expect.That(t, task.shard >= others && task.State != "", "task %+v", task)
		}
	})
}
