package batch

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	random "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
)

// requireVariable is the environment variable that turns a skipped test into a
// failed one.
const requireVariable = "ISOSCALE_REQUIRE_SLURM"

// patience bounds every wait. A wait ends as soon as its condition holds, so only a failure takes that long, however
// busy the machine is.
const patience = 3 * time.Minute

// cluster is a private Slurm on the loopback interface for the duration of a
// test: munge, a controller and one daemon for each virtual node, in a directory
// of their own, on free ports, with a key of their own. Several clusters may run
// at the same time. The methods fail the test if they cannot do what they say;
// they must be called from the goroutine of the test.
//
// A cluster needs Linux, root and the programs of Debian's packages slurm-wlm and
// munge (tried with Slurm 22.05); no systemd, cgroups or database. Where one of
// these is missing the test is skipped and says what it needs; it fails instead
// if the environment variable ISOSCALE_REQUIRE_SLURM is set. With -short the
// test is skipped.
//
// Nodes are called n1, n2, ... and may claim more processors than the machine has. Everything that could be specific to
// a site, from the cluster's name (loopback) to its limits (MaxArraySize 1001, MaxJobCount 10000), is Slurm's default,
// except that the scheduler runs every second. If a test is to lose nodes, some times are shorter than on a site: a
// silent node is given up after some 15 s instead of 300 s, and a requeued job waits 5 s instead of 120 s.
//
// The daemons stay in the foreground as children of the test, so each is ended
// by its own process id. What Slurm puts into the background (a slurmstepd for
// each running task, and the task) is found by its environment, which names the
// configuration of this cluster alone. Nothing is left after the test; if the test
// process itself is killed, the daemons go with it.
type cluster struct {
	// env is what a client of the cluster has in its environment on top of the
	// usual, as NAME=value.
	env []string

	t          testing.TB
	dir        string
	nodes      int
	munge      *daemon
	controller *daemon
	slurmd     []*daemon // of node i at i; none at 0
}

// start starts a cluster with the given numbers of nodes and of processors per node, waits until all nodes take work,
// and ends it with the test. A silent node is given up after 300 s, Slurm's default, so that a merely slow one is not
// lost. With losesNodes, for tests that kill nodes, it is given up after some 15 s, and its tasks start again after 5
// s. On a busy machine that may happen to any node, so such a test must not count how often a task begins.
func start(t testing.TB, nodes, cpus int, losesNodes bool) *cluster {
	t.Helper()
	requireSlurm(t)
	// Not t.TempDir, whose paths can be too long for a socket.
	dir := expect.Value(os.MkdirTemp("", "isoscale-slurm-"))(t)
	c := &cluster{t: t, dir: dir, nodes: nodes, slurmd: make([]*daemon, nodes+1)}
	c.env = []string{"SLURM_CONF=" + c.path("slurm.conf")}
	t.Cleanup(c.stop)
	// Jobs and daemons may belong to different users.
	expect.Success(t, os.Chmod(dir, 0o755))
	c.configure(cpus, losesNodes)

	c.munge = c.start(dir, "munged", "--foreground", "--force", "--key-file="+c.path("munge.key"),
		"--seed-file="+c.path("munge.seed"), "--socket="+c.path("munge.socket"),
		"--pid-file="+c.path("munge.pid"), "--origin=127.0.0.1")
	c.await("munge to listen", func() bool {
		_, err := os.Stat(c.path("munge.socket"))
		return err == nil
	})
	c.startController()
	for i := 1; i <= nodes; i++ {
		c.launchNode(i)
	}
	for i := 1; i <= nodes; i++ {
		c.waitNode(i)
	}
	return c
}

// testContext returns the context of a test, which ends a little before the program is killed at the deadline of all
// tests, so that what the test has started is also ended.
func testContext(t *testing.T) context.Context {
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, deadline.Add(-30*time.Second))
		t.Cleanup(stop)
	}
	return ctx
}

// command returns a command that runs as a client of the cluster.
func (c *cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), c.env...)
	return cmd
}

// killNode kills everything of node i (from 1) at once, as a power failure
// does: its daemon, its tasks and what watches them. A cluster that is to lose nodes
// notices after some 15 s, or 40 s if the node is started again before that.
func (c *cluster) killNode(i int) {
	c.t.Helper()
	c.killDaemon(i)
	c.killAll(func(p process) bool {
		// A slurmstepd has the directory of its slurmd; the kernel says so if somebody has removed it meanwhile.
		return strings.TrimSuffix(p.link("cwd"), " (deleted)") == c.nodeDir(i) ||
			strings.Contains(p.file("environ"), fmt.Sprintf("SLURMD_NODENAME=n%d\x00", i))
	})
}

