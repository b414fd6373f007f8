package yamldoc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		expect.Success(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	n, data, err := ReadFile(write("good.yaml", "a: 1\n"))
	expect.That(t, err == nil && n.Value("a").Text() == "1" && string(data) == "a: 1\n", "good.yaml: %q, %v", data, err)
	expect.That(t, n.Pos().File == filepath.Join(dir, "good.yaml"), "position in %q", n.Pos().File)

	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "none.yaml"), ": cannot read: no such file or directory; expected a YAML file"},
		{dir, ": is a directory; expected a YAML file"},
		{write("large.yaml", strings.Repeat("#\n", maxBytes)), ": too large; expected at most 4 MiB"},
		{write("binary", "\x7fELF\x00"), ":1:1: control character U+007F; expected a text file in UTF-8"},
		{write("empty.yaml", ""), ":1:1: empty document; expected a YAML mapping"},
	} {
		_, _, err := ReadFile(c.path)
		expect.Equal(t, fmt.Sprint(err), c.path+c.want, "error")
	}
	_, _, err = ReadFile(filepath.Join(dir, "none.yaml"))
	expect.That(t, errors.Is(err, fs.ErrNotExist), "%v is not fs.ErrNotExist", err)
}
