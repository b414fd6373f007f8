package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fullDisk takes no byte.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// A command whose output is lost has failed, also where it is only the help.
func TestLostOutputIsAFailure(t *testing.T) {
	for _, line := range []string{"--help", "help run", "run --help", "--version", "version", "version --json", "list", "schema scenario"} {
		var stderr bytes.Buffer
		status := execute(context.Background(), strings.Fields(line), fullDisk{}, &stderr)
		if status != exitFailed || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%s: exit status %d, %q", line, status, stderr.String())
		}
	}
}

// A report to the file that standard output goes to would lose one of both.
func TestReportToTheFileOfStandardOutput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	stdout, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	var stderr bytes.Buffer
	scenario := filepath.Join("..", "..", "examples", "sunwulf-run.yaml")
	status := execute(context.Background(), []string{"run", scenario, "--report", name}, stdout, &stderr)
	if status != exitInput || !strings.Contains(stderr.String(), "standard output goes there") {
		t.Errorf("exit status %d, %q", status, stderr.String())
	}
}