// killDaemon kills the slurmd of node i (from 1). Tasks that run there go on.
func (c *cluster) killDaemon(i int) {
	c.t.Helper()
	c.slurmd[i].kill()
}

// killController kills slurmctld. Tasks that run go on.
func (c *cluster) killController() {
	c.t.Helper()
	c.controller.kill()
}

// startController starts slurmctld on the state it had, and waits until it
// answers.
func (c *cluster) startController() {
	c.t.Helper()
	c.controller = c.start(c.dir, "slurmctld", "-D", "-f", c.path("slurm.conf"))
	c.await("slurmctld to answer", func() bool {
		out, err := c.ask("scontrol", "ping")
		return err == nil && strings.Contains(out, "is UP")
	})
}

// requireSlurm skips or fails the test where a cluster cannot be started. start does that, too; a test calls it before
// other work that would otherwise be in vain.
func requireSlurm(t testing.TB) {
	t.Helper()
	expect.Long(t, "starts a Slurm on loopback")
	missing := ""
	if runtime.GOOS != "linux" {
		missing = "Linux"
	} else if os.Getuid() != 0 {
		missing = "root"
	}
	for _, program := range []string{"munged", "mungekey", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo"} {
		if _, err := find(program); err != nil && missing == "" {
			missing = "the program " + program + " (Debian: apt-get install slurm-wlm munge)"
		}
	}
	switch {
	case missing == "":
	case os.Getenv(requireVariable) != "":
		t.Fatalf("%s is set, but a Slurm on loopback needs %s", requireVariable, missing)
	default:
		t.Skipf("a Slurm on loopback needs %s", missing)
	}
}

// find looks a program up in PATH and where daemons are, which need not be in
// the PATH of a user.
func find(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err == nil {
		return path, nil
	}
	for _, folder := range []string{"/usr/sbin", "/sbin"} {
		if path, err := exec.LookPath(filepath.Join(folder, program)); err == nil {
			return path, nil
		}
	}
	return "", err
}

// path returns the path of a file of the cluster.
func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

// nodeDir is the directory of node i, in which its slurmd and its slurmstepds work.
func (c *cluster) nodeDir(i int) string { return c.path(fmt.Sprintf("n%d", i)) }

// configure writes the key and the configuration files.
func (c *cluster) configure(cpus int, losesNodes bool) {
	c.t.Helper()
	key := make([]byte, 128)
	rand.Read(key)
	host := expect.Value(os.Hostname())(c.t)
	host, _, _ = strings.Cut(host, ".")
	ports := c.freePorts(c.nodes + 1)

	var conf strings.Builder
	set := func(name, format string, args ...any) {
		fmt.Fprintf(&conf, "%s=%s\n", name, fmt.Sprintf(format, args...))
	}
	set("ClusterName", "loopback")
	set("SlurmctldHost", "%s(127.0.0.1)", host)
	set("SlurmctldPort", "%d", ports[0])
	// Slurm can listen on the address of the host's name or on all; the nodes
	// are on 127.0.0.1.
	if addresses, err := net.LookupHost(host); err == nil && len(addresses) > 0 && addresses[0] == "127.0.0.1" {
		set("CommunicationParameters", "NoCtldInAddrAny,NoInAddrAny")
	}
	set("SlurmUser", "root")
	set("AuthType", "auth/munge")
	set("CredType", "cred/munge")
	auth := "socket=" + c.path("munge.socket")
	if losesNodes {
		auth += ",cred_expire=5" // for which a job waits before it is started again
		set("SlurmdTimeout", "6")
		set("MessageTimeout", "3") // how long the controller tries to reach a silent node
	}
	set("AuthInfo", "%s", auth)
	set("StateSaveLocation", "%s", c.path("state"))
	set("SlurmdSpoolDir", "%s", c.path("%n/spool"))
	set("SlurmctldPidFile", "%s", c.path("slurmctld.pid"))
	set("SlurmdPidFile", "%s", c.path("%n/slurmd.pid"))
	set("SlurmctldLogFile", "%s", c.path("slurmctld.log"))
	set("SlurmdLogFile", "%s", c.path("%n/slurmd.log"))
	set("ProctrackType", "proctrack/linuxproc")
	set("TaskPlugin", "task/none")
	set("JobAcctGatherType", "jobacct_gather/none")
	set("AccountingStorageType", "accounting_storage/none")
	set("JobCompType", "jobcomp/none")
	set("MpiDefault", "none")
	set("MailProg", "/bin/true")
	set("SelectType", "select/cons_tres")
	set("SelectTypeParameters", "CR_CPU")
	set("SlurmdParameters", "config_overrides") // nodes claim what they like
	set("SchedulerType", "sched/backfill")
	set("SchedulerParameters", "batch_sched_delay=0,sched_interval=1,bf_interval=1")
	set("MinJobAge", "300")
	set("ReturnToService", "2")
	set("KillWait", "2")
	for i := 1; i <= c.nodes; i++ {
		set("NodeName", "n%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=%d RealMemory=1024 State=UNKNOWN", i, host, ports[i], cpus)
	}
	set("PartitionName", "main Nodes=ALL Default=YES MaxTime=INFINITE State=UP")

	c.write("munge.key", key, 0o600)
	c.write("slurm.conf", []byte(conf.String()), 0o644)
	// slurmd loads a plugin for cgroups although nothing uses them; that of
	// version 1 is content without any being mounted.
	c.write("cgroup.conf", []byte("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n"), 0o644)
	for i := 1; i <= c.nodes; i++ {
		expect.Success(c.t, os.MkdirAll(filepath.Join(c.nodeDir(i), "spool"), 0o755))
	}
	expect.Success(c.t, os.Mkdir(c.path("state"), 0o700))
}

