package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// After a test nothing of its cluster is left, even if a task runs that ignores
// requests to end, the daemon that watches it is dead, and so is the controller.
func TestClusterLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var conf string
	t.Run("cluster", func(t *testing.T) {
		c := startCluster(t, 2, 1)
		conf = strings.TrimPrefix(c.env[0], "SLURM_CONF=")
		script := "#!/bin/sh\ntrap '' TERM HUP INT\ntouch " + dir + "/$SLURM_ARRAY_TASK_ID.$SLURMD_NODENAME\nsleep 600 &\nwait\n"
		submit := c.command("sbatch", "--array=1-2", "--chdir="+dir)
		submit.Stdin = strings.NewReader(script)
		if out, err := submit.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		c.await("both tasks to start", func() bool {
			names, _ := filepath.Glob(dir + "/*.n?") // the pattern is well-formed
			return len(names) == 2
		})
		if len(mentioning(t, conf)) == 0 {
			t.Error("the tasks run, but no process mentions the configuration: the check below is blind")
		}
		c.killController()
		c.killDaemon(1)
		// Nor does it matter if somebody tidies up too early.
		if err := os.RemoveAll(filepath.Dir(conf)); err != nil {
			t.Error(err)
		}
	})
	if conf == "" {
		t.Skip("no cluster")
	}
	if left := mentioning(t, conf); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Dir(conf)); !os.IsNotExist(err) {
		t.Errorf("the cluster's directory: got %v, want that it does not exist", err)
	}
}

// mentioning returns the processes with that text in their environment or
// command line.
func mentioning(t *testing.T, text string) []string {
	t.Helper()
	var found []string
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		environment, _ := os.ReadFile(folder + "/environ") // none: it has ended
		arguments, _ := os.ReadFile(folder + "/cmdline")
		if strings.Contains(string(environment)+string(arguments), text) {
			found = append(found, filepath.Base(folder)+" "+strings.ReplaceAll(string(arguments), "\x00", " "))
		}
	}
	return found
}
