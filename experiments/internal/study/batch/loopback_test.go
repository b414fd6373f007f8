package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
)

// The following runs against a real Slurm on loopback; see type cluster. Slurm's scheduler looks once a second, so a
// test takes seconds.

// realOptions are options for a cluster, which answers at once but takes its time to run tasks.
func realOptions(c *cluster) Options {
	return Options{Poll: 100 * time.Millisecond, Grace: time.Second, Patience: time.Minute, Time: "60", env: c.env}
}

// onLoopback starts a cluster and returns work for it. The test runs beside others:
// it waits most of the time.
func onLoopback(t *testing.T, nodes, cpus, shards int, script string) (*cluster, Work) {
	t.Helper()
	t.Parallel()
	c := start(t, nodes, cpus, false)
	return c, loopbackWork(t, shards, script)
}

// loopbackWork returns work for a cluster: shard k is complete when there is a
// file shard-k, and a task executes a shell script in the result directory, with K
// as the number of its shard.
func loopbackWork(t *testing.T, shards int, script string) Work {
	t.Helper()
	// Names that a script or a file name of sbatch could misunderstand.
	dir := filepath.Join(t.TempDir(), "it's 100%a")
	expect.Success(t, os.Mkdir(dir, 0o755))
	f := fake{result: dir, shards: shards}
	w := f.work()
	w.Command = []string{"/bin/sh", "-c", `cd "$1" && K=$SLURM_ARRAY_TASK_ID && ` + script, "task", dir}
	return w
}

