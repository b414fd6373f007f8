//go:build unix

package titrace

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A pipe is refused wherever a file of a trace is expected. Without that, opening it
// would wait for ever: nothing writes to it.
func TestPipesAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "0")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	list := expect.File(t, "list", pipe+"\n")
	for _, path := range []string{pipe, dir, list} {
		_, err := Open(path, 0)
		expect.That(t, errors.Is(err, errNoFile), "%s: %v", path, err)
	}
}
