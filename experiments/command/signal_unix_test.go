//go:build unix

package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
)

// asProgram is the variable of the environment that makes the test binary isoscale.
const asProgram = "ISOSCALE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main())
	}
	os.Exit(m.Run())
}

// A study whose terminal is closed stops in an orderly way, as after an interrupt.
func TestSignalsStopAStudy(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			if signal.Ignored(sig) {
				t.Skip("the tests run with this signal ignored, as under nohup, and so would the study")
			}
			dir := t.TempDir()
			plan := filepath.Join(dir, "plan.yaml")
			const text = "scenario: {machine: sunwulf, network: hockney, nodes: {server: 1, blade: 8}, workload: {name: gauss, n: 50}}\n" +
				"factors: {n: {path: workload.n, from: 100, to: 2000}}\n"
			expect.Success(t, os.WriteFile(plan, []byte(text), 0o666))
			out := filepath.Join(dir, "out")
			cmd := exec.Command(os.Args[0], "sweep", plan, "--out", out, "--jobs", "1")
			cmd.Env = append(os.Environ(), asProgram+"=1")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			expect.Success(t, cmd.Start())
			for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(time.Millisecond) {
				if parts, _ := filepath.Glob(filepath.Join(out, "part-*")); len(parts) > 0 {
					break
				}
				expect.Need(t, !time.Now().After(deadline), "the study does not begin")
			}
			expect.Success(t, cmd.Process.Signal(sig))
			err := cmd.Wait()
			var exit *exec.ExitError
			expect.That(t, errors.As(err, &exit) && exit.ExitCode() == exitFailed,
				"%v; want exit status %d", err, exitFailed)
			expect.Says(t, stderr.String(), fmt.Sprintf("interrupted; the results so far are in %s", out))
		})
	}
}

// A hangup that is ignored, as under nohup, stays ignored.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	cmd := exec.Command("nohup", os.Args[0], "-test.run", "^TestEndSignalsOfThisProcess$", "-test.v")
	if cmd.Err != nil {
		t.Skip(cmd.Err)
	}
	cmd.Env = append(os.Environ(), "ISOSCALE_TEST_NOHUP=1")
	text, err := cmd.CombinedOutput()
	expect.That(t, err == nil && strings.Contains(string(text), "--- PASS"), "%v\n%s", err, text)
}

func TestEndSignalsOfThisProcess(t *testing.T) {
	hangup := false
	for _, s := range endSignals() {
		hangup = hangup || s == syscall.SIGHUP
	}
	ignored := signal.Ignored(syscall.SIGHUP)
	under := os.Getenv("ISOSCALE_TEST_NOHUP") != ""
	expect.Need(t, !under || ignored, "nohup does not ignore the hangup")
	expect.That(t, hangup != ignored, "stops on a hangup: %v; it is ignored: %v", hangup, ignored)
}