func (c *cluster) write(name string, content []byte, mode os.FileMode) {
	c.t.Helper()
	expect.Success(c.t, os.WriteFile(c.path(name), content, mode))
}

// freePorts returns n ports of the loopback interface on which nobody listens. By default the kernel hands out ports
// from 32768 up. These are lower, so that nobody else gets one before its daemon listens, or while the daemon is dead.
func (c *cluster) freePorts(n int) []int {
	c.t.Helper()
	const first, last, tries = 10000, 32767, 1000
	var ports []int
	for range tries {
		port := first + random.IntN(last-first+1)
		l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		defer l.Close() // all are held until all are chosen
		if ports = append(ports, port); len(ports) == n {
			return ports
		}
	}
	c.t.Fatalf("found %d of %d free ports from %d to %d", len(ports), n, first, last)
	return nil
}

// launchNode starts the slurmd of node i (from 1), also again after killNode or
// killDaemon. It does not wait until the node takes work.
func (c *cluster) launchNode(i int) {
	c.t.Helper()
	c.slurmd[i] = c.start(c.nodeDir(i), "slurmd", "-D", "-f", c.path("slurm.conf"), "-N", fmt.Sprintf("n%d", i))
}

// waitNode waits until node i (from 1) takes work.
func (c *cluster) waitNode(i int) {
	c.t.Helper()
	c.await(fmt.Sprintf("node n%d to take work", i), func() bool {
		return slices.Contains([]string{"idle", "mixed", "allocated", "completing"}, c.state(i))
	})
}

// waitNodeLost waits until Slurm has given up node i (from 1) after killNode or
// killDaemon, and with it the tasks there.
func (c *cluster) waitNodeLost(i int) {
	c.t.Helper()
	c.await(fmt.Sprintf("node n%d to be given up", i), func() bool { return strings.HasPrefix(c.state(i), "down") })
}

// state returns the state of node i in Slurm's words; empty if it is not known.
func (c *cluster) state(i int) string {
	out, err := c.ask("sinfo", "-h", "-n", fmt.Sprintf("n%d", i), "-N", "-o", "%T")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// ask runs a client and returns what it printed. A client whose question got lost, for example because a daemon was
// killed, is ended long before its caller loses patience.
func (c *cluster) ask(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience/20)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), c.env...)
	out, err := cmd.Output()
	return string(out), err
}

// await waits until the condition holds. It fails the test if that takes too long
// or a daemon ends that nobody has killed.
func (c *cluster) await(what string, condition func() bool) {
	c.t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(50 * time.Millisecond) {
		for _, d := range c.daemons() {
			expect.Need(c.t, !d.failed(),
				"waited for %s, and %s ended: %s", what, d.name, c.lastLines(d.name+".output", 5))
		}
		expect.Need(c.t, !time.Now().After(deadline), "waited %v for %s", patience, what)
	}
}

// daemons lists the daemons started last in each place, first those that can start others.
func (c *cluster) daemons() []*daemon {
	return slices.DeleteFunc(slices.Concat([]*daemon{c.controller}, c.slurmd, []*daemon{c.munge}), func(d *daemon) bool { return d == nil })
}

// stop ends everything and removes the directory. There is no state to keep, so everything is killed, first what could
// start something.
func (c *cluster) stop() {
	for _, d := range c.daemons() {
		d.kill()
	}
	c.killAll(func(process) bool { return true })
	if c.t.Failed() {
		c.t.Logf("the end of slurmctld.log:\n%s", c.lastLines("slurmctld.log", 30))
	}
	// munge and Slurm may have children that are just ending and still write.
	deadline := time.Now().Add(patience)
	err := os.RemoveAll(c.dir)
	for ; err != nil && time.Now().Before(deadline); err = os.RemoveAll(c.dir) {
		time.Sleep(20 * time.Millisecond)
	}
	expect.That(c.t, err == nil, "%v", err)
}

