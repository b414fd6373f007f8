package input

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestFormOf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		expect.Success(t, os.MkdirAll(filepath.Dir(path), 0o755))
		expect.Success(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	packed := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		expect.Success(t, z.Close())
		return b.String()
	}
	write("traces/0", "0 init\n")
	for i, c := range []struct {
		text string
		want Form
	}{
		{"<?xml version='1.0'?>\n<platform/>", FormPlatform},
		{"\ufeff\n  <platform version=\"4.1\">", FormPlatform},
		{"<!-- mine -->", FormPlatform},
		{"<html>", FormUnknown},
		{"# c\n0 init\n", FormTI},
		{"12\tcompute 5\r\n", FormTI},
		{packed("3 recv 1 0 5\n"), FormTI},
		{"0: init\n", FormUnknown},
		{"0 1 2\n", FormUnknown},
		{"// by hand\nnum_ranks 4\n", FormGOAL},
		{packed("num_ranks 4\n"), FormGOAL},
		{"num_ranks: 4\n", FormUnknown},
		{"n, Processes ,\"time [s]\"\n", FormCSV},
		{"processes,threads\n", FormUnknown},
		{"; MaxProcs: 4\n;\n  1 0 -1 100.5 +2" + strings.Repeat(" -1", 13) + "\r\n", FormBatchLog},
		{packed("1" + strings.Repeat("\t-1", 17)), FormBatchLog},
		{"1 0 -1 100 2\n", FormUnknown},
		{"traces/0\ntraces/1\n", FormTIList},
		{"traces\n", FormUnknown},
		{"machine: sunwulf\n", FormUnknown},
		{strings.Repeat("x", 2*sniffed), FormUnknown},
		{strings.Repeat("\n", 2*sniffed) + "0 init", FormUnknown}, // too far down
		{"\x1f\x8bno gzip", FormUnknown},
		{"", FormUnknown},
	} {
		expect.Equal(t, FormOf(write("file", c.text)), c.want, "%d: %.40q", i, c.text)
	}
	for path, want := range map[string]Form{
		filepath.Join(dir, "traces"):           FormTIFolder,
		filepath.Join(dir, "none"):             FormUnknown,
		os.DevNull:                             FormUnknown,
		"../../../../examples/cluster.xml":     FormPlatform,
		"../../../../examples/ring.ti":         FormTI,
		"../../../../examples/ring.goal":       FormGOAL,
		"../../../../examples/sunwulf-ge.yaml": FormUnknown,
		"../../../../examples/queue-log.swf":   FormBatchLog,
	} {
		expect.That(t, FormOf(path) == want, "%s: %q, want %q", path, FormOf(path), want)
	}
}

// The error stays if the file is of the form that was wanted, and if its form is not
// recognised.
func TestOrOtherForm(t *testing.T) {
	own := errors.New("line 3 is wrong")
	got := OrOtherForm("../../../../examples/ring.ti", own, "a trace", FormTI)
	expect.That(t, got == own, "got %v", got)
	got = OrOtherForm(filepath.Join(t.TempDir(), "none"), own, "a trace", FormTI)
	expect.That(t, got == own, "got %v", got)
	got = OrOtherForm("../../../../examples/ring.ti", nil, "a platform", FormPlatform)
	expect.That(t, got == nil, "got %v", got)
	got = OrOtherForm("../../../../examples/ring.ti", own, "a platform", FormPlatform)
	expect.That(t, got != nil && IsError(got) && HasPosition(got) && strings.Contains(got.Error(), "expected a platform; 'isoscale replay --ti"),
		"got %v", got)
}
