package input

import (
	"os"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestReadFileIsBounded(t *testing.T) {
	name := expect.File(t, "file", "12345")
	if data, err := readFile(name, 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := readFile(name, 4); err == nil || err.Error() != "larger than 4 B" {
		t.Errorf("a byte too many: %v", err)
	}
	if err := os.Truncate(name, 10<<30); err != nil { // no blocks are written
		t.Skip(err)
	}
	if _, err := ReadFile(name); err == nil || !strings.Contains(err.Error(), "larger than 256 MiB") {
		t.Errorf("10 GiB of nothing: %v", err)
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := readFile("/dev/zero", 1<<20); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
			t.Errorf("a device without an end: %v", err)
		}
	}
}