// lastLines returns the last n lines of a file of the cluster.
func (c *cluster) lastLines(name string, n int) []byte {
	content, err := os.ReadFile(c.path(name))
	if err != nil {
		return []byte(err.Error())
	}
	lines := bytes.SplitAfter(content, []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-n):], nil)
}

// daemon is a child of this process that runs until it is killed.
type daemon struct {
	name    string
	process *os.Process
	killed  bool
	ended   chan struct{} // closed once it has ended
}

// kill ends the daemon at once and returns when it is gone.
func (d *daemon) kill() {
	d.killed = true
	d.process.Kill() // of one that has ended already: no effect
	<-d.ended
}

// failed reports whether the daemon has ended without being killed, for example because it rejects its configuration.
func (d *daemon) failed() bool {
	select {
	case <-d.ended:
		return !d.killed
	default:
		return false
	}
}

// start starts a daemon of the cluster in a directory. What it prints before it
// has opened its log goes to a file NAME.output.
func (c *cluster) start(dir, name string, args ...string) *daemon {
	c.t.Helper()
	path := expect.Value(find(name))(c.t)
	output := expect.Value(os.OpenFile(c.path(name+".output"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644))(c.t)
	defer output.Close()
	cmd := exec.Command(path, args...)
	// Without the variables of a Slurm that this test itself may be a job of.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SLURM") }), c.env...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = output, output
	diesWithParent(cmd)
	d := &daemon{name: name, ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel takes the thread that started a process for its parent:
		// it has to live as long as the daemon.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		d.process = cmd.Process
		started <- err
		if err == nil {
			cmd.Wait()
			close(d.ended)
		}
	}()
	expect.Success(c.t, <-started)
	return d
}

// killAll kills the processes of the cluster that are selected, until there are none: one may start another in between.
func (c *cluster) killAll(selected func(p process) bool) {
	c.t.Helper()
	var left []process
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		left = slices.DeleteFunc(mentioning(c.env[0]), func(p process) bool { return !selected(p) })
		if len(left) == 0 {
			return
		}
		for _, p := range left {
			if found, err := os.FindProcess(int(p)); err == nil {
				_ = found.Kill() // it may have ended
			}
		}
	}
	c.t.Errorf("processes of the cluster do not end: %v", left)
}

// process is the number of a process.
type process int

func (p process) path(name string) string { return filepath.Join("/proc", strconv.Itoa(int(p)), name) }

// file returns what the kernel has in a file about the process; nothing if it has ended.
func (p process) file(name string) string {
	content, _ := os.ReadFile(p.path(name))
	return string(content)
}

// link is file for a link.
func (p process) link(name string) string {
	to, _ := os.Readlink(p.path(name))
	return to
}

func (p process) String() string {
	return fmt.Sprint(int(p), " ", strings.ReplaceAll(p.file("cmdline"), "\x00", " "))
}

// mentioning returns the processes that have a text in their environment or command line.
func mentioning(text string) []process {
	var found []process
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well-formed
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		if p := process(pid); strings.Contains(p.file("environ")+p.file("cmdline"), text) {
			found = append(found, p)
		}
	}
	return found
}

// After a test nothing of its cluster is left, even if a task runs that ignores
// requests to end, the daemon that watches it is dead, and so is the controller.
func TestClusterLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var conf string
	t.Run("cluster", func(t *testing.T) {
		c := start(t, 2, 1, false)
		conf = strings.TrimPrefix(c.env[0], "SLURM_CONF=")
		script := "#!/bin/sh\ntrap '' TERM HUP INT\ntouch " + dir + "/$SLURM_ARRAY_TASK_ID.$SLURMD_NODENAME\nsleep 600 &\nwait\n"
		submit := c.command("sbatch", "--array=1-2", "--chdir="+dir)
		submit.Stdin = strings.NewReader(script)
		out, err := submit.CombinedOutput()
		expect.Need(t, err == nil, "%v: %s", err, out)
		c.await("both tasks to start", func() bool {
			names, _ := filepath.Glob(dir + "/*.n?") // the pattern is well-formed
			return len(names) == 2
		})
		expect.That(t, len(mentioning(conf)) != 0,
			"the tasks run, but no process mentions the configuration: the check below is blind")
		c.killController()
		c.killDaemon(1)
		// Nor does it matter if somebody tidies up too early.
		expect.Success(t, os.RemoveAll(filepath.Dir(conf)))
	})
	if conf == "" {
		t.Skip("no cluster")
	}
	left := mentioning(conf)
	expect.That(t, len(left) <= 0, "left: %v", left)
	_, err := os.Stat(filepath.Dir(conf))
	expect.That(t, os.IsNotExist(err), "the cluster's directory: got %v, want that it does not exist", err)
}
