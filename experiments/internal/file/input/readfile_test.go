package input

import (
	"os"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestReadFileIsBounded(t *testing.T) {
	name := expect.File(t, "file", "12345")
	data, err := readFile(name, 5)
	expect.That(t, err == nil && string(data) == "12345", "%q, %v", data, err)
	_, err = readFile(name, 4)
	expect.That(t, err != nil && err.Error() == "larger than 4 B", "a byte too many: %v", err)
	if err := os.Truncate(name, 10<<30); err != nil { // no blocks are written
		t.Skip(err)
	}
	_, err = ReadFile(name)
	expect.Failure(t, err, "larger than 256 MiB")
	if _, err := os.Stat("/dev/zero"); err == nil {
		expect.Refusal(readFile("/dev/zero", 1<<20))(t, "larger than 1 MiB")
	}
}