// nodesUsed returns the nodes that the files of the shards name.
func nodesUsed(t *testing.T, w Work) []string {
	t.Helper()
	var nodes []string
	for k := range w.Shards {
		content := expect.Value(os.ReadFile(filepath.Join(w.Dir, fmt.Sprintf("shard-%d", k))))(t)
		nodes = append(nodes, strings.TrimSpace(string(content)))
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// runsOn reports whether a shard has been begun on a node and is not complete.
func runsOn(w Work, node string) bool {
	missing, _ := w.Missing()
	return slices.ContainsFunc(missing, func(k int) bool {
		begun, _ := os.ReadFile(filepath.Join(w.Dir, fmt.Sprintf("begun-%d", k)))
		return string(begun) == node+"\n"
	})
}

func TestLoopbackNodes(t *testing.T) {
	for _, tt := range []struct {
		nodes, cpus int
		want        []string
	}{
		{1, 4, []string{"n1"}},
		{2, 2, []string{"n1", "n2"}},
		{4, 1, []string{"n1", "n2", "n3", "n4"}},
	} {
		t.Run(fmt.Sprintf("%d nodes", tt.nodes), func(t *testing.T) {
			// The first tasks wait for each other, so that they are on all nodes.
			c, w := onLoopback(t, tt.nodes, tt.cpus, 8, fmt.Sprintf(`mkdir -p on && : >"on/$SLURMD_NODENAME" &&
				while [ "$(ls on | wc -l)" -lt %d ]; do sleep 0.1; done; echo "$SLURMD_NODENAME" >tmp-$K && mv tmp-$K shard-$K`, tt.nodes))
			expect.Success(t, Slurm(testContext(t), w, realOptions(c), nil))
			expect.List(t, nodesUsed(t, w), tt.want, "shards were computed on")
		})
	}
}

// A task that fails is tried again, given up and shown; the others are each done once.
func TestLoopbackFailure(t *testing.T) {
	c, w := onLoopback(t, 2, 2, 4, `echo $SLURM_CPUS_PER_TASK >>calls-$K && { [ $K != 2 ] || { echo "shard $K: no such machine" >&2; exit 2; }; } && : >shard-$K`)
	o := realOptions(c)
	o.Parallel = 3
	err := Slurm(testContext(t), w, o, nil)
	expect.Need(t, err != nil, "no error")
	const want = `^1 of 4 shards failed \(2\)\nshard 2 was given up after the same failure twice: exit code 2 on n[12] \(array \d+\), ` +
		`then exit code 2 on n[12] \(array \d+\); .* ends with\n    shard 2: no such machine$`
	expect.That(t, regexp.MustCompile(want).MatchString(err.Error()), "got error %v", err)
	for k, want := range []string{"1\n", "1\n", "1\n1\n", "1\n"} {
		got, _ := os.ReadFile(filepath.Join(w.Dir, fmt.Sprintf("calls-%d", k)))
		expect.That(t, string(got) == want, "shard %d: called with CPUs %q, want %q", k, got, want)
	}
}

// A node loses its power while tasks run on it, and comes back. Slurm notices after a while and starts the tasks again.
func TestLoopbackNodeDies(t *testing.T) {
	t.Parallel()
	c := start(t, 2, 2, true)
	// Tasks on the node that dies do not end before it is given up.
	w := loopbackWork(t, 8, `echo "$SLURMD_NODENAME" >>begun-$K && while [ "$SLURMD_NODENAME" = n1 ] && [ ! -e lost ]; do sleep 0.1; done; : >shard-$K`)
	killed := false
	begin, last := time.Now(), Status{}
	err := Slurm(testContext(t), w, realOptions(c), func(s Status) {
		if s != last {
			last = s
			t.Logf("%5.1f s: %+v", time.Since(begin).Seconds(), s)
		}
		if !killed && s.Done >= 1 && runsOn(w, "n1") {
			killed = true
			c.killNode(1)
			c.waitNodeLost(1)
			expect.Success(t, os.WriteFile(filepath.Join(w.Dir, "lost"), nil, 0o644))
			c.launchNode(1)
		}
	})
	expect.Success(t, err)
	expect.That(t, killed, "no node was killed")
	again := 0
	for k := range w.Shards {
		if begun, _ := os.ReadFile(filepath.Join(w.Dir, fmt.Sprintf("begun-%d", k))); strings.Count(string(begun), "\n") > 1 {
			again++
		}
	}
	expect.That(t, again != 0, "no shard was begun twice: the node died without a task")
}

// The daemon of a node dies while its tasks continue: their shards become complete, although Slurm does not learn of
// it.
func TestLoopbackDaemonDies(t *testing.T) {
	c, w := onLoopback(t, 1, 2, 2, `: >begun-$K; while [ ! -e go ]; do sleep 0.1; done; : >shard-$K`)
	killed := false
	err := Slurm(testContext(t), w, realOptions(c), func(s Status) {
		// Slurm says that a task runs before its daemon has started it.
		begun, _ := filepath.Glob(filepath.Join(w.Dir, "begun-*")) // the pattern is well-formed
		if len(begun) == 2 && !killed {
			killed = true
			c.killDaemon(1)
			expect.Success(t, os.WriteFile(filepath.Join(w.Dir, "go"), nil, 0o644))
		}
		expect.That(t, s.Round <= 1 && s.Failed <= 0, "%+v, want one round without failures", s)
	})
	expect.That(t, err == nil && killed, "got error %v, daemon killed: %v", err, killed)
}

// Slurm cannot start a task that has no place for its log. When the place exists again, in the next round, it can.
func TestLoopbackLogNotVisible(t *testing.T) {
	c, w := onLoopback(t, 1, 1, 1, `: >shard-$K`)
	o := realOptions(c)
	o.Extra = []string{"--hold"} // until the place is gone
	rounds := 0
	err := Slurm(testContext(t), w, o, func(s Status) {
		if s.Round == rounds {
			return
		}
		rounds = s.Round
		if s.Round == 1 {
			expect.Success(t, os.RemoveAll(filepath.Join(w.Dir, "log")))
		}
		out, err := c.command("scontrol", "release", fmt.Sprint(s.Job)).CombinedOutput()
		expect.That(t, err == nil, "%v: %s", err, out)
	})
	expect.That(t, err == nil && rounds == 2, "got error %v after %d rounds, want none after 2", err, rounds)
}

// The controller dies while the follower is interrupted and the tasks run; a
// second call follows the array.
func TestLoopbackControllerDiesAndFollowerReturns(t *testing.T) {
	c, w := onLoopback(t, 1, 3, 3, `echo x >>begun-$K && while [ ! -e go ]; do sleep 0.1; done; : >shard-$K`)
	ctx, cancel := context.WithCancel(testContext(t))
	var job int
	err := Slurm(ctx, w, realOptions(c), func(s Status) {
		if s.Running == 3 {
			job = s.Job
			cancel()
		}
	})
	expect.Need(t, errors.Is(err, context.Canceled) && strings.Contains(err.Error(), fmt.Sprintf("array %d still runs", job)),
		"got error %v", err)
	silent := false
	err = Slurm(testContext(t), w, realOptions(c), func(s Status) {
		expect.That(t, s.Job == job || s.Job == 0, "follows array %d, want %d", s.Job, job)
		if !silent {
			silent = true
			c.killController()
			expect.Success(t, os.WriteFile(filepath.Join(w.Dir, "go"), nil, 0o644))
			c.startController()
		}
	})
	expect.Success(t, err)
	for k := range w.Shards {
		begun, _ := os.ReadFile(filepath.Join(w.Dir, fmt.Sprintf("begun-%d", k)))
		expect.That(t, string(begun) == "x\n", "shard %d was begun as %q, want once", k, begun)
	}
}

// After an array is cancelled no other is submitted.
func TestLoopbackCancelled(t *testing.T) {
	c, w := onLoopback(t, 1, 1, 4, `sleep 600`)
	cancelled := false
	err := Slurm(testContext(t), w, realOptions(c), func(s Status) {
		if s.Running == 1 && !cancelled {
			cancelled = true
			expect.That(t, s.Pending == 3, "%+v, want 3 pending", s)
			out, err := c.command("scancel", fmt.Sprint(s.Job)).CombinedOutput()
			expect.That(t, err == nil, "%v: %s", err, out)
		}
	})
	expect.Failure(t, err, "was cancelled before 4 of 4 shards were complete (0-3 cancelled)")
}
